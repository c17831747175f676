"""The same on a cluster of three servers, where each act has to keep to one partition."""

import pytest

from contracts.ids import TableId
from services.archive import folder as files
from services.archive.archiving import Archiving, Wish
from services.archive.removing import Removing
from services.archive.taking import taken
from services.bus.connection import connection, opened
from tests.archive.shelf import ANY, NOW, OVER, contents

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
FIRST, SECOND = TableId(OVER), TableId("soak-1862-7-26")


async def test_tables_are_archived_restored_and_renamed_on_a_cluster(cluster_url, tmp_path):
    async with connection(cluster_url) as client:
        partitions = await opened(client)
        work = Archiving(client, partitions, tmp_path)
        for name in (FIRST, SECOND):
            found = contents(name, most=60)
            await work.restore(name, files.put(tmp_path / "brought", found))
        done = await work.archive(FIRST, NOW, ANY)
        removed = await Removing(client, partitions, (tmp_path,)).remove("ann", NOW)
        assert (removed.tables, removed.files, removed.failed) == ((SECOND,), (done.file,), ())
        await work.restore(FIRST)
        for name in (FIRST, SECOND):
            held = (await taken(client, partitions, name, NOW)).contents
            assert (held.version, len(held.resealed)) == (60, 1)
        with pytest.raises(Exception, match="is not over"):
            await work.archive(FIRST, NOW, Wish())
