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
| `lay H10 57 r1 city 0 by CS` | lay a tile, turned by one sixth; the last two parts where needed |
| `token H10 city 0 by DH` | place a token; the last part where a private is used |
| `run 3-0 H12:c0:2 H14:5:c0; 4-1 …` | run trains; `run none` runs nothing |
| `run 3-0 H12-I15-J14; 4-1 …`, `run best` | drafts of runs: hexes from end to end; the best set |
| `dividend all`, `dividend none` | divide the earnings |
| `buy-train PRR 3 from bank 180 with 2-0 in director pays 50` | buy a train |
| `buy-train PRR 4 from NYC 100 card 4-1` | buy a train's card from a company or the pool |
| `discard 3-0` | give up a train |
| `buy-company CS 80` | a company buys a private |
| `trade MH with bob 100` | offer to trade a private with a player |
| `exchange MH for NYC from pool` | exchange a private for a share |
| `bankrupt` | admit bankruptcy |
| `undo 41`, `request end`, `answer 40.0 yes` | ask the table for something; answer a request |
| `open TITLE seed 7 seats ann bob=Bobby` | open a table |
"""

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from msgspec import Struct

from contracts import commands as c
from contracts.ids import (
    CertificateKind,
    CompanyId,
    FrameId,
    HexId,
    Party,
    PlayerId,
    TileId,
    TitleId,
    TrainId,
    TrainKind,
)
from contracts.pieces import Seat, Settings
from contracts.runs import Run, Stop, Track
from contracts.words import NotationError, Reader, name, whole

__all__ = ["BestRun", "Chain", "Draft", "NotationError", "RunChains", "read", "read_draft"]

_ORDINARY: Final = CertificateKind("1")
_OWN_UNDO: Final = Settings().undo
# What the names of stations begin with: cities, towns, areas. Sides and junctions are none.
_STATIONS: Final = ("c", "t", "o")


class BestRun(Struct, frozen=True):
    """The best set of runs, as the choices list it."""


class Chain(Struct, frozen=True):
    """What a train is to run over, as hexes from end to end."""

    train: TrainId
    hexes: tuple[HexId, ...]


class RunChains(Struct, frozen=True):
    """Runs written as hexes, which only somebody who knows the board can turn into track."""

    chains: tuple[Chain, ...]


class Draft(Struct, frozen=True):
    """What a line asks for; `company` is the one that it names for the reader, if it does."""

    command: c.AnyCommand | BestRun | RunChains
    company: CompanyId | None = None


def written(command: c.AnyCommand, company: CompanyId | None = None) -> str:
    """The line of a command; `company` is named where that helps a reader.

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
    reader = Reader(line)
    verb = reader.take("a command")
    if verb.is_quoted or verb.text not in _READERS:
        raise reader.error(f"a command ({', '.join(_READERS)})", verb)
    found = _READERS[verb.text](reader)
    reader.end()
    return found if isinstance(found, Draft) else Draft(found)


# --- writing ---------------------------------------------------------------------------------


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
        case c.SellShares(sold, given):
            return ("sell", name(sold), *_certificates(given))
        case c.LayTile(at, tile, rotation, right, city):
            turned = (name(at), name(tile), f"r{rotation}")
            return ("lay", *turned, *_option("city", city), *_named("by", right))
        case c.PlaceToken(place, city, right):
            return ("token", name(place), "city", str(city), *_named("by", right))
        case c.RunTrains(runs):
            return ("run", "; ".join(_run(run) for run in runs) or "none")
        case c.PayDividend(dividend):
            return ("dividend", dividend if dividend in {"all", "none"} else name(dividend))
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
        case c.MakeRequest("undo", int(version)):
            return ("undo", str(version))
        case c.MakeRequest(what, version):
            return ("request", name(what), *_option("at", version))
        case c.AnswerRequest(request, yes):
            return ("answer", name(request), "yes" if yes else "no")
        case _:
            assert_never(command)


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
    if opening.shuffled:
        yield "shuffled"
    yield "seats"
    for seat in opening.seats:
        shown = "" if seat.name == seat.player else f"={name(seat.name)}"
        yield f"{name(seat.player)}{shown}"


def _train_purchase(buy: c.BuyTrain, company: CompanyId | None) -> Iterable[str]:
    yield "buy-train"
    if company is not None:
        yield name(company)
    yield from (name(buy.kind), "from", name(buy.seller), str(buy.price))
    yield from _named("card", buy.train)
    if buy.handed_in is not None:
        yield from ("with", name(buy.handed_in), "in")
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


def stops_along(track: tuple[Track, ...]) -> tuple[Stop, ...]:
    """The stations on some track in the order of travel, which a run calls at if it says no other.

    >>> track = (Track(HexId("I15"), "c0", "2"), Track(HexId("J14"), "5", "c0"))
    >>> [f"{stop.hex} {stop.node}" for stop in stops_along(track)]
    ['I15 c0', 'J14 c0']
    """
    found: list[Stop] = []
    for number, piece in enumerate(track):
        ends = [
            Stop(piece.hex, end) for end in (piece.one, piece.other) if end[:1] in "cto" and end
        ]
        beyond = track[number + 1] if number + 1 < len(track) else None
        comes_back = beyond is not None and (
            beyond.hex == piece.hex and piece.one in {beyond.one, beyond.other}
        )
        if len(ends) == 2 and (found[-1] == ends[1] if found else comes_back):
            ends.reverse()
        found += [stop for stop in ends if not found or found[-1] != stop]
    return tuple(found)


# --- reading ---------------------------------------------------------------------------------


def _read_bid(reader: Reader) -> c.Bid:
    return c.Bid(_company(reader), reader.amount("the amount of the bid"))


def _read_start(reader: Reader) -> c.StartCompany:
    company = _company(reader)
    reader.demand("at")
    return c.StartCompany(company, reader.amount("a price"))


def _read_buy(reader: Reader) -> c.BuyShares:
    company = _company(reader)
    taken = {_ORDINARY: 1} if reader.comes("from") else _read_certificates(reader)
    reader.demand("from")
    return c.BuyShares(company, Party(reader.name("offering, pool or a company")), taken)


def _read_sell(reader: Reader) -> c.SellShares:
    return c.SellShares(_company(reader), _read_certificates(reader))


def _read_certificates(reader: Reader) -> dict[CertificateKind, int]:
    taken: dict[CertificateKind, int] = {}
    expected = "a number of certificates (such as 2, or 1x2d)"
    if reader.follows("nothing"):
        return taken
    while not taken or not reader.has_ended(("from",)):
        word = reader.take(expected)
        digits, times, kind = word.text.partition("x")
        number, kind = whole(digits), kind if times else _ORDINARY
        if number is None or kind in taken:
            raise reader.error(expected, word)
        taken[CertificateKind(kind)] = number
    return taken


def _read_lay(reader: Reader) -> c.LayTile:
    at, tile = _hex(reader), TileId(reader.name("the number of a tile"))
    word = reader.take("a rotation (r0 to r5)")
    rotation = whole(word.text.removeprefix("r"))
    if rotation is None or not word.text.startswith("r"):
        raise reader.error("a rotation (r0 to r5)", word)
    city = reader.amount("the number of a city") if reader.follows("city") else None
    return c.LayTile(at, tile, rotation, _right(reader), city)


def _read_token(reader: Reader) -> c.PlaceToken:
    place = _hex(reader)
    reader.demand("city")
    return c.PlaceToken(place, reader.amount("the number of a city"), _right(reader))


def _right(reader: Reader) -> CompanyId | None:
    return _company(reader) if reader.follows("by") else None


def _read_dividend(reader: Reader) -> c.PayDividend:
    return c.PayDividend(reader.name("all or none"))


def _read_train_purchase(reader: Reader) -> Draft:
    first = reader.name("a company or a kind of train")
    company = None if reader.comes("from") else CompanyId(Party(first))
    kind = first if company is None else reader.name("a kind of train")
    reader.demand("from")
    seller = Party(reader.name("bank, pool or a company"))
    price = reader.amount("a price")
    card = TrainId(reader.name("a train")) if reader.follows("card") else None
    handed_in = None
    if reader.follows("with"):
        handed_in = TrainId(reader.name("the train handed in"))
        reader.demand("in")
    adds = reader.amount("an amount") if reader.follows("director", "pays") else 0
    return Draft(c.BuyTrain(TrainKind(kind), seller, price, card, handed_in, adds), company)


def _read_discard(reader: Reader) -> c.DiscardTrain:
    return c.DiscardTrain(TrainId(reader.name("a train")))


def _read_company_purchase(reader: Reader) -> c.BuyCompany:
    return c.BuyCompany(_company(reader), reader.amount("a price"))


def _read_trade(reader: Reader) -> c.TradePrivate:
    company = _company(reader)
    reader.demand("with")
    other = PlayerId(Party(reader.name("a player")))
    return c.TradePrivate(company, other, reader.amount("a price"))


def _read_exchange(reader: Reader) -> c.ExchangePrivate:
    private = _company(reader)
    reader.demand("for")
    company = _company(reader)
    reader.demand("from")
    return c.ExchangePrivate(private, company, Party(reader.name("offering or pool")))


def _read_undo(reader: Reader) -> c.MakeRequest:
    return c.MakeRequest("undo", reader.amount("the version to go back to"))


def _read_request(reader: Reader) -> c.MakeRequest:
    what = reader.name("what is asked for (undo or end)")
    return c.MakeRequest(what, reader.amount("a version") if reader.follows("at") else None)


def _read_answer(reader: Reader) -> c.AnswerRequest:
    request = FrameId(reader.name("the request that is answered"))
    if reader.comes("yes", "no"):
        return c.AnswerRequest(request, yes=reader.take("yes or no").text == "yes")
    raise reader.error("yes or no")


def _read_run(reader: Reader) -> c.RunTrains | Draft:
    if reader.follows("none"):
        return c.RunTrains(())
    if reader.follows("best"):
        return Draft(BestRun())
    read = [_read_one_run(reader)]
    while reader.follows(";"):
        read.append(_read_one_run(reader))
    runs = tuple(run for run in read if isinstance(run, Run))
    if len(runs) == len(read):
        return c.RunTrains(runs)
    chains = tuple(run for run in read if isinstance(run, Chain))
    if len(chains) == len(read):
        return Draft(RunChains(chains))
    raise reader.error("all runs as track, or all of them as hexes")


def _read_one_run(reader: Reader) -> Run | Chain:
    trains: list[TrainId] = []
    if not reader.follows("nothing"):
        trains.append(TrainId(reader.name("a train")))
        while reader.follows(","):
            trains.append(TrainId(reader.name("a train")))
    track: list[Track] = []
    while not reader.has_ended(("stops", "counted", ";")):
        at = _hex(reader)
        if reader.follows(":"):
            one = reader.name("an end of track (a side, or c0, t0, o0, j0)")
            reader.demand(":")
            track.append(Track(at, one, reader.name("the other end of the track")))
        elif not track and len(trains) == 1 and reader.has_ended((";",)):
            return Chain(trains[0], tuple(HexId(part) for part in at.split("-")))
        else:
            raise reader.error('":" (track is hex:end:end; hexes alone are one word, H12-I15-J14)')
    stops = _read_stops(reader) if reader.follows("stops") else stops_along(tuple(track))
    counted = _read_stops(reader) if reader.follows("counted") else stops
    return Run(tuple(trains), tuple(track), stops, counted)


def _read_stops(reader: Reader) -> tuple[Stop, ...]:
    stops: list[Stop] = []
    while not reader.has_ended(("counted", ";")):
        at = _hex(reader)
        reader.demand(":")
        stops.append(Stop(at, reader.name("a station (c0, t0, o0)")))
    return tuple(stops)


def _read_open(reader: Reader) -> c.OpenTable:
    title = TitleId(reader.name("a title"))
    reader.demand("seed")
    seed = reader.amount("the seed of its chance")
    edition = reader.name("an edition") if reader.follows("edition") else None
    variants = _read_picks(reader, "variant")
    rulings = _read_picks(reader, "ruling")
    undo = reader.name("own, free or consent") if reader.follows("undo") else _OWN_UNDO
    host = PlayerId(Party(reader.name("a player"))) if reader.follows("host") else None
    imported, shuffled = reader.follows("imported"), reader.follows("shuffled")
    reader.demand("seats")
    seats: list[Seat] = []
    while not reader.has_ended():
        player = reader.name("a player")
        shown = reader.name("the player's name") if reader.follows("=") else player
        seats.append(Seat(PlayerId(Party(player)), shown))
    settings = Settings(undo, host, imported)
    return c.OpenTable(title, tuple(seats), seed, edition, variants, rulings, settings, shuffled)


def _read_picks(reader: Reader, word: str) -> dict[str, str]:
    picks: dict[str, str] = {}
    while reader.follows(word):
        key = reader.take(f"the name of a {word}")
        if key.text in picks:
            raise reader.error(f"each {word} once", key)
        reader.demand("=")
        picks[key.text] = reader.name(f"what {key.text} is")
    return picks


def _company(reader: Reader) -> CompanyId:
    return CompanyId(Party(reader.name("a company")))


def _hex(reader: Reader) -> HexId:
    return HexId(reader.name("a hex"))


_READERS: Final[dict[str, Callable[[Reader], c.AnyCommand | Draft]]] = {
    "open": _read_open,
    "bid": _read_bid,
    "pass": lambda _: c.Pass(),
    "yes": lambda _: c.Answer(yes=True),
    "no": lambda _: c.Answer(yes=False),
    "start": _read_start,
    "buy": _read_buy,
    "sell": _read_sell,
    "lay": _read_lay,
    "token": _read_token,
    "run": _read_run,
    "dividend": _read_dividend,
    "buy-train": _read_train_purchase,
    "discard": _read_discard,
    "buy-company": _read_company_purchase,
    "trade": _read_trade,
    "exchange": _read_exchange,
    "bankrupt": lambda _: c.DeclareBankruptcy(),
    "undo": _read_undo,
    "request": _read_request,
    "answer": _read_answer,
}
