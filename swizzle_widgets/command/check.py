"""What accesses cost on a printed layout: a table, a verdict, a better swizzle; or the same as JSON."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model.access_names import GRAMMAR, read_access, usual
from ..model.better import better_candidate, moved, report_of
from ..model.candidates import Candidate
from ..model.checks import plural
from ..model.copy import TiledCopy
from ..model.copy_report import CopyReport
from ..model.explain import NOTHING_BETTER
from ..model.hardware import LINE_BYTES
from ..model.reports import BankReport
from ..model.tile import Tile
from .flags import in_flags
from .lines import WIDTH, wrapped
from .texts import add_text_arguments, stage_of, tile_of

# What the columns count: cp.async.cg is paid in lines, in which there is no conflict.
HEADS = {
    "wavefront": ("requests", "wavefronts", "ideal", "conflicts", "instruction", "access"),
    "line": ("requests", "lines", "fewest", "extra", "instruction", "access"),
}


@dataclass(frozen=True)
class Checked:
    """One access over the whole tile: its copy and report, or why no instruction can do it."""

    name: str
    copy: TiledCopy | None
    report: CopyReport | None
    refused: str = ""

    @classmethod
    def of(cls, name: str, tile: Tile) -> Checked:
        """Count the named access on a tile."""
        make = read_access(name).make
        copy = None
        try:
            copy = make([tile])
            return cls(name, copy, copy.report())
        except ValueError as problem:
            return cls(name, copy, None, in_flags(str(problem)))

    @property
    def clean(self) -> bool:
        """Whether an instruction can do it without a conflict."""
        return self.report is not None and not self.report.conflicts

    @property
    def as_json(self) -> dict[str, Any]:
        """The counts as `--json` shows them; "lines" stands where the access is paid in them."""
        if self.report is None:
            return {"access": self.name, "refused": self.refused, "total": None, "worst": None}
        worst = self.report.worst
        total = {name: getattr(self.report, name) for name in ("requests", "wavefronts", "ideal", "conflicts")}
        each = {name: getattr(worst, name) for name in ("wavefronts", "ideal", "conflicts", "where")}
        lines = {"lines": {"touched": self.report.cost, "fewest": self.report.least}}
        return {"access": self.name, "total": total, "worst": each, **(lines if self.report.unit == "line" else {})}


def run(arguments: Sequence[str]) -> int:
    """Check a layout and return the exit status."""
    given = _parser().parse_args(arguments)
    tile, stage = tile_of(given), stage_of(given)
    names = given.access or usual(tile)
    for name in names:
        read_access(name)
    checked = [Checked.of(name, tile) for name in names]
    if given.json:
        said = {"tile": str(tile), **(dict(zip(("stage", "stages"), stage)) if stage else {})}
        print(json.dumps({**said, "accesses": [one.as_json for one in checked]}, indent=2))
    else:
        which = f", stage {stage[0]} (0 to {stage[1] - 1})" if stage else ""
        print("\n".join(_lines(f"{tile}{which}", checked, given.explain)))
    if given.picture:
        _draw(checked, given.picture)
    return 0 if all(one.clean for one in checked) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="swizzle-widgets",
        description="What accesses cost on a layout as CuTe or Triton print it.\n"
        "Exit status: 0 clean, 1 conflicts or an instruction that cannot do it, 2 not understood.\n"
        "cp.async.cg has no bank conflicts; it is paid in lines of 128 bytes, which are counted apart.\n"
        "Lines that it could do without are said, but leave the status 0.",
        epilog=f"{GRAMMAR}\nswizzle-widgets course DIR    writes the course's notebooks\n"
        "swizzle-widgets profile FILE  reads what Nsight Compute counted for each instruction",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_text_arguments(parser)
    parser.add_argument("--access", action="append", metavar="NAME", help="what is read or written; may be repeated")
    parser.add_argument("--explain", action="store_true", help="show which lanes meet in which bank on which words")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument("--picture", metavar="FILE.png", type=Path, help="draw the worst request of each access")
    return parser


def _lines(header: str, checked: list[Checked], explain: bool) -> list[str]:
    lines = [*wrapped(header), "", *_tables(checked)]
    remarks = [text for one in checked for text in _remarks(one, explain)]
    lines += [*remarks, ""] if remarks else []
    if all(one.clean for one in checked):
        return [*lines, _clean(checked)]
    conflicts = sum(one.report.conflicts for one in checked if one.report is not None)
    verdict = [plural(conflicts, "conflict")] if conflicts else []
    for what, names in (
        ("no instruction can do", [one.name for one in checked if one.report is None and one.copy is not None]),
        ("the tile does not fit", [one.name for one in checked if one.copy is None]),
    ):
        verdict += [f"{what} {', '.join(names)}"] if names else []
    text = "; ".join(verdict)
    return [*lines, *wrapped(f"{text[0].upper()}{text[1:]}."), *_better(checked)]


def _clean(checked: list[Checked]) -> str:
    """The verdict where there is no conflict; lines that cp.async.cg could do without are not clean, but time."""
    reports = [one.report for one in checked if one.report is not None]
    if extra := sum(report.excess for report in reports):
        return f"No bank conflicts, but {plural(extra, 'line')} more than needed."
    units = sorted({report.unit for report in reports}, reverse=True)
    return f"Clean: every access takes its fewest {' or '.join(f'{unit}s' for unit in units)}."


def _tables(checked: list[Checked]) -> list[str]:
    """The accesses that are paid in wavefronts, and then those in lines of 128 bytes."""
    lines = []
    for unit, heads in HEADS.items():
        reports = {one.name: one.report for one in checked if one.report is not None and one.report.unit == unit}
        lines += _table(heads, reports)
    return lines


def _table(heads: tuple[str, ...], reports: dict[str, CopyReport]) -> list[str]:
    if not reports:
        return []
    rows = [heads]
    for name, report in reports.items():
        counts = (report.requests, report.cost, report.least, report.excess)
        rows.append((*map(str, counts), report.copy.instruction, name))
    widths = [max(len(row[place]) for row in rows) for place in range(len(heads) - 1)]
    # Where both tables stand, their columns stand below each other.
    widths = [max(width, len(head)) for width, head in zip(widths, HEADS["wavefront"])]
    lines = []
    for row in rows:
        numbers = [text.rjust(width) for text, width in zip(row[:4], widths)]
        lines.append("  ".join([*numbers, row[4].ljust(widths[4]), row[5]]))
    return [*lines, ""]


def _remarks(one: Checked, explain: bool) -> list[str]:
    """Where the worst request of an access stands, or why it does not fit or no instruction can do it."""
    if one.report is None:
        what = "does not fit the tile" if one.copy is None else "cannot be done"
        return wrapped(f"{one.name} {what}: {one.refused}.")
    if not one.report.excess:
        return []
    if explain:
        return [f"{one.name}:", one.report.explain()]
    if one.report.unit == "line":
        text = f"{one.name} writes {one.report.cost} lines of {LINE_BYTES} bytes where {one.report.least} would do"
        return wrapped(f"{text}: no bank conflict, but time.")
    worst = one.report.worst
    text = f"The worst of {one.name} takes {worst.wavefronts} wavefronts instead of {worst.ideal}"
    return wrapped(f"{text}: {worst.where}.")


def _better(checked: list[Checked]) -> list[str]:
    """A better way to store the tile for all accesses that fit on it, and what they cost then."""
    copies = {one.name: one.copy for one in checked if one.copy is not None}
    if all(one.clean for one in checked if one.copy is not None):
        return []
    best = better_candidate(list(copies.values()))
    if best is None:
        return [NOTHING_BETTER]
    then = {name: report_of(moved(copy, best)) for name, copy in copies.items()}
    return [*wrapped(f"Better: {best.name}: {_cost(then)}."), *_code(best)]


def _cost(reports: dict[str, BankReport | CopyReport | None]) -> str:
    """The sums in words: "256 wavefronts and 128 lines, the ideal"."""
    done = [report for report in reports.values() if report is not None]
    sums = {unit: sum(report.cost for report in done if report.unit == unit) for unit in ("wavefront", "line")}
    excess = sum(report.excess for report in done)
    cost = " and ".join(plural(count, unit) for unit, count in sums.items() if count)
    rest = ", ".join(name for name, report in reports.items() if report is None)
    left = f" ({rest} still cannot be done)" if rest else ""
    return f"{cost}, {f'{excess} more than the ideal' if excess else 'the ideal'}{left}"


def _code(best: Candidate) -> list[str]:
    """The layout in C++ and in the CuTe DSL; nothing for a table, which is no CuTe layout."""
    try:
        return [line for code in (best.cpp, best.dsl) for line in _folded(code)]
    except ValueError:
        return []


def _folded(code: str) -> list[str]:
    """An expression on lines of a terminal, which may be pasted as they are: it is cut behind commas."""
    return textwrap.wrap(
        code, WIDTH, initial_indent="  ", subsequent_indent="      ", break_long_words=False, break_on_hyphens=False
    )


def _draw(checked: list[Checked], path: Path) -> None:
    """The banks that the worst requests meet in, as a PNG."""
    from .. import figures

    worst = {one.name: one.report.worst.access for one in checked if one.report is not None}
    if not worst:
        raise ValueError("there is no request to draw: no instruction can do these accesses")
    figures.column_read(list(worst.values()), list(worst)).savefig(path)
    print(f"wrote {path}", file=sys.stderr)
