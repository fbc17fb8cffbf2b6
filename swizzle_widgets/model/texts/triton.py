"""What Triton prints for shared layouts: `#ttg.swizzled_shared<..>`, `#ttg.padded_shared<..>`, `#ttg.nvmma_shared<..>`.

The arithmetic is Triton's own (lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp), as its library computes it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checks import power_of_two, whole
from ..dtypes import DTYPE_BITS
from ..hardware import BOX_LIMIT, GRANULE_BYTES, LINE_BYTES, SHARED_BYTES
from ..layout import MAX_SIZE
from .mended import mended
from .parts import MAX_TEXT, Reader
from .tiles import element_dtype

if TYPE_CHECKING:
    from ..tile import Tile


def triton_tile(make: type[Tile], text: str, shape: tuple[int, ...] | None, dtype: Any, stage: int = 0) -> Tile:
    """Return the tile that a shared layout of Triton describes; `make` is Tile. See `Tile.from_triton`."""
    reader, (kind, said, told_shape, told_dtype) = _read(text)
    if kind in ("nvmma_shared", "nvmma_shared_old") and dtype is None and told_dtype is None:
        told_dtype = said.get("elementBitWidth")
    name = element_dtype(told_dtype, dtype)
    shape = _shape(reader, shape, told_shape or said.get("shape"))
    _check_ctas(reader, said)
    _check_size(shape, name)
    offsets = _MAKERS[kind](reader, said, shape, DTYPE_BITS[name])
    offsets = _stage(reader, offsets, shape, stage)
    tile = make.from_map(offsets, dtype=name)
    if kind.startswith("nvmma") and tile.swizzle is not None:
        # TMA and WGMMA apply it to the bytes of the address.
        swizzle = tile.swizzle.recast(tile.element_bits, 8)
        tile = replace(tile, swizzle=swizzle, unit="byte", anchor="address")
    return tile


def triton_stages(text: str, shape: tuple[int, ...] | None = None) -> int:
    """Return how many stages a text has that `triton_tile` reads."""
    reader, (_, said, told_shape, _) = _read(text)
    sizes = _shape(reader, shape, told_shape or said.get("shape"))
    return sizes[0] if len(sizes) == 3 else 1


def _read(text: str) -> tuple[Any, ...]:
    """The reader and the layout's kind, its numbers by name, and the shape and dtype of a memdesc around it."""
    try:
        reader = Reader(text)
        return reader, _terms(reader)
    except ValueError as error:
        if len(text) > 8 * MAX_TEXT:
            raise
        better = mended(text)
        try:
            reader = Reader(better)
            return reader, _terms(reader)
        except ValueError:
            raise error from None


def _terms(reader: Reader) -> tuple[Any, ...]:
    shape = dtype = None
    if match := reader.take(r"!(?:ttg|triton_gpu|tt)\.memdesc<((?:[0-9]{1,9}x)+)(\w{1,20})\s*,"):
        shape, dtype = [int(size) for size in match[1].split("x")[:-1]], match[2]
    start = reader.need(
        r"#(?:ttg|triton_gpu)\.(\w+)<", "#ttg.swizzled_shared<, #ttg.padded_shared< or #ttg.nvmma_shared<"
    )
    kind, said = start[1], {}
    if kind == "padded_shared":
        said["pads"] = _pads(reader)
    said.update(_fields(reader))
    reader.need(">", "'>'")
    if shape:
        reader.need(r"(?:,\s*[^<>]*)?>", "'>'")
    if reader.at < len(reader.text):
        reader.fail("expected the end")
    if kind == "shared":
        kind = "nvmma_shared_old" if said.get("hasLeadingOffset") else "swizzled_shared"
    if kind not in _MAKERS:
        reader.fail("expected swizzled_shared, padded_shared or nvmma_shared", start.start())
    return kind, said, shape, dtype


def _pads(reader: Reader) -> list[tuple[int, int]]:
    reader.need(r"\[", "'[' and the intervals")
    pads = []
    while True:
        match = reader.need(r"([0-9]{1,9})\s*:\s*\+([0-9]{1,9})", "an interval such as 128:+8")
        pads.append((int(match[1]), int(match[2])))
        if not reader.take(","):
            break
    reader.need(r"\]", "']'")
    return pads


def _fields(reader: Reader) -> dict[str, Any]:
    """{name = value, ...}: numbers, true and false, nested lists of numbers."""
    reader.need(r"\{", "'{'")
    found = {}
    while not reader.take(r"\}"):
        name = reader.need(r"(\w+)\s*=", "a name and '='")[1]
        found[name] = _value(reader)
        if not reader.take(",") and not reader.take(r"(?=\})"):
            reader.fail("expected ',' or '}'")
    return found


def _value(reader: Reader):
    if match := reader.take(r"(true|false)\b"):
        return match[1] == "true"
    if not reader.take(r"\["):
        return int(reader.need(r"([0-9]{1,9})(?![0-9])", "a number, true, false or '['")[1])
    items = []
    while not reader.take(r"\]"):
        items.append(_value(reader))
        if not reader.take(",") and not reader.take(r"(?=\])"):
            reader.fail("expected ',' or ']'")
    return items


def _shape(reader: Reader, given, told) -> tuple[int, ...]:
    if given is None and told is None:
        reader.refuse("the text does not say the shape: give shape=(rows, cols)")
    sizes = told if given is None else given
    if not isinstance(sizes, (tuple, list)) or len(sizes) not in (2, 3):
        raise ValueError(f"shape = {sizes!r}: a tile needs rows and columns, with stages (stages, rows, cols)")
    *stages, rows, cols = sizes
    tile = (power_of_two("an extent of shape", size, 1, MAX_SIZE) for size in (rows, cols))
    sizes = (*(whole("the stages of shape", count, 1, MAX_SIZE) for count in stages), *tile)
    if told is not None and tuple(told) not in (sizes, sizes[1:]):
        reader.refuse(f"shape = {sizes}, but the text says {tuple(told)}")
    if np.prod(sizes, dtype=object) > MAX_SIZE:
        raise ValueError(f"shape = {sizes} has too many elements: at most {MAX_SIZE}")
    return sizes


def _check_size(shape: tuple[int, ...], dtype: str) -> None:
    """No two elements share a place: what is larger than shared memory is refused before it is written out."""
    rows, cols = shape[-2:]
    size = rows * cols * DTYPE_BITS[dtype] / 8
    if size > SHARED_BYTES:
        raise ValueError(
            f"a tile of {rows}x{cols} {dtype} has {size:.0f} bytes: shared memory has {SHARED_BYTES} bytes a block"
        )


def _check_ctas(reader: Reader, said: dict[str, Any]) -> None:
    split = said.get("CTASplitNum", [1])
    if max(split, default=1) > 1 or any(said.get(name) for name in ("CGALayout", "block")):
        reader.refuse("this layout is spread over several CTAs: give the layout of one CTA's part")


def _need(reader: Reader, said: dict[str, Any], *names: str) -> list[Any]:
    """The numbers with these names; an error where one is missing."""
    missing = [name for name in names if name not in said]
    if missing:
        reader.fail(f"expected {', '.join(missing)}", len(reader.text) - 1)
    return [said[name] for name in names]


def _order(reader: Reader, order, shape: tuple[Any, ...]) -> bool:
    """Whether the columns are contiguous; stages, the first of three, must be outermost."""
    if order in ([1, 0], [2, 1, 0]) and len(order) <= len(shape):
        return True
    if order in ([0, 1], [1, 2, 0]) and len(order) <= len(shape):
        return False
    reader.refuse(f"order = {order} of {len(shape)} dimensions is not read: [1, 0] or [0, 1], stages outermost")


def _outer_inner(shape: tuple[Any, ...], by_rows: bool):
    """Index of the line and index in the line of each (row, col), and their extents."""
    rows, cols = shape[-2:]
    row, col = np.ogrid[:rows, :cols]
    return (row, col, rows, cols) if by_rows else (col, row, cols, rows)


def _swizzled(reader: Reader, said: dict[str, Any], shape: tuple[Any, ...], bits: int) -> np.ndarray:
    vec, per_phase, max_phase, order = _need(reader, said, "vec", "perPhase", "maxPhase", "order")
    for name in ("vec", "perPhase", "maxPhase"):
        power_of_two(name, said[name], 1, MAX_SIZE)
    outer, inner, _, length = _outer_inner(shape, _order(reader, order, shape))
    return outer * length + (inner ^ vec * (outer // per_phase % max_phase) % length)


def _padded(reader: Reader, said: dict[str, Any], shape: tuple[Any, ...], bits: int) -> np.ndarray:
    if "offset" in said:
        offsets = _of_bases(reader, said["offset"], shape)
    else:
        (order,) = _need(reader, said, "order")
        outer, inner, _, length = _outer_inner(shape, _order(reader, order, shape))
        offsets = outer * length + inner
    for interval, padding in said["pads"]:
        power_of_two("an interval", interval, 1, MAX_SIZE)
        power_of_two("a padding", padding, 1, MAX_SIZE)
    return offsets + sum(offsets // interval * padding for interval, padding in said["pads"])


def _of_bases(reader: Reader, bases: list[Any], shape: tuple[Any, ...]) -> np.ndarray:
    """The offsets of a linear layout: bit b of the offset XORs the coordinates with base b."""
    sizes = shape[-2:]
    fits = all(isinstance(base, list) and len(base) == 2 and all(isinstance(at, int) for at in base) for base in bases)
    if not fits or 1 << len(bases) != sizes[0] * sizes[1] or any(b >= s for base in bases for b, s in zip(base, sizes)):
        reader.refuse(f"these bases do not fill the shape {sizes}")
    numbers = np.arange(1 << len(bases))
    places = np.zeros((2, len(numbers)), np.int64)
    for bit, base in enumerate(bases):
        places ^= np.where(numbers >> bit & 1, np.array(base)[:, None], 0)
    offsets = np.full(sizes, -1, np.int64)
    offsets[tuple(places)] = numbers
    if offsets.min() < 0:
        reader.refuse("these bases put two offsets in one place")
    return offsets


def _nvmma(reader: Reader, said: dict[str, Any], shape: tuple[Any, ...], bits: int) -> np.ndarray:
    width, transposed, told = _need(reader, said, "swizzlingByteWidth", "transposed", "elementBitWidth")
    if told != bits:
        reader.refuse(f"elementBitWidth = {told}, but the dtype has {bits} bits")
    if said.get("fp4Padded"):
        reader.refuse("fp4Padded leaves 8 bytes empty behind every 8: this is not read")
    if width not in (0, 32, 64, 128):
        reader.refuse(f"swizzlingByteWidth = {width} must be 0, 32, 64 or 128")
    outer, inner, lines, length = _outer_inner(shape, not transposed)
    if said.get("rank", 2) == 3 and len(shape) == 3:
        return _nvmma_of_stages(reader, shape, width, bits, transposed)
    if not width:
        return _unswizzled(outer, inner, lines, length)
    return _boxes(reader, outer, inner, lines, length, width, bits, lines_first=not transposed)


def _nvmma_of_stages(reader: Reader, shape: tuple[Any, ...], width: int, bits: int, transposed: bool) -> np.ndarray:
    """Rank 3: the stages are rows of one tall box; returns (stages, rows, cols)."""
    stages, rows, cols = shape
    if transposed or not width or max(rows, stages) > BOX_LIMIT:
        reader.refuse(f"rank = 3 is read with a swizzle, not transposed, and at most {BOX_LIMIT} rows")
    outer, inner = np.ogrid[: stages * rows, :cols]
    box = stages * rows
    return _boxes(reader, outer, inner, box, cols, width, bits, lines_first=True, box=box).reshape(shape)


def _boxes(reader, outer, inner, lines, length, width, bits, lines_first, box=BOX_LIMIT) -> np.ndarray:
    """Boxes as wide as the swizzle, 256 lines high, their 16-byte chunks XORed with the line's phase."""
    page, chunk = 8 * width // bits, 8 * GRANULE_BYTES // bits
    if length < page or lines < 8:
        reader.refuse(f"a swizzle of {width} bytes needs at least 8 lines of {page} elements, not {lines} of {length}")
    box = min(box, lines)
    per_phase = LINE_BYTES // width
    within = inner % page ^ chunk * (outer // per_phase % (8 // per_phase))
    high, wide = outer // box, inner // page
    place = high + wide * (lines // box) if lines_first else wide + high * (length // page)
    return (place * box + outer % box) * page + within


def _unswizzled(outer, inner, lines: int, length: int) -> np.ndarray:
    """Boxes of at most 256x256 without a swizzle, one box behind the other along the lines first."""
    high, wide = min(lines, BOX_LIMIT), min(length, BOX_LIMIT)
    place = inner // wide + outer // high * (length // wide)
    return (place * high + outer % high) * wide + inner % wide


def _nvmma_old(reader: Reader, said: dict[str, Any], shape: tuple[Any, ...], bits: int) -> np.ndarray:
    """Before nvmma_shared had its name: hasLeadingOffset, the width told by the phases, boxes of any height."""
    per_phase, max_phase, order = _need(reader, said, "perPhase", "maxPhase", "order")
    if per_phase * max_phase != 8 or per_phase not in (1, 2, 4):
        reader.refuse("hasLeadingOffset needs (perPhase, maxPhase) (1, 8), (2, 4) or (4, 2)")
    outer, inner, lines, length = _outer_inner(shape, _order(reader, order, shape))
    return _boxes(reader, outer, inner, lines, length, LINE_BYTES // per_phase, bits, lines_first=True, box=lines)


def _stage(reader: Reader, offsets: np.ndarray, shape: tuple[Any, ...], stage: int) -> np.ndarray:
    """The offsets of one stage; without a dimension of its own a stage lies behind the one before."""
    stage = whole("stage", stage, 0)
    if stage >= (shape[0] if len(shape) == 3 else 1):
        raise ValueError(f"stage = {stage}, but shape = {shape} has {shape[0] if len(shape) == 3 else 1}")
    if offsets.ndim == 3:
        return offsets[stage]
    return offsets + stage * (int(offsets.max()) + 1)


_MAKERS = {
    "swizzled_shared": _swizzled, "padded_shared": _padded, "nvmma_shared": _nvmma, "nvmma_shared_old": _nvmma_old,
}  # fmt: skip
