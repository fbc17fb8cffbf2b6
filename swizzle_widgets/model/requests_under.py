"""The requests of an access, or of a whole copy, under many swizzles and paddings at once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .access import Access
from .banks import bank_reports
from .hardware import ORDERED_KINDS, WARP_LANES
from .swizzle import Swizzle, fields_of, xor_each
from .tile import Tile
from .vectors import torn

if TYPE_CHECKING:
    from .copy import TiledCopy


class Ways:
    """Ways to store a tile, as arrays.

    Parameters
    ----------
    swizzles : list of Swizzle
        One for each way, in elements; the identity where lines are padded.
    padding : int array, shape (ways,)
        Elements behind each line.
    """

    def __init__(self, swizzles: list[Swizzle], padding: np.ndarray):
        self.padding = padding
        self.fields: np.ndarray = fields_of(swizzles)
        self.moves: np.ndarray = self.fields[0] != 0
        self.granules: np.ndarray = 1 << np.array([swizzle.base for swizzle in swizzles])

    def __len__(self) -> int:
        return len(self.padding)


class RequestsUnder:
    """The requests of one access or copy on a plain tile, stored in many ways.

    Parameters
    ----------
    tile : Tile
        Without a swizzle.
    access : Access or TiledCopy
    ways : Ways
    """

    def __init__(self, tile: Tile, access: Access | TiledCopy, ways: Ways):
        self._tile, self._access, self._ways = tile, access, ways
        self._requests = [access] if isinstance(access, Access) else list(access.accesses)
        self._starts = np.array([request.starts for request in self._requests])
        self._active = self._starts >= 0

    @cached_property
    def refused(self) -> np.ndarray:
        """Shape (ways,): 1 where a vector is torn, 2 where one is reordered and must not be, else 0."""
        width, size = self._access.width, self._tile.element_bits
        run, found = 8 * width // size, np.zeros(len(self._ways), np.int64)
        misaligned = self._behind % width != 0
        chosen = np.flatnonzero(self._ways.moves & (misaligned | (self._ways.granules < run)))
        if run == 1 or not len(chosen):
            return found
        # An XOR moves an aligned vector as it moves its first element and those at powers of two.
        steps = np.arange(run) if misaligned else np.array([0, *(1 << bit for bit in range(run.bit_length() - 1))])
        starts = np.unique(self._starts[self._active])
        bits = self._moved((starts[:, None] + steps) * size, chosen)
        found[chosen[torn(bits, width).any(axis=1)]] = 1
        if self._access.kind in ORDERED_KINDS:
            # Not only the lanes given: an access stands for others like it.
            found[chosen[(self._ways.granules[chosen] < run) & (found[chosen] == 0)]] = 2
        return found

    def costs(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cost and least cost of the chosen ways, each of shape (chosen,)."""
        width = self._access.width
        addresses = self._addresses(chosen) // width * width
        active = np.broadcast_to(self._active, addresses.shape).reshape(-1, WARP_LANES)
        reports = bank_reports(addresses.reshape(-1, WARP_LANES), width, self._access.kind, active)
        cost, least = (each.reshape(addresses.shape[:2]).sum(axis=1) for each in (reports.cost, reports.least))
        return cost, least

    @property
    def _behind(self) -> int:
        """The bytes that are added after the swizzle."""
        return 0 if self._tile.anchor == "address" else self._tile.base_address

    def _moved(self, bits: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Bit addresses of places under each chosen swizzle, shape (chosen, ...)."""
        before = 8 * (self._tile.base_address - self._behind)
        up = self._tile.element_bits.bit_length() - 1
        return xor_each((bits + before)[None], self._ways.fields[:, chosen], up) + 8 * self._behind

    def _addresses(self, chosen: np.ndarray) -> np.ndarray:
        """Byte addresses under each chosen way, shape (chosen, requests, 32)."""
        size = self._tile.element_bits
        addresses = self._moved(self._starts * size, chosen) >> 3
        padding = self._ways.padding[chosen, None, None]
        if not padding.any():
            return addresses
        rows, cols = (np.stack(places) for places in zip(*(request.coordinates for request in self._requests)))
        line, position = self._tile.on_lines(rows, cols)
        padded = (line * (self._tile.line_length + padding) + position) * size // 8 + self._tile.base_address
        return np.where(padding > 0, padded, addresses)
