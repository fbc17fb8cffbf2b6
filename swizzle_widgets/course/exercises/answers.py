"""What several notebooks' exercises need: answers checked as tiles, and what a tile costs."""

from __future__ import annotations

import numpy as np

from ...model.access import Access
from ...model.banks import bank_reports
from ...model.checks import plural
from ...model.copy import TiledCopy
from ...model.hardware import WARP_LANES
from ...model.reports import BankReports
from ...model.tile import Tile


def a_tile(answer: object, like: Tile) -> Tile:
    """Return the answer if it is a tile of the size and dtype of `like`.

    Raises
    ------
    TypeError, ValueError
        If it is none.
    """
    if not isinstance(answer, Tile):
        raise TypeError(f"A Tile is asked for, not {type(answer).__name__}.")
    if (answer.rows, answer.cols, answer.dtype) != (like.rows, like.cols, like.dtype):
        raise ValueError(
            f"A {like.rows}x{like.cols} {like.dtype} tile is asked for, not {answer.rows}x{answer.cols} {answer.dtype}."
        )
    if len(set(answer.addresses.ravel().tolist())) < answer.addresses.size:
        raise ValueError("Two elements of the tile share their bytes.")
    return answer


def columns(tile: Tile, width: int, rows: range = range(1)) -> list[Access]:
    """Return the column reads of `width` bytes a lane, one for each vector of a row, from each of the rows on."""
    step = 8 * width // tile.element_bits
    return [Access.column(tile, col, row=row, width=width) for row in rows for col in range(0, tile.cols, step)]


def row_writes(tile: Tile, width: int = 16) -> list[Access]:
    """Return the stores that fill the tile row by row, `width` bytes a lane."""
    step = 8 * width // tile.element_bits
    vectors = np.arange(tile.rows * tile.cols // step)
    warps = [vectors[first : first + WARP_LANES] for first in range(0, len(vectors), WARP_LANES)]
    a_row = tile.cols // step
    return [
        Access.at(tile, some // a_row, some % a_row * step, width, "store", f"rows from {some[0] // a_row} on")
        for some in warps
    ]


def is_free(accesses: list[Access]) -> bool:
    """Whether an instruction can do each access, at the least cost it can have."""
    return not any(access.refusal for access in accesses) and not any(
        reports.excess.any() for reports in _counted(accesses)
    )


def is_whole(accesses: list[Access]) -> bool:
    """Whether cp.async and ldmatrix could do the accesses too: every vector is whole."""
    return all(access.vectors == "whole" for access in accesses)


def tile_bill(tile: Tile, width: int = 16) -> tuple[bool, str]:
    """Return whether column reads and row writes of `width` bytes are clean, and what they cost together, in words."""
    step = 8 * width // tile.element_bits
    vectors = tile.addresses.reshape(tile.rows, -1, step)
    starts = vectors.min(axis=-1)
    # Within as many bytes, in whatever order, a vector is fetched at once.
    if (vectors.max(axis=-1) - starts > width - tile.element_bits // 8).any():
        apart = f"{tile.swizzle_name} tears them apart" if tile.swizzle else "they do not lie side by side"
        return False, f"No instruction can move {width} bytes of a row: {apart}"
    try:
        parts = {
            f"{width}-byte column reads": bank_reports(_warps(starts.T), width),
            f"{width}-byte row writes": bank_reports(_warps(starts), width, "store"),
        }
    except ValueError as error:
        # Such as a padded row that begins at no multiple of the width.
        return False, f"No {width}-byte instruction can do it: {error}"
    cost = ". ".join(
        f"All {len(reports)} {name} together: yours {plural(int(reports.wavefronts.sum()), 'wavefront')}, "
        f"possible {reports.ideal.sum()}"
        for name, reports in parts.items()
    )
    if (np.diff(vectors, axis=-1) != tile.element_bits // 8).any():
        cost += (
            f". {tile.swizzle_name} reorders vectors: cp.async and ldmatrix could not move them, loads and stores can"
        )
    return not any(reports.conflicts.any() for reports in parts.values()), cost


def _warps(starts: np.ndarray) -> np.ndarray:
    """Vectors in the order in which lanes take them, a warp a line: each column on its own, rows one after another."""
    lanes = min(starts.size, WARP_LANES)
    return starts.reshape(-1, lanes)


def copy_bill(name: str, copy: TiledCopy) -> tuple[bool, str]:
    """Return whether a copy is at its least cost, and what its requests take together, in words."""
    try:
        report = copy.report()
    except ValueError as error:
        return False, f"{name}: no instruction can do them, {error}"
    return not report.excess, _together(name, report.requests, report.wavefronts, report.ideal)


def bill(name: str, accesses: list[Access]) -> str:
    """Return what the accesses take together: "4 column reads together: yours 16 wavefronts, possible 8"."""
    refused = next((access for access in accesses if access.refusal), None)
    if refused:
        return f"{name}: no instruction can do them, {refused.refusal}"
    reports = _counted(accesses)
    took, possible = (sum(int(getattr(some, field).sum()) for some in reports) for field in ("wavefronts", "ideal"))
    return _together(name, len(accesses), took, possible)


def _together(name: str, requests: int, took: int, possible: int) -> str:
    name = name[:1].lower() + name[1:]
    return f"All {requests} {name} together: yours {plural(took, 'wavefront')}, possible {possible}"


def _counted(accesses: list[Access]) -> list[BankReports]:
    """What accesses cost that instructions can do, those of one instruction in one pass."""
    groups: dict[tuple[int, str], list[Access]] = {}
    for access in accesses:
        groups.setdefault((access.width, access.kind), []).append(access)
    return [
        bank_reports(
            [access.addresses for access in some], *instruction, [np.asarray(access.starts) >= 0 for access in some]
        )
        for instruction, some in groups.items()
    ]
