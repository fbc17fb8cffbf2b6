"""The best way to store a tile for given accesses: every legal swizzle and every padding, ranked.

The order is: fewest wavefronts, summed over all accesses; fewest extra bytes; then the simplest:
no swizzle before one of the hardware's modes before any other swizzle, few bits before many,
positive shifts before negative, short before long, large granules before small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .access import Access
from .banks import bank_reports
from .checks import plural, whole
from .hardware import LINE_BYTES, SHARED_BYTES
from .layout import Layout
from .modes import SwizzleMode, mode_of
from .swizzle import OFFSET_BITS, Swizzle, legal_swizzles
from .texts.writing import cpp_code, dsl_code
from .tile import Tile

_WORKS, _CUTS, _LEAVES, _TOO_LARGE = range(4)


@dataclass(frozen=True)
class Candidate:
    """One way to store a tile, and what the accesses cost then.

    Attributes
    ----------
    plain : Tile
        The tile without a swizzle.
    swizzle : Swizzle or None
        Counted in elements.
    padding : int
        Unused elements behind each line.
    accesses : tuple of Access
        As given, on the plain tile.
    wavefronts, ideal : tuple of int
        For each access; empty if rejected.
    extra_bytes : int
        Shared memory beyond the elements themselves.
    rejected : str
        Why the tile cannot be stored so; "" if it can.
    """

    plain: Tile
    swizzle: Swizzle | None
    padding: int
    accesses: tuple[Access, ...]
    wavefronts: tuple[int, ...]
    ideal: tuple[int, ...]
    extra_bytes: int
    rejected: str = ""

    @cached_property
    def tile(self) -> Tile:
        """The tile stored so; ValueError if it does not fit into shared memory."""
        if self.padding:
            return self.plain.padded(self.padding)
        return self.plain if self.swizzle is None else self.plain.with_swizzle(self.swizzle, "element")

    @property
    def conflicts(self) -> int:
        """Wavefronts beyond the ideal, over all accesses."""
        return sum(self.wavefronts) - sum(self.ideal)

    @property
    def swizzle_in_bytes(self) -> Swizzle | None:
        """The same swizzle counted in bytes; None without one, or if it moves parts of a byte."""
        bits = self.plain.element_bits
        if self.swizzle is None or self.swizzle.granule * bits < 8:
            return None
        return self.swizzle.recast(bits, 8)

    @property
    def mode(self) -> SwizzleMode | None:
        """The swizzle mode of TMA that stores the tile so, or None."""
        return _mode(self.plain, self.swizzle)

    @property
    def name(self) -> str:
        """The swizzle in both units, or the padding."""
        dtype = self.plain.dtype
        if self.padding:
            return f"{plural(self.padding, f'{dtype} element')} of padding"
        if self.swizzle is None:
            return "no swizzle"
        in_bytes = self.swizzle_in_bytes
        return f"{self.swizzle} in {dtype} elements" + (f" = {in_bytes} in bytes" if in_bytes else "")

    @property
    def verdict(self) -> str:
        """One sentence: the cost against the ideal, where it is lost, and what the swizzle is."""
        if self.rejected:
            return f"{self.name}: rejected, {self.rejected}."
        cost = plural(sum(self.wavefronts), "wavefront")
        lost = [
            f"{access} takes {count} instead of {ideal}"
            for access, count, ideal in zip(self.accesses, self.wavefronts, self.ideal)
            if count > ideal
        ]
        more = [f"and {len(lost) - 2} more"] if len(lost) > 3 else []
        shown = "; ".join(lost[:2] + more if more else lost)
        cost += f", ideal {sum(self.ideal)} ({shown})" if lost else ", the ideal"
        extra = f"; {plural(self.extra_bytes, 'byte')} more than the elements" if self.extra_bytes else ""
        return f"{self.name}: {cost}{extra}{self._mode_text}."

    @property
    def cpp(self) -> str:
        """The C++ expression of the layout.

        Its swizzle counts elements; bytes of the pointer if the tile is stored in a mode of TMA, which takes
        no other, or is anchored at the address.

        Raises
        ------
        ValueError
            If the tile's layout is a table.
        """
        return cpp_code(*self._cute, self.plain.element_bits if self._on_pointer else None)

    @property
    def dsl(self) -> str:
        """The CuTe DSL expression, in the unit of `cpp`: a layout, or a tensor if the pointer carries the swizzle."""
        return dsl_code(*self._cute, self.plain.dtype if self._on_pointer else None)

    @property
    def _on_pointer(self) -> bool:
        anchored = self.plain.anchor == "address" and self.swizzle_in_bytes is not None
        return anchored or self.mode is not None

    @property
    def _cute(self) -> tuple:
        layout = self.tile.layout
        if not isinstance(layout, Layout):
            raise ValueError(f"a {layout} is no CuTe layout")
        return layout.shape, layout.stride, self.swizzle_in_bytes if self._on_pointer else self.swizzle

    @property
    def _mode_text(self) -> str:
        if self.mode is None:
            return ""
        who = "TMA and WGMMA" if self.mode.row_bytes == _run_bytes(self.plain) else "TMA"
        return f"; this is the {self.mode.name} mode of {who}"

    def __str__(self) -> str:
        return self.verdict


class Ranking(Sequence):
    """All candidates that work, best first; `rejected` holds the others.

    Attributes
    ----------
    tile : Tile
        Without a swizzle.
    accesses : tuple of Access
        On that tile.
    """

    def __init__(self, tile: Tile, accesses: tuple[Access, ...], swizzles: list[Swizzle], paddings: list[int]):
        self.tile, self.accesses = tile, accesses
        self._swizzles = swizzles + swizzles[:1] * len(paddings)
        self._padding = np.array([0] * len(swizzles) + paddings)
        self._needed_bits, self._state = self._fit()
        works = np.flatnonzero(self._state == _WORKS)
        self._wavefronts, self._ideal = np.full((2, len(self._swizzles), len(accesses)), -1)
        self._wavefronts[works], self._ideal[works] = self._costs(works)
        self._order = works[np.lexsort(self._keys(works)[::-1])]

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self._candidate(index) for index in self._order[place]]
        return self._candidate(self._order[place])

    @property
    def best(self) -> Candidate:
        """The first."""
        return self[0]

    @property
    def rejected(self) -> list[Candidate]:
        """What would cut a vector, leave the tile's place or not fit, with the reason."""
        return [self._candidate(index) for index in np.flatnonzero(self._state != _WORKS)]

    def of(self, swizzle: Swizzle) -> Candidate:
        """Return the candidate with this swizzle, counted in elements, rejected or not.

        Raises
        ------
        ValueError
            If it was not tried: it has too many bits, or its fields lie beyond the tile.
        """
        place = self._places.get(self._swizzles[0] if swizzle.is_identity else swizzle)
        if place is None:
            raise ValueError(f"{swizzle} in {self.tile.dtype} elements was not tried on {self.tile}")
        return self._candidate(place)

    @property
    def most_bits(self) -> int:
        """The largest B that was tried."""
        return max(swizzle.bits for swizzle in self._swizzles)

    def grid(self, bits: int) -> np.ndarray:
        """Return the wavefronts of all swizzles with `bits` bits, summed over the accesses.

        Parameters
        ----------
        bits : int
            B.

        Returns
        -------
        int array, shape (bases, 2 * reach + 1)
            [M, reach + S] is the sum; -1 where the swizzle is rejected, -2 where it is illegal or was not tried.
        """
        tried = {swizzle: place for swizzle, place in self._places.items() if swizzle.bits == bits}
        reach = max((abs(swizzle.shift) for swizzle in tried), default=0)
        grid = np.full((1 + max((swizzle.base for swizzle in tried), default=0), 2 * reach + 1), -2)
        for swizzle, place in tried.items():
            works = self._state[place] == _WORKS
            grid[swizzle.base, reach + swizzle.shift] = self._wavefronts[place].sum() if works else -1
        return grid

    @cached_property
    def _places(self) -> dict[Swizzle, int]:
        return {self._swizzles[place]: int(place) for place in np.flatnonzero(self._padding == 0)}

    def _fit(self) -> tuple[np.ndarray, np.ndarray]:
        """The bits of shared memory that each candidate needs, and whether it works or why not."""
        tile, size = self.tile, self.tile.element_bits
        lines, length = tile.lines, tile.line_length
        moves = np.array([not swizzle.is_identity for swizzle in self._swizzles])
        granule = np.array([swizzle.granule for swizzle in self._swizzles]) * size
        # A swizzle permutes aligned blocks that end with its target field, so the last block must be whole.
        block = np.array([1 << swizzle.target_base + swizzle.bits for swizzle in self._swizzles]) * size
        needed = -(-tile.layout.cosize * size // block) * block
        needed = np.where(self._padding > 0, lines * (length + self._padding) * size, needed)
        state = np.select(
            [
                moves & (granule < 8 * max(access.width for access in self.accesses)),
                moves & (tile.anchor == "address") & (8 * tile.base_address % block != 0),
                8 * tile.base_address + needed > 8 * SHARED_BYTES,
            ],
            [_CUTS, _LEAVES, _TOO_LARGE],
            _WORKS,
        )
        return needed, state

    def _costs(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Wavefronts and ideal of the chosen candidates, each of shape (candidates, accesses)."""
        reports = [
            bank_reports(self._addresses(access, chosen), access.width, access.kind, np.asarray(access.starts) >= 0)
            for access in self.accesses
        ]
        return tuple(np.stack([getattr(report, name) for report in reports], 1) for name in ("cost", "least"))

    def _addresses(self, access: Access, chosen: np.ndarray) -> np.ndarray:
        """Byte addresses of the access under each chosen candidate, shape (candidates, 32)."""
        tile = self.tile
        starts = np.asarray(access.starts)
        offsets = np.broadcast_to(starts, (len(chosen), len(starts)))
        padding = self._padding[chosen]
        if padding.any():
            rows, cols = access.coordinates
            line, position = tile.on_lines(rows, cols)
            padded = line * (tile.line_length + padding[:, None]) + position
            offsets = np.where(padding[:, None] > 0, padded, offsets)
        bits = np.where(starts >= 0, offsets * tile.element_bits, 0)
        before, behind = (8 * tile.base_address, 0) if tile.anchor == "address" else (0, tile.base_address)
        return (self._swizzled(bits + before, chosen) >> 3) + behind

    def _swizzled(self, bits: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        swizzles = [self._swizzles[index] for index in chosen]
        up = self.tile.element_bits.bit_length() - 1
        source = np.array([swizzle.source_mask << up for swizzle in swizzles])[:, None]
        shift = np.array([swizzle.shift for swizzle in swizzles])[:, None]
        field = bits & source
        return bits ^ np.where(shift >= 0, field >> np.maximum(shift, 0), field << np.maximum(-shift, 0))

    def _keys(self, chosen: np.ndarray) -> list:
        """What the candidates are ordered by, most important first."""
        swizzles = [self._swizzles[index] for index in chosen]
        return [
            self._wavefronts[chosen].sum(axis=1),
            self._extra_bytes[chosen],
            [0 if swizzle.is_identity else 1 if _mode(self.tile, swizzle) else 2 for swizzle in swizzles],
            [swizzle.bits for swizzle in swizzles],
            [swizzle.shift < 0 for swizzle in swizzles],
            [abs(swizzle.shift) for swizzle in swizzles],
            [-swizzle.base for swizzle in swizzles],
        ]

    @cached_property
    def _extra_bytes(self) -> np.ndarray:
        return np.maximum(0, self._needed_bits - self.tile.layout.size * self.tile.element_bits) // 8

    def _candidate(self, index: int) -> Candidate:
        swizzle, works = self._swizzles[index], self._state[index] == _WORKS
        return Candidate(
            plain=self.tile,
            swizzle=None if swizzle.is_identity else swizzle,
            padding=int(self._padding[index]),
            accesses=self.accesses,
            wavefronts=tuple(self._wavefronts[index].tolist()) if works else (),
            ideal=tuple(self._ideal[index].tolist()) if works else (),
            extra_bytes=int(self._extra_bytes[index]),
            rejected=self._reason(index),
        )

    def _reason(self, index: int) -> str:
        swizzle, size = self._swizzles[index], self.tile.element_bits
        widest = max(self.accesses, key=lambda access: access.width)
        block = (1 << swizzle.target_base + swizzle.bits) * size
        return {
            _WORKS: "",
            _CUTS: f"its granules of {swizzle.granule * size} bits cut the {8 * widest.width}-bit vectors of {widest}",
            _LEAVES: f"it permutes blocks of {block // 8} bytes, "
            f"of which base_address = {self.tile.base_address} is no multiple",
            _TOO_LARGE: f"it needs {self._needed_bits[index] // 8} bytes from byte {self.tile.base_address}, "
            f"and shared memory has {SHARED_BYTES}",
        }[int(self._state[index])]

    def __str__(self) -> str:
        accesses = "; ".join(map(str, self.accesses))
        lines = [f"{place}. {candidate.verdict}" for place, candidate in enumerate(self[:5], 1)]
        return "\n".join([f"{self.tile} under {accesses}: {plural(len(self), 'way')} work, best first", *lines])

    def __repr__(self) -> str:
        return f"<Ranking of {len(self)} candidates, best: {self.best.name}>"


def best_swizzles(tile: Tile, accesses, *, bits: int = 5, padding: bool = True) -> Ranking:
    """Rank every legal swizzle and every padding of a tile for all accesses at once.

    Parameters
    ----------
    tile : Tile
        Its own swizzle is taken off; layout, base and anchor stay.
    accesses : sequence of Access
        The instructions that the tile must serve: the write and the reads. Each counts once.
    bits : int
        The largest B to try, counted in elements. Fields that reach beyond the tile's offsets are
        left out: they would read zeros.
    padding : bool
        Whether to try padded lines too, up to 128 bytes; only plain row- or column-major tiles can
        be padded.

    Returns
    -------
    Ranking
        Best first, in the order that the module describes.

    Raises
    ------
    TypeError
        If tile or accesses are of another type.
    ValueError
        If there is no access, or one does not fit on the tile.

    Examples
    --------
    >>> tile = Tile(128, 64, "f16")
    >>> print(best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile)]).best)
    Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes: 8 wavefronts, the ideal; this is the 128B mode of TMA and WGMMA.
    """
    if not isinstance(tile, Tile):
        raise TypeError(f"tile must be a Tile, not {tile!r}")
    if not isinstance(accesses, (list, tuple)) or not all(isinstance(access, Access) for access in accesses):
        raise TypeError(f"accesses must be a list of Access, not {accesses!r}")
    if not accesses:
        raise ValueError("accesses is empty: without an access every layout is as good as any other")
    bits = whole("bits (B)", bits, 0, OFFSET_BITS)
    plain = replace(tile, swizzle=None, unit=None)
    accesses = tuple(access.on(plain) for access in accesses)
    swizzles = list(legal_swizzles(bits, (plain.layout.cosize - 1).bit_length()))
    return Ranking(plain, accesses, swizzles, _paddings(plain, accesses) if padding else [])


def _paddings(tile: Tile, accesses: tuple[Access, ...]) -> list[int]:
    """The paddings below 128 bytes that keep every line aligned to the widest access; none if it cannot be padded."""
    if not tile.layout.is_flat or tile.order is None:
        return []
    size, width = tile.element_bits, 8 * max(access.width for access in accesses)
    length = tile.line_length
    return [count for count in range(1, 8 * LINE_BYTES // size) if (length + count) * size % width == 0]


def _mode(tile: Tile, swizzle: Swizzle | None) -> SwizzleMode | None:
    """The mode of TMA that stores `tile` as `swizzle`, counted in elements, does; None if none does."""
    found = None if swizzle is None or swizzle.is_identity else mode_of(swizzle, tile.element_bits)
    # TMA permutes addresses; an offset rule agrees with it only at a multiple of the pattern.
    if found is None or (tile.anchor == "offset" and tile.base_address % found.repeat_bytes):
        return None
    return found if 0 < _run_bytes(tile) <= found.row_bytes else None


def _run_bytes(tile: Tile) -> int:
    """The bytes of a line that lie side by side: the whole line in a plain layout, an atom's in a tiled one."""
    if not isinstance(tile.layout, Layout) or tile.order is None:
        return 0
    extent = tile.layout.modes[1 if tile.order == "row" else 0].flat[0][0]
    return extent * tile.element_bits // 8
