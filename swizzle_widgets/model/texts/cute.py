"""CuTe's spellings: what its `print` shows, read and written, and the code that makes a layout."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_TEXT = 1000
MAX_DEPTH = 16

_NUMBER = r"_?(-?[0-9]{1,19})"
_SWIZZLE = rf"(?:cute::)?(?:Swizzle|Sw|S)\s*<\s*{_NUMBER}\s*,\s*{_NUMBER}\s*,\s*{_NUMBER}\s*>"
_POINTER = r"smem_(?:sub)?ptr\[([0-9]{1,4})b\]\((?:unset|\(nil\)|(0x[0-9a-fA-F]{1,16})(?:\.0)?)\)"
_DSL_POINTER = r"ptr<\s*(\w{1,20})\s*,\s*smem\s*(?:,\s*align<\s*[0-9]{1,9}\s*>\s*)?"
# What stands where a swizzle (S), pointer (P), offset (I) and layout (L) may stand.
_FORMS = ("L", "SL", "SIL", "SPL", "PL", "PSL", "PSIL")


_DSL_DTYPES = {
    "f64": "Float64", "f32": "Float32", "tf32": "TFloat32", "f16": "Float16", "bf16": "BFloat16",
    "e4m3": "Float8E4M3FN", "e5m2": "Float8E5M2", "e2m1": "Float4E2M1FN", "b1": "Boolean",
    "s64": "Int64", "s32": "Int32", "s16": "Int16", "s8": "Int8", "s4": "Int4",
    "u64": "Uint64", "u32": "Uint32", "u16": "Uint16", "u8": "Uint8", "u4": "Int4",
}  # fmt: skip


@dataclass(frozen=True)
class CuteText:
    """The parts of a printed layout or tensor.

    Attributes
    ----------
    shape, stride : int or nested tuple of int
    swizzle : tuple of int or None
        (B, M, S).
    on_pointer : bool
        Whether the swizzle acts on the pointer's byte address, and not on offsets counted in elements.
    offset : int
        The number between swizzle and layout, in elements: the swizzle of c is sw(offset + layout(c)).
    element : int, str or None
        The element's size in bits or its dtype, where a pointer says it.
    address : int
        The pointer's byte address; 0 where it is unset.
    """

    shape: int | tuple
    stride: int | tuple
    swizzle: tuple[int, int, int] | None = None
    on_pointer: bool = False
    offset: int = 0
    element: int | str | None = None
    address: int = 0


def read_cute(text: str) -> CuteText:
    """Read what CuTe C++ or the CuTe DSL print for a layout, a composed layout or a tensor in shared memory.

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If it is none of these; the message points at the character.
    """
    reader = _Reader(text)
    tensor = reader.take(r"tensor\s*<")
    parts = reader.term()
    while reader.take(r"o(?![a-zA-Z])"):
        parts += reader.term()
    if tensor:
        reader.need(">", "'>'")
    if reader.at < len(reader.text):
        reader.fail("expected ' o ' or the end")
    form = "".join(kind for kind, _ in parts)
    if form not in _FORMS:
        reader.fail("expected [swizzle o] [offset or smem_ptr o] shape:stride", at=0)
    found = dict(parts)
    element, address = found.get("P", (None, 0))
    shape, stride = found["L"]
    return CuteText(shape, stride, found.get("S"), "SP" in form, found.get("I", 0), element, address)


def read_layout(text: str) -> tuple:
    """Read a plain `shape:stride` and return both; errors as in `read_cute`."""
    parts = read_cute(text)
    if parts != CuteText(parts.shape, parts.stride):
        raise ValueError(f"{text!r} is more than a layout: Tile.from_cute reads swizzles, offsets and pointers")
    return parts.shape, parts.stride


class _Reader:
    """A place in a text, and what may be taken from there."""

    def __init__(self, text):
        if not isinstance(text, str):
            raise TypeError(f"what CuTe prints is a string, not {text!r}")
        if len(text) > MAX_TEXT:
            raise ValueError(f"a text of {len(text)} characters is no layout: at most {MAX_TEXT}")
        self.text, self.at = " ".join(text.split()), 0

    def take(self, pattern: str):
        match = re.compile(r"\s*" + pattern).match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def need(self, pattern: str, what: str):
        return self.take(pattern) or self.fail(f"expected {what}")

    def fail(self, problem: str, at: int | None = None):
        at = self.at if at is None else at
        at += len(self.text[at:]) - len(self.text[at:].lstrip())
        raise ValueError(f"{problem}:\n    {self.text}\n    {' ' * at}^")

    def term(self) -> list[tuple]:
        """One term between two ` o `, as (kind, value) pairs; a swizzled pointer is a swizzle and a pointer."""
        if match := self.take(_SWIZZLE):
            swizzle = [("S", tuple(map(int, match.groups())))]
            return swizzle + ([self.pointer()] if self.take("_") else [])
        if match := self.take(_DSL_POINTER):
            swizzle = [("S", tuple(map(int, self.need(_SWIZZLE, "a swizzle").groups())))] if self.take(",") else []
            self.need(">", "'>'")
            return [*swizzle, ("P", (match[1], 0))]
        if self.take(r"(?=[a-z]{2,5}_)"):
            return [self.pointer()]
        shape = self.nested()
        if isinstance(shape, int) and not self.take(r"(?=:)"):
            return [("I", shape)]
        self.need(":", "':' and the strides")
        return [("L", (shape, self.nested()))]

    def pointer(self) -> tuple:
        match = self.need(_POINTER, "smem_ptr[bits b](unset or an address): a tile lies in shared memory")
        return "P", (int(match[1]), int(match[2] or "0", 16))

    def nested(self, depth: int = 0):
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
        if self.take(r"(?=\?)"):
            self.fail("a '?' is known only at run time: write its number")
        match = self.need(_NUMBER, "a whole number or '('")
        if self.take("(?=@)"):
            self.fail("a '@' marks coordinates, not offsets in memory")
        return int(match[1])


def layout_text(shape, stride, static: bool = True) -> str:
    """Return shape:stride as C++ prints static numbers, `(_8,_64):(_64,_1)`, or with plain ones."""
    return f"{_spelled(shape, static)}:{_spelled(stride, static)}"


def _spelled(value, static: bool) -> str:
    if isinstance(value, int):
        return f"_{value}" if static else str(value)
    return f"({','.join(_spelled(item, static) for item in value)})"


def cpp_code(shape, stride, swizzle=None, pointer_bits: int | None = None) -> str:
    """Return the C++ expression of a static layout under a swizzle.

    Parameters
    ----------
    shape, stride : int or nested tuple of int
    swizzle : Swizzle, optional
        Counted in elements, or in bytes with `pointer_bits`.
    pointer_bits : int, optional
        The size of an element in bits, for a swizzle of the pointer's address: TMA and WGMMA take no other.
    """
    layout = f"Layout<{_template('Shape', shape)}, {_template('Stride', stride)}>"
    if swizzle is None:
        return layout + "{}"
    spelled = f"Swizzle<{swizzle.bits}, {swizzle.base}, {swizzle.shift}>"
    if pointer_bits is None:
        return f"composition({spelled}{{}}, {layout}{{}})"
    return f"ComposedLayout<{spelled}, smem_ptr_flag_bits<{pointer_bits}>, {layout}>{{}}"


def _template(name: str, value) -> str:
    if isinstance(value, int):
        return f"Int<{value}>"
    return f"{name}<{', '.join(_template(name, item) for item in value)}>"


def dsl_code(shape, stride, swizzle=None, pointer_dtype: str | None = None) -> str:
    """Return the CuTe DSL expression of a layout under a swizzle.

    Parameters
    ----------
    shape, stride : int or nested tuple of int
    swizzle : Swizzle, optional
        Counted in elements, or in bytes with `pointer_dtype`.
    pointer_dtype : str, optional
        The dtype of a tensor whose pointer carries the swizzle.
    """
    layout = f"cute.make_layout({shape!r}, stride={stride!r})"
    if swizzle is None:
        return layout
    made = f"cute.make_swizzle({swizzle.bits}, {swizzle.base}, {swizzle.shift})"
    if pointer_dtype is None:
        return f"cute.make_composed_layout({made}, 0, {layout})"
    element = f"cutlass.{_DSL_DTYPES[pointer_dtype]}"
    return f"smem.allocate_tensor({element}, {layout}, byte_alignment={swizzle.period}, swizzle={made})"
