"""What was measured of requests: in memory, in a file, and held against the model."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..model.access import Access
from ..model.checks import plural
from .counters import COUNTERS
from .requests import FAMILIES, INSTRUCTION_NAMES, Requests
from .survey import survey

TOLERANCE_CYCLES = 0.5
# Cycles are stored in hundredths.
_CYCLE_STEPS = 100


@dataclass(frozen=True)
class Record:
    """Measured requests.

    Attributes
    ----------
    about : dict
        Device, driver, CUDA, date and what was measured how.
    requests : Requests
        Those that were timed and, where permitted, counted.
    cycles : float64 array (n,)
        Cycles per instruction; NaN where the GPU lacks the instruction.
    counts : dict
        Counter name (a key of COUNTERS) to an int64 array (n,); empty without permission.
    survey_size, survey_seed : int
        Many more requests, `survey(survey_size, survey_seed)`, were timed only; 0 for none.
    survey_cycles : float64 array
        Their cycles.
    """

    about: dict[str, Any]
    requests: Requests
    cycles: np.ndarray
    counts: dict[str, Any]
    survey_size: int = 0
    survey_seed: int = 0
    survey_cycles: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @cached_property
    def survey(self) -> Requests:
        """The requests of the survey, made anew.

        Raises
        ------
        RuntimeError
            If they are not those that were measured.
        """
        requests = survey(self.survey_size, self.survey_seed)
        if requests.digest() != self.about["survey_digest"]:
            raise RuntimeError("the survey's requests are no longer those that were measured: measure anew")
        return requests

    def find(self, request: Requests | Access) -> int | None:
        """Return the index of a request (or of the one that an access makes) among those recorded, or None."""
        request = Requests.of_access(request) if isinstance(request, Access) else request
        return self._places.get(_keys(request)[0])

    def answer(self, access: Access) -> str:
        """Return one line: what the model says of an access, and what the GPU did.

        Raises
        ------
        LookupError
            If the access was not recorded.
        """
        place = self.find(access)
        if place is None:
            raise LookupError(f"{access} on {access.tile} is not among the recorded requests: measure it")
        line = f"{access}: model {plural(access.report().wavefronts, 'wavefront')}"
        if self.counts:
            line += f", counted {self.wavefronts[place]}"
        return f"{line}, {self.cycles[place]:.1f} cycles"

    @cached_property
    def _places(self) -> dict[str, Any]:
        return {key: place for place, key in enumerate(_keys(self.requests))}

    @property
    def wavefronts(self) -> np.ndarray:
        """The wavefronts that were counted: the pipe's own of loads and stores, and of cp.async the instructions'.

        The pipe's counters by kind do not see cp.async. The counter over all instructions sees it,
        but not that loads share phases.
        """
        by_kind = self.counts["loads"] + self.counts["stores"]
        return np.where(self.requests.is_async, self.counts["instructions"], by_kind)

    def counter_disagreements(self) -> np.ndarray:
        """Return the indices of the requests whose counted wavefronts or conflicts differ from the model's."""
        if not self.counts:
            return np.zeros(0, np.int64)
        model = self.requests.model()
        wrong = (self.wavefronts != model.wavefronts) | (self.counts["conflicts"] != model.conflicts)
        return np.flatnonzero(wrong & self.requests.in_model)

    def save(self, path: Path) -> None:
        """Write the record as a compressed .npz."""
        np.savez_compressed(
            path,
            about=json.dumps(self.about | {"survey_size": self.survey_size, "survey_seed": self.survey_seed}),
            instruction=self.requests.instruction,
            family=self.requests.family,
            addresses=self.requests.addresses.astype(np.uint16),
            masks=self.requests.masks,
            sources=self.requests.sources.astype(np.uint16),
            cycles=_packed(self.cycles),
            survey_cycles=_packed(self.survey_cycles),
            **{f"count_{name}": values.astype(np.uint16) for name, values in self.counts.items()},
        )

    @classmethod
    def load(cls, path: Path) -> Record:
        """Read what `save` wrote."""
        with np.load(path) as data:
            about = json.loads(str(data["about"]))
            lanes = np.arange(32, dtype=np.uint32)
            requests = Requests(
                data["instruction"],
                data["family"],
                data["addresses"].astype(np.int32),
                (data["masks"][:, None] >> lanes & 1).astype(bool),
                data["sources"].astype(np.int32),
            )
            counts = {n: data[f"count_{n}"].astype(np.int64) for n in COUNTERS if f"count_{n}" in data}
            cycles, survey_cycles = _unpacked(data["cycles"]), _unpacked(data["survey_cycles"])
        return cls(about, requests, cycles, counts, about["survey_size"], about["survey_seed"], survey_cycles)

    def with_more(self, other: Record) -> Record:
        """Return this record with the requests of another behind its own; `about` and survey stay.

        Raises
        ------
        ValueError
            If the other is of another device, or has other counters.
        """
        if (self.about["device"], set(self.counts)) != (other.about["device"], set(other.counts)):
            raise ValueError(f"a record of {other.about['device']} does not continue one of {self.about['device']}")
        return replace(
            self,
            requests=Requests.joined([self.requests, other.requests]),
            cycles=np.concatenate([self.cycles, other.cycles]),
            counts={name: np.concatenate([values, other.counts[name]]) for name, values in self.counts.items()},
        )

    def report(self) -> str:
        """Return what was measured and where it differs from the model, in a few lines."""
        about = self.about
        lines = [f"{about['device']}, driver {about['driver']}, CUDA {about['cuda']}, {about['date']}"]
        if self.counts:
            known, wrong = int(self.requests.in_model.sum()), self.counter_disagreements()
            lines.append(f"counters: {len(self.requests)} launches, {known} in the model, {len(wrong)} disagree")
            lines += [f"  {self._described(place)}" for place in wrong[:20]]
        lines += _timing_lines("cycles", self.requests, self.cycles)
        if self.survey_size:
            lines += _timing_lines("cycles of the survey", self.survey, self.survey_cycles)
        return "\n".join(lines)

    def _described(self, place: int) -> str:
        model = self.requests[[place]].model()
        counts = ", ".join(f"{name} {values[place]}" for name, values in self.counts.items())
        name = INSTRUCTION_NAMES[self.requests.instruction[place]]
        return (
            f"{name} ({FAMILIES[self.requests.family[place]]}) at {self.requests.addresses[place].tolist()}: "
            f"model {model.wavefronts[0]} wavefronts, {model.conflicts[0]} conflicts; {counts}"
        )


@dataclass(frozen=True)
class Timing:
    """How the cycles of synchronous requests compare with the model.

    Attributes
    ----------
    within : float
        The share within half a cycle of the wavefronts.
    off, floored, open : int arrays
        Indices of those that are not; of these, those within half a cycle of the registers' own
        time (`Requests.least_cycles`), and the rest.
    timed : int
        How many were compared.
    """

    within: float
    off: np.ndarray
    floored: np.ndarray
    open: np.ndarray
    timed: int


def compare_cycles(requests: Requests, cycles: np.ndarray) -> Timing:
    """Compare measured cycles with the model's wavefronts; cp.async, which waits for memory, is left out."""
    chosen = np.flatnonzero(~requests.is_async & ~np.isnan(cycles))
    wavefronts = requests[chosen].model().wavefronts
    off = np.flatnonzero(np.abs(cycles[chosen] - wavefronts) > TOLERANCE_CYCLES)
    least = np.maximum(wavefronts[off], requests[chosen[off]].least_cycles())
    explained = np.abs(cycles[chosen[off]] - least) <= TOLERANCE_CYCLES
    share = 1 - len(off) / max(1, len(chosen))
    return Timing(share, chosen[off], chosen[off[explained]], chosen[off[~explained]], len(chosen))


def _timing_lines(what: str, requests: Requests, cycles: np.ndarray) -> list[str]:
    timing_ = compare_cycles(requests, cycles)
    lines = [
        f"{what}: {timing_.timed} requests, {timing_.within:.2%} within {TOLERANCE_CYCLES} of the wavefronts; of the "
        f"other {len(timing_.off)}, {len(timing_.floored)} wait for registers, {len(timing_.open)} are unexplained"
    ]
    for place in timing_.open[:20]:
        wavefronts = requests[[place]].model().wavefronts[0]
        lines.append(
            f"  {INSTRUCTION_NAMES[requests.instruction[place]]} ({FAMILIES[requests.family[place]]}): "
            f"{cycles[place]:.2f} cycles, {wavefronts} wavefronts, {requests.addresses[place].tolist()}"
        )
    return lines


def _keys(requests: Requests) -> list[bytes]:
    rows = np.column_stack([requests.instruction, requests.masks, requests.addresses, requests.sources])
    return [row.tobytes() for row in rows.astype(np.int64)]


def _packed(cycles: np.ndarray) -> np.ndarray:
    hundredths = np.round(np.nan_to_num(cycles * _CYCLE_STEPS, nan=65535))
    return hundredths.clip(max=65535).astype(np.uint16)


def _unpacked(hundredths: np.ndarray) -> np.ndarray:
    return np.where(hundredths == 65535, np.nan, hundredths / _CYCLE_STEPS)
