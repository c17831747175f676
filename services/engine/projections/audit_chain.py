"""The chain of digests and versions: what was changed, left out or put elsewhere."""

from collections.abc import Sequence
from typing import Any

import msgspec

from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Record, decode, digest, encode
from contracts.views import Fault

Entry = tuple[bytes, bytes]


def chain_fault(
    table_id: TableId, entries: Sequence[Entry], seal: bytes | None, checks: dict[str, int]
) -> tuple[list[Record], Fault | None]:
    """The records up to the first fault of the chain, and that fault."""
    records: list[Record] = []
    before = FIRST_DIGEST
    for place, (body, mark) in enumerate(entries):
        record = _decoded(body)
        fault = (
            _unreadable(place + 1, before, body, mark)
            if record is None
            else _misplaced(entries, place, record)
            or _altered(entries, place, before)
            or _strange(table_id, record, body)
        )
        if record is None or fault is not None:
            return records, fault
        records.append(record)
        before = mark
        checks["digests"] = checks.get("digests", 0) + 1
        checks["encodings"] = checks.get("encodings", 0) + 1
    return records, _unsealed(entries, seal, checks)


def _decoded(body: bytes) -> Record | None:
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _unreadable(version: int, before: bytes, body: bytes, mark: bytes) -> Fault:
    if digest(before, body) == mark:
        sentence = f"Version {version} is whole but no release of this program wrote it."
        return Fault("unreadable", version, sentence)
    sentence = f"Version {version} was changed: it cannot be read and does not fit its digest."
    return Fault("changed", version, sentence)


def _misplaced(entries: Sequence[Entry], place: int, record: Record) -> Fault | None:
    """A record that stands where another should."""
    version, found = place + 1, record.version
    if found == version:
        return None
    if place + 1 < len(entries):
        body, mark = entries[place + 1]
        following = _decoded(body)
        fits = digest(entries[place][1], body) == mark
        if fits and following is not None and following.version == version + 1:
            sentence = f"Version {version} was changed: it calls itself {found}."
            return Fault("changed", version, sentence)
    later = [later.version for body, _ in entries[place + 1 :] if (later := _decoded(body))]
    if found > version and version in later:
        sentence = f"Version {found} stands before version {version}: they were swapped."
        return Fault("swapped", version, sentence)
    if found > version:
        gap = (
            f"Version {version} is"
            if found == version + 1
            else f"Versions {version} to {found - 1} are"
        )
        follows = f"follows version {place}" if place else "comes first"
        return Fault("missing", version, f"{gap} missing: version {found} {follows}.")
    sentence = f"Version {found} stands again where version {version} has to follow."
    return Fault("repeated", version, sentence)


def _altered(entries: Sequence[Entry], place: int, before: bytes) -> Fault | None:
    """A record or a digest that does not fit; which of the two, the next record tells."""
    body, mark = entries[place]
    worked_out = digest(before, body)
    if worked_out == mark:
        return None
    version = place + 1
    if place + 1 < len(entries):
        next_body, next_mark = entries[place + 1]
        if digest(mark, next_body) == next_mark:
            sentence = (
                f"Version {version} was changed: the next record rests on the digest that it had."
            )
            return Fault("changed", version, sentence)
        if digest(worked_out, next_body) == next_mark:
            sentence = f"The digest of version {version} was changed; the record was not."
            return Fault("digest", version, sentence)
    sentence = f"Version {version} does not fit its digest: one of the two was changed."
    return Fault("changed", version, sentence)


def _strange(table_id: TableId, record: Record, body: bytes) -> Fault | None:
    """A record of another table, or one that we would write otherwise."""
    version = record.version
    if record.order.table != table_id:
        sentence = f"Version {version} is of table {record.order.table}, not of {table_id}."
        return Fault("foreign", version, sentence)
    if encode(record) != body and not _is_older(body, record):
        sentence = f"Version {version}, read and written again, comes out otherwise."
        return Fault("not canonical", version, sentence)
    return None


def _is_older(body: bytes, record: Record) -> bool:
    """Whether an encoding is ours from before some field was added at the end of its message."""
    then, now = msgspec.msgpack.decode(body), msgspec.msgpack.decode(encode(record))
    return msgspec.msgpack.encode(then) == body and _begins(then, now)


def _begins(then: Any, now: Any) -> bool:  # noqa: ANN401 - any part of a message
    """Whether each array of an older encoding is the beginning of the array of today."""
    if isinstance(then, list) and isinstance(now, list):
        return len(then) <= len(now) and all(map(_begins, then, now))
    if isinstance(then, dict) and isinstance(now, dict):
        return list(then) == list(now) and all(map(_begins, then.values(), now.values()))
    return bool(then == now)


def _unsealed(entries: Sequence[Entry], seal: bytes | None, checks: dict[str, int]) -> Fault | None:
    """Records that are missing at the end, or a book that was written anew."""
    if seal is None:
        return None
    checks["seal"] = 1
    if seal == FIRST_DIGEST or any(mark == seal for _, mark in entries):
        return None
    sentence = (
        f"No record has the digest {seal.hex()} that was noted for this table: records are missing "
        f"after version {len(entries)}, or the book was written anew."
    )
    return Fault("unsealed", len(entries), sentence)
