"""What the widgets share: a tile and its swizzle as traits that agree, and the static picture."""

from __future__ import annotations

import base64
import contextlib
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from ..model.checks import one_of
from ..model.swizzle import OFFSET_BITS, Swizzle
from ..model.tile import Tile
from ..model.units import UNITS
from .generated import style_text
from .traits import Checked, Choice, Names, Refused, Whole
from .wire import spec_tile, tile_spec

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIELDS = ("bits", "base", "shift", "unit")
CONTROLS = ("swizzle", "unit", "access", "playback", "numbers", "text")


def _read_tile(spec: Any, widget: TileWidget) -> Tile:
    return widget._arriving_tile(spec)


class TileWidget(anywidget.AnyWidget):
    """A widget on one tile and one swizzle.

    Attributes
    ----------
    tile : Tile
        The tile under the swizzle shown, the last legal one. The browser is sent it without its swizzle.
    bits, base, shift : int
        B, M and S of the swizzle shown. The browser sets them, Python may too, several at once under
        `hold_trait_notifications`. Only the browser can bring them to where no swizzle is: see `problem`.
    unit : str
        What they count, "byte" or "element".
    problem : str
        Why what the browser sent is no legal state; "" if it is one. `tile` then stays what it was.
    controls : list of str
        The controls shown: some of "swizzle", "unit", "access", "playback", "numbers" and "text"
        (`SwizzleLab`'s box for a printed layout); all, if left out.
    """

    _css = style_text()
    _trusting = False
    _tile_leads = False
    _unread = ""

    tile: Checked = Checked(help="the tile under the swizzle shown").tag(
        sync=True, to_json=lambda tile, widget: tile_spec(tile), from_json=_read_tile
    )
    bits: Whole = Whole(0, 0, OFFSET_BITS, help="B: how many bits are XORed").tag(sync=True)
    base: Whole = Whole(4, 0, OFFSET_BITS, help="M: how many low bits stay").tag(sync=True)
    shift: Whole = Whole(3, -OFFSET_BITS, OFFSET_BITS, help="S: the distance from target to source in bits").tag(
        sync=True
    )
    unit: Choice = Choice("byte", UNITS, help="what B, M and S count").tag(sync=True)
    controls: Names = Names(CONTROLS, help="the controls shown").tag(sync=True)
    problem: traitlets.Unicode[str, Any] = traitlets.Unicode(
        "", read_only=True, help="why the browser's state is not legal"
    )

    def __init__(self, tile: Tile, **state: Any):
        """Show `tile`; what the subclasses add is their own traits.

        Raises
        ------
        TypeError, ValueError
            If `tile` is no Tile, its swizzle counts units smaller than a byte, or a trait is
            unknown, belongs to the tile or is out of range.
        """
        for name in state:
            if name in FIELDS:
                raise TypeError(f"{name} belongs to the tile: give a swizzled one, tile.with_swizzle(swizzle, unit)")
            if not self.has_trait(name) or name.startswith("_"):
                raise TypeError(f"{type(self).__name__} has no argument {name!r}")
        self._message: dict[str, Any] = {}
        self._sent: dict[str, Any] = {}
        tile = shown_tile(tile)
        super().__init__(tile=tile, **swizzle_fields(tile), **state)

    def recast(self, unit: str) -> None:
        """Count the same physical swizzle in another unit: M changes, no element moves.

        Raises
        ------
        ValueError
            If the unit is unknown, or larger than the swizzle's granule.
        """
        sizes: dict[str, int] = dict(zip(UNITS, (8, self.tile.element_bits)))
        swizzle = Swizzle(self.bits, self.base, self.shift)
        swizzle = swizzle.recast(sizes[self.unit], sizes[one_of("unit", unit, sizes)])
        self._put(bits=swizzle.bits, base=swizzle.base, shift=swizzle.shift, unit=unit)

    def figure(self, ax: Axes | None = None, dpi: float = 100, title: str | None = None) -> Figure:
        """Return the present state as a matplotlib Figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; in a figure of its own, if left out.
        dpi : float
            Dots an inch of a figure of its own.
        title : str, optional
            What stands above it.
        """
        raise NotImplementedError

    def png(self, dpi: float = 100, title: str | None = None) -> bytes:
        """Return the present state as a PNG; parameters are those of `figure`."""
        from ..figures import png

        return png(self.figure(dpi=dpi, title=title))

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """Return the state as JSON values, those that equal their defaults included: the browser has no defaults."""
        return super().get_state(key)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take a state from the browser, which may pass through combinations that Python would refuse.

        Linked sliders change B, M and S one after the other; the browser shows an illegal moment
        as an error, and `problem` says why. All of it is read before the first observer is told.
        """
        self._trusting, self._message, self._unread = True, sync_data, ""
        try:
            super().set_state(sync_data)
            if self._unread:
                self.set_trait("problem", self._unread)
        finally:
            self._trusting, self._message = False, {}

    def notify_change(self, change: Any) -> None:
        """Tell the observers of a change, once all traits agree with it."""
        # Under a hold this is not reached before all that was set is in place.
        if change["name"] in self._sources() and self._started:
            trusting, self._trusting = self._trusting, True
            try:
                with self.hold_sync(), self.hold_trait_notifications():
                    self._settle(change["name"], trusting)
            finally:
                self._trusting = False
        # What an observer assigns is Python's, not the browser's. (ipywidgets keeps its lock in a trait, too.)
        if not change["name"].startswith("_"):
            self._trusting = False
        super().notify_change(change)

    @property
    def _started(self) -> bool:
        return "tile" in self._trait_values

    def _sources(self) -> tuple[str, ...]:
        """The traits that others follow."""
        return ("tile", *FIELDS)

    def _settle(self, name: str, trusting: bool) -> None:
        """Let the traits agree: the swizzle's numbers with the tile, or the tile with them."""
        fields = {field: getattr(self, field) for field in FIELDS}
        if self._tile_leads and not trusting:
            self._tile_leads = False
            for field, value in swizzle_fields(self.tile, fields).items():
                self.set_trait(field, value)
            self.set_trait("problem", "")
            return
        try:
            self.set_trait("tile", swizzled(self.tile, fields))
            self.set_trait("problem", self._unread)
        except (TypeError, ValueError) as error:
            self.set_trait("problem", str(error))

    def _should_send_property(self, key: str, value: Any) -> bool:
        # A swizzle changes neither a tile's geometry nor an access's pattern, which is all that is sent of them.
        to_json = self.trait_metadata(key, "to_json")
        if to_json is not None and key in ("tile", "access"):
            wire = to_json(value, self)
            if self._sent.get(key) == wire:
                return False
            self._sent[key] = wire
        return super()._should_send_property(key, value)

    def _arriving_tile(self, spec: Any) -> Tile:
        """The tile that the browser's message means; the present one where it means none."""
        try:
            tile = spec_tile(spec)
        except ValueError as error:
            self._unread = str(error)
            return self.tile
        self._sent["tile"] = spec
        fields = {field: self._message.get(field, getattr(self, field)) for field in FIELDS}
        try:
            return swizzled(tile, fields)
        except (TypeError, ValueError):
            return tile

    @traitlets.validate("bits", "base", "shift", "unit")
    def _legal_field(self, proposal: Any) -> Any:
        name, value = proposal.trait.name, proposal.value
        if self._trusting or value == getattr(self, name):
            return self._checked_fields(value)
        self._refuse_illegal({name: value})
        return value

    def _checked_fields(self, value: Any) -> Any:
        # Under a hold the values are already set; all of them must agree now.
        if not self._trusting and self._started and not self.problem:
            self._refuse_illegal({})
        return value

    def _refuse_illegal(self, change: dict[str, Any]) -> None:
        try:
            tile = swizzled(self.tile, {field: change.get(field, getattr(self, field)) for field in FIELDS})
            self._check_tile(tile)
        except ValueError as error:
            raise Refused(str(error)) from None

    @traitlets.validate("tile")
    def _legal_tile(self, proposal: Any) -> Tile:
        tile = shown_tile(proposal.value)
        if not self._trusting:
            self._check_new_tile(tile)
            # Under a hold the swizzle's numbers may be set, too: what was assigned whole is what was meant.
            self._tile_leads = True
        return tile

    def _check_tile(self, tile: Tile) -> None:
        """Raise if what else the widget shows does not fit the tile."""

    def _check_new_tile(self, tile: Tile) -> None:
        """Raise if what the widget keeps does not fit another tile."""
        self._check_tile(tile)

    def _put(self, **change: Any) -> None:
        """Set several traits at once; nothing has changed if the model refuses them."""
        # In one message: the browser would show a part of the change as a mistake.
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in change.items():
                self.set_trait(name, value)

    def _sentence(self) -> str:
        """The present state and its result in one sentence, always the same for the same state."""
        raise NotImplementedError

    def __repr__(self) -> str:
        if self.problem:
            return f"{type(self).__name__}: {self.problem}"
        return self._sentence()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        # Where no widget can live (a saved page, an untrusted notebook), the picture and the sentence stand in.
        # Two lines: JupyterLab shows the first line of a folded output, which must not tell the result.
        data = {**data, "text/plain": repr(self).replace(": ", ":\n", 1)}
        # A state that the browser refuses has no picture either; the sentence says why.
        with contextlib.suppress(TypeError, ValueError):
            if not self.problem:
                data["image/png"] = base64.b64encode(self.png()).decode()
        return (data, *bundle[1:]) if isinstance(bundle, tuple) else data


def shown_tile(tile: Any) -> Tile:
    """Return a tile as the widgets show it: its swizzle counts bytes or elements, and with B = 0 there is none."""
    if not isinstance(tile, Tile):
        raise TypeError(f"tile must be a Tile, not {tile!r}")
    if tile.swizzle is None or tile.swizzle.is_identity:
        return tile if tile.swizzle is None else tile.with_swizzle(None)
    return tile.with_swizzle(tile.swizzle.recast(tile.unit, 8), "byte") if isinstance(tile.unit, int) else tile


def swizzle_fields(tile: Tile, present: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return B, M, S and the unit of a shown tile; without a swizzle B = 0 and the others as they are."""
    if tile.swizzle is None:
        return {**(present or {"base": 4, "shift": 3, "unit": "byte"}), "bits": 0}
    swizzle = tile.swizzle
    return {"bits": swizzle.bits, "base": swizzle.base, "shift": swizzle.shift, "unit": tile.unit}


def swizzled(tile: Tile, fields: dict[str, Any]) -> Tile:
    """Return the tile under B, M, S in a unit, as shown; the tile itself if they are its own."""
    if swizzle_fields(tile, fields) == fields:
        return tile
    swizzle = Swizzle(fields["bits"], fields["base"], fields["shift"])
    return tile.with_swizzle(None if swizzle.is_identity else swizzle, fields["unit"])
