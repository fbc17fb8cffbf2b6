"""The forms of an answer: how each is read from what readers write, and all the answers that it has.

A form reads Python values and text alike: `8`, `np.int64(8)`, `8.0` and `"0x8"` are one number. The browser
reads text by the same rules (`js/question.js`); both name an answer by its key, such as "8", "4;0" or "3,4,3".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice, product
from numbers import Integral, Real
from typing import Any

from ..model.checks import plural
from ..model.swizzle import Swizzle

_BLANK = " \t\r\n\u00a0"
_NUMBER = re.compile(r"([+-]?)(?:(0x[0-9a-f]+)|(0b[01]+)|(\d+)(?:\.0*)?)", re.IGNORECASE | re.ASCII)
_PART = re.compile(r"[+-]?\w+", re.ASCII)
_SWIZZLE = re.compile(r"^\W*S(?:w|wizzle)?\b[ ]*(?=[<(])", re.ASCII)


def read_integer(answer: Any) -> int | None:
    """Return a number in any spelling as an int, or None: integers, integral floats, text also in base 2 and 16."""
    if hasattr(answer, "item") and getattr(answer, "size", 0) == 1:
        answer = answer.item()
    if isinstance(answer, bool):
        return None
    if isinstance(answer, Integral):
        return int(answer)
    if isinstance(answer, Real):
        # NaN and the infinities equal no integer.
        return int(answer) if answer == answer and abs(answer) < 2**53 and answer == int(answer) else None
    match = _NUMBER.fullmatch(answer.strip(_BLANK)) if isinstance(answer, str) and len(answer) < 100 else None
    if match is None:
        return None
    sign, hexadecimal, binary, decimal = match.groups()
    size = int(hexadecimal, 16) if hexadecimal else int(binary, 2) if binary else int(decimal)
    return -size if sign == "-" else size


@dataclass(frozen=True)
class Number:
    """A whole number.

    Attributes
    ----------
    name : str
        What it counts, such as "wavefronts".
    low, high : int
        The least and the largest one that is judged.
    hexadecimal : bool
        Whether the limits are shown in base 16; both bases are always read.
    powers : bool
        Whether only powers of two are answers.
    """

    name: str
    low: int = 0
    high: int = 1024
    hexadecimal: bool = False
    powers: bool = False

    @property
    def looks(self) -> str:
        """How an answer looks."""
        limits = (hex(self.low), hex(self.high)) if self.hexadecimal else (self.low, self.high)
        return "a {} from {} to {}".format("power of two" if self.powers else "whole number", *limits)

    @property
    def spec(self) -> dict[str, Any]:
        """The form as the browser takes it."""
        own = {"low": self.low, "high": self.high, "powers": self.powers}
        return {"kind": "number", "name": self.name, "looks": self.looks, **own}

    def read(self, answer: Any) -> int:
        """Return the answer as an int, or raise ValueError that says how it must look."""
        number = read_integer(answer)
        if number is None or not self.low <= number <= self.high or (self.powers and number & (number - 1)):
            raise ValueError(f"{self.name}: {self.looks} is asked for, not {_shown(answer)}.")
        return number

    def key(self, value: int) -> str:
        """Return the name of an answer."""
        return str(value)

    def values(self) -> Iterable[int]:
        """Return every answer."""
        numbers = range(self.low, self.high + 1)
        return [number for number in numbers if not number & (number - 1)] if self.powers else numbers


@dataclass(frozen=True)
class Choice:
    """One of a few options, or several of them.

    Attributes
    ----------
    options : dict
        What each option says, by its name. An option that says nothing more is its own name.
    name : str
    several : bool
        Whether any subset is an answer, in any order.
    """

    options: dict[str, str] = field(hash=False)
    name: str = "answer"
    several: bool = False

    @property
    def looks(self) -> str:
        """How an answer looks."""
        names = list(self.options)
        listed = f"{', '.join(names[:-1])} or {names[-1]}"
        return f"any of {listed.replace(' or ', ' and ')}" if self.several else f"{listed}"

    @property
    def spec(self) -> dict[str, Any]:
        """The form as the browser takes it."""
        options = [list(item) for item in self.options.items()]
        return {"kind": "choice", "name": self.name, "options": options, "several": self.several, "looks": self.looks}

    def read(self, answer: Any) -> Any:
        """Return the option's name (of several: a tuple of names), or raise ValueError that says how it must look."""
        found = self._several(answer) if self.several else self._one(answer)
        if found is None:
            raise ValueError(f"{self.name}: {self.looks} is asked for, not {_shown(answer)}.")
        return found

    def _one(self, answer) -> str | None:
        number = read_integer(answer)
        word = str(answer if number is None else number) if isinstance(answer, (str, bool, Real)) else ""
        word = re.sub(r"[\s\"'.()]", "", word).casefold()
        return next((name for name in self.options if name.casefold() == word), None)

    def _several(self, answer) -> tuple[str, ...] | None:
        if isinstance(answer, str):
            short = all(len(name) == 1 for name in self.options)
            answer = re.findall(r"\w" if short else r"\w+", answer) or ([] if not answer.strip(" ()[]{}") else None)
        elif isinstance(answer, Real):
            answer = [answer]
        if not isinstance(answer, Iterable):
            return None
        chosen = [self._one(part) for part in _parts(answer, ordered=False)]
        return None if None in chosen else tuple(name for name in self.options if name in chosen)

    def key(self, value: Any) -> str:
        """Return the name of an answer."""
        return ",".join(value) if self.several else value

    def values(self) -> Iterable[Any]:
        """Return every answer."""
        if not self.several:
            return tuple(self.options)
        return [some for count in range(len(self.options) + 1) for some in combinations(self.options, count)]


@dataclass(frozen=True)
class SwizzleNumbers:
    """B, M and S; three numbers in any spelling.

    Attributes
    ----------
    unit : str
        What they count, such as "bytes".
    high : tuple of int
        The largest B, M and abs(S) that are judged. No swizzle with larger ones acts on the course's tiles.
    """

    unit: str
    high: tuple[int, int, int] = (6, 8, 8)

    @property
    def name(self) -> str:
        """What is asked for."""
        return f"Sw<B,M,S> in {self.unit}"

    @property
    def looks(self) -> str:
        """How an answer looks."""
        bits, base, shift = self.high
        return f"three numbers B, M, S such as 2, 5, 2, with B up to {bits}, M up to {base}, S from -{shift} to {shift}"

    @property
    def spec(self) -> dict[str, Any]:
        """The form as the browser takes it."""
        return {"kind": "swizzle", "name": self.name, "high": list(self.high), "looks": self.looks}

    def read(self, answer: Any) -> tuple[int, int, int]:
        """Return (B, M, S), legal or not, or raise ValueError that says how they must look."""
        if isinstance(answer, Swizzle):
            answer = (answer.bits, answer.base, answer.shift)
        elif isinstance(answer, str):
            answer = _PART.findall(_SWIZZLE.sub("", answer))
        numbers = [read_integer(part) for part in _parts(answer)]
        if len(numbers) != 3 or None in numbers or not self._within(numbers):
            raise ValueError(f"{self.name}: {self.looks} is asked for, not {_shown(answer)}.")
        return tuple(numbers)

    def _within(self, numbers: list[int]) -> bool:
        bits, base, shift = self.high
        return 0 <= numbers[0] <= bits and 0 <= numbers[1] <= base and abs(numbers[2]) <= shift

    def key(self, value: tuple[int, int, int]) -> str:
        """Return the name of an answer."""
        return ",".join(map(str, value))

    def values(self) -> Iterable[tuple[int, int, int]]:
        """Return every answer."""
        bits, base, shift = self.high
        return product(range(bits + 1), range(base + 1), range(-shift, shift + 1))


@dataclass(frozen=True)
class Pair:
    """Two answers at once."""

    first: Number | Choice
    second: Number | Choice

    @property
    def looks(self) -> str:
        """How an answer looks."""
        return f"a pair ({self.first.name}, {self.second.name}): {self.first.looks}, and {self.second.looks},"

    @property
    def name(self) -> str:
        """What is asked for."""
        return f"{self.first.name} and {self.second.name}"

    def read(self, answer: Any) -> tuple[Any, ...]:
        """Return both answers, or raise ValueError that says how they must look."""
        if isinstance(answer, str):
            answer = re.findall(r"[^\s,;()\[\]]+", answer)
        parts = _parts(answer)
        if len(parts) != 2:
            raise ValueError(f"{self.looks} is asked for, not {_shown(answer)}.")
        return self.first.read(parts[0]), self.second.read(parts[1])

    def key(self, value: tuple[Any, ...]) -> str:
        """Return the name of an answer."""
        return f"{self.first.key(value[0])};{self.second.key(value[1])}"

    def values(self) -> Iterator[tuple[Any, ...]]:
        """Return every answer."""
        return product(self.first.values(), self.second.values())


Form = Number | Choice | SwizzleNumbers | Pair


def fields(form: Form) -> list[dict[str, Any]]:
    """Return the fields of a form as the browser takes them."""
    return [form.first.spec, form.second.spec] if isinstance(form, Pair) else [form.spec]


def _parts(answer, ordered: bool = True) -> list[Any]:
    """The parts of an answer that has some (at most a hundred), else none; a set has no order."""
    if ordered and isinstance(answer, (dict, set, frozenset)):
        return []
    try:
        return list(islice(answer, 100))
    except TypeError:
        return []


def _shown(answer) -> str:
    """The answer in an error text: short, whatever it is."""
    try:
        text = repr(answer)
    except ValueError:
        # Python refuses to print huge integers.
        text = f"an int of {plural(answer.bit_length(), 'bit')}"
    return text if len(text) <= 60 else f"{text[:57]}..."
