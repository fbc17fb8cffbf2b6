"""A widget that shows one access on several variants of a tile, over time."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import traitlets

from ..model.access import Access
from ..model.checks import plural, whole
from ..model.copy import TiledCopy
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from .base import shown_tile
from .copy_widget import CopyWidget
from .generated import SPEED_RANGE
from .labels import label, usual
from .traits import Checked, Flag, Rate, Refused
from .wire import tile_spec

Entry = None | Tile | tuple[Swizzle, "str | int"]


class TracksWidget(CopyWidget):
    """An access widget with other variants of the tile beside it, played in step.

    Attributes
    ----------
    compare : tuple or None
        The tracks above the sliders' own: None for no swizzle, a Tile of the same rows, cols and dtype
        (padded, say), or a pair of a Swizzle and its unit. None for all of it means no swizzle and, for a
        swizzled tile that can be padded, a padding as wide as the access, but at least a word.
    variants : list of dict
        The tracks of `compare` as the browser takes them; they follow `compare` and the tile.
    step : int or None
        The wavefronts done, 0 to `last_step`; None for all of them. The browser sets it, Python may too.
    playing, loop : bool
        Whether the animation runs, and whether it begins again at its end.
    speed : float
        Wavefronts a second, 0.5 to 16.
    """

    compare: Checked = Checked(None, help="the tracks that stay, above that of the sliders")
    variants: Checked = Checked(help="those tracks as the browser takes them").tag(sync=True)
    step: Checked = Checked(None, help="wavefronts done, None for all").tag(sync=True)
    playing: Flag = Flag(False, help="whether the animation runs").tag(sync=True)
    speed: Rate = Rate(2, *SPEED_RANGE, help="wavefronts a second").tag(sync=True)
    loop: Flag = Flag(False, help="whether it begins again at its end").tag(sync=True)

    def __init__(
        self,
        tile: Tile,
        access: Access | TiledCopy | dict[str, Any] | None = None,
        compare: Sequence[Entry] | None = None,
        **state: Any,
    ):
        tile = shown_tile(tile)
        self._compared_on: Any = None
        self._others: list[tuple[str, Tile]] = []
        step = state.pop("step", None)
        super().__init__(tile, access, compare=compare, **state)
        if step is not None:
            self.step = step

    @property
    def tracks(self) -> tuple[tuple[str, Access | str], ...]:
        """(label, access) of each track, the sliders' last; in place of an access that cannot be done, the reason.

        With B = 0 the last track would repeat the one without a swizzle, and is left out if there is one.
        """
        shown = list(self._others)
        live = (self.tile.swizzle_name, self.tile)
        if self.tile.swizzle is not None or live[0] not in dict(shown):
            shown.append(live)
        return tuple((name, _access_or_reason(self.access, tile)) for name, tile in shown)

    @property
    def last_step(self) -> int:
        """The wavefronts of the slowest track (lines for cp.async.cg): the end of the animation."""
        return max((len(item.report().served) for _, item in self.tracks if isinstance(item, Access)), default=0)

    def save_gif(self, path: str | PathLike[str], speed: float | None = None) -> None:
        """Write the animation from its first to its last step as a GIF.

        Parameters
        ----------
        path : str or path-like
        speed : float, optional
            Wavefronts a second; that of the widget, if left out.
        """
        from ..figures import column_read_gif

        labels, accesses = zip(*self.tracks)
        column_read_gif(path, accesses, labels, self.speed if speed is None else speed)

    @traitlets.validate("step")
    def _within(self, proposal: Any) -> int | None:
        if proposal.value is None:
            return None
        return whole("step", proposal.value, 0, None if self._trusting else self.last_step)

    @traitlets.validate("compare")
    def _comparable(self, proposal: Any) -> tuple[Entry, ...] | None:
        entries = proposal.value
        if entries is None:
            return None
        if isinstance(entries, (Tile, Swizzle)) or not isinstance(entries, Sequence):
            raise TypeError(f"compare must be None or a list of tracks, not {entries!r}")
        for entry in entries:
            _variant(entry, self.tile)
        return tuple(entries)

    @traitlets.validate("variants")
    def _described(self, proposal: Any) -> list[dict[str, Any]]:
        if self._trusting or proposal.value == self._described_others():
            return proposal.value
        raise Refused("variants follow the tile and `compare`: set these")

    def _described_others(self) -> list[dict[str, Any]]:
        return [{"label": name, "tile": tile_spec(other), "swizzle": _swizzle(other)} for name, other in self._others]

    def _sources(self) -> tuple[str, ...]:
        return (*super()._sources(), "compare")

    def _settle(self, name: str, trusting: bool) -> None:
        # A slider leaves the other tracks as they are.
        assigned = self._tile_leads or name == "compare"
        super()._settle(name, trusting)
        geometry = (self.tile.layout, self.tile.dtype, self.tile.base_address, self.tile.anchor)
        if assigned or geometry != self._compared_on:
            self._compared_on = geometry
            tile, entries = self.tile, self.compare
            tiles = usual(tile, self.access) if entries is None else [_variant(each, tile) for each in entries]
            self._others = [(label(each, tile), each) for each in tiles]
            self.set_trait("variants", self._described_others())
        if self.step is not None and not trusting and self.step > self.last_step:
            self.set_trait("step", self.last_step)

    def _check_new_tile(self, tile: Tile) -> None:
        super()._check_new_tile(tile)
        try:
            for entry in self.compare or ():
                _variant(entry, tile)
        except ValueError as error:
            raise Refused(f"the tracks that the widget keeps do not fit: {error}; set compare = None first") from None


def _variant(entry: Any, tile: Tile) -> Tile:
    """The tile that an entry of `compare` means."""
    if entry is None:
        return tile.with_swizzle(None)
    if isinstance(entry, Swizzle):
        raise TypeError(
            f"{entry} in compare is two maps, of bytes or of elements: "
            f'write ({entry!r}, "byte") or ({entry!r}, "element"), or give a Tile'
        )
    if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], Swizzle):
        return tile.with_swizzle(*entry)
    if not isinstance(entry, Tile):
        raise TypeError(f"compare holds None, Tiles and pairs of a Swizzle and its unit, not {entry!r}")
    if (entry.rows, entry.cols, entry.dtype) != (tile.rows, tile.cols, tile.dtype):
        raise ValueError(f"{entry} is no variant of the {tile}: rows, cols and dtype must be the same")
    return entry


def _swizzle(tile: Tile) -> dict[str, Any] | None:
    swizzle = tile.swizzle
    if swizzle is None:
        return None
    return {"bits": swizzle.bits, "base": swizzle.base, "shift": swizzle.shift, "unit": tile.unit}


def _access_or_reason(access: Access, tile: Tile) -> Access | str:
    try:
        there = access if tile == access.tile else access.on(tile)
    except ValueError as error:
        return str(error)
    return there.refusal or there


def ending(outcome: Access | str, first: bool) -> str:
    """Return when a track is done, in words."""
    if isinstance(outcome, str):
        return f"cannot do it ({outcome})"
    report = outcome.report()
    return f"done after {plural(report.cost, report.unit)}" if first else f"after {report.cost}"
