"""Which thread of an MMA holds which element: the fragments of mma.m16n8 and of WGMMA's accumulator.

The tables are those of the PTX ISA ("Matrix Fragments for mma.m16n8k8" and so on, and "Register
Fragments for wgmma.mma_async"). All of them say one thing: lane l belongs to row l // 4, its quad
holds neighboring columns, and a 32-bit register is filled with neighbors first.
"""

from __future__ import annotations

import re
from typing import Any

from .checks import whole
from .hardware import WARP_LANES
from .layout import Layout

QUAD = 4
GROUPS = WARP_LANES // QUAD
REGISTER_BITS = 32
WARPGROUP_WARPS = 4
WGMMA_COLUMNS = 256
MAX_WARPS = 32

_MMA = re.compile(r"(?:mma\.)?m16n8k([0-9]{1,4})\.([ABC])")
_WGMMA = re.compile(r"wgmma\.m64n([0-9]{1,4})\.D")


def fragment_layout(name: str, element_bits: int, warps: Any = None) -> tuple[Layout, tuple[int, int], str]:
    """Return who holds what of a fragment, as (thread-value layout, tiler, usual kind).

    Parameters
    ----------
    name : str
        "m16n8k16.A", ".B" or ".C" with the k of the element's size, or "wgmma.m64n128.D".
    element_bits : int
        The size of an element in shared memory; for A and B it chooses the table.
    warps : pair of int, optional
        How many warps stand along M and along N; those along the other axis hold the same A or B.
        Left out, (1, 1); (4, 1) for WGMMA, whose warpgroup is four warps along M.

    Returns
    -------
    layout : Layout
        (thread, value) -> index in the tiler, first mode fastest.
    tiler : tuple of int
        Rows and columns that all warps hold at once: M x K of A, N x K of B, M x N of C and D.
    kind : str
        "load" for A and B, "store" for C and D.

    Raises
    ------
    TypeError, ValueError
        If the name is no fragment, the size has no such k, or the warps are no such arrangement.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a fragment is a string, not {name!r}")
    if found := _MMA.fullmatch(name):
        k, operand = int(found[1]), found[2]
        down, across = _warps(warps, (1, 1))
        if operand == "C":
            return _accumulator(8, down, across)
        return _operand(operand, k, element_bits, down, across)
    if found := _WGMMA.fullmatch(name):
        columns = int(found[1])
        if columns % 8 or not 8 <= columns <= WGMMA_COLUMNS:
            raise ValueError(f"{name}: the n of WGMMA is a multiple of 8 from 8 to {WGMMA_COLUMNS}")
        down, across = _warps(warps, (WARPGROUP_WARPS, 1))
        if down % WARPGROUP_WARPS:
            raise ValueError(f"warps = ({down}, {across}): a warpgroup is {WARPGROUP_WARPS} warps along M")
        return _accumulator(columns, down, across)
    raise ValueError(
        f"fragment {name!r} is not known: it must be m16n8k16.A, .B or .C (with the k of the dtype), or wgmma.m64n128.D"
    )


def depths(element_bits: int) -> tuple[int, ...]:
    """Return the k of the mma.m16n8 instructions for elements of that size; none if there are none."""
    if element_bits == 64:
        return (4, 8, 16)
    if element_bits in (4, 8, 16, 32):
        full = QUAD * REGISTER_BITS // element_bits
        return (full, 2 * full)
    return (128, 256) if element_bits == 1 else ()


def _operand(operand: str, k: int, bits: int, down: int, across: int) -> tuple[Layout, tuple[int, int], str]:
    if k not in depths(bits):
        known = ", ".join(f"m16n8k{depth}" for depth in depths(bits)) or "none"
        raise ValueError(f"m16n8k{k} does not exist for {bits}-bit elements: mma.sync has {known}")
    # Neighbors that fill one register; an f64 takes two.
    run = max(1, REGISTER_BITS // bits)
    halves = k // (QUAD * run)
    threads = (QUAD, GROUPS, down, across)
    if operand == "A":
        rows = 16 * down
        values, strides = (run, 2, halves), (rows, 8, QUAD * run * rows)
        return Layout((threads, values), ((run * rows, 1, 16, 0), strides)), (rows, k), "load"
    rows = 8 * across
    values, strides = (run, halves), (rows, QUAD * run * rows)
    return Layout((threads, values), ((run * rows, 1, 0, 8), strides)), (rows, k), "load"


def _accumulator(columns: int, down: int, across: int) -> tuple[Layout, tuple[int, int], str]:
    """C of m16n8 and D of m64n: each warp has 16 rows, and two neighbors of a row are together."""
    rows = 16 * down
    threads, steps = (QUAD, GROUPS, down, across), (2 * rows, 1, 16, columns * rows)
    values, strides = (2, 2, columns // 8), (rows, 8, 8 * rows)
    return Layout((threads, values), (steps, strides)), (rows, columns * across), "store"


def _warps(warps, usual: tuple[int, int]) -> tuple[int, int]:
    if warps is None:
        return usual
    if not isinstance(warps, (tuple, list)) or len(warps) != 2:
        raise ValueError(f"warps = {warps!r}: two numbers, the warps along M and along N")
    down, across = (whole("warps", count, 1, MAX_WARPS) for count in warps)
    if down * across > MAX_WARPS:
        raise ValueError(f"warps = ({down}, {across}): a block has at most {MAX_WARPS} warps")
    return down, across
