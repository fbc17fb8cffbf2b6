"""What the CuTe DSL prints: `S<3,4,3> o 0 o L`, `tensor<ptr<f16, smem, S<3,4,3>> o L>`, `!cute.memref<..>`."""

from __future__ import annotations

from typing import Any

from .parts import Reader

_SPACES = r"(smem|generic|gmem|rmem|tmem)"
_ALIGN = r"(?:,\s*align<\s*[0-9]{1,9}\s*>\s*)?"
_POINTER = rf"ptr<\s*(\w{{1,20}})\s*,\s*{_SPACES}\s*{_ALIGN}"
_RAW_POINTER = rf"raw_ptr\(\s*(0x[0-9a-fA-F]{{1,16}})\s*:\s*(\w{{1,20}})\s*,\s*{_SPACES}\s*{_ALIGN}"
_MEMREF = rf"!?cute\.memref<\s*(\w{{1,20}})\s*,\s*{_SPACES}\s*{_ALIGN}"


def dsl_term(reader: Reader) -> list[tuple[Any, ...]] | None:
    """Take a pointer, its swizzle before it, as (kind, value) pairs; None if there is none here."""
    if match := reader.take(_POINTER):
        dtype, space, address, closing = match[1], match[2], 0, ">"
    elif match := reader.take(_RAW_POINTER):
        dtype, space, address, closing = match[2], match[3], int(match[1], 16), r"\)"
    else:
        return None
    _in_shared_memory(reader, space, match.start())
    swizzle = _swizzle_of_pointer(reader)
    reader.need(closing, repr(closing[-1]))
    return [*swizzle, ("P", (dtype, address))]


def dsl_type(reader: Reader, terms: Any) -> list[tuple[Any, ...]] | None:
    """Take a type of the DSL's IR, as (kind, value) pairs; None if there is none here.

    Parameters
    ----------
    reader : Reader
    terms : callable
        Takes the terms between ` o ` inside the quotes.
    """
    if reader.take(r"(?=!?cute\.ptr\b)"):
        reader.fail("a pointer alone has no layout")
    if reader.take(r"(?=!?cute\.(?:swizzle|coord_tensor)\b)"):
        reader.fail("this is no layout of memory")
    if match := reader.take(_MEMREF):
        _in_shared_memory(reader, match[2], match.start())
        parts = [*_swizzle_of_pointer(reader), ("P", (match[1], 0))]
        reader.need(",", "',' and the layout")
    elif reader.take(r"!?cute\.(?:composed_)?layout<"):
        parts = []
    else:
        return None
    reader.need('"', 'the layout in "')
    parts += terms(reader)
    reader.need('"', "'\"'")
    reader.need(">", "'>'")
    return parts


def _in_shared_memory(reader: Reader, space: str, at: int) -> None:
    if space not in ("smem", "generic"):
        reader.fail(f"{space} is no shared memory: a tile lies there", at)


def _swizzle_of_pointer(reader: Reader) -> list[tuple[Any, ...]]:
    at = reader.at
    if not reader.take(r",(?=\s*S)"):
        return []
    found = reader.swizzle()
    return [("S", found)] if found else reader.fail("expected a swizzle", at)
