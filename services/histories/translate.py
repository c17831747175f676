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

import msgspec

from contracts import events as e
from contracts.commands import OpenTable, Order
from contracts.ids import OFFERING, CommandId, CompanyId, Party, PlayerId, TableId, TitleId
from contracts.pieces import Seat, Settings
from contracts.records import Record
from contracts.rejections import Rejection, in_words
from contracts.titles.load import facts as facts_of
from services.engine.rules.ruleset import RULING_SET, ruleset_for
from services.engine.table.state import Table, new_table
from services.histories import draws, kinds
from services.histories.actions import Step, steps
from services.histories.actions_of import (
    auction,
    ends,
    joining,
    privates,
    running,
    shares,
    track,
    trains,
)
from services.histories.certificates import UnknownCertificate
from services.histories.errors import HistoryError
from services.histories.export import Export
from services.histories.following import follow
from services.histories.game import Game, Orders
from services.histories.in_step import entered, gone_on
from services.histories.optional_rules import CORRECTED, OLD_RULINGS, PLACE, VARIANTS
from services.histories.pace import caught_up

HISTORY: Final = TableId("history")

REPLACED: Final = "replaced"
"""Where a token went whose place the company that absorbed its own has taken."""
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
    kinds.Merge: joining.merge,
    kinds.Choose: joining.choose,
    kinds.RemoveFrom: joining.remove,
    kinds.Convert: joining.convert,
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
        self.rulings = dict(rulings) if rulings is not None else rulings_of(export)
        self.variants = variants_of(export)
        self.facts = facts_of(export.title)
        self.steps = steps(export)
        self.game = Game(table, self.facts, self.steps, new_table(table), export.numbers)

    def opening(self) -> Order:
        """The order that opens the table: seats as they were on the site, its rulings."""
        seats = tuple(
            Seat(PlayerId(Party(str(person.id))), person.name) for person in self.export.seated
        )
        command = OpenTable(
            title=TitleId(self.export.title),
            seats=seats,
            seed=self.export.seed,
            variants=self.variants,
            rulings=self.rulings,
            settings=Settings(imported=True),
        )
        ruleset = ruleset_for(command)
        if isinstance(ruleset, Rejection):
            raise HistoryError(in_words(ruleset))
        lots = draws.lots(ruleset, self.export.seed, len(seats))
        return Order(
            table=self.game.table_id,
            id=CommandId(f"{self.game.table_id}-0-1"),
            sender=seats[0].player,
            player=seats[0].player,
            command=msgspec.structs.replace(command, lots=lots),
            version=0,
        )

    def played(self, record: Record, table: Table) -> None:
        """Take note of what the last order led to. Every accepted order must be told."""
        before = self.game.table
        self.game.played(record, table)
        for event in record.events:
            if isinstance(event, e.LotWon):
                self._came_with(event.lot, event.player)
            elif isinstance(event, e.TokenRemoved | e.CompaniesMerged):
                self._link_moved(event)
            elif isinstance(event, e.CompanyStarted):
                self._directors_taken(event.company, event.player)
        follow(self.game, before, record)

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
            yield from entered(self.game, action)
            yield from TRANSLATIONS[type(action)](self.game, action)
            gone_on(self.game, action)
        except HistoryError as error:
            raise HistoryError(str(error), f"action {step.id}") from None
        except UnknownCertificate as error:
            raise HistoryError(f"there is no certificate {error}", f"action {step.id}") from None
        except LookupError as error:
            raise HistoryError(f"there is no {error} at this table", f"action {step.id}") from None
        yield from caught_up(self.game)

    def _link_moved(self, event: e.TokenRemoved | e.CompaniesMerged) -> None:
        """A token in an area is gone, or is another company's with everything else."""
        links = self.game.links
        if isinstance(event, e.CompaniesMerged):
            link = links.pop(event.absorbed, None)
            if link is not None:
                links[event.survivor] = link
        elif event.place in self.facts.map.areas and event.to != REPLACED:
            links.pop(event.company, None)

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


def rulings_of(export: Export) -> dict[str, str]:
    """The site's rulings, with those of the time when the game was made."""
    known = facts_of(export.title).rulings
    made = export.created_at
    # The site has written other things than seconds; such a game is taken for a later one.
    is_old = isinstance(made, int | float) and made < CORRECTED
    of_its_time = OLD_RULINGS if is_old else {}
    return {RULING_SET: PLACE} | {id: pick for id, pick in of_its_time.items() if id in known}


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
