"""What a whole copy costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .access import Access
from .checks import plural
from .hardware import LINE_BYTES
from .reports import BankReport, BankReports

if TYPE_CHECKING:
    from .copy import TiledCopy


@dataclass(frozen=True, eq=False)
class CopyRequest:
    """One request of a copy and its cost.

    Attributes
    ----------
    access : Access
    where : str
        Where it stands in the copy.
    wavefronts, ideal : int
    cost, least : int
        Lines for cp.async.cg, else the wavefronts and the ideal.
    """

    access: Access
    where: str
    wavefronts: int
    ideal: int
    cost: int
    least: int

    @property
    def conflicts(self) -> int:
        """Wavefronts beyond the ideal."""
        return self.wavefronts - self.ideal

    @property
    def excess(self) -> int:
        """The cost beyond the least: the conflicts, or the lines that cp.async.cg could do without."""
        return self.cost - self.least

    @property
    def report(self) -> BankReport:
        """The full report of the request."""
        return self.access.report()


@dataclass(frozen=True, eq=False, repr=False)
class CopyReport:
    """What a whole copy costs: the sums over all requests, and the worst of them.

    Attributes
    ----------
    copy : TiledCopy
    each : BankReports
        Wavefronts and ideal of every request, in the order of `copy.accesses`.
    """

    copy: TiledCopy
    each: BankReports

    @property
    def requests(self) -> int:
        """How many requests the warps make."""
        return len(self.each)

    @property
    def wavefronts(self) -> int:
        """Trips to shared memory, over all requests."""
        return int(self.each.wavefronts.sum())

    @property
    def ideal(self) -> int:
        """The fewest wavefronts that these requests can take."""
        return int(self.each.ideal.sum())

    @property
    def conflicts(self) -> int:
        """Wavefronts beyond the ideal."""
        return self.wavefronts - self.ideal

    @property
    def unit(self) -> str:
        """What the copy is paid in: "line" for cp.async.cg, else "wavefront"."""
        return "wavefront" if self.each.lines is None else "line"

    @property
    def cost(self) -> int:
        """Lines for cp.async.cg, else wavefronts, over all requests."""
        return int(self.each.cost.sum())

    @property
    def least(self) -> int:
        """The least cost that these requests can have."""
        return int(self.each.least.sum())

    @property
    def excess(self) -> int:
        """The cost beyond the least: the conflicts, or the lines that cp.async.cg could do without."""
        return self.cost - self.least

    @cached_property
    def worst_place(self) -> int:
        """The place of the worst request in `copy.accesses`."""
        return int(np.lexsort((-self.each.cost, -self.each.excess))[0])

    @cached_property
    def worst(self) -> CopyRequest:
        """The request with the most excess, the first of several; without any, the one that costs most."""
        each, place = self.each, self.worst_place
        counts = (int(array[place]) for array in (each.wavefronts, each.ideal, each.cost, each.least))
        return CopyRequest(self.copy.accesses[place], self.copy.where(place), *counts)

    def explain(self) -> str:
        """Return the costs as a table, the worst request phase by phase, and a swizzle that would do better."""
        from .explain import explain_copy

        return explain_copy(self)

    def __str__(self) -> str:
        text = f"{plural(self.requests, 'request')} of {self.copy.instruction}: "
        if self.unit == "line":
            lines = plural(self.cost, f"line of {LINE_BYTES} bytes", f"lines of {LINE_BYTES} bytes")
            text += f"{lines}, at least {self.least}, no bank conflicts"
        else:
            text += f"{plural(self.cost, 'wavefront')}, ideal {self.least}, {plural(self.conflicts, 'conflict')}"
        if not self.excess:
            return text
        return f"{text}; the worst takes {self.worst.cost} instead of {self.worst.least}: {self.worst.where}"

    def __repr__(self) -> str:
        return f"<CopyReport: {self}>"
