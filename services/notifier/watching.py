"""What the notifier does, told to the log: a line for each notice and for each letter."""

from collections.abc import Sequence

import structlog

from contracts.notices import Letter, Notice
from services.notifier.telling import Withdrawn


class Logging:
    """Writes lines into the log; none says a word of where a letter goes."""

    def __init__(self) -> None:
        self._log = structlog.get_logger("notifier")

    def noticed(self, notices: Sequence[Notice], withdrawn: Sequence[Withdrawn]) -> None:
        """A look at a table was written down."""
        for notice in notices:
            self._log.info(
                "notice made",
                notice=notice.id,
                table=notice.table,
                player=notice.player,
                kind=notice.kind,
                version=notice.version,
            )
        for one in withdrawn:
            is_corrected = one.correction is not None
            self._log.info("notice over", notice=one.notice, is_corrected=is_corrected)

    def dealt_with(self, what: str, letter: Letter, why: str = "", again: int = 0) -> None:
        """A letter was sent, failed, held, given up or withdrawn."""
        more = {name: value for name, value in (("why", why), ("again", again)) if value}
        self._log.info(
            f"letter {what}",
            letter=letter.id,
            addressee=letter.addressee,
            channel=letter.channel,
            attempts=letter.attempts,
            **more,
        )

    def puzzled(self, what: str, about: str, why: str) -> None:
        """Something cannot be read, or a table cannot be told."""
        self._log.error(what, about=about, why=why)
