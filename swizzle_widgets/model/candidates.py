"""One way to store a tile, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .access import Access
from .checks import plural
from .layout import Layout
from .modes import MODES, SwizzleMode, mode_of
from .reports import cost_unit
from .swizzle import Swizzle
from .texts.writing import cpp_code, dsl_code
from .tile import Tile

if TYPE_CHECKING:
    from .copy import TiledCopy


class Reason(Enum):
    """Why a tile cannot be stored in one way."""

    TEARS = "tear"
    REORDERS = "reorder"
    LEAVES = "leaves its place"
    TOO_LARGE = "too large"
    NO_MODE = "no mode"


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
    accesses : tuple of Access or TiledCopy
        As given, on the plain tile.
    costs, least_costs : tuple of int
        For each access: wavefronts (for cp.async.cg lines), and the fewest it can take; empty if rejected.
    weights : tuple of float
        How often each access counts.
    extra_bytes : int
        Shared memory beyond the elements themselves.
    reason : Reason or None
        Why the tile cannot be stored so; None if it can.
    rejected : str
        The reason in words; "" if there is none.
    """

    plain: Tile
    swizzle: Swizzle | None
    padding: int
    accesses: tuple[Access | TiledCopy, ...]
    costs: tuple[int, ...]
    least_costs: tuple[int, ...]
    weights: tuple[float, ...]
    extra_bytes: int
    reason: Reason | None = None
    rejected: str = ""

    @cached_property
    def tile(self) -> Tile:
        """The tile stored so; ValueError if it does not fit into shared memory."""
        if self.padding:
            return self.plain.padded(self.padding)
        return self.plain if self.swizzle is None else self.plain.with_swizzle(self.swizzle, "element")

    @cached_property
    def placed(self) -> tuple[Access | TiledCopy, ...]:
        """The accesses on `tile`; ValueError if it does not fit into shared memory."""
        return tuple(access.on(self.tile) for access in self.accesses)

    @property
    def cost(self) -> float:
        """The costs of all accesses by their weights."""
        return sum(weight * cost for weight, cost in zip(self.weights, self.costs))

    @property
    def least(self) -> float:
        """The least that all accesses can cost, by their weights."""
        return sum(weight * cost for weight, cost in zip(self.weights, self.least_costs))

    @property
    def excess(self) -> float:
        """The cost beyond the least."""
        return self.cost - self.least

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
        return None if self.swizzle is None else tma_mode(self.plain, self.swizzle)

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
        extra = f"; {plural(self.extra_bytes, 'byte')} more than the elements" if self.extra_bytes else ""
        return f"{self.name}: {self._cost_text}{extra}{self._mode_text}."

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
    def _cute(self) -> tuple[int | tuple[Any, ...], int | tuple[Any, ...], Swizzle | None]:
        layout = self.tile.layout
        if not isinstance(layout, Layout):
            raise ValueError(f"a {layout} is no CuTe layout")
        return layout.shape, layout.stride, self.swizzle_in_bytes if self._on_pointer else self.swizzle

    @property
    def _cost_text(self) -> str:
        lost = [
            f"{access} takes {cost} instead of {least}"
            for access, cost, least in zip(self.accesses, self.costs, self.least_costs)
            if cost > least
        ]
        more = [f"and {len(lost) - 2} more"] if len(lost) > 3 else []
        shown = "; ".join(lost[:2] + more if more else lost)
        least = " and ".join(str(count) for _, count in summed(self.accesses, self.least_costs))
        return self.counted(self.costs) + (f", ideal {least} ({shown})" if lost else ", the ideal")

    def counted(self, costs: Sequence[int]) -> str:
        """Return costs of the accesses in words, each unit for itself: "8 wavefronts and 4 lines"."""
        return " and ".join(plural(count, unit) for unit, count in summed(self.accesses, costs))

    @property
    def _mode_text(self) -> str:
        if self.mode is None:
            return ""
        if refusal := self.mode.wgmma_refusal(self.plain):
            return f"; this is the {self.mode.name} mode of TMA only: {refusal}"
        unmeasured = ", by PTX and not measured" if self.mode.wgmma_source(self.plain) == "PTX" else ""
        return f"; this is the {self.mode.name} mode of TMA and WGMMA{unmeasured}"

    def __str__(self) -> str:
        return self.verdict


def tma_mode(tile: Tile, swizzle: Swizzle) -> SwizzleMode | None:
    """Return the mode of TMA that stores a tile as a swizzle, counted in elements, does; None if none does."""
    found = mode_of(swizzle, tile.element_bits)
    return None if found is None or found is MODES[0] or found.tma_refusal(tile) else found


def summed(accesses: Sequence[Access | TiledCopy], costs: Sequence[int]) -> list[tuple[str, int]]:
    """Return the costs summed by what they count: (unit, sum), wavefronts first."""
    sums: dict[str, int] = {}
    for access, cost in zip(accesses, costs):
        unit = cost_unit(access.kind)
        sums[unit] = sums.get(unit, 0) + cost
    return sorted(sums.items(), reverse=True)
