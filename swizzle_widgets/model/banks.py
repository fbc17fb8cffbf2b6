"""What a warp's request costs, under the rules of `hardware`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .checks import integers, one_of, one_or_many, shown, whole
from .hardware import (
    BANKS,
    KIND_WIDTHS,
    KINDS,
    LINE_BYTES,
    MATRIX_KINDS,
    MATRIX_LANES,
    MERGE_PARTNERS,
    PHASE_LANES,
    SHARED_BYTES,
    UNSHARED_KINDS,
    WARP_LANES,
    WORD_BYTES,
)
from .reports import BankReport, BankReports, Phase, cost_unit


def bank_of(address: Any) -> Any:
    """Return the bank of a byte address (int or integer array, not negative): word number modulo 32."""
    return one_or_many("address", "addresses", address) // WORD_BYTES % BANKS


def bank_report(addresses: Any, width: int | None = None, kind: str = "load", active: Any = None) -> BankReport:
    """Return what one request of a warp costs.

    Parameters
    ----------
    addresses : sequence of int
        Byte addresses in shared memory, one a lane: 32, or fewer if only the first lanes take
        part. For ldmatrix and stmatrix the row addresses of 8, 16 or 32 lanes (x1, x2, x4).
    width : int, optional
        Bytes a lane: 1, 2, 4, 8 or 16. Left out, 4 for loads and stores, 16 for the other kinds.
    kind : str
        "load", "store", "ldmatrix", "stmatrix", "cp.async.cg", "cp.async.ca" or "atomic" (of 32 bits: add, max, exch).
    active : sequence of bool, optional
        Which lanes take part; all of those given, if left out.

    Raises
    ------
    TypeError
        If addresses are not whole numbers, or `active` is not boolean.
    ValueError
        If a width or kind is no instruction, there are more than 32 lanes, an active lane's
        address is not a multiple of the width or lies outside shared memory, or ldmatrix or
        stmatrix have another number of active lanes than the first 8, 16 or 32.
    """
    request = _checked(addresses, width, kind, active)
    return request.report(request.addresses[0, :, None] // WORD_BYTES + np.arange(max(1, request.width // WORD_BYTES)))


def check_request(addresses: Any, width: int | None, kind: str, active: Any) -> None:
    """Raise as `bank_report` does for what is no request, and count nothing."""
    _checked(addresses, width, kind, active)


def bank_reports(addresses: Any, width: int | None = None, kind: str = "load", active: Any = None) -> BankReports:
    """Return what many requests cost, in one pass.

    Parameters
    ----------
    addresses : integer array, shape (n, 32)
        Byte addresses. Those of inactive lanes are ignored.
    width, kind
        As in `bank_report`, the same for all requests.
    active : bool array, shape (n, 32) or (32,), optional
        Which lanes take part; all, if left out.

    Raises
    ------
    TypeError, ValueError
        As `bank_report`; the error names the first request and lane at fault.
    """
    lanes = integers("addresses", addresses, low=None)
    if lanes.ndim != 2 or lanes.shape[1] != WARP_LANES:
        raise ValueError(f"addresses must have the shape (n, {WARP_LANES}), not {lanes.shape}")
    return _Requests.checked(lanes, width, kind, active).count()


def words_report(addresses: Any, words: Any, width: int, kind: str, active: Any) -> BankReport:
    """Return the cost of a request whose lanes want any words, not only a run of them.

    This answers what a vector that a swizzle has torn would cost if it were one instruction.

    Parameters
    ----------
    addresses : int array, shape (32,)
        By which the lanes agree or not (rule 3).
    words : int array, shape (32, k)
        The word numbers that each lane wants; repeats are allowed.
    width, kind, active
        As in `bank_report`, already checked.
    """
    return _Requests(addresses[None], width, kind, np.asarray(active)[None]).report(words)


def check_access(width: int | None, kind: str) -> int:
    """Return the width in bytes if that access is an instruction; None means the usual width of the kind.

    Raises
    ------
    TypeError, ValueError
        If the kind is unknown, or has no instruction of that width.
    """
    widths = KIND_WIDTHS[one_of("kind", kind, KINDS)]
    if width is None:
        return WORD_BYTES if kind in ("load", "store") else widths[-1]
    width = whole("width", width)
    if width in widths:
        return width
    if kind in MATRIX_KINDS:
        rule = f"{kind} always takes rows of {widths[0]} bytes"
    elif kind in ("load", "store"):
        rule = "a lane reads or writes 1, 2, 4, 8 or 16 bytes"
    elif kind == "atomic":
        rule = "atomics of 4 bytes a lane are modelled; others were not measured"
    else:
        rule = f"{kind} copies {'4, 8 or 16' if len(widths) > 1 else 16} bytes a lane"
    raise ValueError(f"width = {shown(width)} bytes is no instruction: {rule}")


@dataclass(frozen=True)
class _Requests:
    """Checked requests: addresses and active of shape (n, 32), inactive addresses set to 0."""

    addresses: np.ndarray
    width: int
    kind: str
    active: np.ndarray

    @classmethod
    def checked(cls, addresses: np.ndarray, width, kind, active) -> _Requests:
        width = check_access(width, kind)
        active = _active(active, addresses.shape)
        if kind in MATRIX_KINDS:
            _check_matrix_lanes(kind, active)
        addresses = np.where(active, addresses, 0)
        _refuse(addresses < 0, addresses, "is negative: shared memory starts at byte 0")
        _refuse(addresses % width != 0, addresses, f"is not a multiple of the access width, {width} bytes")
        _refuse(
            addresses > SHARED_BYTES - width, addresses, f"is beyond shared memory: a block has {SHARED_BYTES} bytes"
        )
        return cls(addresses.astype(np.int64, copy=False), width, kind, active)

    def merged(self) -> np.ndarray:
        """Which requests are served with phases in pairs (rule 3), shape (n,)."""
        if self.kind != "load" or PHASE_LANES[self.width] == WARP_LANES:
            return np.zeros(len(self.addresses), bool)
        lanes = np.arange(WARP_LANES)
        agree = [
            ((self.addresses == self.addresses[:, lanes ^ step]) | ~self.active | ~self.active[:, lanes ^ step]).all(
                axis=1
            )
            for step in MERGE_PARTNERS
        ]
        return np.any(agree, axis=0)

    def count(self) -> BankReports:
        """Wavefronts, ideal and, for cp.async.cg, lines of every request."""
        # An aligned vector covers whole groups of banks, so it counts as one thing in one group.
        size = max(self.width, WORD_BYTES)
        vectors = np.where(self.active, self.addresses // size, -1)
        wavefronts = np.empty(len(vectors), np.int64)
        ideal = np.empty(len(vectors), np.int64)
        merged = self.merged()
        for together in (False, True):
            chosen = merged == together
            if chosen.any():
                lanes = PHASE_LANES[self.width] * (2 if together else 1)
                phases = vectors[chosen].reshape(-1, lanes)
                shape = (-1, WARP_LANES // lanes)
                wavefronts[chosen] = self._turns(phases, LINE_BYTES // size).reshape(shape).sum(axis=1)
                ideal[chosen] = (phases >= 0).any(axis=1).reshape(shape).sum(axis=1)
        if cost_unit(self.kind) == "line":
            return BankReports(ideal, ideal, lines=wavefronts)
        return BankReports(wavefronts, ideal)

    def _turns(self, phases: np.ndarray, groups: int) -> np.ndarray:
        """What is done one after the other for each row of vectors: wavefronts, or lines for cp.async.cg."""
        if self.kind == "cp.async.cg":
            lines = np.sort(phases, axis=1) // groups
            return (lines >= 0).any(axis=1) + ((np.diff(lines, axis=1) > 0) & (lines[:, :-1] >= 0)).sum(axis=1)
        return _most_in_one_group(phases, groups, shared=self.kind not in UNSHARED_KINDS)

    def report(self, words: np.ndarray) -> BankReport:
        """The full report of the first request, whose lanes want `words` (32, k)."""
        merged = bool(self.merged()[0])
        step = PHASE_LANES[self.width] * (2 if merged else 1)
        active = self.active[0].tolist()
        phases = []
        for start in range(0, WARP_LANES, step):
            lanes = tuple(lane for lane in range(start, start + step) if active[lane])
            if lanes:
                phases.append(Phase(lanes, _demand(lanes, words), self.kind))
        return BankReport(self.kind, self.width, tuple(phases), merged)


def _checked(addresses, width, kind, active) -> _Requests:
    """One request, whose addresses are those of its first lanes."""
    lanes = integers("addresses", addresses, low=None)
    if lanes.ndim != 1 or not 1 <= len(lanes) <= WARP_LANES:
        raise ValueError(f"addresses must be a list of 1 to {WARP_LANES}, one a lane, not of shape {lanes.shape}")
    return _Requests.checked(_padded(lanes)[None], width, kind, _lanes_given(active, len(lanes)))


def _most_in_one_group(phases: np.ndarray, groups: int, shared: bool) -> np.ndarray:
    """Per row, the most values (>= 0) that are equal modulo `groups`; those of one value count once if `shared`."""
    ordered = np.sort(phases, axis=1)
    fresh = ordered >= 0
    if shared:
        fresh[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    cell = ordered % groups + groups * np.arange(len(ordered))[:, None]
    return np.bincount(cell[fresh], minlength=groups * len(ordered)).reshape(-1, groups).max(axis=1)


def _demand(lanes, words) -> dict[int, dict[int, tuple[int, ...]]]:
    demand: dict[int, dict[int, list[int]]] = {}
    wanted = words.tolist()
    for lane in lanes:
        for word in dict.fromkeys(wanted[lane]):
            demand.setdefault(word % BANKS, {}).setdefault(word, []).append(lane)
    return {bank: {word: tuple(who) for word, who in demand[bank].items()} for bank in sorted(demand)}


def _active(active, shape) -> np.ndarray:
    if active is None:
        return np.ones(shape, bool)
    active = np.asarray(active)
    if active.dtype != bool:
        raise TypeError(f"active must be booleans, one a lane, not {active.dtype}")
    if active.shape not in (shape, shape[1:]):
        raise ValueError(f"active must have the shape {shape} or {shape[1:]}, not {active.shape}")
    return np.broadcast_to(active, shape)


def _lanes_given(active, count: int) -> np.ndarray:
    """The (32,) mask of one request from `active`, which is as long as the addresses."""
    if active is None:
        return np.arange(WARP_LANES) < count
    active = np.asarray(active)
    if active.shape != (count,):
        raise ValueError(f"active must be {count} booleans, one for each address, not of shape {active.shape}")
    return _padded(active)


def _padded(lanes: np.ndarray) -> np.ndarray:
    return np.concatenate([lanes, np.zeros(WARP_LANES - len(lanes), lanes.dtype)])


def _check_matrix_lanes(kind: str, active: np.ndarray) -> None:
    count = active.sum(axis=1)
    first = np.arange(WARP_LANES) < count[:, None]
    wrong = ~np.isin(count, MATRIX_LANES) | (active != first).any(axis=1)
    if wrong.any():
        request = int(np.flatnonzero(wrong)[0])
        lanes = np.flatnonzero(active[request]).tolist()
        raise ValueError(
            f"{kind} takes its row addresses from the first 8, 16 or 32 lanes (x1, x2, x4), not from lanes {lanes}"
        )


def _refuse(wrong: np.ndarray, addresses: np.ndarray, rule: str) -> None:
    if wrong.any():
        request, lane = np.argwhere(wrong)[0]
        where = f"request {request}, lane {lane}" if len(addresses) > 1 else f"lane {lane}"
        raise ValueError(f"{where}: address {addresses[request, lane]} {rule}")
