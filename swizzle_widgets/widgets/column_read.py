"""ColumnRead: one access on several variants of a tile, wavefront by wavefront, all in step."""

from __future__ import annotations

import math
from numbers import Real

import traitlets

from ..model.access import Access
from ..model.checks import plural, whole
from ..model.hardware import WORD_BYTES
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from .base import AccessWidget, Checked, Whole, _checked, _spec
from .generated import module_text
from .wire import spec_tile, tile_spec


class Flag(traitlets.TraitType):
    """True or False."""

    def validate(self, obj, value):
        if not isinstance(value, bool):
            raise TypeError(f"{self.name} must be True or False, not {value!r}")
        return value


class Rate(traitlets.TraitType):
    """A positive, finite number."""

    def validate(self, obj, value):
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.name} must be a number, not {value!r}")
        if not 0 < value < math.inf:
            raise ValueError(f"{self.name} = {value!r} must be positive and finite")
        return value


class ColumnRead(AccessWidget):
    """Lanes queue for the 32 banks: a track for each variant of a tile, all tracks in step.

    Above each bank stand the distinct words that are wanted from it, each labelled with its lanes;
    phases lie upon each other. A step is one wavefront: the lowest layer drops into the banks. So a
    track is as high as its wavefronts are many, and the tracks' ends compare themselves.

    That a phase takes so many wavefronts was measured. Which of a bank's words comes first was not,
    since no counter shows it: words are served in the order of their lanes here.

    Parameters
    ----------
    tile : Tile
        The last track; its swizzle and unit are where the sliders start.
    access : Access or dict, optional
        What to read or write; column 0, if left out.
    compare : sequence, optional
        The tracks above it: None for no swizzle, a Swizzle counted in the tile's unit, or a Tile of
        the same rows, cols and dtype (padded, say). If left out, no swizzle, and for a swizzled tile
        that can be padded, a padding as wide as the access, but at least a word.
    **state
        `step`, `playing`, `speed`, `loop`, as below.

    Attributes
    ----------
    variants : list of dict
        The tracks of `compare` as the browser takes them: label, geometry and swizzle (None, or
        bits, base, shift and unit).
    step : int
        The wavefronts done, 0 to `last_step`. The browser sets it, Python may too.
    playing, loop : bool
        Whether the animation runs, and whether it begins again at its end.
    speed : float
        Wavefronts a second.

    Raises
    ------
    TypeError, ValueError
        If the tile is no Tile, the access does not fit it or no instruction can do it there, `compare`
        holds anything else or a swizzle where the tile has no unit, or `step` is beyond the end.
        Where the access does not fit another variant, its track says why.

    Examples
    --------
    >>> t = Tile(8, 32, "f32", swizzle=Swizzle(3, 4, 3), unit="byte")
    >>> ColumnRead(t).last_step
    8
    """

    _esm = module_text("column_read.js")

    variants = Checked(help="the tracks that stay, above that of the sliders").tag(sync=True)
    step = Whole(0, 0, None, help="wavefronts done").tag(sync=True)
    playing = Flag(False, help="whether the animation runs").tag(sync=True)
    speed = Rate(2, help="wavefronts a second").tag(sync=True)
    loop = Flag(False, help="whether it begins again at its end").tag(sync=True)

    def __init__(self, tile: Tile, access: Access | dict | None = None, compare=None, **state):
        plain = _checked(tile).with_swizzle(None)
        access = Access.column(plain) if access is None else Access.from_spec(plain, _spec(access, plain))
        self._compare = compare
        super().__init__(tile, access.spec, variants=_variants(tile, access, compare), **state)

    @AccessWidget.tile.setter
    def tile(self, value: Tile):
        """Show another tile; `compare` is applied to it anew."""
        access = Access.from_spec(value, self._access_on(_checked(value)))
        # Refused before anything has changed.
        access.report()
        variants = _variants(value, access, self._compare)
        with self.hold_sync(), self.hold_trait_notifications():
            AccessWidget.tile.fset(self, value)
            self.variants = variants

    @property
    def tracks(self) -> tuple[tuple[str, Access | str], ...]:
        """(label, access) of each track, the sliders' last; in place of an access that cannot be done, the reason.

        With B = 0 the last track would repeat the one without a swizzle, and is left out if there is one.
        """
        access = Access.from_spec(self.plain_tile, _spec(self.access, self.plain_tile))
        shown = [(item["label"], _variant_tile(item)) for item in self.variants]
        live = (self.tile.swizzle_name, self.tile)
        if self.bits or live[0] not in dict(shown):
            shown.append(live)
        return tuple((label, _access_or_reason(access, tile)) for label, tile in shown)

    @property
    def last_step(self) -> int:
        """The wavefronts of the slowest track: the end of the animation."""
        return max((item.report().wavefronts for _, item in self.tracks if isinstance(item, Access)), default=0)

    def figure(self):
        """Return the present step as a matplotlib Figure."""
        from ..figures import column_read

        labels, accesses = zip(*self.tracks)
        return column_read(accesses, labels, self.step)

    def save_gif(self, path, speed: float | None = None) -> None:
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
    def _within(self, proposal):
        return proposal.value if self._from_browser else whole("step", proposal.value, 0, self.last_step)

    @traitlets.validate("variants")
    def _described(self, proposal):
        if not isinstance(proposal.value, (list, tuple)):
            raise TypeError(f"variants must be a list, not {proposal.value!r}")
        for item in proposal.value:
            known = isinstance(item, dict) and set(item) == {"label", "geometry", "swizzle"}
            if not known or not isinstance(item["label"], str):
                raise ValueError(f"a variant is described by its label, geometry and swizzle, not by {item!r}")
            _variant_tile(item)
        return proposal.value

    @traitlets.observe("bits", "base", "shift", "unit", "geometry", "access", "variants")
    def _stay_within(self, change):
        if not self._from_browser:
            self.step = min(self.step, self.last_step)

    def _sentence(self) -> str:
        tile = self.plain_tile
        access = Access.from_spec(tile, self.access)
        ends = [f"{label} {_end(item, first=not index)}" for index, (label, item) in enumerate(self.tracks)]
        return f"ColumnRead of {tile.rows}x{tile.cols} {tile.dtype}, {access}: {'; '.join(ends)}"


def _variants(tile: Tile, access: Access, compare) -> list[dict]:
    """The fixed tracks, as the browser takes them."""
    tiles = _usual(tile, access) if compare is None else [_variant(entry, tile) for entry in compare]
    return [{"label": _label(other, tile), "geometry": tile_spec(other), "swizzle": _swizzle(other)} for other in tiles]


def _usual(tile: Tile, access: Access) -> list[Tile]:
    plain = tile.with_swizzle(None)
    if tile.swizzle is None or tile.swizzle.is_identity:
        return [plain]
    try:
        padded = tile.padded(8 * max(access.width, WORD_BYTES) // tile.element_bits)
    except ValueError:
        return [plain]
    return [plain] if padded == plain else [plain, padded]


def _variant(entry, tile: Tile) -> Tile:
    """The tile that an entry of `compare` means."""
    if entry is None:
        return tile.with_swizzle(None)
    if isinstance(entry, Swizzle):
        return tile.with_swizzle(entry, tile.unit)
    if not isinstance(entry, Tile):
        raise TypeError(f"compare holds None, Tiles and Swizzles, not {entry!r}")
    if (entry.rows, entry.cols, entry.dtype) != (tile.rows, tile.cols, tile.dtype):
        raise ValueError(f"{entry} is no variant of the {tile}: rows, cols and dtype must be the same")
    return entry


def _swizzle(tile: Tile) -> dict | None:
    swizzle = tile.swizzle
    if swizzle is None:
        return None
    return {"bits": swizzle.bits, "base": swizzle.base, "shift": swizzle.shift, "unit": tile.unit}


def _variant_tile(item: dict) -> Tile:
    """The tile that `_variants` described."""
    plain, swizzle = spec_tile(item["geometry"]), item["swizzle"]
    if swizzle is None:
        return plain
    if not isinstance(swizzle, dict) or set(swizzle) != {"bits", "base", "shift", "unit"}:
        raise ValueError(f"a variant's swizzle is described by its bits, base, shift and unit, not by {swizzle!r}")
    return plain.with_swizzle(Swizzle(swizzle["bits"], swizzle["base"], swizzle["shift"]), swizzle["unit"])


def _label(other: Tile, tile: Tile) -> str:
    """What makes a variant another one than `tile` without its swizzle."""
    words = [] if other.layout == tile.layout else _layout_words(other, tile)
    if other.swizzle is not None or not words:
        words.append(other.swizzle_name)
    if other.base_address != tile.base_address:
        words.append(f"at byte {other.base_address}")
    return ", ".join(words)


def _layout_words(other: Tile, tile: Tile) -> list[str]:
    lines, length = (other.lines, other.line_length)
    padding = (other.layout.cosize - length) // (lines - 1) - length if lines > 1 else 0
    if padding < 0 or not _is_padded(other, padding):
        return [f"layout {other.layout}"]
    turned = [] if other.order == tile.order else [f"{other.order} order"]
    if not padding:
        return turned or ["no padding"]
    bits = padding * other.element_bits
    size = f"{bits} bits" if bits % 8 else plural(bits // 8, "byte")
    return [*turned, f"padding of {plural(padding, f'{other.dtype} element')} ({size})"]


def _is_padded(tile: Tile, padding: int) -> bool:
    try:
        return tile.padded(padding).layout == tile.layout
    except ValueError:
        return False


def _access_or_reason(access: Access, tile: Tile) -> Access | str:
    try:
        there = access.on(tile)
    except ValueError as error:
        return str(error)
    return there.refusal or there


def _end(outcome: Access | str, first: bool) -> str:
    if isinstance(outcome, str):
        return f"cannot do it ({outcome})"
    count = outcome.report().wavefronts
    return f"done after {plural(count, 'wavefront')}" if first else f"after {count}"
