"""How the minutes and the views call things: parties, amounts, certificates, rounds, steps.

The words of a table are made from its seats and from the facts of its title. A name that the facts
do not know is used as it is, so that a minute book is readable whatever is in it.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from contracts.commands import BuyCompany, BuyTrain, ProposeJoining, TradePrivate
from contracts.frames import (
    BankTrain,
    CharterPrice,
    ChooseCity,
    CompanyMoney,
    Consent,
    DiscardTrains,
    FurtherShares,
    Matter,
    OptionShare,
    PayFine,
    Question,
    RaiseMoney,
    Round,
    SellDown,
    StartPrice,
    SurplusTokens,
    Survivor,
    TokensToBuy,
    Turn,
)
from contracts.ids import (
    BANK,
    BOX,
    OFFERING,
    POOL,
    SUPPLY,
    CompanyId,
    Money,
    Party,
    is_directors,
    shares_of,
)
from contracts.pieces import Certificates
from contracts.runs import Stop
from contracts.titles.facts import Facts
from services.engine.rules.companies.last_operations import LNER
from services.engine.table.state import Table

_PLACES: Final[Mapping[Party, str]] = {
    BANK: "the bank",
    OFFERING: "the initial offering",
    POOL: "the bank pool",
    SUPPLY: "the supply",
    BOX: "the box",
}
_NUMBERS: Final = (
    "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)

STEPS: Final[Mapping[str, tuple[str, str]]] = {
    "waterfall": ("buy or bid for a private company, or pass", "buying or bidding"),
    "bid": ("bid or pass", "bidding"),
    "stock": ("deal in shares or pass", "dealing in shares"),
    "home": ("place the home token", "placing the home token"),
    "track": ("lay track", "laying track"),
    "token": ("place a token", "placing a token"),
    "run": ("run trains", "running trains"),
    "dividend": ("divide the earnings", "dividing the earnings"),
    "trains": ("buy trains", "buying trains"),
    "privates": ("buy private companies", "buying private companies"),
    "charter": ("put a charter up for auction or pass", "putting a charter up for auction"),
    "sell, then buy": (
        "sell shares, then buy one or start a company, or pass",
        "dealing in shares",
    ),
    "merge": ("propose a merger", "merging"),
    "money": ("raise the money for a train", "raising money for a train"),
    "redeem": ("redeem a share", "redeeming shares"),
    "acquire": ("propose an acquisition", "acquiring"),
}
"""What is to be done in each step, and what doing it is called."""


CompanyMatter = (
    CharterPrice
    | FurtherShares
    | TokensToBuy
    | PayFine
    | Survivor
    | OptionShare
    | SurplusTokens
    | CompanyMoney
    | BankTrain
)


class Words(Struct, frozen=True):
    """The names at one table, and how its title writes money."""

    names: dict[str, str]
    whole: dict[CompanyId, int]
    currency: str

    def party(self, party: str) -> str:
        """A player, company or place, as it stands within a sentence."""
        return self.names.get(party, party)

    def money(self, amount: Money) -> str:
        """An amount as the title writes it."""
        return f"{'-' if amount < 0 else ''}{self.currency}{abs(amount):,}"

    def percent(self, company: CompanyId, shares: int) -> str:
        """Shares of a company as a part of the whole, rounded down where it is no whole percent."""
        return f"{100 * shares // self.whole.get(company, 1)}%"

    def certificates(self, company: CompanyId, certificates: Certificates) -> str:
        """Certificates of a company: `two 10% shares of PRR`."""
        return f"{self.papers(company, certificates)} of {self.party(company)}"

    def papers(self, company: CompanyId, certificates: Certificates) -> str:
        """Certificates, without saying of which company."""
        if self.whole.get(company) == 1:
            return "the certificate"
        parts = []
        for kind, number in certificates.items():
            percent = self.percent(company, shares_of(kind))
            if is_directors(kind):
                parts.append(f"the director's certificate ({percent})")
            else:
                parts.append(f"{counted(number, percent)} share{'' if number == 1 else 's'}")
        return listed(parts)

    def place(self, place: str) -> str:
        """A hex or area with its name, where it has one."""
        name = self.names.get(f"place {place}")
        return f"{place} ({name})" if name else place

    def stop(self, stop: Stop) -> str:
        """A station that a train calls at."""
        names = (f"place {stop.hex}", f"place {stop.hex} {stop.node}")
        return next((self.names[name] for name in names if name in self.names), stop.hex)


def words_of(table: Table, facts: Facts) -> Words:
    """The words of a table whose title has these facts."""
    names: dict[str, str] = {str(place): name for place, name in _PLACES.items()}
    names |= {str(id): private.name for id, private in facts.privates.items()}
    names |= {f"place {id}": area.name for id, area in facts.map.areas.items()}
    for id, hex_ in facts.map.hexes.items():
        names |= {f"place {id}": hex_.name} if hex_.name else {}
        for number, end in enumerate(hex_.offboard):
            names[f"place {id} o{number}"] = facts.map.areas[end.area].name
    names |= {str(seat.player): seat.name or seat.player for seat in table.seats}
    whole = {company: charter.whole for company, charter in table.charters.items()}
    return Words(names, whole, facts.title.currency)


def listed(parts: Iterable[str]) -> str:
    """Parts of a sentence in a row.

    >>> listed(["a", "b", "c"]), listed(["a", "b"]), listed(["a"]), listed([])
    ('a, b and c', 'a and b', 'a', 'nothing')
    """
    *first, last = tuple(parts) or ("nothing",)
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, what: str) -> str:
    """A number of things: in words up to twelve, one as an article.

    >>> counted(1, "10% share"), counted(1, "80% share"), counted(3, "2-trains")
    ('a 10% share', 'an 80% share', 'three 2-trains')
    """
    if number == 1:
        return f"{article(what)} {what}"
    return f"{_NUMBERS[number] if 0 <= number < len(_NUMBERS) else number} {what}"


def article(word: str) -> str:
    """The indefinite article before a word or a number as it is spoken.

    >>> article("8-train"), article("18%"), article("180"), article("order"), article("5-train")
    ('an', 'an', 'a', 'an', 'a')
    """
    digits = word[: len(word) - len(word.lstrip("0123456789"))]
    if digits:
        spoken_an = digits[0] == "8" or digits in {"11", "18"}
        return "an" if spoken_an else "a"
    return "an" if word[:1].lower() in {"a", "e", "i", "o", "u"} else "a"


def sentence(text: str) -> str:
    """The text with a capital letter in front and a full stop behind.

    >>> sentence("the bank paid")
    'The bank paid.'
    """
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"


def reason(because: str) -> str:
    """A recorded reason in brackets; `done` needs no saying.

    >>> reason("sold out"), reason("done"), reason("lner")
    (' (sold out)', '', ' (LNER)')
    """
    if because in {"", "done"}:
        return ""
    return f" ({because.upper() if because == LNER else because})"


def round_name(playing: Round | None) -> str:
    """What a round is called.

    >>> from contracts.ids import FrameId
    >>> round_name(Round(FrameId("1.0"), "operating", 3, 2, 2)), round_name(None)
    ('operating round 3.2', '')
    """
    if playing is None:
        return ""
    if playing.kind == "opening":
        return "opening round"
    part = f".{playing.which}" if playing.kind == "operating" or playing.of > 1 else ""
    return f"{playing.kind} round {playing.number}{part}"


def step_task(step: str) -> str:
    """What somebody has to do in a step."""
    return STEPS[step][0] if step in STEPS else f"decide ({step})"


def step_doing(step: str) -> str:
    """What doing a step is called."""
    return STEPS[step][1] if step in STEPS else step


def proposal(words: Words, consent: Consent) -> str:
    """A proposal as a clause: `PRR buys train 3-1 from NYC for $100`."""
    proposed = consent.proposal
    match proposed:
        case BuyTrain():
            buyer = words.party(consent.company or consent.proposer)
            what = f"train {proposed.train or proposed.kind}"
            seller = words.party(proposed.seller)
            return f"{buyer} buys {what} from {seller} for {words.money(proposed.price)}"
        case BuyCompany():
            buyer = words.party(consent.company or consent.proposer)
            what = words.party(proposed.company)
            return f"{buyer} buys {what} for {words.money(proposed.price)}"
        case TradePrivate():
            one, other = words.party(consent.proposer), words.party(proposed.other)
            what = words.party(proposed.company)
            return f"{what} changes hands between {one} and {other}, {words.money(proposed.price)}"
        case ProposeJoining():
            return joining(words, proposed)


def joining(words: Words, proposed: ProposeJoining) -> str:
    """Companies that are to join, as a clause: `EUR acquires ESR`."""
    first, *others = map(words.party, proposed.companies)
    if proposed.kind == "acquire" and others:
        return f"{first} acquires {listed(others)}"
    return f"{listed([first, *others])} {proposed.kind}"


def question_task(words: Words, matter: Matter) -> str:
    """What somebody who is asked has to do."""
    match matter:
        case Consent():
            return f"say whether {proposal(words, matter)}"
        case StartPrice():
            return f"set the par of {words.party(matter.company)}"
        case SellDown():
            return "sell until no limit is exceeded"
        case RaiseMoney():
            return f"find what {words.party(matter.company)} lacks for its train"
        case DiscardTrains():
            return f"discard trains of {words.party(matter.company)} above the limit"
        case ChooseCity():
            hex_ = words.place(matter.hex)
            return f"choose the city on {hex_} for the home token of {words.party(matter.company)}"
        case _:
            return company_task(words, matter)


def company_task(words: Words, matter: CompanyMatter) -> str:
    """What somebody has to do about a charter, a joining, or a train that a company must have."""
    match matter:
        case CharterPrice():
            return f"set the par of {words.party(matter.company)} and buy its first certificate"
        case FurtherShares():
            most = (
                f"up to {counted(matter.most, 'more share')}" if matter.most > 1 else "a share more"
            )
            plural = "s" if matter.most > 1 else ""
            return f"say whether to buy {most}{plural} of {words.party(matter.company)}"
        case TokensToBuy():
            return f"say how many tokens {words.party(matter.company)} buys"
        case PayFine():
            owed = words.money(matter.owed)
            return f"sell shares until the fine for {words.party(matter.company)} is paid, {owed}"
        case Survivor():
            return f"say which of {listed(map(words.party, matter.companies))} remains"
        case OptionShare():
            price = f"{words.money(matter.redeem)} or relinquish it for"
            option = f"the option of {words.party(matter.holder)} on {words.party(matter.company)}"
            return f"redeem {option} for {price} {words.money(matter.relinquish)}"
        case SurplusTokens():
            one = matter.number == 1
            which = "which token" if one else f"which {counted(matter.number, 'tokens')}"
            verb = "leaves" if one else "leave"
            return f"say {which} of {words.party(matter.company)} {verb} the board"
        case CompanyMoney():
            return f"raise the money for a train of {words.party(matter.company)}"
        case BankTrain():
            return f"choose what the train of {words.party(matter.company)} is to run as"


def task(words: Words, frame: Turn | Question) -> str:
    """What a turn or a question asks for now."""
    if isinstance(frame, Question):
        return question_task(words, frame.matter)
    return step_task(frame.steps[0]) if frame.steps else "end the turn"
