"""What the widgets share: the tile and its swizzle as traits, checks, and the static picture."""

from __future__ import annotations

import base64
import contextlib
import io

import anywidget
import traitlets

from ..model.access import Access
from ..model.banks import BankReport
from ..model.checks import one_of, plural, whole
from ..model.swizzle import OFFSET_BITS, Swizzle
from ..model.tile import Tile
from .generated import UNITS, style_text
from .wire import spec_tile, tile_spec


class Whole(traitlets.TraitType):
    """A whole number within limits; anything else is the model's own error."""

    def __init__(self, default: int, low: int, high: int, **options):
        super().__init__(default, **options)
        self.low, self.high = low, high

    def validate(self, obj, value):
        return whole(self.name, value, self.low, self.high)


class Checked(traitlets.TraitType):
    """What the model accepts; unlike traitlets' own Any, which takes None unseen."""


class TileWidget(anywidget.AnyWidget):
    """A widget on one tile and one swizzle.

    Attributes
    ----------
    bits, base, shift : int
        B, M and S of the swizzle shown. The browser sets them, Python may too; to change several
        at once, set `swizzle`.
    unit : str
        What they count, "byte" or "element".
    geometry : dict
        The tile without its swizzle, as the browser takes it; read `tile` for a Tile.
    """

    _css = style_text()
    _from_browser = False

    bits = Whole(0, 0, OFFSET_BITS, help="B: how many bits are XORed").tag(sync=True)
    base = Whole(4, 0, OFFSET_BITS, help="M: how many low bits stay").tag(sync=True)
    shift = Whole(3, -OFFSET_BITS, OFFSET_BITS, help="S: the distance from target to source in bits").tag(sync=True)
    unit = Checked("byte", help="what B, M and S count").tag(sync=True)
    geometry = Checked(help="the tile without its swizzle").tag(sync=True)

    def __init__(self, tile: Tile, **state):
        """Show `tile`; what the subclasses add is their own traits.

        Raises
        ------
        TypeError, ValueError
            If `tile` is no Tile, its swizzle counts units smaller than a byte, or a trait is
            unknown or out of range.
        """
        unknown = [name for name in state if name not in self.keys or name.startswith("_")]
        if unknown:
            raise TypeError(f"{type(self).__name__} has no argument {unknown[0]!r}")
        super().__init__(**_swizzle_state(tile), geometry=tile_spec(tile), **state)

    @property
    def swizzle(self) -> Swizzle:
        """The swizzle shown, counted in `unit`; setting it changes B, M and S at once."""
        return Swizzle(self.bits, self.base, self.shift)

    @swizzle.setter
    def swizzle(self, value: Swizzle):
        if not isinstance(value, Swizzle):
            raise TypeError(f"swizzle must be a Swizzle, not {value!r}; Swizzle.parse reads a spelling")
        self._assign(bits=value.bits, base=value.base, shift=value.shift)

    @property
    def tile(self) -> Tile:
        """The tile under the swizzle shown; setting it shows another tile with its own swizzle."""
        return self.plain_tile.with_swizzle(self.swizzle, self.unit)

    @tile.setter
    def tile(self, value: Tile):
        self._assign(geometry=tile_spec(_checked(value)), **_swizzle_state(value))

    @property
    def plain_tile(self) -> Tile:
        """The tile without a swizzle."""
        return spec_tile(self.geometry)

    def recast(self, unit: str) -> None:
        """Count the same physical swizzle in another unit: M changes, no element moves.

        Raises
        ------
        ValueError
            If the unit is unknown, or larger than the swizzle's granule.
        """
        sizes = dict(zip(UNITS, (8, self.plain_tile.element_bits)))
        swizzle = self.swizzle.recast(sizes[self.unit], sizes[one_of("unit", unit, sizes)])
        self._assign(bits=swizzle.bits, base=swizzle.base, shift=swizzle.shift, unit=unit)

    def figure(self):
        """Return the present state as a matplotlib Figure."""
        raise NotImplementedError

    def png(self) -> bytes:
        """Return the present state as a PNG."""
        buffer = io.BytesIO()
        self.figure().savefig(buffer, format="png", dpi=100)
        return buffer.getvalue()

    def set_state(self, sync_data):
        """Take a state from the browser, which may pass through combinations that Python would refuse.

        Linked sliders change B, M and S one after the other; the browser shows an illegal moment
        as an error and keeps its picture, and so does Python.
        """
        self._from_browser = True
        try:
            super().set_state(sync_data)
        finally:
            self._from_browser = False

    @traitlets.validate("bits", "base", "shift", "unit", "geometry")
    def _legal(self, proposal):
        if proposal.trait.name == "unit":
            one_of("unit", proposal.value, UNITS)
        self._check_state(**{proposal.trait.name: proposal.value})
        return proposal.value

    def _check_state(self, **change) -> Tile | None:
        """Raise the model's error if the state with this change is not legal; return the tile it shows."""
        if self._from_browser:
            return None
        names = ("bits", "base", "shift", "unit", "geometry")
        bits, base, shift, unit, geometry = (change.get(name, getattr(self, name)) for name in names)
        return spec_tile(geometry).with_swizzle(Swizzle(bits, base, shift), unit)

    def _assign(self, **change) -> None:
        """Set several traits at once; nothing has changed if the model refuses them."""
        self._check_state(**change)
        # In one message: the browser would show a part of the change as a mistake.
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in change.items():
                self.set_trait(name, value)

    def _sentence(self) -> str:
        """The present state and its result in one sentence, always the same for the same state."""
        raise NotImplementedError

    def __repr__(self) -> str:
        try:
            return self._sentence()
        except (TypeError, ValueError) as error:
            # Sliders that are linked in the browser can stand for a moment where no swizzle is.
            return f"{type(self).__name__}: {error}"

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        # Where no widget can live (a saved page, an untrusted notebook), the picture and the sentence stand in.
        # Two lines: JupyterLab shows the first line of a folded output, which must not tell the result.
        data = {**data, "text/plain": repr(self).replace(": ", ":\n", 1)}
        # A state that the browser refuses has no picture either; the sentence says why.
        with contextlib.suppress(TypeError, ValueError):
            data["image/png"] = base64.b64encode(self.png()).decode()
        return (data, *bundle[1:]) if isinstance(bundle, tuple) else data


class AccessWidget(TileWidget):
    """A tile widget that also shows an access.

    Attributes
    ----------
    access : dict
        The access as `Access.spec` describes it; an Access may be assigned. The browser sets it.
    """

    access = Checked(help="which lanes touch which elements, as Access.spec describes it").tag(sync=True)

    def __init__(self, tile: Tile, access: Access | dict | None = None, **state):
        """Show `tile` and what `access` costs on it; column 0, if left out.

        Raises
        ------
        TypeError, ValueError
            As `TileWidget`, and if the access does not fit the tile or the swizzle cuts its vectors.
        """
        super().__init__(tile, access=Access.column(_checked(tile)) if access is None else access, **state)

    @TileWidget.tile.setter
    def tile(self, value: Tile):
        """Show another tile with its own swizzle and the same access; one element a lane stays one element a lane."""
        self._assign(geometry=tile_spec(_checked(value)), access=self._access_on(value), **_swizzle_state(value))

    def _access_on(self, tile: Tile) -> dict:
        sizes = [max(1, each.element_bits // 8) for each in (self.plain_tile, tile)]
        one_element = self.access.get("width") == sizes[0]
        return {**self.access, "width": sizes[1]} if one_element else self.access

    @property
    def accesses(self) -> tuple[Access, Access]:
        """The access on the tile without and with the swizzle."""
        return tuple(Access.from_spec(tile, self.access) for tile in (self.plain_tile, self.tile))

    @property
    def compared(self) -> tuple[Access, ...]:
        """What is worth a look side by side: both, or the plain one alone while B = 0."""
        return self.accesses if self.bits else self.accesses[:1]

    @property
    def comparison(self) -> str:
        """The tile, the access and its costs in words."""
        plain, *_ = self.compared
        costs = "; ".join(map(cost, self.compared))
        return f"{plain.tile.rows}x{plain.tile.cols} {plain.tile.dtype}, {plain}: {costs}"

    @property
    def report(self) -> BankReport:
        """What the access costs under the swizzle shown.

        Raises
        ------
        ValueError
            If the swizzle cuts a vector of the access.
        """
        return self.accesses[1].report()

    @traitlets.validate("access")
    def _legal_access(self, proposal):
        if self._from_browser:
            return proposal.value
        self._check_state(access=proposal.value)
        return Access.from_spec(self.plain_tile, _spec(proposal.value, self.plain_tile)).spec

    def _check_state(self, **change) -> Tile | None:
        tile = super()._check_state(**change)
        if tile is not None:
            Access.from_spec(tile, _spec(change.get("access", self.access), tile)).report()
        return tile


def _spec(access, tile: Tile) -> dict:
    return access.on(tile).spec if isinstance(access, Access) else access


def _checked(tile) -> Tile:
    if not isinstance(tile, Tile):
        raise TypeError(f"tile must be a Tile, not {tile!r}")
    return tile


def _swizzle_state(tile: Tile) -> dict:
    """B, M, S and the unit of a tile, in bytes where it counts bits or words."""
    swizzle, unit = _checked(tile).swizzle, tile.unit
    if swizzle is None:
        return {"bits": 0, "base": 4, "shift": 3, "unit": "byte"}
    if isinstance(unit, int):
        swizzle, unit = swizzle.recast(unit, 8), "byte"
    return {"bits": swizzle.bits, "base": swizzle.base, "shift": swizzle.shift, "unit": unit}


def cost(access: Access) -> str:
    """Return the cost of an access in words: "no swizzle: 8 wavefronts, ideal 1"."""
    if access.refusal:
        return f"no instruction: {access.refusal}"
    report = access.report()
    return f"{access.tile.swizzle_name}: {plural(report.cost, report.unit)}, ideal {report.least}"
