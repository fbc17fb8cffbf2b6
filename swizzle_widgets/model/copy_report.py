"""What a whole copy costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .access import Access
from .banks import BankReport, BankReports
from .checks import plural

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
    """

    access: Access
    where: str
    wavefronts: int
    ideal: int

    @property
    def conflicts(self) -> int:
        """Wavefronts beyond the ideal."""
        return self.wavefronts - self.ideal

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

    @cached_property
    def worst(self) -> CopyRequest:
        """The request with the most conflicts, the first of several; without any, the one of most wavefronts."""
        place = int(np.lexsort((-self.each.wavefronts, -self.each.conflicts))[0])
        wavefronts, ideal = (int(counts[place]) for counts in (self.each.wavefronts, self.each.ideal))
        return CopyRequest(self.copy.accesses[place], self.copy.where(place), wavefronts, ideal)

    def explain(self) -> str:
        """Return the costs as a table, the worst request phase by phase, and a swizzle that would do better."""
        from .explain import explain_copy

        return explain_copy(self)

    def __str__(self) -> str:
        text = (
            f"{plural(self.requests, 'request')} of {self.copy.instruction}: {plural(self.wavefronts, 'wavefront')}, "
            f"ideal {self.ideal}, {plural(self.conflicts, 'conflict')}"
        )
        if not self.conflicts:
            return text
        return f"{text}; the worst takes {self.worst.wavefronts} instead of {self.worst.ideal}: {self.worst.where}"

    def __repr__(self) -> str:
        return f"<CopyReport: {self}>"
