"""Reading a file that 18xx.games made, and files that it did not make."""

import json

import pytest

from contracts.commands import OpenTable
from services.histories.errors import HistoryError
from services.histories.export import Export, parsed, read
from services.histories.translate import Translator
from tests.histories.exports import document, export, passing


def opening(history: Export) -> OpenTable:
    command = Translator(history).opening().command
    assert isinstance(command, OpenTable)
    return command


def refused(**keys) -> str:
    with pytest.raises(HistoryError) as error:
        parsed(json.dumps(document(passing(), **keys)).encode())
    return str(error.value)


def test_a_file_that_breaks_off_names_its_last_line():
    text = json.dumps(document(passing(), passing()), indent=1)
    with pytest.raises(HistoryError, match=r"line \d+: the file breaks off"):
        parsed(text[: len(text) // 2].encode())


def test_a_file_that_is_not_json_names_line_and_column():
    with pytest.raises(HistoryError, match=r"line 2, column 1: this is not JSON"):
        parsed(b'{"title": "x",\nhello}')


def test_an_empty_file_is_called_empty():
    with pytest.raises(HistoryError, match="the file is empty"):
        parsed(b"\n")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(HistoryError, match=r"none\.json: cannot be read"):
        read(tmp_path / "none.json")


def test_a_wrong_file_is_named_with_the_field(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document(passing(), title=7)))
    with pytest.raises(HistoryError, match=r"game\.json, \$\.title: not a game as 18xx\.games"):
        read(path)


def test_json_of_something_else_says_what_is_missing():
    with pytest.raises(HistoryError, match="missing required field `title`"):
        parsed(b'{"name": "a shopping list"}')


def test_a_player_with_an_odd_number_is_named_by_his_place():
    players = [{"id": 11, "name": "a"}, {"id": "x", "name": "b"}]
    assert refused(players=players).startswith("$.players[1].id: not a game")


def test_an_action_without_a_kind_is_named_by_its_place():
    broken = parsed(json.dumps(document(passing(), {"entity": 11})).encode())
    with pytest.raises(HistoryError, match=r"\$\.actions\[1\]: .*missing required field `type`"):
        Translator(broken)


def test_an_unknown_title_is_refused_with_those_that_are_known():
    assert "no title '18XX'" in refused(title="18XX")


@pytest.mark.parametrize("players", [1, 7])
def test_impossible_numbers_of_players_are_refused(players):
    assert f"$.players: {players} players" in refused(players=document(seats=players)["players"])


def test_a_player_listed_twice_is_refused():
    twice = [{"id": 11, "name": "a"}] * 2
    assert refused(players=twice) == "$.players: a player is listed twice"


def test_an_unknown_optional_rule_is_named():
    odd = export(passing(), settings={"optional_rules": ["moon_base"]})
    with pytest.raises(HistoryError, match=r"optional_rules\[0\]: the optional rule 'moon_base'"):
        Translator(odd)


def test_a_known_optional_rule_becomes_a_variant_of_the_table():
    brown = export(passing(), settings={"optional_rules": ["multiple_brown_from_ipo"]})
    assert opening(brown).variants == {"brown shares": "pool and offering"}


def test_players_sit_as_the_file_lists_them():
    seats = opening(export(passing())).seats
    assert [seat.player for seat in seats] == ["11", "12", "13"]


def test_players_sit_as_the_owner_of_the_game_chose():
    chosen = export(passing(), settings={"player_order": [13, 11, 12]})
    seats = opening(chosen).seats
    assert [(seat.player, seat.name) for seat in seats] == [
        ("13", "Player 3"),
        ("11", "Player 1"),
        ("12", "Player 2"),
    ]


def test_a_choice_of_seats_that_leaves_somebody_out_is_not_followed():
    odd = export(passing(), settings={"player_order": [13, 11]})
    assert [person.id for person in odd.seated] == [11, 12, 13]


def test_the_seed_is_the_one_set_or_else_the_number_of_the_game():
    assert export(passing()).seed == 5
    assert export(passing(), settings={}, id="hs_123_4").seed == 123
