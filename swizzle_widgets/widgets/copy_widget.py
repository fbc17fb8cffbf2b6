"""An access widget that can also walk through the requests of a whole copy."""

from __future__ import annotations

from typing import Any

import traitlets

from ..model.access import Access
from ..model.checks import plural, whole
from ..model.copy import TiledCopy
from ..model.tile import Tile
from .access_widget import AccessWidget
from .base import shown_tile
from .traits import Checked


def _read_copy(spec: Any, widget: CopyWidget) -> TiledCopy | None:
    if spec != copy_spec(widget.copy):
        widget._unread = f"copy = {spec!r} comes from the browser: only Python sets it"
    return widget.copy


def _read_request(request: Any, widget: CopyWidget) -> int | None:
    return widget._arriving_request(request)


class CopyWidget(AccessWidget):
    """An access widget whose access can be one request of a TiledCopy.

    Attributes
    ----------
    copy : TiledCopy or None
        The copy whose requests the reader walks through, as it was given: `copy.on(widget.tile)` is the one shown.
        Assigned, it opens on its worst request. The browser is sent its requests and never sets it; a tile of
        another size that its reader pastes ends it.
    request : int or None
        The place in `copy.accesses` of the access shown, from 0; None if it is none of them. The browser sets it.
    """

    copy: Checked = Checked(None, help="the whole copy").tag(
        # No echo: it would be the whole copy, and the page never sets it.
        sync=True,
        echo_update=False,
        to_json=lambda copy, widget: copy_spec(copy),
        from_json=_read_copy,
    )
    request: Checked = Checked(None, help="which request of the copy is shown").tag(sync=True, from_json=_read_request)

    def __init__(self, tile: Tile, access: Access | TiledCopy | dict[str, Any] | None = None, **state: Any):
        """Show `tile` and what `access` costs on it: an access, or a whole copy, the worst request first.

        Raises
        ------
        TypeError, ValueError
            As `AccessWidget`, and if the copy does not fit the tile, no instruction can do it there, or it has
            several stages.
        """
        tile = shown_tile(tile)
        if isinstance(access, TiledCopy):
            state["copy"] = copy = fitting(access, tile)
            access = copy.report().worst.access
        request = state.pop("request", None)
        super().__init__(tile, access, **state)
        if request is not None:
            self.request = request

    def show(self, tile: Tile, access: Access | TiledCopy | dict[str, Any]) -> None:
        """Show another tile and another access, or whole copy, at once.

        Raises
        ------
        TypeError, ValueError
            If the access does not fit the tile or no instruction can do it there; nothing has changed then.
        """
        if not isinstance(access, TiledCopy):
            self._put(**self._shown(tile, access), copy=None, request=None)
            return
        tile = shown_tile(tile)
        copy = fitting(access, tile)
        self._put(**self._shown(tile, copy.report().worst.access), copy=copy)

    @property
    def totals(self) -> str:
        """All requests of the copy in words, without and with the swizzle; "" without a copy."""
        return self._totals_on(*dict.fromkeys((self.tile.with_swizzle(None), self.tile)))

    def _totals_on(self, *tiles: Tile) -> str:
        if self.copy is None:
            return ""
        return f"all {plural(len(self.copy), 'request')}: {'; '.join(_total(self.copy, tile) for tile in tiles)}"

    def _titled(self, title: str | None) -> str | None:
        """What stands above a still: the totals of the copy on the tile shown, if no other title is given."""
        return self._totals_on(self.tile) or None if title is None else title

    def __repr__(self) -> str:
        text = super().__repr__()
        return text if self.copy is None or self.problem else f"{text}; {self.totals}"

    @traitlets.validate("copy")
    def _legal_copy(self, proposal: Any) -> TiledCopy | None:
        return proposal.value if proposal.value is None or self._trusting else fitting(proposal.value, self.tile)

    @traitlets.validate("request")
    def _legal_request(self, proposal: Any) -> int | None:
        if proposal.value is None or self._trusting:
            return proposal.value
        return _place(proposal.value, self.copy)

    def _arriving_request(self, request: Any) -> int | None:
        """The request that the browser's message means; the present one where it means none."""
        try:
            return None if request is None else _place(request, self.copy)
        except (TypeError, ValueError) as error:
            self._unread = str(error)
            return self.request

    def _sources(self) -> tuple[str, ...]:
        return (*super()._sources(), "copy", "request")

    def _settle(self, name: str, trusting: bool) -> None:
        super()._settle(name, trusting)
        if self.copy is not None and _size(self.copy.tile) != _size(self.tile):
            # Only the browser can bring a tile that the copy does not fit.
            self.set_trait("copy", None)
        copy = self.copy
        if name == "copy" and copy is not None:
            self.set_trait("request", fitting(copy, self.tile).report().worst_place)
        if self._shows_request():
            return
        if copy is not None and name in ("copy", "request") and self.request is not None:
            self.set_trait("access", copy.accesses[self.request].on(self.tile))
        else:
            self.set_trait("request", None)

    def _shows_request(self) -> bool:
        copy, place = self.copy, self.request
        if copy is None or place is None or place >= len(copy):
            return False
        return self.access.spec == copy.accesses[place].spec

    def _check_tile(self, tile: Tile) -> None:
        super()._check_tile(tile)
        if self.copy is not None:
            fitting(self.copy, tile)


def copy_spec(copy: TiledCopy | None) -> dict[str, Any] | None:
    """Return a copy as the browser takes it: its tile's size, and the lanes' rows and columns of each request."""
    if copy is None:
        return None
    rows, cols, dtype = _size(copy.tile)
    places = zip(copy.rows.tolist(), copy.cols.tolist())
    requests = [{"rows": down, "cols": right, "where": copy.where(at)} for at, (down, right) in enumerate(places)]
    return {"rows": rows, "cols": cols, "dtype": dtype, "width": copy.width, "kind": copy.kind, "requests": requests}


def fitting(copy: Any, tile: Tile) -> TiledCopy:
    """Return the copy on the tile.

    Raises
    ------
    TypeError, ValueError
        If it is no TiledCopy, has several stages, does not fit the tile, or no instruction can do it there.
    """
    if not isinstance(copy, TiledCopy):
        raise TypeError(f"copy must be a TiledCopy or None, not {copy!r}")
    if len(copy.stages) > 1:
        raise ValueError(
            f"a widget shows one tile, and the copy has {len(copy.stages)} stages: give it copy.on(one stage)"
        )
    copy = copy if copy.tile == tile else copy.on(tile)
    copy.report()
    return copy


def _size(tile: Tile) -> tuple[int, int, str]:
    return tile.rows, tile.cols, tile.dtype


def _place(request: Any, copy: TiledCopy | None) -> int:
    if copy is None:
        raise ValueError(f"request = {request!r}, but the widget shows no copy: assign copy, a TiledCopy")
    return whole("request", request, 0, len(copy) - 1)


def _total(copy: TiledCopy, tile: Tile) -> str:
    try:
        report = fitting(copy, tile).report()
    except ValueError:
        return f"{tile.swizzle_name}: no instruction can do it"
    conflicts = f", {plural(report.conflicts, 'conflict')}" if report.unit == "wavefront" else ""
    return f"{tile.swizzle_name}: {plural(report.cost, report.unit)}, ideal {report.least}{conflicts}"
