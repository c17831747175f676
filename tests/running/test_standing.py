"""How a process stands: alive while its loop and its work go on, ready while it can do its work."""

from services.running.standing import Standing


class Watch:
    """A watch that a test sets."""

    time = 1000.0

    def __call__(self) -> float:
        return self.time


def standing() -> tuple[Standing, Watch]:
    watch = Watch()
    return Standing("clock", monotonic=watch), watch


def test_one_that_has_just_begun_is_alive_and_not_ready_and_says_what_it_waits_for():
    one, _ = standing()
    assert one.why_not_alive() == []
    assert one.why_not_ready() == ["It waits for the store."]
    one.waits("the timers of all tables")
    assert one.why_not_ready() == ["It waits for the timers of all tables."]


def test_one_that_works_is_ready_until_it_ends():
    one, _ = standing()
    one.ready([0, 1])
    assert one.why_not_ready() == []
    one.ended()
    assert one.why_not_ready() == ["It is ending."]


def test_a_loop_that_is_at_one_thing_for_long_is_not_alive():
    one, watch = standing()
    one.ready([0])
    watch.time += 31
    one.progressed()
    one.reached()
    assert one.why_not_alive() == ["The event loop has been at one thing for 31 s."]
    one.ticked()
    assert one.why_not_alive() == []


def test_work_that_stands_still_is_not_alive_but_before_it_begins_there_is_none():
    one, watch = standing()
    watch.time += 100
    one.ticked()
    assert one.why_not_alive() == []
    one.ready([0])
    watch.time += 61
    one.ticked()
    assert one.why_not_alive() == ["There is work, and none of it was done for 61 s."]


def test_a_store_that_is_silent_makes_it_unready_and_leaves_it_alive():
    one, watch = standing()
    one.ready([0])
    watch.time += 12
    one.ticked()
    assert one.why_not_alive() == []
    assert one.why_not_ready() == ["The store has not answered for 12 s."]
    one.reached()
    assert one.why_not_ready() == []


def test_its_sign_of_life_says_where_it_runs_what_it_serves_and_what_it_could_not_do():
    one, _ = standing()
    one.ready([3, 4])
    for number in range(7):
        one.troubled("minute book damaged", f"t{number}")
    one.troubled("minute book damaged", "t3")
    sign = one.heartbeat()
    assert (sign.service, sign.is_ready, sign.partitions) == ("clock", True, (3, 4))
    assert f"{sign.host}/{sign.process}/" in sign.name
    assert [trouble.table for trouble in sign.troubles] == ["t2", "t4", "t5", "t6", "t3"]
