"""Words of a line of notation: how names and amounts are written and found again.

A line is words with spaces between. A name that would not be found again as it stands (empty, with
a space or one of the marks in it, or spelled like a word of the notation) is written in double
quotes, the way JSON writes a string.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

MARKS = "=:,;"
"""Characters that are words by themselves wherever they stand outside quotes."""

KEYWORDS = frozenset(
    {
        *("all", "answer", "at", "bankrupt", "best", "bid", "buy", "buy-company", "buy-train"),
        *("by", "card", "city", "counted", "director", "discard", "dividend", "edition"),
        *(
            "exchange",
            "for",
            "from",
            "host",
            "imported",
            "in",
            "lay",
            "no",
            "none",
            "nothing",
            "open",
            "pass",
        ),
        *("pays", "request", "ruling", "run", "seats", "seed", "sell", "shuffled", "start"),
        *("stops", "token", "trade", "undo", "variant", "with", "yes"),
        *("acquire", "adding", "as", "join", "merge", "option", "redeem", "refinance"),
        *("lots", "reported"),
        *("call-time", "clear", "clock", "host-acts", "hours", "leave", "only-choice"),
        *("programme", "redo", "seat", "to", "withdraw"),
        *("relinquish", "remove-tokens", "sell-treasury", "small-station", "survivor"),
        *("taking", "tokens", "warranties"),
    }
)
"""Words of the notation; a name spelled like one of them is quoted."""

_quoted = json.JSONDecoder()


class Word(Struct, frozen=True):
    """A word of a line: `at` is its first character, counted from 1."""

    text: str
    at: int
    is_quoted: bool = False
    is_mark: bool = False

    def reads(self, keyword: str) -> bool:
        """Whether it is that word of the notation, and not a name spelled like it."""
        return self.text == keyword and not self.is_quoted


FOUND_MOST: Final = 100
"""Characters that are told of what was found in the place of what was expected."""


class NotationError(ValueError):
    """A line that is not in the notation: where, what was expected there, and what was found."""

    def __init__(self, line: str, at: int, expected: str, found: str) -> None:
        shown = found if len(found) <= FOUND_MOST else f"{found[:FOUND_MOST]}…"
        super().__init__(f"Character {at}: expected {expected}, found {shown}.")
        self.line = line
        self.at = at
        self.expected = expected
        self.found = found


def name(text: str) -> str:
    """A name as it is written: bare where it will be found again, quoted where not.

    >>> name("PRR"), name("from"), name("Player 1"), name("2/1G")
    ('PRR', '"from"', '"Player 1"', '2/1G')
    """
    plain = text.isprintable()
    if plain and text and text not in KEYWORDS and not any(c in MARKS + ' "' for c in text):
        return text
    return json.dumps(text, ensure_ascii=not plain)


def split(line: str) -> tuple[Word, ...]:
    """The words of a line.

    >>> [word.text for word in split('run 3-0,"my 4" H12:c0:2; 2-1')]
    ['run', '3-0', ',', 'my 4', 'H12', ':', 'c0', ':', '2', ';', '2-1']
    """
    return tuple(_words(line))


def _words(line: str) -> Iterator[Word]:
    at = 0
    while at < len(line):
        start, character = at, line[at]
        at += 1
        if character.isspace():
            continue
        if character in MARKS:
            yield Word(character, start + 1, is_mark=True)
        elif character == '"':
            try:
                text, at = _quoted.raw_decode(line, start)
            except json.JSONDecodeError as error:
                expected = "a name in quotes, as JSON writes it"
                raise NotationError(line, error.pos + 1, expected, error.msg.lower()) from None
            yield Word(text, start + 1, is_quoted=True)
        else:
            while at < len(line) and line[at] not in MARKS + '"' and not line[at].isspace():
                at += 1
            yield Word(line[start:at], start + 1)


class Reader:
    """Goes along the words of a line, once, from the first to the last."""

    def __init__(self, line: str) -> None:
        self.line = line
        self._words = split(line)
        self._next = 0

    @property
    def word(self) -> Word | None:
        """The next word, None at the end."""
        return self._words[self._next] if self._next < len(self._words) else None

    def error(self, expected: str, word: Word | None = None) -> NotationError:
        """What is wrong with the next word, or with one already taken."""
        wrong = word or self.word
        if wrong is None:
            return NotationError(self.line, len(self.line) + 1, expected, "the end of the line")
        return NotationError(self.line, wrong.at, expected, f'"{wrong.text}"')

    def take(self, expected: str) -> Word:
        """The next word, whatever it is but a mark."""
        word = self.word
        if word is None or word.is_mark:
            raise self.error(expected)
        self._next += 1
        return word

    def name(self, expected: str) -> str:
        """A name: any word, quoted or not."""
        return self.take(expected).text

    def amount(self, expected: str) -> int:
        """A whole number."""
        word = self.take(expected)
        number = whole(word.text)
        if number is None:
            raise self.error(f"{expected} (a whole number)", word)
        return number

    def follows(self, *keywords: str) -> bool:
        """Whether the next words are these; they are taken if so, and none of them if not."""
        ahead = self._words[self._next : self._next + len(keywords)]
        if len(ahead) == len(keywords) and all(
            word.reads(keyword) for word, keyword in zip(ahead, keywords, strict=True)
        ):
            self._next += len(keywords)
            return True
        return False

    def comes(self, *keywords: str) -> bool:
        """Whether the next word is one of these; nothing is taken."""
        return self.word is not None and any(self.word.reads(keyword) for keyword in keywords)

    def demand(self, keyword: str) -> None:
        """Take a word of the notation that must stand here."""
        if not self.follows(keyword):
            raise self.error(f'"{keyword}"')

    def has_ended(self, at: Iterable[str] = ()) -> bool:
        """Whether the line ends here, or one of these words or marks stands here."""
        return self.word is None or any(self.word.reads(stop) for stop in at)

    def end(self) -> None:
        """Demand the end of the line."""
        if self.word is not None:
            raise self.error("the end of the line")


def whole(text: str) -> int | None:
    """A whole number written in plain digits, None if it is anything else.

    >>> whole("180"), whole("-5"), whole("1_000"), whole("²")
    (180, -5, None, None)
    """
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None
