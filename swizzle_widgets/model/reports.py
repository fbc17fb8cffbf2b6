"""What a request costs, as figures: phases, reports of one request and of many, and the instructions' names."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .checks import plural
from .hardware import BANKS, LINE_BYTES, MATRIX_KINDS, MATRIX_LANES, UNSHARED_KINDS, WORD_BYTES

# One bank's delivery in each bank that is busy: the word's number and the lanes that get it.
Deliveries = dict[int, tuple[int, tuple[int, ...]]]


@dataclass(frozen=True)
class Phase:
    """The lanes that are served together, and what each bank must deliver to them.

    Attributes
    ----------
    lanes : tuple of int
        The active lanes of the phase.
    words : dict
        words[bank][word] is the tuple of lanes that want that word; a word's number is its byte
        address divided by 4.
    kind : str
        The kind of the request.
    """

    lanes: tuple[int, ...]
    words: dict[int, dict[int, tuple[int, ...]]]
    kind: str = field(default="load", compare=False)

    @property
    def wavefronts(self) -> int:
        """The largest number of words that one bank must deliver; 1 for cp.async.cg, which knows no conflict."""
        if self.kind == "cp.async.cg":
            return 1
        if self.kind in UNSHARED_KINDS:
            return max(sum(map(len, words.values())) for words in self.words.values())
        return max(map(len, self.words.values()), default=0)

    @property
    def lines(self) -> int:
        """The number of 128-byte lines of shared memory that the lanes touch."""
        return len({word // BANKS for words in self.words.values() for word in words})

    @property
    def turns(self) -> list[Deliveries]:
        """What is done one after the other, a dict each: a wavefront, or for cp.async.cg a line."""
        if self.kind == "cp.async.cg":
            lines: dict[int, Deliveries] = {}
            for bank, words in self.words.items():
                for word, lanes in words.items():
                    lines.setdefault(word // BANKS, {})[bank] = (word, lanes)
            return [lines[line] for line in sorted(lines)]
        queues = {bank: self._queue(words) for bank, words in self.words.items()}
        return [
            {bank: queue[turn] for bank, queue in queues.items() if turn < len(queue)}
            for turn in range(self.wavefronts)
        ]

    def _queue(self, words: dict[int, tuple[int, ...]]) -> list[tuple[int, tuple[int, ...]]]:
        if self.kind in UNSHARED_KINDS:
            return [(word, (lane,)) for word, lanes in words.items() for lane in lanes]
        return list(words.items())


@dataclass(frozen=True, repr=False)
class BankReport:
    """What one warp-wide request costs, in the figures a profiler shows.

    Attributes
    ----------
    kind : str
        "load", "store", "ldmatrix", "stmatrix", "cp.async.cg", "cp.async.ca" or "atomic" (of 32 bits: add, max, exch).
    width : int
        Bytes a lane.
    phases : tuple of Phase
        In the order of their lanes, empty phases left out.
    merged : bool
        Whether neighboring phases were served as one (rule 3).
    """

    kind: str
    width: int
    phases: tuple[Phase, ...]
    merged: bool

    @property
    def wavefronts(self) -> int:
        """Trips to shared memory: the sum over the phases."""
        return sum(phase.wavefronts for phase in self.phases)

    @property
    def ideal(self) -> int:
        """The fewest wavefronts this request can take: one a phase."""
        return len(self.phases)

    @property
    def conflicts(self) -> int:
        """Wavefronts beyond the ideal; 0 for cp.async.cg."""
        return self.wavefronts - self.ideal

    @property
    def lines(self) -> int:
        """The 128-byte lines that the phases touch, summed: what cp.async.cg pays for."""
        return sum(phase.lines for phase in self.phases)

    @property
    def fewest_lines(self) -> int:
        """The fewest lines this request can touch: one a phase, whose lanes never hold more than 128 bytes."""
        return len(self.phases)

    @property
    def unit(self) -> str:
        """What the request is paid in: "line" for cp.async.cg, else "wavefront"."""
        return cost_unit(self.kind)

    @property
    def cost(self) -> int:
        """Lines for cp.async.cg, else wavefronts."""
        return self.lines if self.unit == "line" else self.wavefronts

    @property
    def least(self) -> int:
        """The least cost that this request can have."""
        return len(self.phases)

    @property
    def excess(self) -> int:
        """The cost beyond the least: the conflicts, or the lines that cp.async.cg could do without."""
        return self.cost - self.least

    @cached_property
    def words_per_bank(self) -> np.ndarray:
        """Words that each bank delivers, shape (phases, 32)."""
        counts = np.zeros((len(self.phases), BANKS), np.int64)
        for row, phase in zip(counts, self.phases):
            for turn in phase.turns:
                row[list(turn)] += 1
        return counts

    @cached_property
    def served(self) -> tuple[Deliveries, ...]:
        """One dict a wavefront (for cp.async.cg a line): served[i][bank] is (word, lanes), what goes where.

        The count of wavefronts is measured; the order within a phase is ours (by first lane), since
        no counter shows the hardware's.
        """
        return tuple(turn for phase in self.phases for turn in phase.turns)

    @property
    def instruction(self) -> str:
        """The instruction's name, such as LDS.128, ldmatrix.x4 or cp.async.cg.16."""
        return instruction_name(self.kind, self.width, sum(len(phase.lanes) for phase in self.phases))

    def __str__(self) -> str:
        if self.unit == "line":
            lines = plural(self.lines, f"line of {LINE_BYTES} bytes", f"lines of {LINE_BYTES} bytes")
            return f"{self.instruction}: {lines}, at least {self.fewest_lines}, no bank conflicts"
        return (
            f"{self.instruction}: {plural(self.wavefronts, 'wavefront')}, "
            f"ideal {self.ideal}, {plural(self.conflicts, 'conflict')}"
        )

    def explain(self) -> str:
        """Return the report in lines: which lanes meet in which bank on which words, phase by phase."""
        from .explain import explain_report

        return explain_report(self)

    def __repr__(self) -> str:
        return f"<BankReport: {self}>"


@dataclass(frozen=True)
class BankReports:
    """The costs of many requests.

    Attributes
    ----------
    wavefronts, ideal : int array, shape (n,)
    lines : int array, shape (n,), or None
        The 128-byte lines of cp.async.cg; None for other kinds.
    """

    wavefronts: np.ndarray
    ideal: np.ndarray
    lines: np.ndarray | None = None

    @property
    def conflicts(self) -> np.ndarray:
        """Wavefronts beyond the ideal."""
        return self.wavefronts - self.ideal

    @property
    def cost(self) -> np.ndarray:
        """Lines for cp.async.cg, else wavefronts."""
        return self.wavefronts if self.lines is None else self.lines

    @property
    def least(self) -> np.ndarray:
        """The least cost that each request can have: one a phase."""
        return self.ideal

    @property
    def excess(self) -> np.ndarray:
        """The cost beyond the least."""
        return self.cost - self.least

    def __len__(self) -> int:
        return len(self.wavefronts)


def cost_unit(kind: str) -> str:
    """Return what a request of this kind is paid in: "line" for cp.async.cg, else "wavefront"."""
    return "line" if kind == "cp.async.cg" else "wavefront"


def instruction_name(kind: str, width: int, lanes: int) -> str:
    """Return the instruction's name: LDS.U16, STS.128, ldmatrix.x4, cp.async.ca.8 ..."""
    if kind in MATRIX_KINDS:
        return f"{kind}.x{lanes // MATRIX_LANES[0]}"
    if kind.startswith("cp.async"):
        return f"{kind}.{width}"
    if kind == "atomic":
        return f"ATOMS.{8 * width}"
    return ("LDS." if kind == "load" else "STS.") + ("U" if width < WORD_BYTES else "") + str(8 * width)
