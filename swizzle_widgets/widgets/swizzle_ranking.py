"""SwizzleRanking: every swizzle that the search tried as a cell, by the wavefronts that it costs."""

from __future__ import annotations

import traitlets

from ..figures.swizzle_ranking import shown_accesses
from ..model.candidates import Candidate
from ..model.ranking import Ranking
from .base import Checked, TileWidget, _swizzle_state
from .generated import module_text
from .wire import tile_spec

BEST_SHOWN = 6


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
    >>> SwizzleRanking(best_swizzles(t, [Access.cp_async(t), Access.ldmatrix(t)])).swizzle
    Swizzle(3, 3, 3)
    """

    _esm = module_text("swizzle_ranking.js")

    ways = Checked(help="[B, M, S, wavefronts or -1, verdict] of each swizzle, in elements").tag(sync=True)
    best = Checked(help="[[B, M, S] or None, verdict, name, cost, ideal, times] of the best ways").tag(sync=True)
    ideal = Checked(help="the wavefronts that cannot be avoided").tag(sync=True)

    def __init__(self, ranking: Ranking, **state):
        self._show(ranking)
        super().__init__(_first(ranking), **{name: self._own[name] for name in ("ways", "best", "ideal")}, **state)

    @property
    def ranking(self) -> Ranking:
        """The search shown; setting it shows another one, and its best swizzle."""
        return self._ranking

    @ranking.setter
    def ranking(self, value: Ranking):
        self._show(value)
        self._assign(**self._own, **_swizzle_state(_first(value)))

    def _show(self, ranking: Ranking) -> None:
        if not isinstance(ranking, Ranking):
            raise TypeError(f"ranking must be what best_swizzles returns, not {ranking!r}")
        self._ranking = ranking
        self._own = {
            "geometry": tile_spec(ranking.tile),
            "ways": [_way(candidate) for candidate in (*ranking, *ranking.rejected) if not candidate.padding],
            "best": [_card(way) for way in ranking[:BEST_SHOWN]],
            "ideal": ranking.best.least,
        }

    @traitlets.validate("ways", "best", "ideal")
    def _legal_search(self, proposal):
        self._check_state(**{proposal.trait.name: proposal.value})
        return proposal.value

    def _check_state(self, **change):
        for name in self._own.keys() & change.keys():
            if not self._from_browser and change[name] != self._own[name]:
                raise ValueError(f"{name} belongs to the search: set `ranking` to what best_swizzles returns")
        return super()._check_state(**change)

    @property
    def candidate(self) -> Candidate:
        """The candidate shown.

        Raises
        ------
        ValueError
            If the swizzle shown was not tried.
        """
        tile = self.tile
        return self.ranking.of(tile.swizzle, tile.unit)

    def figure(self):
        """Return the present state as a matplotlib Figure."""
        from ..figures.swizzle_ranking import swizzle_ranking

        return swizzle_ranking(self.ranking, self.candidate.swizzle)

    def __repr__(self) -> str:
        return f"SwizzleRanking of {len(self.ways)} swizzles, best first: {self.ranking[0].verdict}"


def _first(ranking: Ranking):
    """The tile under the best swizzle."""
    return next(candidate.tile for candidate in ranking if not candidate.padding)


def _fields(candidate: Candidate) -> list[int]:
    swizzle = candidate.swizzle
    return [0, 0, 0] if swizzle is None else [swizzle.bits, swizzle.base, swizzle.shift]


def _way(candidate: Candidate) -> list:
    return [*_fields(candidate), -1 if candidate.rejected else candidate.cost, candidate.verdict]


def _card(candidate: Candidate) -> list:
    """A way with what its picture shows: for each access the banks that are busy, as bits, wavefront by wavefront."""
    accesses = shown_accesses(candidate)
    times = [[sum(1 << bank for bank in banks) for banks in access.report().served] for access in accesses]
    grids = [[access.instruction, busy] for access, busy in zip(accesses, times)]
    fields = None if candidate.padding else _fields(candidate)
    return [fields, candidate.verdict, candidate.name, candidate.cost, candidate.least, grids]
