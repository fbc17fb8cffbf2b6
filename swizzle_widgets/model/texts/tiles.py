"""From what a text says to a tile: rows, columns, stages, and what the swizzle counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..checks import one_of, plural, whole
from ..dtypes import DTYPE_BITS, SIZE_DTYPES, dtype_name
from ..hardware import LINE_BYTES, MMA_COLUMN_BITS, MMA_ROWS, SHARED_BYTES
from ..layout import Layout
from ..swizzle import Swizzle
from ..table import Table
from ..units import unit_size
from .cute import read_cute
from .parts import Parts, pointed
from .writing import layout_text

if TYPE_CHECKING:
    from ..tile import Tile

# A first mode that holds more than this is read as rows of a tile, not as what one thread holds.
FRAGMENT_BITS = 256


def cute_tile(
    make: Callable[..., Tile], text: str, dtype: Any, stage: int, partition: str | None, unit: str | int | None,
    anchor: str | None, base_address: int,
) -> Tile:  # fmt: skip
    """Return the tile that CuTe printed; `make` is Tile. See `Tile.from_cute`."""
    parts = read_cute(text)
    if partition is not None:
        one_of("partition", partition, ("mma",))
    name = element_dtype(parts.element, dtype, in_cpp=bool(re.search("Sw|_[0-9]", text)))
    try:
        layout, offset = _matrix(parts, DTYPE_BITS[name], whole("stage", stage, 0), partition)
        swizzle = None if parts.swizzle is None else Swizzle(*parts.swizzle)
        told = _told(parts, unit, anchor)
        if swizzle is not None and told["unit"] is None:
            raise ValueError(_both_readings(make, layout, name, swizzle))
    except ValueError as error:
        raise _shown(error, text) from None
    if swizzle is None:
        told, base_address, offset = {}, base_address + _bytes(offset, DTYPE_BITS[name]), 0
    base_address += _address(parts.address, layout, DTYPE_BITS[name], swizzle, told)
    try:
        sizes = layout.sizes
        if layout.lowest < 0:
            layout, base_address, offset, told = _counted_up(layout, base_address, offset, DTYPE_BITS[name], told)
        tile = make(*sizes, name, layout=layout, base_address=base_address, swizzle=swizzle, **told)
        return tile._moved(whole("offset", offset, 0))
    except ValueError as error:
        raise _shown(error, text) from None


def cute_stages(text: str, partition: str | None = None) -> int:
    """Return how many stages a text has that `cute_tile` reads."""
    parts = read_cute(text)
    layout = Layout(parts.shape, parts.stride)
    modes = 3 if partition == "mma" else 2
    return layout.modes[modes].size if layout.rank > modes else 1


def _counted_up(layout: Layout, base: int, offset: int, bits: int, told: dict[str, Any]) -> tuple[Any, ...]:
    """A layout with negative strides as a table from 0 up, with the base, offset and unit that go with it."""
    lowest, up = layout.lowest, Table(layout.offsets - layout.lowest)
    if told.get("anchor") == "offset":
        if offset + lowest < 0:
            raise ValueError(f"offset {offset + lowest} is negative: a swizzle counts from 0")
        return up, base, offset + lowest, told
    if base + _bytes(lowest, bits) < 0:
        raise ValueError(
            f"{layout} counts down to {plural(-_bytes(lowest, bits) - base, 'byte')} below shared memory: "
            "give its pointer or base_address"
        )
    return up, base + _bytes(lowest, bits), offset, told


def _bytes(offset: int, bits: int) -> int:
    if offset * bits % 8:
        raise ValueError(f"offset {offset} of {bits}-bit elements is in the middle of a byte")
    return offset * bits // 8


def _address(address: int, layout: Layout, bits: int, swizzle: Swizzle | None, told: dict[str, Any]) -> int:
    """A pointer's address in shared memory; a generic one of 64 bits counts modulo what banks depend on."""
    if address < SHARED_BYTES:
        return address
    unit_bits = 8 if told.get("unit") == "byte" else bits
    period = LINE_BYTES if swizzle is None else max(swizzle.period * unit_bits // 8, LINE_BYTES)
    below = -layout.lowest * bits // 8
    return address % period + -(-below // period) * period


def element_dtype(element: int | str | None, dtype: Any, in_cpp: bool = False) -> str:
    """Return the dtype of a printed tile, from what the text and what the caller say.

    Parameters
    ----------
    element : int, str or None
        The size in bits or the dtype, as the text says it.
    dtype : anything that names a dtype, or None
    in_cpp : bool
        Whether "int4" is C++'s vector of four ints.
    """
    if element is None and dtype is None:
        raise ValueError('the text does not say how large an element is: give a dtype, such as dtype="f16"')
    told = SIZE_DTYPES.get(element, element) if isinstance(element, int) else element
    if isinstance(told, int):
        raise ValueError(f"no dtype has {told} bits: it must be one of {', '.join(map(str, SIZE_DTYPES))}")
    if dtype in ("int4", "uint4") and (told or in_cpp):
        dtype = "u128" if not told or DTYPE_BITS[dtype_name(told)] == 128 else told
    name = dtype_name(told if dtype is None else dtype)
    if told is not None and DTYPE_BITS[name] != DTYPE_BITS[dtype_name(told)]:
        raise ValueError(f"dtype {name} has {DTYPE_BITS[name]} bits, but the text says {element}")
    return name


def _shown(error: ValueError, text: str) -> ValueError:
    """The error with the text and a caret under its layout."""
    line = " ".join(text.split())
    return ValueError(pointed(str(error), line, max(line.find("("), 0)))


def _told(parts: Parts, unit, anchor) -> dict[str, Any]:
    """Unit and anchor, from what the text and what the caller say; errors where they contradict."""
    if parts.swizzle is None:
        if unit is not None or anchor is not None:
            raise ValueError("unit and anchor say what a swizzle counts, but this text has none: leave them out")
        return {}
    if parts.counts == "unsaid":
        by_unit = {None: None, "element": "offset"}.get(unit, "address")
        return {"unit": unit, "anchor": anchor or by_unit or "offset"}
    told = ("byte", "address") if parts.counts == "address" else ("element", "offset")
    what = "bytes of the address" if parts.counts == "address" else "elements"
    for name, given, said in zip(("unit", "anchor"), (unit, anchor), told):
        if given is not None and given != said:
            raise ValueError(f"this swizzle counts {what}: leave {name} out, or say {name}={said!r}, not {given!r}")
    return {"unit": told[0], "anchor": told[1]}


def _matrix(parts: Parts, bits: int, stage: int, partition: str | None) -> tuple[Layout, int]:
    """Rows and columns, and the offset of the stage and the text's own."""
    layout = Layout(parts.shape, parts.stride)
    if layout.rank > 2 and _is_fragment(layout.modes[0], bits):
        raise ValueError(f"{layout} is one thread's view, not a tile: print the tensor before it is partitioned")
    if partition == "mma":
        layout, stages = _unpartitioned(layout)
    elif layout.rank == 3:
        _check_stages(layout, bits)
        layout, stages = _joined(*layout.modes[:2]), layout.modes[2]
    elif layout.rank == 2:
        stages = None
    else:
        hint = '; is it an MMA\'s partition (MMA, MMA_M, MMA_K, PIPE): say partition="mma"' if layout.rank == 4 else ""
        raise ValueError(f"layout {layout} has {layout.rank} modes: a tile needs two, rows and columns{hint}")
    if stages is None and stage:
        raise ValueError(f"stage = {stage}, but {layout} has no third mode to count stages")
    return layout, parts.offset + (int(stages(stage)) if stages else 0)


def _joined(*modes: Layout) -> Layout:
    return Layout(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))


def _unpartitioned(layout: Layout) -> tuple[Layout, Layout | None]:
    """(MMA, MMA_M, MMA_K[, PIPE]) as rows and columns: (MMA rows, MMA_M), (MMA columns, MMA_K)."""
    if layout.rank not in (3, 4) or layout.modes[0].rank != 2:
        raise ValueError(
            f"layout {layout} is no MMA's partition: (MMA, MMA_M, MMA_K[, PIPE]), where MMA is a pair (rows, columns)"
        )
    rows, cols = layout.modes[0].modes
    joined = _joined(_behind(rows, layout.modes[1]), _behind(cols, layout.modes[2]))
    return joined, layout.modes[3] if layout.rank == 4 else None


def _behind(first: Layout, second: Layout) -> Layout:
    """Two modes as one, the second counting whole firsts; a second of extent 1 adds nothing."""
    return first if second.size == 1 else _joined(first, second)


def _check_stages(layout: Layout, bits: int) -> None:
    """Refuse a layout of three modes whose third cannot only be stages."""
    first, _, third = layout.modes
    reach = _joined(*layout.modes[:2]).cosize
    strides = [abs(stride) for extent, stride in third.flat if extent > 1]
    staged, paired = all(stride >= reach for stride in strides), _is_mma_pair(first, bits)
    if staged and not paired:
        return
    if staged:
        problem = "its third mode can count stages, and its first can be an MMA's (rows, columns)"
    else:
        problem = (
            f"its third mode counts no stages: its stride is smaller than the {reach} elements that the first two reach"
        )
    raise ValueError(
        f'{layout}: {problem}. An MMA\'s partition (MMA, MMA_M, MMA_K) is read with partition="mma"; for stages give '
        "the two modes of one stage, or a third mode behind plain rows (stage=); one thread's view is no tile"
    )


def _is_fragment(first: Layout, bits: int) -> bool:
    """Whether a first mode can be the values of one thread: nested, contiguous, no larger than a fragment."""
    steps = [abs(stride) for extent, stride in first.flat if extent > 1]
    nested = not isinstance(first.shape, int)
    return nested and first.size * bits <= FRAGMENT_BITS and (not steps or min(steps) <= 1)


def _is_mma_pair(first: Layout, bits: int) -> bool:
    """Whether a first mode can be the (rows, columns) of an MMA: as large, and contiguous in one of the two."""
    if first.rank != 2:
        return False
    rows, cols = first.sizes
    fits = rows % 8 == 0 and MMA_ROWS[0] <= rows <= MMA_ROWS[1] and cols * bits in MMA_COLUMN_BITS
    return fits and any(stride == 1 for _, stride in first.flat)


def _both_readings(make, layout: Layout, dtype: str, swizzle: Swizzle) -> str:
    """The refusal of a swizzle whose unit is not said, with what each reading costs."""
    readings = (
        ("elements of the layout", {"unit": "element"}),
        ("bytes of the pointer's address", {"unit": "byte", "anchor": "address"}),
    )
    lines = []
    for what, told in readings:
        said = ", ".join(f"{name}={value!r}" for name, value in told.items())
        lines.append(f"{what} ({said}): {_cost(make, layout, dtype, swizzle, told)}")
    return (
        f"the text does not say what {str(swizzle).replace('Sw', 'S')} counts: the DSL prints the same for both. "
        + "; or ".join(lines)
    )


def _cost(make, layout: Layout, dtype: str, swizzle: Swizzle, told: dict[str, Any]) -> str:
    """What a usual read costs under one reading of a swizzle."""
    from ..access import Access

    try:
        tile = make.of_layout(layout, dtype, swizzle=swizzle, **told)
    except ValueError as error:
        return f"not possible, {error}"
    usual = [(f"ldmatrix.x{num}", lambda tile, num=num: Access.ldmatrix(tile, num=num)) for num in (4, 2, 1)]
    for name, access in (*usual, ("a column", lambda tile: Access.column(tile, 0))):
        try:
            report = access(tile).report()
        except ValueError:
            continue
        return f"{name} costs {plural(report.wavefronts, 'wavefront')}, {plural(report.conflicts, 'conflict')}"
    return "no usual access fits"


def cute_text(tile: Tile) -> str:
    """Return a tile as CuTe prints it, as `Tile.cute_text` says."""
    if not isinstance(tile.layout, Layout):
        raise ValueError(f"a {tile.layout} is no CuTe layout")
    text = layout_text(tile.layout.shape, tile.layout.stride)
    if tile.swizzle is None:
        return text
    if tile.anchor == "address" and tile.unit_bits == 8:
        address = f"0x{tile.base_address:x}" if tile.base_address else "unset"
        return f"{tile.swizzle} o smem_ptr[{tile.element_bits}b]({address}) o {text}"
    offset = 8 * tile.base_address // tile.element_bits if tile.anchor == "address" else 0
    return f"{tile.swizzle.recast(unit_size(tile.unit, tile.dtype), tile.element_bits)} o _{offset} o {text}"


def dsl_text(tile: Tile) -> str:
    """Return a tile as a tensor of the CuTe DSL prints itself, as `Tile.dsl_text` says."""
    if not isinstance(tile.layout, Layout):
        raise ValueError(f"a {tile.layout} is no CuTe layout")
    on_pointer = tile.swizzle is not None and tile.anchor == "address" and tile.unit_bits == 8
    if tile.anchor == "address" and 8 * tile.base_address % tile.period_bits:
        raise ValueError(f"base_address = {tile.base_address} is part of the map, and the DSL prints no address")
    text, swizzle = str(tile.layout), tile.swizzle
    if swizzle is not None and not on_pointer:
        text = f"S{str(swizzle.recast(unit_size(tile.unit, tile.dtype), tile.element_bits))[2:]} o 0 o {text}"
    tail = f", S{str(swizzle)[2:]}" if on_pointer else ""
    return f"tensor<ptr<{tile.dtype}, smem{tail}> o {text}>"
