"""Why a command was refused: a closed list of codes, each with a sentence.

A rejection cites the section of the title's own rulebook and says what would be legal.
"""

from enum import StrEnum

from msgspec import Struct


class Code(StrEnum):
    """The codes; a retired one stays in the list."""

    # the order itself
    UNREADABLE = "unreadable"
    UNKNOWN_TABLE = "unknown-table"
    TABLE_EXISTS = "table-exists"
    STALE = "stale"
    NOT_SEATED = "not-seated"
    NOT_YOUR_TURN = "not-your-turn"
    GAME_OVER = "game-over"
    WRONG_STEP = "wrong-step"
    QUESTION_CLOSED = "question-closed"
    ENGINE_FAULT = "engine-fault"
    # opening a table
    UNKNOWN_TITLE = "unknown-title"
    UNKNOWN_EDITION = "unknown-edition"
    UNKNOWN_RULING = "unknown-ruling"
    UNKNOWN_VARIANT = "unknown-variant"
    BAD_SEATS = "bad-seats"
    BAD_SETTINGS = "bad-settings"
    # money and paper
    NO_SUCH_COMPANY = "no-such-company"
    NOT_ON_SALE = "not-on-sale"
    BAD_PRICE = "bad-price"
    BID_TOO_LOW = "bid-too-low"
    TOO_LITTLE_CASH = "too-little-cash"
    NOT_YOURS = "not-yours"
    ALREADY_BOUGHT = "already-bought"
    SOLD_THIS_ROUND = "sold-this-round"
    CERTIFICATE_LIMIT = "certificate-limit"
    HOLDING_LIMIT = "holding-limit"
    OVER_LIMIT = "over-limit"
    POOL_LIMIT = "pool-limit"
    NO_SALES_YET = "no-sales-yet"
    NO_NEW_DIRECTOR = "no-new-director"
    KEEPS_DIRECTORSHIP = "keeps-directorship"
    SELLS_TOO_MUCH = "sells-too-much"
    NOT_STARTED = "not-started"
    ALREADY_STARTED = "already-started"
    # track and tokens
    NO_SUCH_HEX = "no-such-hex"
    NO_SUCH_TILE = "no-such-tile"
    NO_TILE_LEFT = "no-tile-left"
    WRONG_COLOUR = "wrong-colour"
    DOES_NOT_FIT = "does-not-fit"
    BLOCKED = "blocked"
    NOT_CONNECTED = "not-connected"
    TRACK_LOST = "track-lost"
    BAD_SIDE = "bad-side"
    NO_FREE_SLOT = "no-free-slot"
    TOKEN_THERE = "token-there"  # noqa: S105 - a station marker, no secret
    NO_TOKEN_LEFT = "no-token-left"  # noqa: S105 - a station marker, no secret
    CITY_TO_CHOOSE = "city-to-choose"
    NO_RIGHT = "no-right"
    # trains and runs
    NO_SUCH_TRAIN = "no-such-train"
    TRAIN_LIMIT = "train-limit"
    MUST_BUY_TRAIN = "must-buy-train"
    MUST_RUN = "must-run"
    BAD_RUN = "bad-run"
    BAD_DIVIDEND = "bad-dividend"
    TREASURY_FIRST = "treasury-first"
    CHEAPEST_TRAIN = "cheapest-train"
    NOT_BANKRUPT = "not-bankrupt"
    # the table
    ALREADY_REFUSED = "already-refused"
    BAD_REQUEST = "bad-request"
    NOT_ALLOWED = "not-allowed"


class Rejection(Struct, frozen=True, array_like=True):
    """A refused command.

    `rule` is the section of the title's rulebook (or `design` for the table's own order),
    `sentence` what is wrong, `legal` what would be accepted, in words. `version` is the table's
    present version where the order was made against another.
    """

    code: Code
    rule: str
    sentence: str
    legal: str = ""
    version: int | None = None


def in_words(rejection: Rejection) -> str:
    """A rejection as a person reads it.

    >>> in_words(Rejection(Code.STALE, "design", "The table is at version 7.", "Look again."))
    'stale · design · The table is at version 7. Look again.'
    """
    hint = f" {rejection.legal}" if rejection.legal else ""
    return f"{rejection.code} · {rejection.rule} · {rejection.sentence}{hint}"
