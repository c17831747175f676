"""Commands in one line, for people to read and type: what is written is read back exactly.

`written` gives the line of a command; `read` gives the command of a line. A run is written as its
track, hex and two ends at a time; `read_draft` also takes what is easier to type (`run best`,
chains of hexes), which somebody who knows the board has to complete.

| line | command |
|---|---|
| `bid CA 165` | bid for a lot, or buy it at its asking price |
| `pass`, `yes`, `no` | pass; agree or refuse when asked |
| `start PRR at 100` | start a company, or set its par |
| `buy PRR from offering`, `buy PRR 2 from pool` | buy one certificate, or two ordinary ones |
| `sell PRR 3`, `sell PRR 1x2d 2` | sell ordinary certificates; one `2d`, the director's, and two |
| `sell EUR 1x3d taking 2` | sell a certificate and take two ordinary ones back |
| `lay H10 57 r1 city 0 by CS` | lay a tile, turned by one sixth; the last two parts where needed |
| `token H10 city 0 by DH` | place a token; the last part where a private is used |
| `run 3-0 H12:c0:2 H14:5:c0; 4-1 …` | run trains; `run none` runs nothing |
| `run 3-0 H12-I15-J14; 4-1 …`, `run best` | drafts of runs: hexes from end to end; the best set |
| `dividend all`, `dividend none` | divide the earnings |
| `dividend all adding 30` | divide them with money from the treasury on top |
| `buy-train PRR 3 from bank 180 with 2-0 in director pays 50` | buy a train |
| `buy-train PRR 4 from NYC 100 card 4-1` | buy a train's card from a company or the pool |
| `buy-train ECR C as freight from bank 280 with 2 warranties` | name a side, add warranties |
| `discard 3-0` | give up a train |
| `buy-company CS 80` | a company buys a private |
| `trade MH with bob 100` | offer to trade a private with a player |
| `exchange MH for NYC from pool` | exchange a private for a share |
| `bankrupt` | admit bankruptcy |
| `small-station H6 0-3` | place a small station on a line of a hex |
| `redeem 1` | a company takes a share of its own out of the pool |
| `merge EUR ESR`, `acquire EUR ESR` | propose that companies join |
| `survivor EUR` | say which of the joining companies remains |
| `option redeem`, `option relinquish` | pay for an option and keep it, or be paid for it |
| `tokens 4` | say how many tokens a company buys |
| `sell-treasury 3`, `refinance` | raise money for a train that a company must have |
| `remove-tokens F11 G12` | say which tokens of a joined company leave the board |
| `undo 41`, `request end`, `answer 40.0 yes` | ask the table for something; answer a request |
| `redo 41` | the same as `undo 41`, where version 41 was undone |
| `open TITLE seed 7 seats ann bob=Bobby` | open a table; `bob:dora` where Dora acts for a seat |

`contracts.notation_beside` lists the lines of the commands beside the game.
"""

from collections.abc import Iterable
from typing import Final

from contracts import commands as c
from contracts import notation_beside
from contracts.ids import BANK, SUPPLY, CertificateKind, CompanyId
from contracts.notation_read import BestRun, Chain, Draft, RunChains, draft_of
from contracts.pieces import Settings
from contracts.runs import Run, Stop, stops_along
from contracts.words import NotationError, name

__all__ = [
    "BestRun",
    "Chain",
    "Draft",
    "NotationError",
    "RunChains",
    "read",
    "read_draft",
    "stops_along",
    "written",
]

_ORDINARY: Final = CertificateKind("1")
_OWN_UNDO: Final = Settings().undo

_More = (
    notation_beside.Beside
    | c.PlaceSmallStation
    | c.RedeemShares
    | c.ProposeJoining
    | c.ChooseSurvivor
    | c.SettleOption
    | c.BuyTokens
    | c.SellTreasuryShares
    | c.Refinance
    | c.ChooseTokens
    | c.MakeRequest
    | c.AnswerRequest
)


def written(command: c.AnyCommand, company: CompanyId | None = None) -> str:
    """The line of a command; `company` is named where that helps a reader.

    >>> from contracts.ids import Party, TrainKind
    >>> written(c.BuyTrain(TrainKind("3"), Party("bank"), 180), CompanyId(Party("PRR")))
    'buy-train PRR 3 from bank 180'
    >>> written(c.SellShares(CompanyId(Party("B&O")), {CertificateKind("1"): 3}))
    'sell B&O 3'
    """
    return " ".join(_parts(command, company))


def read(line: str) -> c.AnyCommand:
    """The command of a line; raises `NotationError` with place and expectation for anything else.

    >>> read("lay H10 57 r1")
    LayTile(hex='H10', tile='57', rotation=1, right=None, city=None)
    """
    command = read_draft(line).command
    if isinstance(command, BestRun | RunChains):
        raise NotationError(line, 1, "a command that needs no board", "runs still to be found")
    return command


def read_draft(line: str) -> Draft:
    """What a line asks for, complete or not."""
    return draft_of(line)


def _parts(command: c.AnyCommand, company: CompanyId | None) -> Iterable[str]:
    match command:
        case c.OpenTable():
            return _opening(command)
        case c.Bid(lot, amount):
            return ("bid", name(lot), str(amount))
        case c.Pass():
            return ("pass",)
        case c.Answer(yes):
            return ("yes" if yes else "no",)
        case c.StartCompany(started, price):
            return ("start", name(started), "at", str(price))
        case c.BuyShares(bought, source, taken):
            number = () if taken == {_ORDINARY: 1} else _certificates(taken)
            return ("buy", name(bought), *number, "from", name(source))
        case c.SellShares(sold, given, taken):
            back = ("taking", *_certificates(taken)) if taken else ()
            return ("sell", name(sold), *_certificates(given), *back)
        case c.LayTile(at, tile, rotation, right, city):
            turned = (name(at), name(tile), f"r{rotation}")
            return ("lay", *turned, *_option("city", city), *_named("by", right))
        case c.PlaceToken(place, city, right):
            return ("token", name(place), "city", str(city), *_named("by", right))
        case c.RunTrains(runs, paid):
            amounts = () if paid is None else ("reported", str(paid.revenue), str(paid.subsidy))
            return ("run", "; ".join(_run(run) for run in runs) or "none", *amounts)
        case c.PayDividend(dividend, added):
            share = dividend if dividend in {"all", "none"} else name(dividend)
            return ("dividend", share, *_option("adding", added or None))
        case c.BuyTrain():
            return _train_purchase(command, company)
        case c.DiscardTrain(train):
            return ("discard", name(train))
        case c.BuyCompany(bought, price):
            return ("buy-company", name(bought), str(price))
        case c.TradePrivate(private, other, price):
            return ("trade", name(private), "with", name(other), str(price))
        case c.ExchangePrivate(private, wanted, source):
            return ("exchange", name(private), "for", name(wanted), "from", name(source))
        case c.DeclareBankruptcy():
            return ("bankrupt",)
        case _:
            return _more_parts(command)


def _more_parts(command: _More) -> Iterable[str]:
    match command:
        case c.PlaceSmallStation(at, line):
            return ("small-station", name(at), name(line))
        case c.RedeemShares(number):
            return ("redeem", str(number))
        case c.ProposeJoining(kind, companies):
            verb = (kind,) if kind in {"merge", "acquire"} else ("join", name(kind))
            return (*verb, *map(name, companies))
        case c.ChooseSurvivor(survivor):
            return ("survivor", name(survivor))
        case c.SettleOption(redeem):
            return ("option", "redeem" if redeem else "relinquish")
        case c.BuyTokens(number):
            return ("tokens", str(number))
        case c.SellTreasuryShares(number):
            return ("sell-treasury", str(number))
        case c.Refinance():
            return ("refinance",)
        case c.ChooseTokens(places):
            return ("remove-tokens", *(map(name, places) if places else ("none",)))
        case c.MakeRequest("undo", int(version)):
            return ("undo", str(version))
        case c.MakeRequest(what, version):
            return ("request", name(what), *_option("at", version))
        case c.AnswerRequest(request, yes):
            return ("answer", name(request), "yes" if yes else "no")
        case _:
            return notation_beside.parts(command)


def _opening(opening: c.OpenTable) -> Iterable[str]:
    yield from ("open", name(opening.title), "seed", str(opening.seed))
    yield from _named("edition", opening.edition)
    for word, picks in (("variant", opening.variants), ("ruling", opening.rulings)):
        for key, value in picks.items():
            yield from (word, f"{name(key)}={name(value)}")
    if opening.settings.undo != _OWN_UNDO:
        yield from ("undo", name(opening.settings.undo))
    yield from _named("host", opening.settings.host)
    if opening.settings.imported:
        yield "imported"
    if opening.settings.host_acts:
        yield "host-acts"
    yield from notation_beside.clock_parts(opening.settings.clock)
    if opening.shuffled:
        yield "shuffled"
    for purpose, outcome in opening.lots.items():
        yield from ("lots", f"{name(purpose)}={','.join(map(name, outcome))}")
    yield "seats"
    for seat in opening.seats:
        shown = "" if seat.name == seat.player else f"={name(seat.name)}"
        person = "" if seat.person is None else f":{name(seat.person)}"
        yield f"{name(seat.player)}{shown}{person}"


def _train_purchase(buy: c.BuyTrain, company: CompanyId | None) -> Iterable[str]:
    yield "buy-train"
    if company is not None:
        yield name(company)
    yield name(buy.kind)
    yield from _named("as", buy.side)
    seller = BANK if buy.seller == SUPPLY else buy.seller
    yield from ("from", name(seller), str(buy.price))
    yield from _named("card", buy.train)
    if buy.handed_in is not None:
        yield from ("with", name(buy.handed_in), "in")
    if buy.warranties:
        yield from ("with", str(buy.warranties), "warranties")
    if buy.director_pays:
        yield from ("director", "pays", str(buy.director_pays))


def _certificates(taken: dict[CertificateKind, int]) -> tuple[str, ...]:
    """Ordinary certificates as their number, others as number and kind."""
    if not taken:
        return ("nothing",)
    return tuple(
        str(number) if kind == _ORDINARY else name(f"{number}x{kind}")
        for kind, number in taken.items()
    )


def _run(run: Run) -> str:
    stops = stops_along(run.track)
    words = [",".join(name(train) for train in run.trains) or "nothing"]
    words += [f"{name(t.hex)}:{name(t.one)}:{name(t.other)}" for t in run.track]
    if run.stops != stops:
        words += ["stops", *_stops(run.stops)]
    if run.counted != run.stops:
        words += ["counted", *_stops(run.counted)]
    return " ".join(words)


def _stops(stops: tuple[Stop, ...]) -> Iterable[str]:
    return (f"{name(stop.hex)}:{name(stop.node)}" for stop in stops)


def _option(word: str, value: int | None) -> tuple[str, ...]:
    return () if value is None else (word, str(value))


def _named(word: str, value: str | None) -> tuple[str, ...]:
    return () if value is None else (word, name(value))
