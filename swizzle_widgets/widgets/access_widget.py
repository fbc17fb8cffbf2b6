"""A tile widget that also shows an access."""

from __future__ import annotations

from typing import Any

import traitlets

from ..model.access import Access
from ..model.checks import plural
from ..model.reports import BankReport
from ..model.tile import Tile
from .base import TileWidget, shown_tile
from .traits import Checked, Refused


def _read_access(spec: Any, widget: AccessWidget) -> Access:
    return widget._arriving_access(spec)


class AccessWidget(TileWidget):
    """A tile widget that also shows an access.

    Attributes
    ----------
    access : Access
        The access on the tile shown. An Access of another tile, or what `Access.spec` returns, may be
        assigned. The browser is sent its pattern, and sets it.
    """

    access: Checked = Checked(help="which lanes touch which elements").tag(
        sync=True, to_json=lambda access, widget: access.spec, from_json=_read_access
    )

    def __init__(self, tile: Tile, access: Access | dict[str, Any] | None = None, **state: Any):
        """Show `tile` and what `access` costs on it; column 0, if left out.

        Raises
        ------
        TypeError, ValueError
            As `TileWidget`, and if the access does not fit the tile or no instruction can do it there.
        """
        tile = shown_tile(tile)
        super().__init__(tile, access=_possible(access, tile), **state)

    def show(self, tile: Tile, access: Access | dict[str, Any]) -> None:
        """Show another tile and another access at once.

        Raises
        ------
        TypeError, ValueError
            If the access does not fit the tile or no instruction can do it there; nothing has changed then.
        """
        self._put(**self._shown(tile, access))

    def _shown(self, tile: Tile, access: Any) -> dict[str, Any]:
        tile = shown_tile(tile)
        return {"tile": tile, "access": _possible(access, tile)}

    @property
    def accesses(self) -> tuple[Access, Access]:
        """The access on the tile without and with the swizzle."""
        return self.access.on(self.tile.with_swizzle(None)), self.access

    @property
    def compared(self) -> tuple[Access, ...]:
        """What is worth a look side by side: both, or the plain one alone while B = 0."""
        return (self.access,) if self.tile.swizzle is None else self.accesses

    @property
    def comparison(self) -> str:
        """The tile, the access and its costs in words."""
        tile, costs = self.tile, "; ".join(map(cost, self.compared))
        return f"{tile.rows}x{tile.cols} {tile.dtype}, {self.access}: {costs}"

    @property
    def report(self) -> BankReport:
        """What the access costs under the swizzle shown.

        Raises
        ------
        ValueError
            If no instruction can do it.
        """
        return self.access.report()

    @traitlets.validate("access")
    def _legal_access(self, proposal: Any) -> Access:
        if self._trusting:
            return proposal.value
        try:
            return _possible(proposal.value, self.tile)
        except ValueError as error:
            raise Refused(str(error)) from None

    def _arriving_access(self, spec: Any) -> Access:
        """The access that the browser's message means; the present one where it means none."""
        tile = self._arriving_tile(self._message["tile"]) if "tile" in self._message else self.tile
        try:
            access = Access.from_spec(tile, spec)
        except (TypeError, ValueError) as error:
            self._unread = str(error)
            return self.access
        self._sent["access"] = spec
        return access

    def _sources(self) -> tuple[str, ...]:
        return (*super()._sources(), "access")

    def _settle(self, name: str, trusting: bool) -> None:
        super()._settle(name, trusting)
        if self.access.tile != self.tile:
            try:
                self.set_trait("access", _kept(self.access, self.tile))
            except ValueError as error:
                # Only the browser can bring a tile that the access does not fit: both stay as they were.
                self.set_trait("tile", self.access.tile)
                self.set_trait("problem", str(error))

    def _check_tile(self, tile: Tile) -> None:
        _possible(_kept(self.access, tile), tile)

    def _check_new_tile(self, tile: Tile) -> None:
        access = self.access
        if not isinstance(access, Access) or access.tile == tile:
            return
        try:
            self._check_tile(tile)
        except ValueError as error:
            raise Refused(
                f"the access that the widget keeps, {access}, does not fit {tile}: {error}; "
                "show(tile, access) changes both"
            ) from None


def _possible(access: Any, tile: Tile) -> Access:
    """The access on the tile, if an instruction can do it; column 0 for None."""
    if access is None:
        access = Access.column(tile)
    elif isinstance(access, Access):
        access = access if access.tile == tile else access.on(tile)
    else:
        access = Access.from_spec(tile, access)
    if access.refusal:
        raise ValueError(access.refusal)
    return access


def _kept(access: Access, tile: Tile) -> Access:
    """The same access on another tile; one element a lane stays one element a lane."""
    before, after = (max(1, each.element_bits // 8) for each in (access.tile, tile))
    if before != after and access.spec.get("width") == before:
        return Access.from_spec(tile, {**access.spec, "width": after})
    return access.on(tile)


def cost(access: Access) -> str:
    """Return the cost of an access in words: "no swizzle: 8 wavefronts, ideal 1"."""
    if access.refusal:
        return f"{access.tile.swizzle_name}: no instruction, its vectors are {access.vectors}"
    report = access.report()
    return f"{access.tile.swizzle_name}: {plural(report.cost, report.unit)}, ideal {report.least}"
