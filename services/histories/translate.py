"""From the site's actions to our orders.

A translator is told what each order led to before it gives the next, because what comes next may
depend on it: a proposal that somebody must agree to, a step that has settled itself. So the same
translator serves a replay in process and an import through running services:

    translator = Translator(export)
    play(translator.opening())              # then translator.played(record, table)
    for step in translator.steps:
        for order in translator.orders(step):
            play(order)                     # then translator.played(record, table)
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from contracts import events as e
from contracts.commands import OpenTable, Order
from contracts.ids import OFFERING, CommandId, CompanyId, Party, PlayerId, TableId, TitleId
from contracts.pieces import Seat
from contracts.records import Record
from contracts.titles.load import facts as facts_of
from services.engine.rules.ruleset import RULING_SET
from services.engine.table.state import Table, new_table
from services.histories import kinds
from services.histories.actions import Step, steps
from services.histories.actions_of import auction, ends, privates, running, shares, track, trains
from services.histories.certificates import UnknownCertificate
from services.histories.errors import HistoryError
from services.histories.export import Export
from services.histories.game import Game, Orders
from services.histories.optional_rules import PLACE, VARIANTS
from services.histories.pace import caught_up

HISTORY: Final = TableId("history")

Translation = Callable[[Game, Any], Orders]


def nothing(_game: Game, _action: kinds.Remark) -> Orders:
    """A standing order or a remark changes nothing."""
    return iter(())


TRANSLATIONS: Final[Mapping[type[kinds.Action], Translation]] = {
    kinds.BidFor: auction.bid,
    kinds.Par: auction.par,
    kinds.PassOn: ends.pass_on,
    kinds.BuyOf: shares.buy,
    kinds.SellOf: shares.sell,
    kinds.Lay: track.lay,
    kinds.PlaceIn: track.place,
    kinds.RunRoutes: running.run,
    kinds.Dividend: running.dividend,
    kinds.BuyA: trains.buy,
    kinds.Discard: trains.discard,
    kinds.BuyPrivate: privates.buy,
    kinds.Bankrupt: trains.bankrupt,
    kinds.EndGame: ends.end,
    kinds.Remark: nothing,
}


class Translator:
    """Gives the orders of a history one by one, looking at the table between them."""

    def __init__(
        self, export: Export, rulings: Mapping[str, str] | None = None, table: TableId = HISTORY
    ) -> None:
        """Read all steps; raises `HistoryError` where one cannot be read."""
        self.export = export
        self.rulings = dict(rulings) if rulings is not None else {RULING_SET: PLACE}
        self.variants = variants_of(export)
        self.facts = facts_of(export.title)
        self.steps = steps(export)
        self.game = Game(table, self.facts, self.steps, new_table(table), export.numbers)

    def opening(self) -> Order:
        """The order that opens the table: seats as they were on the site, its rulings."""
        seats = tuple(
            Seat(PlayerId(Party(str(person.id))), person.name) for person in self.export.seated
        )
        return Order(
            table=self.game.table_id,
            id=CommandId(f"{self.game.table_id}-0-1"),
            sender=seats[0].player,
            player=seats[0].player,
            command=OpenTable(
                title=TitleId(self.export.title),
                seats=seats,
                seed=self.export.seed,
                variants=self.variants,
                rulings=self.rulings,
            ),
            version=0,
        )

    def played(self, record: Record, table: Table) -> None:
        """Take note of what the last order led to. Every accepted order must be told."""
        before = self.game.table
        self.game.played(record, table)
        for event in record.events:
            if isinstance(event, e.LotWon):
                self._came_with(event.lot, event.player)
            elif isinstance(event, e.CompanyStarted):
                self._directors_taken(event.company, event.player)
        self._exchange_directors(before, record)

    @property
    def in_hand(self) -> frozenset[CompanyId]:
        """Companies whose token the site has taken off the map and not put back yet."""
        waiting = self.game.waiting
        if waiting is None:
            return frozenset()
        tokens = self.game.table.board.tokens
        return frozenset(token.company for token in tokens if token.place == waiting.hex)

    def orders(self, step: Step) -> Orders:
        """The orders of a step: none, one or several."""
        action = self.game.begin(step.number)
        try:
            yield from TRANSLATIONS[type(action)](self.game, action)
        except HistoryError as error:
            raise HistoryError(str(error), f"action {step.id}") from None
        except UnknownCertificate as error:
            raise HistoryError(f"there is no certificate {error}", f"action {step.id}") from None
        except LookupError as error:
            raise HistoryError(f"there is no {error} at this table", f"action {step.id}") from None
        yield from caught_up(self.game)

    def _came_with(self, private: CompanyId, player: PlayerId) -> None:
        """A private brought its buyer a certificate: the director's, or the first ordinary one."""
        gift = self.facts.privates[private].comes_with
        if gift is None or gift.director:
            return
        certificate = self.game.certificates.first(gift.company, OFFERING, directors=False)
        if certificate is not None:
            self.game.certificates.moved(certificate, player)

    def _directors_taken(self, company: CompanyId, player: PlayerId) -> None:
        """Whoever sets a company's price has its director's certificate."""
        certificate = self.game.certificates.first(company, OFFERING, directors=True)
        if certificate is not None:
            self.game.certificates.moved(certificate, player)

    def _exchange_directors(self, before: Table, record: Record) -> None:
        """Follow the certificates through a sale and through changes of director."""
        sold: tuple[str, ...] = ()
        percent = 0
        action = self.game.current
        if isinstance(action, kinds.SellOf) and any(
            isinstance(event, e.SharesSold) for event in record.events
        ):
            sold, percent = action.shares, shares.percent_sold(self.game, action)
            for certificate in sold:
                self.game.certificates.moved(certificate, Party("pool"))
        for event in record.events:
            if isinstance(event, e.DirectorChanged):
                old = before.charters[event.company].director
                if old is not None and event.director is not None and old != event.director:
                    self.game.certificates.director_changed(
                        event.company, old, event.director, sold, percent
                    )


def variants_of(export: Export) -> dict[str, str]:
    """Our variants for the site's optional rules; raises `HistoryError` for one that is unknown."""
    known = facts_of(export.title).variants
    found: dict[str, str] = {}
    for place, rule in enumerate(export.optional_rules):
        variant, option = VARIANTS.get(rule, ("", ""))
        if variant not in known or option not in known[variant].options:
            raise HistoryError(
                f"the optional rule {rule!r} is not known here",
                f"$.settings.optional_rules[{place}]",
            )
        found[variant] = option
    return found
