"""Quiet hours over daylight saving, patience, seals and settings."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from cryptography.fernet import Fernet

from contracts.ids import Party, PlayerId
from contracts.notices import QuietHours
from contracts.views import MinuteLine
from services.notifier.happened import happened_since
from services.notifier.hours import HoursError, hour, next_at, quiet_until, zone
from services.notifier.patience import ATTEMPTS_MOST, SECOND, back_off, is_given_up, pause
from services.notifier.sealing import SealError, Target, seals
from services.notifier.settings import KEY_FILE_SETTING, KEY_SETTING, settings
from services.running.settings import SettingsError

LONDON = ZoneInfo("Europe/London")
ANN, BOB = (PlayerId(Party(name)) for name in ("ann", "bob"))


def at(text: str, where: ZoneInfo = LONDON) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=where).timestamp()) * SECOND


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-11-30 21:59", None),
        ("2026-11-30 22:00", "2026-12-01 07:00"),
        ("2026-12-01 06:59", "2026-12-01 07:00"),
        ("2026-12-01 07:00", None),
        # The night in which clocks go forward has an hour less, the other one more.
        ("2026-03-28 23:00", "2026-03-29 07:00"),
        ("2026-10-24 23:00", "2026-10-25 07:00"),
    ],
)
def test_quiet_hours_go_by_the_clocks_of_the_place(now, until):
    night = QuietHours("22:00", "07:00", "Europe/London")
    assert quiet_until(night, at(now)) == (None if until is None else at(until))


def test_the_short_night_is_short():
    night = QuietHours("22:00", "07:00", "Europe/London")
    begin = at("2026-03-28 22:00")
    until = quiet_until(night, begin)
    assert until is not None
    assert (until - begin) // SECOND == 8 * 3600


def test_quiet_hours_within_a_day_and_those_of_no_length():
    siesta = QuietHours("13:00", "15:00", "Europe/London")
    assert quiet_until(siesta, at("2026-06-01 14:00")) == at("2026-06-01 15:00")
    assert quiet_until(siesta, at("2026-06-01 16:00")) is None


def test_a_digest_comes_at_the_hour_of_the_place_also_after_clocks_changed():
    assert next_at("18:00", "Europe/London", at("2026-03-28 18:00")) == at("2026-03-29 18:00")
    assert next_at("18:00", "Europe/London", at("2026-03-28 17:59")) == at("2026-03-28 18:00")


@pytest.mark.parametrize("text", ["25:00", "noon", "7", ""])
def test_what_is_no_hour_is_said_in_words(text):
    with pytest.raises(HoursError, match="no hour"):
        hour(text)


@pytest.mark.parametrize("name", ["Europe/Nowhere", "../etc/passwd", ""])
def test_what_is_no_time_zone_is_said_in_words(name):
    with pytest.raises(HoursError, match="time zone"):
        zone(name)


def test_attempts_come_ever_later_and_never_all_at_once():
    whole = [back_off(attempts, 1.0) for attempts in range(1, ATTEMPTS_MOST + 1)]
    assert whole == sorted(whole)
    assert all(back_off(attempts, 0.0) * 2 == back_off(attempts, 1.0) for attempts in range(1, 9))
    assert pause(10**9, 0.0) == 6 * 3600 * SECOND


def test_a_letter_is_given_up_after_many_attempts_or_days():
    assert not is_given_up(ATTEMPTS_MOST - 1, 0, SECOND)
    assert is_given_up(ATTEMPTS_MOST, 0, SECOND)
    assert is_given_up(1, 0, 49 * 3600 * SECOND)


# --- what happened ---------------------------------------------------------------------------


def line(version: int, player: PlayerId, event: str, text: str, *, undone: bool = False):
    return MinuteLine(version, 0, player, event, text, undone)


def test_what_mattered_most_since_ones_own_move_is_told_and_nothing_undone():
    lines = [
        line(1, BOB, "TrainsRusted", "All 2s rusted."),
        line(2, ANN, "Passed", "Ann passed."),
        line(3, BOB, "TileLaid", "Bob laid a tile."),
        line(4, BOB, "TrainBought", "Bob bought a 4.", undone=True),
        line(5, BOB, "TrainBought", "Bob bought a 3."),
        line(5, BOB, "TurnEnded", "The turn ended."),
        line(6, BOB, "SharesBought", "Bob bought a share."),
    ]
    assert happened_since(lines, ANN) == ("Bob bought a 3.", "Bob bought a share. (1 more move.)")
    assert happened_since(lines, BOB) == ()
    assert happened_since(lines, None) == ("Bob bought a share.",)


def test_the_opening_of_a_table_is_no_move_that_somebody_missed():
    lines = [
        line(1, ANN, "PhaseBegan", "Phase 2 began."),
        line(2, ANN, "Passed", "Ann passed."),
    ]
    assert happened_since(lines, BOB) == ("Ann passed.",)
    assert happened_since(lines[:1], BOB) == happened_since(lines[:1], None) == ()


# --- seals -----------------------------------------------------------------------------------


def test_a_key_is_made_once_for_its_owner_alone(tmp_path):
    file = tmp_path / "private" / "notices.key"
    one = seals({}, file)
    assert file.stat().st_mode & 0o777 == 0o600
    target = Target("discord://1/secret", "key")
    sealed = one.seal(target)
    assert b"secret" not in sealed
    assert seals({KEY_FILE_SETTING: str(file)}).opened(sealed) == target
    assert list(file.parent.iterdir()) == [file]


def test_a_key_that_others_may_read_is_refused(tmp_path):
    file = tmp_path / "notices.key"
    seals({}, file)
    file.chmod(0o644)
    with pytest.raises(SealError, match="Others may read"):
        seals({}, file)


def test_another_key_opens_nothing_and_no_key_is_no_key():
    sealed = seals({KEY_SETTING: Fernet.generate_key().decode()}).seal(Target("discord://1/2"))
    with pytest.raises(SealError, match="another key"):
        seals({KEY_SETTING: Fernet.generate_key().decode()}).opened(sealed)
    with pytest.raises(SealError, match="base64"):
        seals({KEY_SETTING: "short"})
    with pytest.raises(SealError, match=KEY_SETTING):
        seals({})


def test_arguments_come_before_the_environment():
    found = settings(["--redis", "redis://a"], {"MINUTEBOOK_REDIS": "redis://b"})
    assert found.redis == "redis://a"
    with pytest.raises(SettingsError, match="notices_workers"):
        settings([], {"MINUTEBOOK_NOTICES_WORKERS": "none"})
