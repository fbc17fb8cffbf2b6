"""What several notebooks' exercises need: answers read as swizzles or tiles, and what a tile costs."""

from __future__ import annotations

from ..model.access import Access
from ..model.checks import plural
from ..model.swizzle import Swizzle
from ..model.tile import Tile


def a_swizzle(answer) -> Swizzle:
    """Return the answer as a Swizzle; a spelling or three numbers will do.

    Raises
    ------
    TypeError, ValueError
        If it is none, or an illegal one.
    """
    if isinstance(answer, Swizzle):
        return answer
    if isinstance(answer, str):
        return Swizzle.parse(answer)
    if isinstance(answer, (tuple, list)) and len(answer) == 3:
        return Swizzle(*answer)
    raise TypeError(f"A swizzle is asked for, such as Swizzle(3, 4, 3), not {answer!r}.")


def a_tile(answer, like: Tile) -> Tile:
    """Return the answer if it is a tile of the size and dtype of `like`.

    Raises
    ------
    TypeError, ValueError
        If it is none.
    """
    if not isinstance(answer, Tile):
        raise TypeError(f"A Tile is asked for, not {answer!r}.")
    if (answer.rows, answer.cols, answer.dtype) != (like.rows, like.cols, like.dtype):
        raise ValueError(
            f"A {like.rows}x{like.cols} {like.dtype} tile is asked for, not {answer.rows}x{answer.cols} {answer.dtype}."
        )
    return answer


def columns(tile: Tile, width: int) -> list[Access]:
    """Return the column reads of `width` bytes a lane, one for each vector of a row."""
    step = 8 * width // tile.element_bits
    return [Access.column(tile, col, width=width) for col in range(0, tile.cols, step)]


def row_writes(tile: Tile, width: int = 16) -> list[Access]:
    """Return the cp.async copies that fill the tile, `width` bytes a lane."""
    lines = max(1, 32 * 8 * width // (tile.cols * tile.element_bits))
    return [Access.cp_async(tile, line, width=width) for line in range(0, tile.rows, lines)]


def is_free(accesses: list[Access]) -> bool:
    """Whether none of the accesses has a conflict or a vector that the swizzle cuts."""
    return not any(access.cut_lanes or access.report().conflicts for access in accesses)


def bill(name: str, accesses: list[Access]) -> str:
    """Return what the accesses take together: "column reads: yours 16 wavefronts, possible 8"."""
    cut = next((access for access in accesses if access.cut_lanes), None)
    if cut:
        return f"{name}: no instruction can do them, {cut.tile.swizzle_name} cuts the {cut.width}-byte vectors"
    reports = [access.report() for access in accesses]
    took, possible = (sum(getattr(report, field) for report in reports) for field in ("wavefronts", "ideal"))
    return f"{name}: yours {plural(took, 'wavefront')}, possible {possible}"
