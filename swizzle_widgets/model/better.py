"""A better way to store a tile for whole copies: found with a few of their requests, counted with all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .access import Access
from .candidates import Candidate
from .copy import TiledCopy
from .copy_report import CopyReport
from .reports import BankReport
from .search import best_swizzles
from .tile import Tile

# Requests of a copy that the search sees, and candidates that are counted over the whole copy.
SAMPLE = 12
TRIED = 8


def better_candidate(requests: Sequence[Access | TiledCopy]) -> Candidate | None:
    """Return a way to store the tile that costs less than the present one for all requests; None if none is found.

    Parameters
    ----------
    requests : sequence of Access or TiledCopy
        On one tile; those that its swizzle makes impossible included.

    Notes
    -----
    `best_swizzles` counts every request under every swizzle, which takes seconds for thousands of requests. Here
    it sees a sample of each copy, and its first few answers are counted over the whole copies.
    """
    tile = requests[0].tile
    sample = [access for request in requests for access in _sample(request)]
    try:
        ranking = best_swizzles(tile, sample)[:TRIED]
    except ValueError:
        # Some request does not fit on the tile without its swizzle.
        return None
    counted = [(_standing([moved(request, candidate) for request in requests]), candidate) for candidate in ranking]
    least, best = min(counted, key=lambda pair: pair[0], default=(None, None))
    return best if least is not None and least < _standing(requests) else None


def moved(request: Access | TiledCopy, candidate: Candidate) -> Access | TiledCopy | None:
    """Return the request on its tile stored as the candidate says; None if it does not fit there."""
    try:
        if isinstance(request, Access):
            return request.on(stored_as(request.tile, candidate))
        return request.on([stored_as(stage, candidate) for stage in request.stages])
    except ValueError:
        return None


def stored_as(tile: Tile, candidate: Candidate) -> Tile:
    """Return the tile stored as the candidate says."""
    if candidate.padding:
        return replace(tile, swizzle=None, unit=None).padded(candidate.padding)
    return tile.with_swizzle(candidate.swizzle, None if candidate.swizzle is None else "element")


def _sample(request: Access | TiledCopy) -> list[Access]:
    """Some requests of a copy, evenly spread, and none twice."""
    if isinstance(request, Access):
        return [request]
    rows = np.column_stack([request.requests.places[:, :1], request.rows, request.cols])
    distinct = np.sort(np.unique(rows, axis=0, return_index=True)[1])
    chosen = distinct[np.unique(np.linspace(0, len(distinct) - 1, SAMPLE).astype(int))]
    return [request.accesses[int(place)] for place in chosen]


def report_of(request: Access | TiledCopy | None) -> BankReport | CopyReport | None:
    """Return what a request costs; None if no instruction can do it."""
    try:
        return None if request is None else request.report()
    except ValueError:
        return None


def _standing(requests: Sequence[Access | TiledCopy | None]) -> tuple[int, int]:
    """How bad it is: how many requests cannot be done, then what the others cost beyond the least."""
    reports = [report_of(request) for request in requests]
    return reports.count(None), sum(report.excess for report in reports if report is not None)
