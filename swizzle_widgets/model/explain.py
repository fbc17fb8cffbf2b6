"""Reports in words: which lanes meet in which bank on which words, phase by phase, and what would do better."""

from __future__ import annotations

import textwrap
from itertools import groupby
from typing import Any

from .access import Access
from .better import better_candidate, moved, report_of
from .checks import plural
from .copy_report import CopyReport
from .hardware import BANKS, UNSHARED_KINDS
from .reports import BankReport, Phase

LINE_LENGTH = 100
# So many groups of banks are written out for a phase.
GROUPS = 2
NOTHING_BETTER = "No swizzle and no padding does better."


def explain_report(report: BankReport, places: list[str] | None = None) -> str:
    """Return what a request costs: one line, then for each phase what its busiest banks have to deliver.

    Parameters
    ----------
    report : BankReport
    places : list of str, optional
        For each of the 32 lanes what it wants, such as "(3,0)"; shown behind the lane.

    Returns
    -------
    str
        Lines of at most 100 characters.
    """
    lines = [f"{report}."]
    if report.merged:
        lines.append("Pairs of lanes want the same address, so two neighboring phases are served as one.")
    count = len(report.phases)
    if report.unit == "line":
        return "\n".join(
            lines
            + [
                line
                for number, phase in enumerate(report.phases, 1)
                for line in _wrapped(_written(phase, f"Phase {number} of {count}"))
            ]
        )
    numbered = enumerate(report.phases, 1)
    for quiet, group in groupby(numbered, key=lambda pair: pair[1].wavefronts == 1):
        if quiet:
            some = list(group)
            numbers = [number for number, _ in some]
            several, each = f"Phase {numbers[0]}", "1 wavefront"
            if len(numbers) > 1:
                several, each = f"Phases {numbers[0]} to {numbers[-1]}", "1 wavefront each"
            lanes = _ranges([lane for _, phase in some for lane in phase.lanes])
            lines += _wrapped(f"{several} of {count}, lanes {lanes}: {each}, no bank has two words to deliver.")
        else:
            for number, phase in group:
                lines += _busy(phase, f"Phase {number} of {count}", places)
    return "\n".join(lines)


def explain_access(access: Access) -> str:
    """Return the request on its tile, what it costs or why no instruction can do it, and what would do better."""
    lines = _wrapped(f"{access} on the {access.tile}.")
    if access.refusal:
        lines += _wrapped(f"{access.refusal}.")
    else:
        report = access.report()
        lines.append(explain_report(report, _places(access)))
        if not report.excess:
            return "\n".join(lines)
    return "\n".join([*lines, *_wrapped(_better_for(access))])


def explain_copy(report: CopyReport) -> str:
    """Return the requests of a copy by what they cost, the worst of them phase by phase, and what would do better."""
    copy, each = report.copy, report.each
    lines = _wrapped(f"{copy}:") + _wrapped(f"{report}.")
    costs: dict[tuple[int, int], list[int]] = {}
    for place, cost in enumerate(zip(each.cost.tolist(), each.least.tolist())):
        costs.setdefault(cost, []).append(place)
    heads = (
        ("lines each", "at least", "excess")
        if report.unit == "line"
        else ("wavefronts each", "ideal each", "conflicts")
    )
    lines.append(f"requests  {heads[0]:>15}  {heads[1]:>10}  {heads[2]:>9}  first of them")
    for (cost, least), places in sorted(costs.items(), key=lambda item: item[0][1] - item[0][0]):
        excess = (cost - least) * len(places)
        lines.append(f"{len(places):8}{cost:17}{least:12}{excess:11}  {copy.where(places[0])}")
    if not report.excess:
        return "\n".join(lines)
    worst = report.worst.access
    lines += [*_wrapped(f"The worst, {worst}:"), explain_report(worst.report(), _places(worst))]
    return "\n".join([*lines, *_wrapped(_better_for_copy(report))])


def _better_for(access: Access) -> str:
    best = better_candidate([access])
    return NOTHING_BETTER if best is None else f"Better: {best.verdict}"


def _better_for_copy(report: CopyReport) -> str:
    best = better_candidate([report.copy])
    counted = None if best is None else report_of(moved(report.copy, best))
    if best is None or counted is None:
        return NOTHING_BETTER
    least = "at least" if counted.unit == "line" else "ideal"
    cost = plural(counted.cost, counted.unit)
    return f"Better: {best.name}. The whole copy then takes {cost}, {least} {counted.least}."


def _written(phase: Phase, name: str) -> str:
    """The 128-byte lines that a phase of cp.async.cg writes, and by which lanes."""
    parts = []
    for turn in phase.turns:
        line = next(iter(turn.values()))[0] // BANKS
        parts.append(f"line {line} by {_lanes(tuple({lane for _, lanes in turn.values() for lane in lanes}), None)}")
    return f"{name}, lanes {_ranges(phase.lanes)}: {', '.join(parts)}."


def _busy(phase: Phase, name: str, places: list[str] | None) -> list[str]:
    """The lines of a phase that takes more than one wavefront."""
    lines = _wrapped(f"{name}, lanes {_ranges(phase.lanes)}: {plural(phase.wavefronts, 'wavefront')} instead of 1.")
    # Banks whose words go to the same lanes say the same thing.
    alike: dict[tuple[Any, ...], list[int]] = {}
    for bank, words in phase.words.items():
        if _deliveries(phase, words) == phase.wavefronts:
            alike.setdefault(tuple(words.values()), []).append(bank)
    groups = list(alike.values())
    for banks in groups[:GROUPS]:
        words = phase.words[banks[0]]
        shown = ", ".join(f"{word} for {_lanes(lanes, places)}" for word, lanes in words.items())
        if len(banks) == 1:
            text = f"Bank {banks[0]} has {phase.wavefronts} words to deliver, one a wavefront: {shown}."
        else:
            text = f"Banks {_ranges(banks)} have {phase.wavefronts} words each to deliver; bank {banks[0]}: {shown}."
        lines += _wrapped(text, "  ")
    left = sum(map(len, groups[GROUPS:]))
    return lines + ([f"  {plural(left, 'more bank')} {'is' if left == 1 else 'are'} as busy."] if left else [])


def _deliveries(phase: Phase, words: dict[int, tuple[int, ...]]) -> int:
    """How many words a bank delivers: one for each lane of cp.async.ca and of atomics, which share none."""
    return sum(map(len, words.values())) if phase.kind in UNSHARED_KINDS else len(words)


def _lanes(lanes: tuple[int, ...], places: list[str] | None) -> str:
    if len(lanes) == 1:
        return f"lane {lanes[0]}" + (f" at {places[lanes[0]]}" if places else "")
    return f"lanes {_ranges(lanes)}"


def _ranges(numbers) -> str:
    """Numbers in words: "0-7, 16-23", "0, 2, 5-6"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)


def _places(access: Access) -> list[str] | None:
    """The element of each lane; None if a lane's offset is no element of the tile."""
    try:
        rows, cols = access.coordinates
    except ValueError:
        return None
    return [f"({row},{col})" for row, col in zip(rows.tolist(), cols.tolist())]


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, LINE_LENGTH, initial_indent=indent, subsequent_indent=indent + "  ")
