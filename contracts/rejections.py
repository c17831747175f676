"""Why a command was refused: a closed list of codes, each with a sentence.

A rejection cites the section of the title's own rulebook and says what would be legal.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct


class Code(StrEnum):
    """The codes; a retired one stays in the list."""

    # the order itself
    UNREADABLE = "unreadable"
    UNKNOWN_TABLE = "unknown-table"
    TABLE_EXISTS = "table-exists"
    ARCHIVED = "archived"
    STALE = "stale"
    NOT_SEATED = "not-seated"
    NOT_YOUR_SEAT = "not-your-seat"
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
    EXCLUDED_VARIANTS = "excluded-variants"
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
    NO_LAY_LEFT = "no-lay-left"
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
    HOME_FIRST = "home-first"
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
    # who is let in, and what is said beside the game
    NOT_ADMITTED = "not-admitted"
    BAD_TEXT = "bad-text"
    TOO_MUCH = "too-much"


MEANINGS: Final[Mapping[Code, str]] = {
    Code.UNREADABLE: "The message is no order, or a field of it is not what it should be.",
    Code.UNKNOWN_TABLE: "There is no table of that id.",
    Code.TABLE_EXISTS: "A table of that id is open already.",
    Code.ARCHIVED: "The table's minute book is in the archive.",
    Code.STALE: "The order was made against another version than the table's present one.",
    Code.NOT_SEATED: "The player has no seat at the table.",
    Code.NOT_YOUR_SEAT: "The sender may not act for the seat.",
    Code.NOT_YOUR_TURN: "The table does not wait for the player.",
    Code.GAME_OVER: "The game has ended.",
    Code.WRONG_STEP: "The present step of the turn has no such command.",
    Code.QUESTION_CLOSED: "The question or request does not wait for this answer.",
    Code.ENGINE_FAULT: "The program failed at this order; the table is as it was.",
    Code.UNKNOWN_TITLE: "There is no such title.",
    Code.UNKNOWN_EDITION: "The title has no such edition of its facts.",
    Code.UNKNOWN_RULING: "The title has no such ruling, or the ruling no such option.",
    Code.UNKNOWN_VARIANT: "The title has no such variant, or the variant no such option.",
    Code.BAD_SEATS: "The seats are too few, too many, or two parties would have one name.",
    Code.BAD_SETTINGS: "A setting of the table has no such value.",
    Code.EXCLUDED_VARIANTS: "The variants do not go together.",
    Code.NO_SUCH_COMPANY: "The title has no such company, or it is not in play.",
    Code.NOT_ON_SALE: "What is to be bought is not there to be bought.",
    Code.BAD_PRICE: "The price is not one that may be paid or set.",
    Code.BID_TOO_LOW: "The bid is below the least that may be bid.",
    Code.TOO_LITTLE_CASH: "The payer has not the money, or it is bound.",
    Code.NOT_YOURS: "What is to be given is not the giver's.",
    Code.ALREADY_BOUGHT: "No more may be bought in this turn.",
    Code.SOLD_THIS_ROUND: "The player sold shares of the company in this round.",
    Code.CERTIFICATE_LIMIT: "The player would hold more certificates than he may.",
    Code.HOLDING_LIMIT: "The player would hold more of the company than he may.",
    Code.OVER_LIMIT: "The player is above a limit and has to sell first.",
    Code.POOL_LIMIT: "The bank pool would hold more of the company than it may.",
    Code.NO_SALES_YET: "Nothing may be sold in this round yet.",
    Code.NO_NEW_DIRECTOR: "Nobody could become director in the seller's place.",
    Code.KEEPS_DIRECTORSHIP: "The sale would change a director who has to stay.",
    Code.SELLS_TOO_MUCH: "More would be sold than is needed.",
    Code.NOT_STARTED: "The company has not been started.",
    Code.ALREADY_STARTED: "The company has been started.",
    Code.NO_SUCH_HEX: "The map has no such hex.",
    Code.NO_SUCH_TILE: "The title has no such tile, or no such turn of it.",
    Code.NO_TILE_LEFT: "No tile of that kind is left.",
    Code.NO_LAY_LEFT: "The turn's building is used up, or spent on something else.",
    Code.WRONG_COLOUR: "A tile of that colour may not lie there, or not yet.",
    Code.DOES_NOT_FIT: "The tile does not fit what lies or is printed there.",
    Code.BLOCKED: "Something forbids building on the hex.",
    Code.NOT_CONNECTED: "No route of the company reaches it.",
    Code.TRACK_LOST: "Track that lies there would not be kept.",
    Code.BAD_SIDE: "Track would run off the map or into a side that nothing may cross.",
    Code.NO_FREE_SLOT: "No circle of the city is free.",
    Code.TOKEN_THERE: "A token of the company lies there already.",
    Code.NO_TOKEN_LEFT: "The company has no token left.",
    Code.CITY_TO_CHOOSE: "The city for a waiting token has to be named, or is named wrongly.",
    Code.HOME_FIRST: "The company has to build first for a token that has no circle yet.",
    Code.NO_RIGHT: "The private named gives no such right, or it is not the company's.",
    Code.NO_SUCH_TRAIN: "There is no such train, or it is not there.",
    Code.TRAIN_LIMIT: "The company has as many trains as it may.",
    Code.MUST_BUY_TRAIN: "The company has to own a train before its turn ends.",
    Code.MUST_RUN: "The company has to run its trains.",
    Code.BAD_RUN: "A run is not a legal route of its train.",
    Code.BAD_DIVIDEND: "Earnings may not be divided so.",
    Code.TREASURY_FIRST: "The company's own money comes before the director's.",
    Code.CHEAPEST_TRAIN: "With help of the director only the cheapest train may be bought.",
    Code.NOT_BANKRUPT: "The player can still raise the money.",
    Code.ALREADY_REFUSED: "The same proposal was refused in this turn.",
    Code.BAD_REQUEST: "The table cannot be asked for this.",
    Code.NOT_ALLOWED: "A rule of the title forbids it.",
    Code.NOT_ADMITTED: "The token is none, is over, or does not stand for this.",
    Code.BAD_TEXT: "The text is empty, too long, or not for people to read.",
    Code.TOO_MUCH: "More was written than may be, in a minute or in all.",
}
"""What each code means, whatever the title; the rejection itself says what is wrong here."""


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
