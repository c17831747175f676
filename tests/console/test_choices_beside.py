"""What lies beside the game as lines of `choices`, with capitals where something is open."""

from contracts.choices import FORMS
from contracts.ids import OFFERING, POOL
from services.console.beside import HINTS, PATTERNS, folded
from services.console.commands.choices import _lines
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import ruleset_of
from tests.positions import at, player, position, stock_round


def shown() -> list[str]:
    there = stock_round(position(companies=[at("PRR", "0,6", director="bob", bob=4)]), turn="ann")
    return _lines(choices(ruleset_of(there), there, player("ann")), None)


def test_every_form_has_a_pattern_and_a_hint():
    assert set(PATTERNS) == set(HINTS) == set(FORMS)


def test_what_the_game_asks_comes_first_and_a_line_stands_between():
    lines = shown()
    between = lines.index("Beside the game:")
    assert "pass" in lines[:between]
    assert any(line.startswith("buy PRR") for line in lines[:between])
    assert "request end" in lines[between:]
    assert "programme pass" in lines[between:]


def test_programmes_that_buy_from_one_place_are_one_line():
    lines = [line for line in shown() if line.startswith("programme buy")]
    assert lines
    assert len(lines) == len({line.split(" from ")[1].split(" at ")[0] for line in lines})
    assert all(" at MOST   (the most to pay for a share" in line for line in lines)
    assert any("; so too: " in line for line in lines)


def test_what_is_folded_is_all_there():
    there = stock_round(position(companies=[at("PRR", "0,6", director="bob", bob=4)]), turn="ann")
    found = [one for one in choices(ruleset_of(there), there, player("ann")) if one.beside]
    together = folded(found)
    assert sum(1 + len(others) for _, others in together) == len(found)
    assert {OFFERING, POOL} & {
        getattr(getattr(one.command, "programme", None), "source", None) for one, _ in together
    }
