"""A profile's instructions on shared memory, the worst first, beside what a tile's accesses would cost."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ..measured.profile import COMMAND, SharedInstruction, beside, read_profile
from ..model.access_names import GRAMMAR
from ..model.checks import plural
from .check import Checked
from .texts import add_text_arguments, tile_of

HEADS = ("requests", "wavefronts", "ideal", "excess", "instruction (counts of one request)")


def run(arguments: Sequence[str]) -> int:
    """Print a profile and return the exit status: 1 if an instruction has more wavefronts than its ideal."""
    given = _parser().parse_args(arguments)
    checked = []
    if given.text is not None:
        tile = tile_of(given)
        checked = [Checked.of(name, tile) for name in given.access or ()]
    elif given.access:
        raise ValueError("--access needs the tile: give its --layout, too")
    rows = read_profile(given.file)
    print("\n".join(_lines(rows, checked)))
    return 1 if any(row.excess for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="swizzle-widgets profile",
        description=f"The instructions on shared memory, the worst first, in what this printed:\n  {COMMAND}\n"
        "Exit status: 0 no excess, 1 some, 2 not understood.",
        epilog=GRAMMAR,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the profile")
    add_text_arguments(parser, required=False)
    parser.add_argument("--access", action="append", metavar="NAME", help="what the model counts on the layout")
    return parser


def _lines(rows: list[SharedInstruction], checked: list[Checked]) -> list[str]:
    if not rows:
        return ["No instruction used shared memory."]
    lines = []
    order = list(dict.fromkeys(row.kernel for row in rows))
    for kernel, group in groupby(sorted(rows, key=lambda row: order.index(row.kernel)), key=lambda row: row.kernel):
        lines += ["", _short(kernel), f"{HEADS[0]:>10}  {HEADS[1]:>10}  {HEADS[2]:>7}  {HEADS[3]:>7}  {HEADS[4]}"]
        for row in group:
            wavefronts, ideal, excess = row.each
            lines.append(f"{row.requests:10}  {wavefronts:10.4g}  {ideal:7.4g}  {excess:7.4g}  {row.source}")
            lines += [f"{'model':>10}  {text}" for text in _model(row, checked)]
    excess = sum(row.excess for row in rows)
    least = sum(row.ideal for row in rows)
    lines += ["", f"{plural(excess, 'wavefront')} more than the ideal {least}, over all requests."]
    return lines[1:]


def _model(row: SharedInstruction, checked: list[Checked]) -> list[str]:
    """What the model says of the accesses that are this instruction, a request each on average."""
    lines = []
    for one in checked:
        if one.report is not None and beside(row, [one.report]):
            cost, least, excess = (
                count / one.report.requests for count in (one.report.cost, one.report.least, one.report.excess)
            )
            # cp.async.cg is paid in 128-byte lines, which no counter shows.
            unit = ", in lines of 128 bytes" if one.report.unit == "line" else ""
            lines.append(f"{cost:10.4g}  {least:7.4g}  {excess:7.4g}  {one.name}{unit}")
    return lines


def _short(kernel: str) -> str:
    """A kernel's name on one line: template arguments beyond a hundred characters are left out."""
    return kernel if len(kernel) <= 100 else f"{kernel[:97]}..."
