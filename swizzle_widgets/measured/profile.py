"""What Nsight Compute counted for each instruction on shared memory, read from its per-instruction page.

ncu --section SourceCounters --page source --csv --print-source sass ./program > profile.csv
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model.copy_report import CopyReport
from ..model.hardware import MATRIX_LANES

COMMAND = "ncu --section SourceCounters --page source --csv --print-source sass"
KERNEL = "Kernel Name"
SOURCE, REQUESTS, SIZE = "Source", "Instructions Executed", "Access Size"
WAVEFRONTS, IDEAL, EXCESS = "L1 Wavefronts Shared", "L1 Wavefronts Shared Ideal", "L1 Wavefronts Shared Excessive"
COLUMNS = (SOURCE, REQUESTS, SIZE, WAVEFRONTS, IDEAL, EXCESS)
# What the instruction does, by its name in SASS; .BYPASS is cp.async.cg, which does not stop in L1.
_KINDS = {
    "LDS": "load", "LD": "load", "STS": "store", "ST": "store", "LDSM": "ldmatrix", "STSM": "stmatrix",
    "LDGSTS": "cp.async.ca", "ATOMS": "atomic",
}  # fmt: skip


@dataclass(frozen=True)
class SharedInstruction:
    """One instruction of a kernel that uses shared memory, and what was counted for it.

    Attributes
    ----------
    kernel : str
        The kernel's name.
    source : str
        The instruction in SASS.
    requests : int
        How often a warp executed it.
    width : int
        Bytes a lane; 0 where the profiler does not say.
    wavefronts, ideal, excess : int
        The profiler's "L1 Wavefronts Shared", "... Ideal" and "... Excessive", over all requests.
    """

    kernel: str
    source: str
    requests: int
    width: int
    wavefronts: int
    ideal: int
    excess: int

    @property
    def opcode(self) -> str:
        """The instruction's name without its predicate and operands, such as LDSM.16.M88.4."""
        return re.sub(r"^@\S+\s+", "", self.source).split()[0]

    @property
    def kind(self) -> str | None:
        """The kind as an Access has it; None for what the model does not know (HGMMA)."""
        kind = _KINDS.get(self.opcode.split(".")[0])
        return "cp.async.cg" if kind == "cp.async.ca" and ".BYPASS" in self.opcode else kind

    @property
    def matrices(self) -> int:
        """The matrices of LDSM and STSM; 0 for others."""
        return int(self.opcode.rsplit(".", 1)[1]) if self.opcode.startswith(("LDSM", "STSM")) else 0

    @property
    def each(self) -> tuple[float, float, float]:
        """Wavefronts, ideal and excess of one request, on average."""
        return self.wavefronts / self.requests, self.ideal / self.requests, self.excess / self.requests

    def does(self, report: CopyReport) -> bool:
        """Whether a copy consists of this instruction: of its kind, width and number of matrices."""
        copy = report.copy
        if (copy.kind, copy.width) != (self.kind, self.width):
            return False
        return not self.matrices or int(copy.requests.active[0].sum()) == MATRIX_LANES[0] * self.matrices

    def __str__(self) -> str:
        wavefronts, ideal, excess = self.each
        return f"{self.source}: {wavefronts:g} wavefronts a request, ideal {ideal:g}, excess {excess:g}"


def read_profile(path: str | Path) -> list[SharedInstruction]:
    """Return the instructions of a profile that used shared memory, the worst (the largest excess) first.

    Parameters
    ----------
    path : str or Path
        What `ncu --section SourceCounters --page source --csv --print-source sass` printed.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        As `parse_profile`.
    """
    return parse_profile(Path(path).read_text(encoding="utf-8"))


def parse_profile(text: str) -> list[SharedInstruction]:
    """Return what `read_profile` does from the text itself.

    What stands before and between the tables is passed over. Nsight Compute prints the table of a launch twice:
    one that repeats the table before it counts once.

    Raises
    ------
    ValueError
        If there is no per-instruction table, a column is missing, or a line is not as its head says.
    """
    rows, before = [], None
    for kernel, head, lines in _tables(text):
        table = (kernel, head, [cells for _, cells in lines])
        if table != before:
            rows += _shared(kernel, head, lines)
        before = table
    if before is None:
        raise ValueError(f"there is no per-instruction table in it: print one with {COMMAND}")
    return sorted(rows, key=lambda row: (-row.excess, -row.wavefronts))


def _tables(text: str) -> Iterator[tuple[str, list[str], list[tuple[int, list[str]]]]]:
    """The tables as (kernel, head, [(line, cells)])."""
    kernel: str | None = None
    head: list[str] | None = None
    lines: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text))
    for cells in reader:
        if cells[:1] == [KERNEL]:
            if kernel is not None and head is not None:
                yield kernel, head, lines
            kernel, head, lines = cells[1] if len(cells) > 1 else "", None, []
        elif kernel is not None and head is None and SOURCE in cells:
            head = cells
        elif head is not None and len(cells) > 1:
            lines.append((reader.line_num, cells))
    if kernel is not None and head is not None:
        yield kernel, head, lines


def _shared(kernel: str, head: list[str], lines: list[tuple[int, list[str]]]) -> list[SharedInstruction]:
    missing = [column for column in COLUMNS if column not in head]
    if missing:
        raise ValueError(f"the table of {kernel} has no column {missing[0]!r}: print it with {COMMAND}")
    rows = []
    for number, cells in lines:
        if len(cells) != len(head):
            raise ValueError(f"line {number} has {len(cells)} fields, but the head of its table has {len(head)}")
        row = dict(zip(head, cells))
        counts = [_count(number, column, row[column]) for column in (REQUESTS, SIZE, WAVEFRONTS, IDEAL, EXCESS)]
        requests, bits, wavefronts, ideal, excess = counts
        if requests and wavefronts:
            rows.append(SharedInstruction(kernel, row[SOURCE].strip(), requests, bits // 8, wavefronts, ideal, excess))
    return rows


def _count(line: int, column: str, text: str) -> int:
    """A count; the profiler leaves a field empty, or a dash, where there is none."""
    plain = text.replace(",", "").strip()
    if plain in ("", "-"):
        return 0
    if not plain.isdecimal():
        raise ValueError(f"line {line}: {column} = {text!r} is no count")
    return int(plain)


def beside(row: SharedInstruction, reports: Sequence[CopyReport]) -> list[CopyReport]:
    """Return the copies that consist of the row's instruction, so that their cost can stand beside it."""
    return [report for report in reports if row.does(report)]
