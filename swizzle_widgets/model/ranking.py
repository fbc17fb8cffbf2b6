"""All ways to store a tile that were tried for given accesses, in their order, and what to do where none is free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .access import Access
from .candidates import Candidate, Reason
from .checks import plural
from .hardware import BOX_LIMIT, GRANULE_BYTES, LINE_BYTES, SHARED_BYTES
from .modes import MODES, SwizzleMode, mode_of
from .requests_under import RequestsUnder, Ways
from .swizzle import Swizzle
from .tile import Tile
from .units import checked_unit, unit_size

if TYPE_CHECKING:
    from .copy import TiledCopy

# So many accesses are divided between two layouts in every way; more would take long.
MOST_DIVIDED = 10


class Ranking(Sequence[Candidate]):
    """All candidates that work, best first; `rejected` holds the others.

    Attributes
    ----------
    tile : Tile
        Without a swizzle.
    accesses : tuple of Access or TiledCopy
        On that tile.
    weights : tuple of float
        How often each access counts.
    modes : str or None
        "tma" or "wgmma": whose layouts alone were allowed.
    """

    def __init__(
        self,
        tile: Tile,
        accesses: tuple[Access | TiledCopy, ...],
        swizzles: list[Swizzle],
        paddings: list[int],
        weights: tuple[float, ...],
        modes: str | None,
    ):
        self.tile: Tile = tile
        self.accesses: tuple[Access | TiledCopy, ...] = accesses
        self.weights: tuple[float, ...] = weights
        self.modes: str | None = modes
        self._swizzles = swizzles + swizzles[:1] * len(paddings)
        self._padding = np.array([0] * len(swizzles) + paddings)
        self._ways = Ways(self._swizzles, self._padding)
        requests = [RequestsUnder(tile, access, self._ways) for access in accesses]
        self._refused = np.stack([each.refused for each in requests], axis=1)
        self._needed_bits, self._reasons = self._fit()
        works = np.flatnonzero([reason is None for reason in self._reasons])
        self._costs, self._least = np.full((2, len(self._swizzles), len(accesses)), -1)
        for place, each in enumerate(requests):
            self._costs[works, place], self._least[works, place] = each.costs(works)
        self._order = works[np.lexsort(self._keys(works)[::-1])]
        self._made: dict[int, Candidate] = {}

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, place: int) -> Candidate: ...

    @overload
    def __getitem__(self, place: slice) -> list[Candidate]: ...

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self._candidate(int(index)) for index in self._order[place]]
        return self._candidate(int(self._order[place]))

    @property
    def best(self) -> Candidate:
        """The first; ValueError if nothing works."""
        if not len(self):
            raise ValueError(f"no swizzle and no padding of {self.tile} works: {self.rejected[0].verdict}")
        return self[0]

    @property
    def rejected(self) -> list[Candidate]:
        """What no instruction could use, leaves the tile's place or does not fit, with the reason."""
        return [self._candidate(index) for index, reason in enumerate(self._reasons) if reason is not None]

    def of(self, swizzle: Swizzle, unit: str | int | None = None) -> Candidate:
        """Return the candidate with this swizzle, rejected or not.

        Parameters
        ----------
        swizzle : Swizzle
        unit : str or int
            What it counts, as for `Tile`; the identity needs none.

        Raises
        ------
        ValueError
            If the unit is missing, or the swizzle was not tried: it has too many bits, moves parts of an
            element, or its fields lie beyond the tile.
        """
        if swizzle.is_identity:
            return self._candidate(0)
        # Not through a Tile: one that does not fit into shared memory has its reason here, too.
        counted = unit_size(checked_unit(swizzle, unit, self.tile.dtype), self.tile.dtype)
        in_elements = swizzle.recast(counted, self.tile.element_bits)
        place = self._places.get(in_elements)
        if place is None:
            raise ValueError(f"{in_elements} in {self.tile.dtype} elements was not tried on {self.tile}")
        return self._candidate(place)

    @property
    def most_bits(self) -> int:
        """The largest B that was tried."""
        return max(swizzle.bits for swizzle in self._swizzles)

    def grid(self, bits: int) -> np.ndarray:
        """Return the costs of all swizzles with `bits` bits, summed over the accesses by their weights.

        Parameters
        ----------
        bits : int
            B.

        Returns
        -------
        array, shape (bases, 2 * reach + 1)
            [M, reach + S] is the sum; -1 where the swizzle is rejected, -2 where it is illegal or was not tried.
        """
        tried = {swizzle: place for swizzle, place in self._places.items() if swizzle.bits == bits}
        reach = max((abs(swizzle.shift) for swizzle in tried), default=0)
        shape = (1 + max((swizzle.base for swizzle in tried), default=0), 2 * reach + 1)
        grid = np.full(shape, -2, self._totals.dtype)
        for swizzle, place in tried.items():
            grid[swizzle.base, reach + swizzle.shift] = -1 if self._reasons[place] else self._totals[place]
        return grid

    @cached_property
    def divided(self) -> tuple[tuple[Candidate, tuple[int, ...]], ...]:
        """The best two layouts of which each serves a part of the accesses: (candidate, places of its accesses) twice.

        Empty if there are fewer than two accesses, or more than ten. Each layout is a copy of the tile.
        """
        count = len(self.accesses)
        if not 2 <= count <= MOST_DIVIDED:
            return ()
        fits = [reason in (None, Reason.TEARS, Reason.REORDERS) for reason in self._reasons]
        usable = np.flatnonzero(fits & (self._padding == 0))
        best: tuple[float, tuple[Any, ...]] = (np.inf, ())
        for size in range(1, count // 2 + 1):
            for first in combinations(range(count), size):
                second = tuple(place for place in range(count) if place not in first)
                parts = [self._cheapest(usable, part) for part in (first, second)]
                if (total := sum(cost for cost, _ in parts)) < best[0]:
                    best = total, tuple((index, part) for (_, index), part in zip(parts, (first, second)))
        return tuple((self._candidate_for(index, part), part) for index, part in best[1])

    @property
    def advice(self) -> str:
        """What it takes where no single swizzle reaches the ideal; "" where one does."""
        single = next((candidate for candidate in self if not candidate.padding), None)
        if single is None or not single.excess:
            return ""
        parts = [f"No single swizzle reaches the ideal: the best is {single.verdict}"]
        padded = next((candidate for candidate in self if candidate.padding), None)
        if padded is not None and padded.cost < single.cost:
            parts.append(f"Better is {padded.verdict}")
        if self.divided and sum(candidate.cost for candidate, _ in self.divided) < single.cost:
            parts.append(self._divided_text)
        return " ".join(parts)

    @property
    def _divided_text(self) -> str:
        lines = -(-self.tile.size_bytes // LINE_BYTES)
        halves = [
            f"{candidate.name} for {'; '.join(str(self.accesses[place]) for place in part)} "
            f"({candidate.counted(candidate.costs)})"
            for candidate, part in self.divided
        ]
        return (
            f"Two layouts, {' and '.join(halves)}, take {self.tile.size_bytes} bytes more, "
            f"and to write the tile a second time at least {plural(lines, 'wavefront')}."
        )

    @cached_property
    def _places(self) -> dict[Swizzle, int]:
        return {self._swizzles[place]: int(place) for place in np.flatnonzero(self._padding == 0)}

    @cached_property
    def _totals(self) -> np.ndarray:
        return self._costs @ np.asarray(self.weights)

    def _cheapest(self, usable: np.ndarray, part: tuple[int, ...]) -> tuple[float, int]:
        """The least cost of some accesses under one swizzle, and which; the simplest of equals."""
        allowed = usable[~self._refused[usable][:, part].any(axis=1)]
        costs = self._all_costs[allowed][:, part] @ np.asarray(self.weights)[list(part)]
        place = int(np.lexsort([*self._simplicity(allowed)[::-1], costs])[0])
        return float(costs[place]), int(allowed[place])

    @cached_property
    def _all_costs(self) -> np.ndarray:
        """The costs of every swizzle, also of those that some access cannot use; only for `divided`."""
        costs = np.array(self._costs)
        for place, access in enumerate(self.accesses):
            open_ = np.flatnonzero((costs[:, place] < 0) & (self._refused[:, place] == 0) & (self._padding == 0))
            each = RequestsUnder(self.tile, access, self._ways)
            costs[open_, place] = each.costs(open_)[0]
        return costs

    def _fit(self) -> tuple[np.ndarray, list[Reason | None]]:
        """The bits of shared memory that each candidate needs, and why it does not work, if so."""
        tile, size = self.tile, self.tile.element_bits
        moves = self._ways.moves
        block = self._blocks
        needed = -(-tile.layout.cosize * size // block) * block
        needed = np.where(self._padding > 0, tile.lines * (tile.line_length + self._padding) * size, needed)
        found = {
            Reason.TEARS: (self._refused == 1).any(axis=1),
            Reason.REORDERS: (self._refused == 2).any(axis=1),
            Reason.LEAVES: moves & (tile.anchor == "address") & (8 * tile.base_address % block != 0),
            Reason.TOO_LARGE: 8 * tile.base_address + needed > 8 * SHARED_BYTES,
            Reason.NO_MODE: self._without_a_mode(),
        }
        reasons: list[Reason | None] = [None] * len(moves)
        for reason, where in reversed(found.items()):
            for index in np.flatnonzero(where):
                reasons[index] = reason
        return needed, reasons

    @cached_property
    def _blocks(self) -> np.ndarray:
        """The bits of the aligned blocks that a swizzle permutes, which end with its target field."""
        ends = [1 << swizzle.target_base + swizzle.bits for swizzle in self._swizzles]
        return np.array(ends) * self.tile.element_bits

    def _without_a_mode(self) -> np.ndarray:
        if self.modes is None:
            return np.zeros(len(self._swizzles), bool)
        return np.array([bool(self._mode_refusal(index)) for index in range(len(self._swizzles))])

    def _mode_refusal(self, index: int) -> str:
        """Why the engine that was asked for does not take a candidate; "" if it does."""
        swizzle, padding = self._swizzles[index], int(self._padding[index])
        engine = {"tma": "TMA", "wgmma": "WGMMA"}[self.modes or ""]
        if padding:
            return "WGMMA reads no padded lines" if engine == "WGMMA" else self._padded_refusal(padding)
        found: SwizzleMode | None = mode_of(swizzle, self.tile.element_bits)
        if found is None:
            return f"no mode of {engine} does it"
        return found.tma_refusal(self.tile) if engine == "TMA" else found.wgmma_refusal(self.tile)

    def _padded_refusal(self, padding: int) -> str:
        # A box wider than the matrix fills padded rows with zeros between them (measured).
        length = self.tile.line_length + padding
        fits = length <= BOX_LIMIT and length * self.tile.element_bits % (8 * GRANULE_BYTES) == 0
        return "" if fits else f"TMA writes no lines of {plural(length, f'{self.tile.dtype} element')}"

    def _keys(self, chosen: np.ndarray) -> list[Any]:
        """What the candidates are ordered by, most important first."""
        return [self._totals[chosen], self._extra_bytes[chosen], *self._simplicity(chosen)]

    @cached_property
    def _of_tma(self) -> set[Swizzle]:
        """The swizzles, in elements, that are a mode of TMA for this tile."""
        size = self.tile.element_bits
        written = [each.swizzle for each in MODES[1:] if not each.tma_refusal(self.tile)]
        return {each.recast(8, size) for each in written if each.granule * 8 >= size}

    def _simplicity(self, chosen: np.ndarray) -> list[Any]:
        swizzles = [self._swizzles[index] for index in chosen]
        return [
            [0 if swizzle.is_identity else 1 if swizzle in self._of_tma else 2 for swizzle in swizzles],
            [swizzle.bits for swizzle in swizzles],
            [swizzle.shift < 0 for swizzle in swizzles],
            [abs(swizzle.shift) for swizzle in swizzles],
            [-swizzle.base for swizzle in swizzles],
        ]

    @cached_property
    def _extra_bytes(self) -> np.ndarray:
        return np.maximum(0, self._needed_bits - self.tile.layout.size * self.tile.element_bits) // 8

    def _candidate(self, index: int) -> Candidate:
        # Made once: a candidate keeps its tile and its requests, which a picture asks for again and again.
        if index not in self._made:
            self._made[index] = self._new_candidate(index)
        return self._made[index]

    def _new_candidate(self, index: int) -> Candidate:
        works = self._reasons[index] is None
        return Candidate(
            plain=self.tile,
            swizzle=None if self._swizzles[index].is_identity else self._swizzles[index],
            padding=int(self._padding[index]),
            accesses=self.accesses,
            costs=tuple(self._costs[index].tolist()) if works else (),
            least_costs=tuple(self._least[index].tolist()) if works else (),
            weights=self.weights,
            extra_bytes=int(self._extra_bytes[index]),
            reason=self._reasons[index],
            rejected=self._words(index),
        )

    def _candidate_for(self, index: int, part: tuple[int, ...]) -> Candidate:
        """The candidate that serves a part of the accesses only."""
        one = replace(self._candidate(index), reason=None, rejected="")
        chosen = np.asarray(part)
        return replace(
            one,
            accesses=tuple(self.accesses[place] for place in part),
            costs=tuple(self._all_costs[index, chosen].tolist()),
            least_costs=tuple(self._least[self._order[0], chosen].tolist()) if len(self) else (),
            weights=tuple(self.weights[place] for place in part),
        )

    def _words(self, index: int) -> str:
        """The reason against a candidate in words."""
        reason, base = self._reasons[index], self.tile.base_address
        if reason is None:
            return ""
        if reason in (Reason.TEARS, Reason.REORDERS):
            code = 1 if reason is Reason.TEARS else 2
            access = self.accesses[int(np.flatnonzero(self._refused[index] == code)[0])]
            granule = self._swizzles[index].granule * self.tile.element_bits
            rest = "" if reason is Reason.TEARS else ", which moves them in order only"
            return f"its granules of {granule} bits {reason.value} the {8 * access.width}-bit vectors of {access}{rest}"
        if reason is Reason.LEAVES:
            block = self._blocks[index] // 8
            return f"it permutes blocks of {block} bytes, of which base_address = {base} is no multiple"
        if reason is Reason.TOO_LARGE:
            needed = self._needed_bits[index] // 8
            return f"it needs {needed} bytes from byte {base}, and shared memory has {SHARED_BYTES}"
        return self._mode_refusal(index)

    def __str__(self) -> str:
        accesses = "; ".join(map(str, self.accesses))
        lines = [f"{place}. {candidate.verdict}" for place, candidate in enumerate(self[:5], 1)]
        head = f"{self.tile} under {accesses}: {plural(len(self), 'way')} work, best first"
        return "\n".join([head, *lines, *filter(None, [self.advice])])

    def __repr__(self) -> str:
        best = self.best.name if len(self) else "none"
        return f"<Ranking of {len(self)} candidates, best: {best}>"
