"""What the cells of a tile's picture are: which word each one is, in which bank, and which lanes want it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..model.access import Access
from ..model.hardware import BANKS, WORD_BYTES
from ..model.tile import Tile

WORD_BITS = 8 * WORD_BYTES


def elements_per_cell(tiles: Sequence[Tile]) -> int:
    """Return how many neighboring elements of a row are one cell: those of a word, or 1 where a word is split.

    Padding, column order and a granule below 4 bytes split words.
    """
    per = max(1, WORD_BITS // tiles[0].element_bits)
    return per if all(_words_are_whole(tile, per) for tile in tiles) else 1


def _words_are_whole(tile: Tile, per: int) -> bool:
    if per * tile.element_bits != WORD_BITS or tile.cols % per:
        return False
    words = tile.addresses.reshape(tile.rows, -1, per) // WORD_BYTES
    return bool((words == words[..., :1]).all())


@dataclass(frozen=True)
class Cells:
    """The cells of one panel.

    Attributes
    ----------
    access : Access
    per : int
        Elements a cell, as `elements_per_cell` returns it; an element of 8 bytes is two cells.
    """

    access: Access
    per: int

    @cached_property
    def split(self) -> int:
        """Cells an element."""
        return max(1, self.access.tile.element_bits // WORD_BITS)

    @cached_property
    def words(self) -> np.ndarray:
        """The word of each cell, int64 of shape (rows, cells a row)."""
        tile = self.access.tile
        words = tile.addresses[:, :: self.per] // WORD_BYTES
        return (words[..., None] + np.arange(self.split)).reshape(tile.rows, -1)

    @property
    def banks(self) -> np.ndarray:
        """The bank of each cell."""
        return self.words % BANKS

    @cached_property
    def lanes(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """Row and column of each cell that is wanted -> the lanes that want it."""
        wanted: dict[tuple[int, int], list[int]] = {}
        for lane, places in enumerate(_places(self.access)):
            for row, col in places:
                for part in range(self.split):
                    lanes = wanted.setdefault((row, col // self.per * self.split + part), [])
                    if lane not in lanes:
                        lanes.append(lane)
        return {cell: tuple(lanes) for cell, lanes in wanted.items()}

    @cached_property
    def phases(self) -> list[set[tuple[int, int]]]:
        """The cells of each phase; one set of all where nothing can be said of phases."""
        access = self.access
        if access.refusal:
            return [set(self.lanes)]
        of_lane = {lane: index for index, phase in enumerate(access.report().phases) for lane in phase.lanes}
        sets: list[set] = [set() for _ in access.report().phases]
        for cell, lanes in self.lanes.items():
            for lane in lanes:
                sets[of_lane[lane]].add(cell)
        return sets

    @cached_property
    def runs(self) -> list[tuple[int, int, int, tuple[int, ...]]]:
        """Row, first column, length and lanes of neighbors in a row that the same lanes want."""
        runs: list[list[Any]] = []
        for (row, col), lanes in sorted(self.lanes.items()):
            last = runs[-1] if runs else None
            if last and last[0] == row and last[1] + last[2] == col and last[3] == lanes:
                last[2] += 1
            else:
                runs.append([row, col, 1, lanes])
        return [tuple(run) for run in runs]


def _places(access: Access) -> list[list[tuple[int, int]]]:
    """Row and column of the elements of each lane; those that lie in no row are left out."""
    tile = access.tile
    offsets = tile.layout.offsets.ravel()
    order = np.argsort(offsets, kind="stable")
    starts = np.asarray(access.starts)
    wanted = starts[:, None] + np.arange(8 * access.width // tile.element_bits)
    found = order[np.searchsorted(offsets, wanted, sorter=order).clip(max=len(order) - 1)]
    known = (offsets[found] == wanted) & (starts >= 0)[:, None]
    rows, cols = np.divmod(found, tile.cols)
    return [list(zip(row[ok].tolist(), col[ok].tolist())) for row, col, ok in zip(rows, cols, known)]
