"""What a printed layout or tensor says, and the reader that the grammars of CuTe C++ and the CuTe DSL share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NoReturn

MAX_TEXT = 1000
MAX_DEPTH = 16

_NUMBER = r"_?(-?[0-9]{1,19})(?![0-9])"
_SWIZZLE = rf"(?:cute::)?(Swizzle|Sw|S)\s*<\s*{_NUMBER}\s*,\s*{_NUMBER}\s*,\s*{_NUMBER}\s*>"


@dataclass(frozen=True)
class Parts:
    """The parts of a printed layout or tensor.

    Attributes
    ----------
    shape, stride : int or nested tuple of int
    swizzle : tuple of int or None
        (B, M, S).
    counts : str
        What the swizzle counts: "element" (it stands on the layout), "address" (on the pointer: bytes of the address),
        "unsaid" (the text is the same for both), "" without a swizzle.
    offset : int
        The number between swizzle and layout, in elements: the swizzle of c is sw(offset + layout(c)).
    element : int, str or None
        The element's size in bits or its dtype, where a pointer says it.
    address : int
        The pointer's byte address; 0 where it is unset.
    """

    shape: int | tuple[Any, ...]
    stride: int | tuple[Any, ...]
    swizzle: tuple[int, int, int] | None = None
    counts: str = ""
    offset: int = 0
    element: int | str | None = None
    address: int = 0


class Reader:
    """A place in a text, and what may be taken from there.

    Parameters
    ----------
    text : str

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If it is longer than a layout can be.
    """

    def __init__(self, text: str):
        if not isinstance(text, str):
            raise TypeError(f"what CuTe prints is a string, not {text!r}")
        if len(text) > MAX_TEXT:
            raise ValueError(
                f"a text of {len(text)} characters is no layout: at most {MAX_TEXT}:\n    {text[:60]}...\n    ^"
            )
        self.text: str = " ".join(text.split())
        self.at: int = 0

    def take(self, pattern: str) -> re.Match[str] | None:
        """Take what `pattern` matches here, spaces before it left out; None if it does not match."""
        match = re.compile(r"\s*" + pattern).match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def need(self, pattern: str, what: str) -> re.Match[str]:
        """Take what `pattern` matches, or say that `what` was expected."""
        return self.take(pattern) or self.fail(f"expected {what}")

    def fail(self, problem: str, at: int | None = None) -> NoReturn:
        """Raise a ValueError that shows the text and points at the character."""
        at = self.at if at is None else at
        at += len(self.text[at:]) - len(self.text[at:].lstrip())
        raise ValueError(pointed(problem, self.text, at))

    def refuse(self, problem: str) -> NoReturn:
        """Raise ValueError with the problem and the text, where no one place of it is to blame."""
        self.fail(problem, 0)

    def swizzle(self) -> tuple[str, tuple[int, int, int]] | None:
        """Take a swizzle: how it is spelled and (B, M, S)."""
        match = self.take(_SWIZZLE)
        return (match[1], (int(match[2]), int(match[3]), int(match[4]))) if match else None

    def layout(self, shape: Any = None) -> tuple[Any, Any]:
        """Take shape:stride, or :stride behind a shape."""
        at = self.at
        shape = self.nested() if shape is None else shape
        self.need(":", "':' and the strides")
        stride = self.nested()
        if not congruent(shape, stride):
            self.fail(f"the stride is not nested as shape {shape} is", at)
        return shape, stride

    def nested(self, depth: int = 0) -> int | tuple[Any, ...]:
        """Take a whole number or a nested tuple of them."""
        if depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep")
        if not self.take(r"\("):
            return self.number()
        items = [self.nested(depth + 1)]
        while self.take(","):
            items.append(self.nested(depth + 1))
        self.need(r"\)", "',' or ')'")
        return tuple(items)

    def number(self) -> int:
        """Take a whole number, static (`_8`) or not."""
        if self.take(r"(?=\?)"):
            self.fail("a '?' is known only at run time: write its number")
        if self.take(r"(?=(?:E<|ArithTuple))"):
            self.fail("these are coordinates, not offsets in memory")
        match = self.need(_NUMBER, "a whole number or '('")
        if self.take("(?=@)"):
            self.fail("a '@' marks coordinates, not offsets in memory")
        return int(match[1])


def pointed(problem: str, text: str, at: int) -> str:
    """Return the message of an error that shows a text and a caret under one of its characters."""
    return f"{problem}:\n    {text}\n    {' ' * at}^"


def congruent(shape: int | tuple[Any, ...], stride: int | tuple[Any, ...]) -> bool:
    """Whether two nested tuples are nested in the same way."""
    if isinstance(shape, int) or isinstance(stride, int):
        return isinstance(shape, int) and isinstance(stride, int)
    return len(shape) == len(stride) and all(map(congruent, shape, stride))
