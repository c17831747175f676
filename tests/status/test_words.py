"""What `status` says, sentence by sentence."""

import pytest

from contracts.heartbeats import Trouble
from contracts.notices import READER
from contracts.streams import CLOCK_READER, VIEWS_READER
from services.bus.lag import Behind
from services.console.status.facts import Dead, Due, Gone, Held, Node, Read, Tables
from services.console.status.words import SERVICES, report
from tests.status.standing import HOLDER, NOW, ago, facts, living, said, verdict

WELL = [
    "The store is Valkey 9.1.2, keeps every move before it answers, and uses 12.6 MB of memory.",
    "The engine decides for all 16 partitions; nothing waits.",
    "The projector has dealt with every record.",
    "The clock has dealt with every record.",
    "The notifier has dealt with every record.",
    "3 tables are being played, 40 finished.",
]


def new(**changed) -> list[str]:
    """What is said otherwise than if all were well."""
    return [one for one in said(**changed) if one not in WELL]


def without(service: str):
    return tuple(living(one) for one in SERVICES if one != service)


def test_all_is_well():
    assert said() == WELL
    assert verdict() == "All is well: every service keeps up."
    assert report(facts()).is_well


def test_a_moment_of_work_is_no_trouble():
    assert new(
        commands=(Behind(1, ago(0.2)),),
        readers={VIEWS_READER: Read(Behind(12, ago(3)))},
        timers=Due(1, ago(0.1), 40),
        looks=Due(1, ago(2)),
        letters=Due(2, ago(1), 1),
    ) == [
        "The engine decides for all 16 partitions; 1 command waits for less than a second.",
        "The projector is 12 records behind (the oldest waits for 3 s).",
        "1 timer is overdue, the oldest for less than a second.",
        "1 table is to be looked at now, the first for 2 s.",
        "2 letters are to be sent now, the first for 1 s.",
        "1 letter waits for later: quiet hours, a pause, or another attempt.",
    ]


# --- the store -------------------------------------------------------------------------------


def test_a_store_that_could_lose_a_move_is_named_and_one_that_fails_is_not_well():
    warned = Node("Redis 7.0.15", 950, 1000, ("It has `appendfsync everysec`.",), ("No space.",))
    assert new(nodes=(warned,)) == [
        "The store is Redis 7.0.15 and uses 0.0 MB of 0.0 MB of memory.",
        "It has `appendfsync everysec`.",
        "! Redis 7.0.15: No space.",
        "! Redis 7.0.15 has used 95% of its memory; at 100% it takes no more.",
    ]
    assert verdict(nodes=(warned,)) == "Not all is well: look at the store."


# --- the engine ------------------------------------------------------------------------------


def test_without_an_engine_commands_wait():
    changed = {
        "processes": without("engine"),
        "leases": (Held("", 0),) * 16,
        "commands": (Behind(3, ago(125)), Behind(4, ago(10))),
        "gone": (Gone("engine", HOLDER, ago(180)), Gone("clock", "x", ago(1))),
    }
    assert new(**changed) == [
        "! No engine runs: nothing is decided. The last one ended 3 minutes ago or earlier.",
        "! 7 commands wait, the oldest for 2 minutes.",
    ]
    assert verdict(**changed) == "Not all is well: look at the engine."


def test_an_engine_that_has_ended_decides_nothing_though_its_lease_runs_on():
    """Right after it was killed, also where another one stands by and waits for the lease."""
    killed = {
        "leases": (Held("elm/7/cd", 6.0),) * 16,
        "gone": (Gone("engine", "elm/7/cd", ago(-14)),),
    }
    others = tuple(living(service) for service in SERVICES if service != "engine")
    alone = said(**killed, processes=others)
    assert alone[1].startswith("! No engine runs: nothing is decided.")
    assert not any("decides for all" in one for one in alone)
    spare = living("engine", waits_for="the lease of partition 0, which elm/7/cd holds")
    by_another = said(**killed, processes=(spare, *others))
    assert by_another[1].startswith("! The engine (process 12 on oak) is not ready")
    assert "! Nobody decides for partitions 0 to 15." in by_another


def test_engines_that_share_the_partitions_and_leave_some_out():
    leases = (*(Held(HOLDER, 9),) * 8, *(Held("elm/7/cd", 9),) * 6, *(Held("", 0),) * 2)
    assert new(leases=leases) == [
        (
            "2 engines decide: process 12 on oak for partitions 0 to 7; "
            "process 7 on elm for partitions 8 to 13; nothing waits."
        ),
        "! Nobody decides for partitions 14 and 15.",
    ]


def test_an_engine_that_stands_by_is_well_and_one_that_alone_waits_is_not():
    spare = living("engine", waits_for="the lease of partition 0")
    sentence = "The engine (process 12 on oak) is not ready: it waits for the lease of partition 0."
    assert new(processes=(*facts().processes, spare)) == [sentence]
    assert f"! {sentence}" in new(processes=(spare, *without("engine")), leases=(Held("", 0),) * 16)


def test_commands_that_wait_for_long_are_not_well_though_an_engine_decides():
    assert new(commands=(Behind(2, ago(9)),)) == [
        "! The engine decides for all 16 partitions; 2 commands wait, the oldest for 9 s."
    ]


def test_dead_commands_are_told_and_stop_nothing():
    dead = Dead(2, ago(4000), "It cannot be read.")
    assert new(dead_commands=dead) == [
        (
            "2 commands could never succeed and were kept; the last one 66 minutes ago: "
            "It cannot be read."
        )
    ]
    assert report(facts(dead_commands=dead)).is_well


# --- readers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("service", "reader"),
    [("projector", VIEWS_READER), ("clock", CLOCK_READER), ("notifier", READER)],
)
def test_a_reader_that_is_behind_or_has_not_begun(service, reader):
    behind = Read(Behind(16_000, ago(700), is_more=True))
    assert new(readers={reader: behind}) == [
        f"! The {service} is more than 16,000 records behind (the oldest waits for 11 minutes)."
    ]
    assert new(readers={reader: Read(unread=3)}) == [
        f"! The {service} has not begun with 3 partitions yet."
    ]


@pytest.mark.parametrize(
    ("service", "meaning"),
    [
        ("projector", "views stay as they are, and nobody is told of new turns"),
        ("clock", "nobody's time is called"),
        ("notifier", "nobody is told anything"),
    ],
)
def test_a_service_that_is_missing_is_said_with_what_that_means(service, meaning):
    assert new(processes=without(service)) == [f"! No {service} runs: {meaning}."]
    assert verdict(processes=without(service)) == f"Not all is well: look at the {service}."


def test_a_process_that_lives_and_does_not_work():
    stuck = living("engine", stands_still=130)
    assert new(processes=(stuck, *without("engine"))) == [
        "! The engine (process 12 on oak) has work, and has done none of it for 2 minutes."
    ]


def test_a_process_that_is_silent_or_not_ready():
    silent = living("clock", silent=15)
    slow = living("projector", waits_for="the views of all tables")
    changed = (living("engine"), slow, silent, living("notifier"))
    assert new(processes=changed) == [
        "! The projector (process 12 on oak) is not ready: it waits for the views of all tables.",
        "! The clock (process 12 on oak) has given no sign of life for 15 s.",
    ]
    assert verdict(processes=changed) == "Not all is well: look at the projector and the clock."


# --- clock and notifier ----------------------------------------------------------------------


def test_timers_that_are_set_and_those_that_are_overdue():
    assert new(timers=Due(later=40)) == ["40 timers are set, none is overdue."]
    assert new(timers=Due(3, ago(130), 40)) == ["! 3 timers are overdue, the oldest for 2 minutes."]


def test_a_notifier_that_does_not_come_to_its_letters():
    assert new(
        prompts=Read(Behind(1, ago(20))), looks=Due(5, ago(61)), letters=Due(1, ago(7200))
    ) == [
        "! 1 prompt of the clock is not read (the oldest waits for 20 s).",
        "! 5 tables are to be looked at now, the first for 61 s.",
        "! 1 letter is to be sent now, the first for 2 hours.",
    ]


def test_a_service_that_wants_a_pause_and_letters_that_were_given_up_stop_nothing():
    changed = {
        "pauses": {"discord": NOW + 40_000_000},
        "letters": Due(later=2),
        "dead_letters": Dead(1, ago(30), "The service answered 404.", "friday"),
    }
    assert new(**changed) == [
        "2 letters wait for later: quiet hours, a pause, or another attempt.",
        "A service (discord) wants to be left alone for 40 s.",
        (
            "1 letter could not be delivered and was kept; the last one 30 s ago: "
            "The service answered 404. `minutebook notices friday --again` tries again."
        ),
    ]
    assert report(facts(**changed)).is_well


# --- tables ----------------------------------------------------------------------------------


def test_a_damaged_book_is_not_well_and_it_is_said_what_to_do():
    trouble = Trouble(ago(180), "minute book damaged", "friday")
    old = Trouble(ago(7200), "views failed", "sunday")
    processes = (living("projector", troubles=(old, trouble)), *without("projector"))
    assert new(processes=processes) == [
        (
            "! The projector said 3 minutes ago: minute book damaged at table friday. "
            "`minutebook audit friday` says where."
        )
    ]


def test_tables_in_the_archive_and_tables_without_views():
    assert new(tables=Tables(1, 0, 1200, 2)) == [
        "1 table is being played, 0 finished, 1,200 are in the archive, 2 have no views yet."
    ]


def test_before_the_first_table():
    assert new(tables=Tables()) == ["No table is being played, 0 finished."]


def test_services_of_several_releases_are_told():
    processes = (living("engine", release="1.1"), *without("engine"))
    assert new(processes=processes) == [
        "Services of several releases run: engine 1.1, projector 1.0, clock 1.0, notifier 1.0."
    ]
