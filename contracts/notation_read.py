"""The reading side of the notation: from the words of a line to what it asks for."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from contracts import commands as c
from contracts.ids import (
    BANK,
    SUPPLY,
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
from contracts.notation_beside import READERS, read_clock
from contracts.pieces import Seat, Settings
from contracts.runs import Reported, Run, Stop, Track, stops_along
from contracts.words import Reader, whole

_ORDINARY: Final = CertificateKind("1")
_OWN_UNDO: Final = Settings().undo


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


def draft_of(line: str) -> Draft:
    """What a line asks for, complete or not."""
    reader = Reader(line)
    verb = reader.take("a command")
    if verb.is_quoted or verb.text not in _READERS:
        raise reader.error(f"a command ({', '.join(_READERS)})", verb)
    found = _READERS[verb.text](reader)
    reader.end()
    return found if isinstance(found, Draft) else Draft(found)


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
    company, given = _company(reader), _read_certificates(reader)
    taken = _read_certificates(reader) if reader.follows("taking") else {}
    return c.SellShares(company, given, taken)


def _read_certificates(reader: Reader) -> dict[CertificateKind, int]:
    taken: dict[CertificateKind, int] = {}
    expected = "a number of certificates (such as 2, or 1x2d)"
    if reader.follows("nothing"):
        return taken
    while not taken or not reader.has_ended(("from", "taking")):
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
    dividend = reader.name("all or none")
    added = reader.amount("the amount added") if reader.follows("adding") else 0
    return c.PayDividend(dividend, added)


def _read_train_purchase(reader: Reader) -> Draft:
    first = reader.name("a company or a kind of train")
    company = None if reader.comes("as", "from") else CompanyId(Party(first))
    kind = first if company is None else reader.name("a kind of train")
    side = reader.name("a side of the card") if reader.follows("as") else None
    reader.demand("from")
    named = Party(reader.name("bank, pool or a company"))
    # What people call the bank's trains is the supply.
    seller = SUPPLY if named == BANK else named
    price = reader.amount("a price")
    card = TrainId(reader.name("a train")) if reader.follows("card") else None
    handed_in, warranties = _read_extras(reader)
    adds = reader.amount("an amount") if reader.follows("director", "pays") else 0
    buy = c.BuyTrain(TrainKind(kind), seller, price, card, handed_in, adds, side, warranties)
    return Draft(buy, company)


def _read_extras(reader: Reader) -> tuple[TrainId | None, int]:
    """The train handed in, and the number of warranties bought: `with 2-0 in with 2 warranties`."""
    handed_in, warranties = None, 0
    while reader.follows("with"):
        word = reader.take("the train handed in, or a number of warranties")
        number = whole(word.text)
        if handed_in is None and not warranties and reader.follows("in"):
            handed_in = TrainId(word.text)
        elif number and not warranties and reader.follows("warranties"):
            warranties = number
        else:
            raise reader.error('"in" or "warranties"')
    return handed_in, warranties


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


def _read_small_station(reader: Reader) -> c.PlaceSmallStation:
    return c.PlaceSmallStation(_hex(reader), reader.name("a line by its two sides, such as 0-3"))


def _read_redemption(reader: Reader) -> c.RedeemShares:
    return c.RedeemShares(reader.amount("a number of shares"))


def _read_join(reader: Reader) -> c.ProposeJoining:
    return _joining(reader.name("how they join (merge or acquire)"), reader)


def _joining(kind: str, reader: Reader) -> c.ProposeJoining:
    companies: list[CompanyId] = []
    while not reader.has_ended():
        companies.append(_company(reader))
    return c.ProposeJoining(kind, tuple(companies))


def _read_option(reader: Reader) -> c.SettleOption:
    if reader.comes("redeem", "relinquish"):
        return c.SettleOption(reader.take("redeem or relinquish").text == "redeem")
    raise reader.error("redeem or relinquish")


def _read_removal(reader: Reader) -> c.ChooseTokens:
    places: list[str] = []
    while not reader.has_ended() and not reader.follows("none"):
        places.append(reader.name("the place of a token"))
    return c.ChooseTokens(tuple(places))


def _read_undo(reader: Reader) -> c.MakeRequest:
    return c.MakeRequest("undo", reader.amount("the version to go back to"))


def _read_request(reader: Reader) -> c.MakeRequest:
    what = reader.name("what is asked for (end, pause or resume)")
    return c.MakeRequest(what, reader.amount("a version") if reader.follows("at") else None)


def _read_answer(reader: Reader) -> c.AnswerRequest:
    request = FrameId(reader.name("the request that is answered"))
    if reader.comes("yes", "no"):
        return c.AnswerRequest(request, yes=reader.take("yes or no").text == "yes")
    raise reader.error("yes or no")


def _read_run(reader: Reader) -> c.RunTrains | Draft:
    if reader.follows("none"):
        return c.RunTrains((), _read_reported(reader))
    if reader.follows("best"):
        return Draft(BestRun())
    read = [_read_one_run(reader)]
    while reader.follows(";"):
        read.append(_read_one_run(reader))
    runs = tuple(run for run in read if isinstance(run, Run))
    if len(runs) == len(read):
        return c.RunTrains(runs, _read_reported(reader))
    chains = tuple(run for run in read if isinstance(run, Chain))
    if len(chains) == len(read):
        return Draft(RunChains(chains))
    raise reader.error("all runs as track, or all of them as hexes")


def _read_reported(reader: Reader) -> Reported | None:
    if not reader.follows("reported"):
        return None
    revenue = reader.amount("the revenue paid")
    return Reported(revenue, reader.amount("the subsidy paid"))


def _read_one_run(reader: Reader) -> Run | Chain:
    trains: list[TrainId] = []
    if not reader.follows("nothing"):
        trains.append(TrainId(reader.name("a train")))
        while reader.follows(","):
            trains.append(TrainId(reader.name("a train")))
    track: list[Track] = []
    while not reader.has_ended(("stops", "counted", ";", "reported")):
        at = _hex(reader)
        if reader.follows(":"):
            one = reader.name("an end of track (a side, or c0, t0, o0, j0)")
            reader.demand(":")
            track.append(Track(at, one, reader.name("the other end of the track")))
        elif not track and len(trains) == 1 and reader.has_ended((";", "reported")):
            return Chain(trains[0], tuple(HexId(part) for part in at.split("-")))
        else:
            raise reader.error('":" (track is hex:end:end; hexes alone are one word, H12-I15-J14)')
    stops = _read_stops(reader) if reader.follows("stops") else stops_along(tuple(track))
    counted = _read_stops(reader) if reader.follows("counted") else stops
    return Run(tuple(trains), tuple(track), stops, counted)


def _read_stops(reader: Reader) -> tuple[Stop, ...]:
    stops: list[Stop] = []
    while not reader.has_ended(("counted", ";", "reported")):
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
    imported, host_acts = reader.follows("imported"), reader.follows("host-acts")
    clock = read_clock(reader)
    shuffled = reader.follows("shuffled")
    lots = _read_lots(reader)
    reader.demand("seats")
    seats: list[Seat] = []
    while not reader.has_ended():
        player = reader.name("a player")
        shown = reader.name("the player's name") if reader.follows("=") else player
        person = reader.name("who sits there") if reader.follows(":") else None
        seats.append(Seat(PlayerId(Party(player)), shown, person))
    settings = Settings(undo, host, imported, clock, host_acts)
    return c.OpenTable(
        title, tuple(seats), seed, edition, variants, rulings, settings, shuffled, lots
    )


def _read_lots(reader: Reader) -> dict[str, tuple[str, ...]]:
    lots: dict[str, tuple[str, ...]] = {}
    while reader.follows("lots"):
        purpose = reader.name("what was drawn for")
        reader.demand("=")
        outcome = [reader.name("what was drawn")]
        while reader.follows(","):
            outcome.append(reader.name("what was drawn"))
        lots[purpose] = tuple(outcome)
    return lots


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
    **READERS,
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
    "small-station": _read_small_station,
    "redeem": _read_redemption,
    "merge": lambda reader: _joining("merge", reader),
    "acquire": lambda reader: _joining("acquire", reader),
    "join": _read_join,
    "survivor": lambda reader: c.ChooseSurvivor(_company(reader)),
    "option": _read_option,
    "tokens": lambda reader: c.BuyTokens(reader.amount("a number of tokens")),
    "sell-treasury": lambda reader: c.SellTreasuryShares(reader.amount("a number of shares")),
    "refinance": lambda _: c.Refinance(),
    "remove-tokens": _read_removal,
    "undo": _read_undo,
    "redo": _read_undo,
    "request": _read_request,
    "answer": _read_answer,
}
