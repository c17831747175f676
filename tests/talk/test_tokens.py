"""Tokens: who is let in, as whom, where, and until when."""

import msgspec
import pytest

from contracts import tokens as t
from contracts.commands import AssignSeat, Bid, CallTime, OpenTable, Order, Pass
from contracts.ids import CommandId, FrameId, TableId
from contracts.people import is_person, program_of
from contracts.pieces import Settings
from contracts.records import Record
from contracts.rejections import Code, Rejection
from contracts.streams import COMMAND_ID_MOST, Recorded, Refused
from services.bus.tokens import DAY_MICROSECONDS, Given, TokenError, Tokens, own_id
from tests.talk.parlour import FRIDAY, Parlour

pytestmark = pytest.mark.anyio
SUNDAY = TableId("sunday")


class Door(Parlour):
    """A table, and the tokens by which orders come to it."""

    @property
    def tokens(self) -> Tokens:
        """A fresh look, as another process would have it."""
        return Tokens(self.at.client)

    async def let_in(self, text: str, order: Order) -> Order | Rejection:
        return await self.tokens.admitted(text, order)

    async def why_not(self, text: str, table: TableId = FRIDAY) -> str:
        """Why a token does not stand for anybody at a table."""
        order = msgspec.structs.replace(self.order("x", "ann", Pass()), table=table)
        found = await self.let_in(text, order)
        assert isinstance(found, Rejection), found
        assert found.code == Code.NOT_ADMITTED
        return found.sentence

    async def sent(self, text: str, order: Order) -> Recorded | Rejection:
        """What becomes of an order that comes by a token."""
        found = await self.let_in(text, order)
        if isinstance(found, Rejection):
            return found
        outcome = await self.decided(found)
        return outcome.rejection if isinstance(outcome, Refused) else outcome

    async def changed(self, given: Given, **fields) -> None:
        """Put something else into the store's entry of a token."""
        entry = msgspec.structs.replace(given.token, **fields)
        await self.at.client.hset(t.TOKENS, given.token.id, t.encode(entry))


def parts(text: str) -> tuple[str, str]:
    """The id and the secret of a token."""
    found = t.parts(text)
    assert found is not None
    return found


@pytest.fixture
async def door(at):
    one = Door(at)
    await one.open(host="ann")
    return one


async def test_an_order_is_sent_by_whom_its_token_stands_for_whatever_it_says(door):
    ann = await door.tokens.give("Andrea")
    for claimed in ("Andrea", "Boris", "clock", "programme:1.0"):
        found = await door.let_in(ann.text, door.order(claimed, "ann", Pass()))
        assert isinstance(found, Order)
        assert found.sender == "Andrea"


async def test_a_program_acts_for_its_person_and_the_record_shows_that_it_did(door):
    robot = await door.tokens.give("Andrea", program="robot")
    done = await door.sent(robot.text, door.order("", "ann", Bid("CS", 45), 1))
    assert done == Recorded(2)
    (last,) = await door.at.records(FRIDAY, 2)
    assert last.record.order.sender == "Andrea/robot"
    assert program_of(last.record.order.sender) == "robot"


@pytest.mark.parametrize("program", [None, "robot"])
async def test_a_seat_of_somebody_else_is_refused(door, program):
    boris = await door.tokens.give("Boris", program=program)
    refused = await door.sent(boris.text, door.order("Andrea", "ann", Pass(), 1))
    assert isinstance(refused, Rejection)
    assert refused.code == Code.NOT_YOUR_SEAT
    assert len(await door.at.records(FRIDAY)) == 1


async def test_a_token_lasts_when_its_person_takes_a_seat_and_leaves_it(door):
    ann, berta = await door.tokens.give("Andrea"), await door.tokens.give("Berta")
    given = await door.sent(ann.text, door.order("", "ann", AssignSeat("ann", "Berta"), 1))
    assert given == Recorded(2)
    for who, outcome in ((ann, Code.NOT_YOUR_SEAT), (berta, None)):
        found = await door.sent(who.text, door.order("", "ann", Pass(), 2))
        assert (found.code if isinstance(found, Rejection) else None) == outcome


async def test_a_wrong_token_is_just_wrong(door):
    given = await door.tokens.give("Andrea")
    id, secret = parts(given.text)
    other = await door.tokens.give("Boris")
    _, other_secret = parts(other.text)
    flipped = ("A" if secret[0] != "A" else "B") + secret[1:]
    nobody = t.written("0" * 12, secret)
    for text in (t.written(id, flipped), t.written(id, other_secret), nobody):
        assert await door.why_not(text) == "Nobody was given this token."
    for text in ("", "ann", given.text + "x", given.text[:-1], f" {given.text}", "mb__"):
        assert await door.why_not(text) == "This is no token."


async def test_a_wrong_secret_is_not_told_whether_the_token_is_over(door):
    given = await door.tokens.give("Andrea")
    await door.tokens.revoke(given.token.id)
    wrong = t.written(given.token.id, "x" * 43)
    assert await door.why_not(wrong) == "Nobody was given this token."


async def test_a_digest_of_one_token_is_worth_nothing_under_another(door):
    ann, boris = await door.tokens.give("Andrea"), await door.tokens.give("Boris")
    await door.changed(boris, digest=ann.token.digest)
    _, secret = parts(ann.text)
    assert await door.why_not(t.written(boris.token.id, secret)) == "Nobody was given this token."


async def test_a_token_that_is_taken_back_is_over_at_once_and_everywhere(door):
    given, other = [await door.tokens.give("Andrea") for _ in range(2)]
    elsewhere = Tokens(door.at.client)
    assert await elsewhere.holder(given.text) == given.token
    revoked = await door.tokens.revoke(given.token.id)
    assert revoked.revoked >= given.token.given
    found = await elsewhere.holder(given.text)
    assert isinstance(found, Rejection)
    assert "taken back" in found.sentence
    assert await elsewhere.holder(other.text) == other.token
    assert await door.tokens.revoke(given.token.id) == revoked, "it ended when it ended"
    assert await door.tokens.revoke("0" * 12) is None


async def test_a_token_runs_out_by_the_time_of_the_store(door):
    given = await door.tokens.give("Andrea", days=1)
    assert given.token.expires - given.token.given == DAY_MICROSECONDS
    await door.changed(given, expires=given.token.given)
    assert "run out" in await door.why_not(given.text)
    await door.changed(given, expires=given.token.given + 60_000_000)
    assert await door.tokens.holder(given.text) != given.token
    assert not isinstance(await door.tokens.holder(given.text), Rejection)


async def test_a_token_for_some_tables_is_none_for_others(door):
    given = await door.tokens.give("Andrea", tables=[FRIDAY])
    assert isinstance(await door.let_in(given.text, door.order("", "ann", Pass())), Order)
    assert "not for table sunday" in await door.why_not(given.text, SUNDAY)
    assert isinstance(await door.tokens.holder(given.text, SUNDAY), Rejection)
    assert await door.tokens.holder(given.text) == given.token


@pytest.mark.parametrize(
    "name", ["clock", "nobody", "programme:4.0", "ann/robot", "", "a b", "a\nb", "x" * 65]
)
async def test_no_token_is_given_to_what_is_no_person_and_none_that_lies_there_lets_it_in(
    door, name
):
    assert not is_person(name)
    with pytest.raises(TokenError):
        await door.tokens.give(name)
    given = await door.tokens.give("Andrea")
    await door.changed(given, person=name)
    assert "no person" in await door.why_not(given.text)


@pytest.mark.parametrize(
    "asked",
    [
        {"program": ""},
        {"program": "a/b"},
        {"program": "my robot"},
        {"days": 0},
        {"days": t.DAYS_MOST + 1},
        {"tables": ["a table"]},
        {"tables": [f"t{n}" for n in range(101)]},
    ],
    ids=str,
)
async def test_what_cannot_be_given_is_said_in_words(door, asked):
    with pytest.raises(TokenError, match=r"\."):
        await door.tokens.give("Andrea", **asked)
    assert await door.tokens.listed() == []


async def test_a_person_cannot_call_time_by_any_token(door):
    ann = await door.tokens.give("Andrea")
    frame = (await door.table()).agenda[-1].id
    for who in (ann, await door.tokens.give("Andrea", program="clock")):
        refused = await door.sent(who.text, door.order("clock", "ann", CallTime(FrameId(frame))))
        assert isinstance(refused, Rejection)
        assert refused.code == Code.NOT_YOUR_SEAT


# --- a command's id belongs to its sender ----------------------------------------------------


async def test_the_same_command_again_gets_its_first_answer_and_of_another_its_own(door):
    ann, boris = await door.tokens.give("Andrea"), await door.tokens.give("Boris")
    order = door.order("", "ann", Bid("CS", 45), 1)
    assert await door.sent(ann.text, order) == Recorded(2)
    assert await door.sent(ann.text, order) == Recorded(2)
    renewed = await door.tokens.give("Andrea")
    assert await door.sent(renewed.text, order) == Recorded(2), "a new token is no new person"
    replayed = await door.sent(boris.text, order)
    assert isinstance(replayed, Rejection)
    assert replayed.code == Code.NOT_YOUR_SEAT
    assert len(await door.at.records(FRIDAY)) == 2


async def test_another_person_with_the_same_id_neither_gets_nor_spoils_an_answer(door):
    ann, boris = await door.tokens.give("Andrea"), await door.tokens.give("Boris")
    order = door.order("", "ann", Pass(), 1)
    early = await door.sent(boris.text, order)
    assert isinstance(early, Rejection)
    assert await door.sent(ann.text, order) == Recorded(2)


def test_no_person_can_use_up_an_id_of_the_clock_or_of_a_programme():
    for id in ("programme:4.0:17", "clock:4.0:17:ab", "x" * COMMAND_ID_MOST):
        for sender in ("programme", "clock4", "a" * 64 + "/" + "b" * 32):
            own = own_id(sender, CommandId(id))
            assert not own.startswith(("programme:", "clock:"))
            assert len(own) <= COMMAND_ID_MOST


def test_ids_of_two_senders_are_never_the_same():
    pairs = [("ann", "robot x"), ("ann/robot", "x"), ("ann", "x"), ("a" * 64, "x" * 99)]
    pairs += [("a" * 64, "x" * 98), ("a" * 63, "x" * 99)]
    assert len({own_id(sender, CommandId(id)) for sender, id in pairs}) == len(pairs)


async def test_what_only_an_importer_may_say_is_not_let_in(door):
    ann = await door.tokens.give("Andrea")
    order = msgspec.structs.replace(door.order("", "ann", Pass()), reported=5)
    found = await door.let_in(ann.text, order)
    assert isinstance(found, Order)
    assert found.reported is None
    opening = OpenTable("1830", (), 1, settings=Settings(imported=True))
    for command in (opening, OpenTable("1830", (), 1, lots={"seats": ("ann",)})):
        refused = await door.let_in(ann.text, door.order("", "ann", command))
        assert isinstance(refused, Rejection)
        assert refused.code == Code.NOT_ADMITTED


# --- what the store and lists show -----------------------------------------------------------


async def test_the_secret_lies_nowhere_and_no_trace_shows_it(door):
    given = await door.tokens.give("Andrea", program="robot")
    _, secret = parts(given.text)
    await door.tokens.holder(given.text)
    kept = await door.at.client.hgetall(t.TOKENS)
    assert secret not in repr(kept)
    assert secret not in repr(given)
    assert repr(given) == f"Given({given.token.id} for Andrea/robot)"


async def test_a_list_shows_the_newest_first_and_the_hour_of_the_last_use(door):
    first = await door.tokens.give("Andrea", tables=[FRIDAY])
    second = await door.tokens.give("Boris")
    assert [one.used for one in await door.tokens.listed()] == [0, 0]
    used = door.tokens
    for _ in range(3):
        await used.holder(first.text)
    assert isinstance(await used.holder(t.written(second.token.id, "x" * 43)), Rejection)
    newest, oldest = await door.tokens.listed()
    assert (newest.token, newest.used) == (second.token, 0), "a wrong secret is no use"
    assert oldest.token == first.token
    assert 0 <= first.token.given - oldest.used < 3_600_000_000
    assert oldest.used % 3_600_000_000 == 0


def test_a_record_of_a_program_is_a_record_like_any_other():
    order = Order(FRIDAY, CommandId("ann/robot c1"), "ann/robot", "ann", Pass(), 1)
    record = Record(2, 0, "", order, ())
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=Record) == record
