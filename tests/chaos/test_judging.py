"""What chaos would notice of clock and notifier: each promise broken on a made-up history."""

from collections.abc import Callable

import msgspec
import pytest

from contracts.notices import Letter
from services.chaos.delivered import repeats
from services.chaos.judging import judged
from services.chaos.post import NEVER, Post, delivery, key_of
from services.chaos.promises import ASTRAY, CALLED, CORRECTED, FIRED, SIGNED, TOLD, TWICE
from services.chaos.troubles import MICRO, Trouble, excused, unexcused
from services.engine.table.agenda import awaited
from services.notifier.channels.webhook import signature
from tests.chaos.faked import TABLE, Faked


def played(then: str = "call") -> Faked:
    """Moves, an undo, a call, a substitute, a request that expires, and a pause at the end."""
    faked = Faked(then).move(5).undo().move(2).call().move(2)
    faked.seat(awaited(faked.table)[0], "p.eve").move(2)
    faked.ask()
    while faked.table.requests:
        waits = faked.reckoning.requests[0].since + 29 * MICRO
        faked = faked.call() if faked.now + 9 * MICRO < waits and not called(faked) else end(faked)
    return faked.move(1).pause()


def called(faked: Faked) -> bool:
    return bool(faked.reckoning.called)


def end(faked: Faked) -> Faked:
    return faked.expire()


def noticed(faked: Faked, **witness: object) -> list[str]:
    """The promises that are found broken."""
    seen = msgspec.structs.replace(faked.witness, **witness)
    broken, _ = judged({TABLE: faked.book}, {TABLE: faked.letters}, seen)
    return [promise for promise, found in broken.items() if found]


@pytest.mark.parametrize("then", ["call", "neutral"])
def test_what_is_in_order_is_found_in_order(then):
    faked = played(then)
    assert noticed(faked) == []
    kinds = {letter.notice.kind for letter in faked.letters}
    assert {"turn", "undone", "time called", "consent"} <= kinds
    assert any(letter.notice.corrects for letter in faked.letters)


def figures_of(faked: Faked) -> dict[str, str]:
    return judged({TABLE: faked.book}, {TABLE: faked.letters}, faked.witness)[1]


def test_figures_say_what_happened():
    figures = figures_of(played())
    assert figures["records by the clock: request expired"] == "1"
    assert int(figures["records by the clock: time called"]) >= 1
    assert figures["timer late, longest"] == "0.10 s"
    assert figures["messages that came again"] == "0"


# --- time -----------------------------------------------------------------------------------------


def test_a_call_before_the_time_is_up_is_noticed():
    assert noticed(Faked().move(2).call(late=-0.5).pause()) == [CALLED]


def test_a_second_call_is_noticed():
    assert noticed(Faked().move(2).call().call_again().pause()) == [CALLED]


def test_a_call_of_a_seat_that_begins_anew_is_noticed():
    faked = Faked().move(2)
    player = awaited(faked.table)[0]
    order = faked.after(9).seat(player, "p.eve").call(late=-5).book[-1].record.order
    assert order.player == player
    assert CALLED in noticed(faked.pause())


def test_a_call_under_way_when_its_seat_was_given_away_is_counted_and_no_fault_of_the_clock():
    faked = Faked().move(2)
    under_way = faked.calling()
    faked.after(10).seat(awaited(faked.table)[0], "p.eve").after(0.1).give(under_way)
    assert under_way.command == faked.calling().command
    assert under_way.id != faked.calling().id
    faked.pause()
    assert CALLED not in noticed(faked)
    assert figures_of(faked)["calls under way when their time was changed"] == "1"


def test_a_call_of_a_time_that_was_changed_before_it_was_up_is_noticed():
    """As by a clock that does what it finds due before it has read what is new."""
    faked = Faked().move(2)
    under_way = faked.calling()
    faked.after(5).seat(awaited(faked.table)[0], "p.eve").after(5).give(under_way)
    assert CALLED in noticed(faked.pause())


def test_a_time_that_is_up_and_never_called_is_noticed():
    assert noticed(Faked().move(2).after(20).move(1).pause()) == [FIRED]


def test_a_call_that_comes_late_is_noticed_unless_the_store_was_away():
    faked = Faked().move(2).call(late=8).pause()
    assert noticed(faked) == [FIRED]
    at = faked.book[3].record.at / MICRO
    away = Trouble("store", "store killed", at - 8, at - 8)
    assert noticed(faked, troubles=(away,)) == []


def test_one_dead_clock_excuses_nothing_and_two_do():
    faked = Faked().move(2).call(late=8).pause()
    at = faked.book[3].record.at / MICRO
    one, other = (Trouble(f"clock-{n}", "clock killed", at - 8, at - 8) for n in (1, 2))
    away = Trouble("clock-2", "clock killed", at - 100, at - 100)
    assert noticed(faked, troubles=(one, away)) == [FIRED]
    assert noticed(faked, troubles=(one, other)) == []


def test_a_request_that_expires_too_soon_or_never_is_noticed():
    assert CALLED in noticed(Faked().move(2).pause().ask().expire(late=-1))
    assert FIRED in noticed(Faked().move(2).pause().ask().after(60).undo())


# --- what is told ---------------------------------------------------------------------------------


def is_turn(letter: Letter) -> bool:
    return letter.notice.kind == "turn"


def tell_by_another_notice(faked: Faked) -> None:
    letter = next(filter(is_turn, faked.letters))
    notice = msgspec.structs.replace(letter.notice, id="another")
    faked._deliver(notice)


def remind_by_another_notice(faked: Faked) -> None:
    letter = next(filter(is_turn, faked.letters))
    for id in ("one", "another"):
        words = "You still have to act."
        faked._deliver(
            msgspec.structs.replace(letter.notice, id=id, kind="reminder", until=7, words=words)
        )


def send_again(faked: Faked) -> None:
    faked.deliveries.append(msgspec.structs.replace(faked.deliveries[0]))


def send_under_another_id(faked: Faked) -> None:
    letter = faked.letters[0]
    faked.letters.append(msgspec.structs.replace(letter, id="another"))
    faked.deliveries.append(msgspec.structs.replace(faked.deliveries[0], id="another"))


def tell_nobody_at_the_end(faked: Faked) -> None:
    last = [letter for letter in faked.letters if letter.notice.kind in {"turn", "undone"}]
    faked.lose(lambda letter: letter.addressee == last[-1].addressee and letter in last)


def lose_a_call(faked: Faked) -> None:
    faked.lose(lambda letter: letter.notice.kind == "time called")


def tell_of_a_call_that_never_was(faked: Faked) -> None:
    letter = next(one for one in faked.letters if one.notice.kind == "time called")
    faked._deliver(msgspec.structs.replace(letter.notice, id="another", person="p.dan"))


def lose_corrections(faked: Faked) -> None:
    faked.lose(lambda letter: bool(letter.notice.corrects))


def leave_under_way(faked: Faked) -> None:
    faked.change(is_turn, state="sending")


def leave_waiting(faked: Faked) -> None:
    faked.change(is_turn, state="waiting")


def give_up(faked: Faked) -> None:
    faked.change(is_turn, state="dead", why="No answer.")


def never_come(faked: Faked) -> None:
    del faked.deliveries[0]


def never_be_taken(faked: Faked) -> None:
    faked.deliveries[0] = msgspec.structs.replace(faked.deliveries[0], answer=NEVER)


def come_unsigned(faked: Faked) -> None:
    faked.deliveries[0] = msgspec.structs.replace(faked.deliveries[0], is_signed=False)


def come_to_another(faked: Faked) -> None:
    faked.deliveries.append(msgspec.structs.replace(faked.deliveries[0], to="p.zoe"))


def come_unwritten(faked: Faked) -> None:
    last = faked.deliveries[-1]
    faked.deliveries.append(msgspec.structs.replace(last, id="nobody's", notice="nobody's"))


DAMAGES: dict[Callable[[Faked], None], list[str]] = {
    tell_by_another_notice: [TWICE],
    remind_by_another_notice: [TWICE],
    send_again: [TWICE],
    send_under_another_id: [TWICE],
    tell_nobody_at_the_end: [TOLD],
    lose_a_call: [TOLD],
    tell_of_a_call_that_never_was: [TOLD],
    lose_corrections: [CORRECTED],
    leave_under_way: [ASTRAY],
    leave_waiting: [ASTRAY],
    give_up: [ASTRAY],
    never_come: [ASTRAY],
    never_be_taken: [ASTRAY],
    come_unsigned: [SIGNED],
    come_to_another: [SIGNED],
    come_unwritten: [SIGNED],
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_whatever_is_told_wrongly_is_noticed(damage):
    faked = played()
    damage(faked)
    assert noticed(faked) == DAMAGES[damage]


def test_a_message_may_come_again_if_the_notifier_died_before_it_was_marked():
    faked = played()
    first = faked.deliveries[3]
    again = msgspec.structs.replace(first, at=first.at + 120)
    faked.deliveries.append(again)
    death = Trouble("notifier-1", "notifier killed", first.at + 0.01, first.at + 0.01)
    assert repeats(faked.deliveries) == [(first, again)]
    assert noticed(faked, troubles=(death,)) == []
    later = msgspec.structs.replace(death, began=first.at + 60, ended=first.at + 60)
    assert noticed(faked, troubles=(later,)) == [TWICE]


def test_letters_that_can_never_arrive_are_given_up_and_that_is_right():
    faked = played()
    letter = msgspec.structs.replace(
        faked.letters[0], id="room", addressee="table:friday", state="dead", why="404"
    )
    faked.letters.append(letter)
    assert noticed(faked) == [ASTRAY]
    assert noticed(faked, planted=frozenset({"table:friday"})) == []
    faked.letters[-1] = msgspec.structs.replace(letter, state="waiting")
    assert noticed(faked, planted=frozenset({"table:friday"})) == [ASTRAY]


def test_what_goes_to_nobody_has_nowhere_to_go_and_what_goes_to_somebody_has():
    faked = played()
    letter = msgspec.structs.replace(
        faked.letters[0], id="lost", addressee="player:nobody", state="nowhere"
    )
    faked.letters.append(letter)
    assert noticed(faked) == []
    faked.letters[-1] = msgspec.structs.replace(letter, addressee="player:p.ann")
    assert noticed(faked) == [ASTRAY]


# --- the receiver, and what is excused ------------------------------------------------------------


def test_the_receiver_knows_a_signature():
    body = b'{"id": "a", "notice": "n", "kind": "turn", "table": "t"}'
    signed = {
        "minutebook-id": "a",
        "idempotency-key": '"a"',
        "minutebook-timestamp": "1",
        "minutebook-signature": signature(key_of("ann"), 1, "a", body),
    }
    assert delivery("ann", signed, body, 204).is_signed
    assert not delivery("bob", signed, body, 204).is_signed
    assert not delivery("ann", signed, body.replace(b"turn", b"ended"), 204).is_signed
    assert not delivery("ann", {**signed, "minutebook-id": "b"}, body, 204).is_signed
    assert not delivery("ann", {**signed, "idempotency-key": '"b"'}, body, 204).is_signed
    assert not delivery("ann", {}, b"?", 204).is_signed


def test_the_receiver_has_its_moods_until_it_is_told_to_be_well():
    post = Post(1)
    answers = [post.answer("ann", {}, b"{}")[0] for _ in range(300)]
    assert set(answers) == {204, 429, 500, 0}
    post.is_well = True
    assert {post.answer("ann", {}, b"{}")[0] for _ in range(50)} == {204}
    assert post.answer("gone", {}, b"{}")[0] == 404
    assert len(post.received) == 351


def test_what_troubles_excuse():
    troubles = [
        Trouble("clock-1", "", 0, 10),
        Trouble("clock-2", "", 5, 6),
        Trouble("projector", "", 0, 99),
        Trouble("notifier-1", "", 0, 99),
        Trouble("engine-1", "", 40, 41),
    ]
    assert sorted(excused(troubles)) == [(5, 14), (40, 45)]
    assert unexcused(0, 50, excused(troubles)) == 50 - 9 - 5
