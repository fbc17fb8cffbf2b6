"""SwizzleRanking: every swizzle that the search tried as a cell, by the wavefronts that it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from ..figures.swizzle_ranking import BEST, REASON_WORDS, shown_accesses, way_texts
from ..model.candidates import Candidate
from ..model.ranking import Ranking
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from .base import TileWidget
from .generated import module_text
from .traits import Checked, Refused

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class SwizzleRanking(TileWidget):
    """The search as a picture: for each B a grid of M and S, colored and numbered by wavefronts.

    A click or the arrow keys choose a swizzle; the traits bits, base, shift and unit follow, so that
    `ipywidgets.link` hands it to other widgets. To show another search, set `ranking`.

    Parameters
    ----------
    ranking : Ranking
        What `best_swizzles` returned. The best swizzle is chosen first.

    Raises
    ------
    TypeError
        If `ranking` is none.
    ValueError
        If `tile`, `ways`, `best` or `ideal` is set: they belong to the ranking.

    Examples
    --------
    >>> t = Tile(64, 64, "f16")
    >>> SwizzleRanking(best_swizzles(t, [Access.cp_async(t), Access.ldmatrix(t)])).tile.swizzle
    Swizzle(3, 3, 3)
    """

    _esm = module_text("swizzle_ranking.js")

    ways: Checked = Checked(help="[B, M, S, cost or -1, verdict, why rejected] of each swizzle").tag(sync=True)
    best: Checked = Checked(
        help="[[B, M, S] or None, verdict, name, note, cost in words, cost, ideal, times] of the best ways"
    ).tag(sync=True)
    ideal: Checked = Checked(help="the wavefronts that cannot be avoided").tag(sync=True)

    def __init__(self, ranking: Ranking, **state: Any):
        self._show(ranking)
        super().__init__(_first(ranking), **self._own, **state)

    @property
    def ranking(self) -> Ranking:
        """The search shown; setting it shows another one, and its best swizzle."""
        return self._ranking

    @ranking.setter
    def ranking(self, value: Ranking) -> None:
        self._show(value)
        self._put(**self._own, tile=_first(value))

    def _show(self, ranking: Ranking) -> None:
        if not isinstance(ranking, Ranking):
            raise TypeError(f"ranking must be what best_swizzles returns, not {ranking!r}")
        self._ranking = ranking
        self._own = {
            "ways": [_way(candidate) for candidate in (*ranking, *ranking.rejected) if not candidate.padding],
            "best": [_card(way) for way in ranking[:BEST]],
            "ideal": ranking.best.least,
        }

    @traitlets.validate("ways", "best", "ideal")
    def _legal_search(self, proposal: Any) -> Any:
        if not self._trusting and proposal.value != self._own[proposal.trait.name]:
            raise Refused(f"{proposal.trait.name} belongs to the search: set `ranking` to what best_swizzles returns")
        return proposal.value

    def _check_new_tile(self, tile: Tile) -> None:
        if tile.with_swizzle(None) != self._ranking.tile.with_swizzle(None):
            raise Refused("tile belongs to the search: set `ranking` to what best_swizzles returns")

    @property
    def candidate(self) -> Candidate:
        """The candidate shown.

        Raises
        ------
        ValueError
            If the swizzle shown was not tried.
        """
        tile = self.tile
        if tile.swizzle is None:
            return self.ranking.of(Swizzle(0, 0, 0), "element")
        return self.ranking.of(tile.swizzle, tile.unit)

    def figure(self, ax: Axes | None = None, dpi: float = 100, title: str | None = None) -> Figure:
        """Return the present state as a matplotlib Figure; parameters are those of `TileWidget.figure`."""
        from ..figures import swizzle_ranking

        return swizzle_ranking(self.ranking, self.candidate.swizzle, ax=ax, dpi=dpi, title=title)

    def _sentence(self) -> str:
        return f"SwizzleRanking of {len(self.ways)} swizzles, best first: {self.ranking[0].verdict}"


def _first(ranking: Ranking) -> Tile:
    """The tile under the best swizzle."""
    return next(candidate.tile for candidate in ranking if not candidate.padding)


def _fields(candidate: Candidate) -> list[int]:
    swizzle = candidate.swizzle
    return [0, 0, 0] if swizzle is None else [swizzle.bits, swizzle.base, swizzle.shift]


def _way(candidate: Candidate) -> list[Any]:
    why = REASON_WORDS[candidate.reason] if candidate.reason else ""
    return [*_fields(candidate), -1 if candidate.rejected else candidate.cost, candidate.verdict, why]


def _card(candidate: Candidate) -> list[Any]:
    """A way with what its picture shows: for each access the banks that are busy, as bits, wavefront by wavefront."""
    accesses = shown_accesses(candidate)
    times = [[sum(1 << bank for bank in banks) for banks in access.report().served] for access in accesses]
    grids = [[access.instruction, busy] for access, busy in zip(accesses, times)]
    fields = None if candidate.padding else _fields(candidate)
    return [fields, candidate.verdict, *way_texts(candidate), candidate.cost, candidate.least, grids]
