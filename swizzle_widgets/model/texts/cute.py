"""Reading what CuTe prints, C++ or DSL: terms between ` o `, and what they mean together."""

from __future__ import annotations

import re
from typing import Any

from .cute_cpp import cpp_pointer, cpp_term
from .cute_dsl import dsl_term, dsl_type
from .mended import mended, without_grid
from .parts import MAX_TEXT, Parts, Reader

_UNMARKED = r"(?<![_0-9-])-?[0-9]"
# Entities and markup make a text longer.
MAX_DAMAGED = 8 * MAX_TEXT

# What stands where a swizzle (S), pointer (P), offset (I) and layout (L) may stand: what the swizzle counts.
_FORMS = {
    "L": "", "PL": "", "PIL": "", "SPL": "address",
    "SL": "element", "SIL": "element", "PSL": "element", "PSIL": "element",
}  # fmt: skip


def read_cute(text: str) -> Parts:
    """Read what CuTe C++ or the CuTe DSL print for a layout, a composed layout or a tensor in shared memory.

    A text that a web page, a terminal or a log damaged is mended where that leaves one reading.

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If it is none of these; the message points at the character.
    """
    text = without_grid(text) if isinstance(text, str) else text
    try:
        return _read(text)
    except ValueError as error:
        if len(text) > MAX_DAMAGED:
            raise
        better = mended(text)
        try:
            return _read(better)
        except ValueError:
            raise error from None


def read_layout(text: str) -> tuple[Any, ...]:
    """Read a plain `shape:stride` and return both; errors as in `read_cute`, but nothing is mended."""
    parts = _read(text)
    if parts != Parts(parts.shape, parts.stride):
        raise ValueError(f"{text!r} is more than a layout: Tile.from_cute reads swizzles, offsets and pointers")
    return parts.shape, parts.stride


def _read(text: str) -> Parts:
    reader = Reader(text)
    tensor = reader.take(r"tensor\s*[<(]")
    parts = dsl_type(reader, _terms) or _terms(reader)
    if tensor:
        reader.need(r"(?:>|\)|,\s*data\s*=.*)", "'>'")
    if reader.at < len(reader.text):
        reader.fail("expected ' o ' or the end")
    form = "".join(kind for kind, _ in parts)
    if form not in _FORMS:
        reader.fail("expected [swizzle o] [offset or smem_ptr o] shape:stride", at=0)
    found = dict(parts)
    spelled, swizzle = found.get("S", ("", None))
    counts = _FORMS[form]
    # C++ spells its swizzle Sw, or marks static numbers with '_'; the DSL's text does not say what S will count.
    if spelled == "S" and "P" not in form and re.search(_UNMARKED, reader.text.partition(">")[2]):
        counts = "unsaid"
    element, address = found.get("P", (None, 0))
    shape, stride = found["L"]
    return Parts(shape, stride, swizzle, counts, found.get("I", 0), element, address)


def _terms(reader: Reader) -> list[tuple[Any, ...]]:
    parts = _term(reader)
    while reader.take(r"o(?![a-zA-Z])"):
        parts += _term(reader)
    return parts


def _term(reader: Reader) -> list[tuple[Any, ...]]:
    """One term between two ` o `, as (kind, value) pairs; a swizzled pointer is a swizzle and a pointer."""
    if found := reader.swizzle():
        return [("S", found), cpp_pointer(reader)] if reader.take("_") else [("S", found)]
    if found := dsl_term(reader) or cpp_term(reader):
        return found
    shape = reader.nested()
    if isinstance(shape, int) and not reader.take(r"(?=:)"):
        return [("I", shape)]
    return [("L", reader.layout(shape))]
