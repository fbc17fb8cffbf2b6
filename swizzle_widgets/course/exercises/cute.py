"""Exercises of notebook 08, CuTe in practice."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...model.access import Access
from ...model.atoms import gmma_atom, tile_to_shape
from ...model.checks import plural
from ...model.copy import TiledCopy
from ...model.tile import Tile
from ..forms import Number
from ..goals import Goal
from ..registry import Feedback, exercise
from .answers import a_tile

MIXED = "Sw<3,4,3> o _0 o (_128,_64):(_64,_1)"
STORED = "Sw<3,4,3> o smem_ptr[16b](unset) o (_128,_64):(_64,_1)"


@cache
def moved_elements(first: str, second: str, rows: int | None = None) -> int:
    """How many elements (of the first rows) two printed half layouts put in different places."""
    different = Tile.from_cute(first, "f16").addresses != Tile.from_cute(second, "f16").addresses
    return int(different[:rows].sum())


@cache
def _pages() -> tuple[np.ndarray, np.ndarray]:
    """Where each element lies, in halves behind (0, 0), and which element (its number in the rows) lies where."""
    tile = tile_to_shape(gmma_atom("f16"), 128, 128)
    steps = (tile.addresses - tile.addresses[0, 0]) // 2
    return steps, np.argsort(steps, axis=None)


@exercise("08.1", Number("halves", 0, 128 * 128 - 1))
def second_page(guess: int) -> Feedback:
    """How many halves behind (0, 0) a 128x128 tile of CUTLASS's atoms stores (0, 64)."""
    steps, elements = _pages()
    found, (row, col) = int(steps[0, 64]), divmod(int(elements[guess - guess % 8]), 128)
    return Feedback(
        guess == found,
        f"There, in its granule of eight, lie columns {col} to {col + 7} of row {row}"
        + (", and the first is another." if guess - guess % 8 == found != guess else "."),
        "The atom is repeated down the rows first. How many halves are 16 atoms of 8 x 64?",
        "Columns 64 to 127 are a page of their own, behind all 128 rows of the first: 128 x 64 = 8192 halves. Row 0 "
        "has no row bits to XOR, so the swizzle leaves the first granule of each page in place.",
    )


@exercise("08.2", Number("elements", 0, 128 * 64))
def misplaced_by_tma(guess: int) -> Feedback:
    """How many elements a kernel finds in the wrong place if TMA counts bytes and the kernel counts halves."""
    total, found = 128 * 64, moved_elements(MIXED, STORED)
    off = "as many as" if guess == found else "fewer than" if guess < found else "more than"
    return Feedback(
        guess == found,
        f"Yours are {off} there are, of {total}. In the first 8 rows alone it is "
        f"{moved_elements(MIXED, STORED, 8)} of 512.",
        "Compare the addresses of the two tiles, element by element; `!=` and `sum()` do it.",
        "They agree in rows whose bits 0 and 3 are both 0, a quarter of all. Counted in halves both fields lie one bit "
        "higher: bit 0 of the row is read by nothing, and bit 3 flips bit 0, which moves elements to another row.",
    )


def wide_costs(tile: Tile) -> list[tuple[int, int]]:
    """(wavefronts, ideal) of every ldmatrix.x4 of the first rows and of the cp.async that fills them."""
    copy, fill = TiledCopy.ldmatrix(tile), Access.cp_async(tile).report()
    reads, first = copy.report().each, copy.rows.max(axis=1) < 16
    return [*zip(reads.cost[first].tolist(), reads.least[first].tolist()), (fill.cost, fill.least)]


WIDE_ROWS = {
    "rows of 256": "Sw<3,3,4> o _0 o (_64,_256):(_256,_1)",
    "four pages of 64 columns": "Sw<3,3,4> o _0 o ((_8,_8),(_64,_4)):((_64,_512),(_1,_4096))",
}


@exercise(
    "08.3",
    start=WIDE_ROWS["rows of 256"],
    goal=Goal(
        lambda layout: Tile.from_cute(WIDE_ROWS[layout], "f16"),
        {"layout": tuple(WIDE_ROWS)},
        accesses=({"pattern": "ldmatrix"},),
    ),
)
def repair_wide_rows(answer: object) -> Feedback:
    """A 64x256 half tile, as CuTe prints it, that serves cp.async and ldmatrix.x4 without conflicts or extra bytes."""
    tile = answer if isinstance(answer, Tile) else Tile.from_cute(answer, "f16")
    a_tile(tile, Tile(64, 256, "f16"))
    costs = wide_costs(tile)
    used, ideal = (sum(numbers) for numbers in zip(*costs))
    extra = tile.size_bytes - 64 * 256 * 2
    return Feedback(
        used == ideal and extra == 0,
        f"Yours: {plural(used, 'wavefront')} for {len(costs)} instructions, {max(extra, 0)} bytes of padding. "
        f"Possible: {ideal} and 0.",
        "Either the source field begins at the row number, or the tile is made of four pages of 64 columns.",
        "Rows of 256 halves: S = 5, Sw<3,3,5>. Or four pages, ((_8,_8),(_64,_4)):((_64,_512),(_1,_4096)), each with "
        "rows of 64, under Sw<3,3,3>. TMA and FlashAttention take the pages.",
    )
