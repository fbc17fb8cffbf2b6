"""Goals: what a reader without a kernel can set in place of building it, and the judge's verdict on each such state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ..model.access import Access
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from ..model.units import unit_size

# What the sliders of js/controls.js reach.
MOST_BITS, MOST_BASE, MOST_SHIFT = 5, 7, 7


@dataclass(frozen=True)
class Goal:
    """What a reader may set, and what that is as an answer.

    Attributes
    ----------
    make : callable
        Takes a choice of each menu, and returns a Tile or an Access. The choices of the first states are those that the
        menus begin with.
    menus : dict
        The choices of each menu, by its name.
    says : str
        How the choices make an answer, in a line; "" where the names say it.
    swizzle : bool
        Whether B, M, S and their unit are the reader's, too; then `make` returns a Tile.
    accesses : tuple of dict
        What a tile is looked at with: the first of these that fits it.
    """

    make: Callable[..., Tile | Access]
    menus: dict[str, tuple[object, ...]] = field(default_factory=dict, hash=False)
    says: str = ""
    swizzle: bool = True
    accesses: tuple[dict[str, Any], ...] = ({"pattern": "column", "width": 16}, {"pattern": "column"})

    def starts(self) -> list[Tile | Access]:
        """Return what each combination of choices makes, the last menu fastest."""
        return [self.make(*choice) for choice in product(*self.menus.values())]

    def states(self) -> Iterator[tuple[str, Tile | Access]]:
        """Yield every state that the reader can reach and that is a tile or an access, by its key.

        A key is the number of the combination of choices, and the swizzle where there is one: "0;3,4,3,byte".
        """
        for number, made in enumerate(self.starts()):
            if not self.swizzle:
                yield f"{number}", made
                continue
            assert isinstance(made, Tile)
            for swizzle, unit in reachable(made):
                try:
                    yield (
                        f"{number};{swizzle.bits},{swizzle.base},{swizzle.shift},{unit}",
                        made.with_swizzle(swizzle, unit),
                    )
                except ValueError:
                    # The lab refuses it with the same words.
                    continue

    def shown(self, made: Tile | Access) -> tuple[Tile, Access]:
        """Return the tile and the access that a picture shows of what was made."""
        if isinstance(made, Access):
            return made.tile, made
        for spec in self.accesses:
            try:
                return made, Access.from_spec(made, spec)
            except ValueError as error:
                refusal = error
        raise ValueError(f"no access fits {made}: {refusal}")


def reachable(tile: Tile) -> Iterator[tuple[Swizzle, str]]:
    """Yield the swizzles that the sliders and the switch of the unit reach on a tile, with their unit."""
    # Sw<B,7,S> in elements, switched to bytes, has a larger M.
    up = unit_size("element", tile.dtype).bit_length() - unit_size("byte", tile.dtype).bit_length()
    for unit, most in (("byte", MOST_BASE + max(0, up)), ("element", MOST_BASE)):
        for bits, base, shift in product(range(MOST_BITS + 1), range(most + 1), range(-MOST_SHIFT, MOST_SHIFT + 1)):
            if abs(shift) >= bits:
                yield Swizzle(bits, base, shift), unit
