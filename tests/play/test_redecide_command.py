"""`redecide` at the command line: what is equal, what is not, and calls that make no sense."""

import json

from contracts.book import written
from contracts.records import FIRST_DIGEST, Sealed, seal
from services.console.__main__ import main
from services.engine.rules.families import marker_moves
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.fold import table_at
from tests.console.calls import minutebook
from tests.golden.logs.kept import packed
from tests.play.played import GAMES, played

GAME = played(*GAMES[3])


def file_in(folder, name="game.jsonl.gz"):
    """A game's minute book as a compressed file."""
    sealed: list[Sealed] = []
    for record in GAME.records:
        sealed.append(seal(sealed[-1].digest if sealed else FIRST_DIGEST, record))
    path = folder / name
    packed(path, "".join(f"{line}\n" for line in written(GAME.plan.name, sealed)))
    return path


def test_a_book_that_is_decided_as_it_was_is_said_to_be(tmp_path, capsys):
    assert main(["redecide", str(file_in(tmp_path))]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert f"All {len(GAME.records)} orders are decided as they were." in told.err


def test_differences_are_told_with_their_rule_and_as_json(tmp_path, capsys, monkeypatch):
    phrase = ruleset_of(table_at(GAME.plan.name, GAME.records)).facts.market.sold
    monkeypatch.setitem(marker_moves.SOLD, phrase, lambda _rows, cell, _shares: cell)
    path = str(file_in(tmp_path))
    assert main(["redecide", path]) == 1
    words = capsys.readouterr().out
    assert main(["redecide", path, "--json"]) == 1
    plain = json.loads(capsys.readouterr().out)
    assert plain["differences"]
    assert words.count("recorded: ") == len(plain["differences"])
    for difference in plain["differences"]:
        assert difference["rule"] == "1830 3.2.6"
        assert f"version {difference['version']} · 1830 3.2.6 · " in words


def test_a_damaged_file_is_said_to_be_damaged(tmp_path, capsys):
    path = file_in(tmp_path)
    path.write_bytes(path.read_bytes()[:-100])
    assert main(["redecide", str(path)]) == 2
    assert "cut off or damaged" in capsys.readouterr().err


def test_tables_of_a_store_are_decided_again_one_or_all(tmp_path):
    opening = ("open", "1830", "ann", "bob", "cy", "--seed", "7", "--table")
    for name in ("friday", "monday"):
        assert minutebook(tmp_path, *opening, name).code == 0
    one = minutebook(tmp_path, "redecide", "friday")
    assert (one.code, "Table friday: All 1 orders" in one.errors) == (0, True)
    every = minutebook(tmp_path, "redecide", "--all", "--json")
    assert every.code == 0
    assert [json.loads(line)["table"] for line in every.output.splitlines()] == ["friday", "monday"]
    for call in (("redecide",), ("redecide", "friday", "--all")):
        assert minutebook(tmp_path, *call).code == 2
