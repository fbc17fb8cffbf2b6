"""Whether what a page shows is what the model says: the picture's banks and bits, the verdicts, the error line."""

from __future__ import annotations

import json

from swizzle_widgets import Access, BankHeatmap, BitDiagram, ColumnRead, SwizzleLab, SwizzleRanking
from swizzle_widgets.model.banks import bank_of
from swizzle_widgets.model.checks import plural, whole
from swizzle_widgets.theme import BANK_TINTS

# A JavaScript function that reads a widget's card. The cells of a heatmap are read back from its canvas.
READ = (
    """(card) => {
  const colors = COLORS;
  const texts = (selector) => [...card.querySelectorAll(selector)].map((element) => element.textContent);
  function cells(grid) {
    const [canvas, svg] = [grid.querySelector('canvas'), grid.querySelector('svg')];
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const [cols, rows] = [svg.viewBox.baseVal.width / 14, svg.viewBox.baseVal.height / 17];
    // Left of a number and above it: the cell's own color.
    const at = (place, count, length) => Math.round(place * length / count) + (length > count ? 1 : 0);
    return Array.from({ length: rows * cols }, (_, cell) => {
      const pixel = 4 * (at(Math.floor(cell / cols), rows, height) * width + at(cell % cols, cols, width));
      return colors.indexOf('#' + [0, 1, 2].map((i) => data[pixel + i].toString(16).padStart(2, '0')).join(''));
    });
  }
  return {
    problems: texts('.swz-problem:not([hidden])'),
    stale: card.matches('.swz-stale') || card.querySelector('.swz-stale') !== null,
    live: texts('[aria-live]'),
    banks: [...card.querySelectorAll('.swz-grid')].filter((grid) => grid.offsetWidth).map(cells),
    bits: [...card.querySelectorAll('.swz-bit-row')].map((row) =>
      parseInt([...row.querySelectorAll(':scope > g text')].map((bit) => bit.textContent).join(''), 2)),
    towers: card.querySelectorAll('.swz-tower').length,
    height: card.offsetHeight,
  };
}"""
).replace("COLORS", json.dumps(BANK_TINTS))


def shown_by_python(widget, state: dict) -> dict | None:
    """Put `widget` into a state of the browser and return what the model says it shows; None if it refuses it."""
    try:
        widget.set_state(state)
        tile, shown = widget.tile, {}
        if isinstance(widget, (BankHeatmap, SwizzleLab)):
            shown["banks"] = [access.tile.banks.ravel().tolist() for access in widget.compared]
            shown["costs"] = ". ".join(access_sentence(access) for access in widget.compared)
        if isinstance(widget, (BitDiagram, SwizzleLab)):
            shown["move"] = move_sentence(widget)
            shown["bits"] = bit_rows(widget, tile)
        if isinstance(widget, ColumnRead):
            shown["tracks"] = [track_sentence(*track, widget.step, widget.last_step) for track in widget.tracks]
        if isinstance(widget, SwizzleRanking):
            shown["choice"] = choice_sentence(widget, tile)
        return shown
    except (TypeError, ValueError):
        return None


def access_sentence(access: Access) -> str:
    return access.refusal or f"{access.tile.swizzle_name}: {access.report()}"


def move_sentence(widget) -> str:
    place = "row {}, column {}".format(*widget.place) if widget.place else "no element of this tile"
    before, after = (
        f"{bits // 8}{f' bit {bits % 8}' if bits % 8 else ''} (bank {bank_of(bits // 8)})"
        for bits in widget.bit_addresses
    )
    return f"{place}: byte {before} goes to {after}"


def bit_rows(widget, tile) -> list[int]:
    """The numbers that the rows of bits show, from top to bottom; parts of an element smaller than a byte included."""
    before, after = (bits >> min(3, tile.element_bits.bit_length() - 1) for bits in widget.bit_addresses)
    base = tile.base_address if tile.anchor == "offset" else 0
    added = 8 * base >> min(3, tile.element_bits.bit_length() - 1)
    return [before, before - added, after - added, after] if added else [before, after]


def track_sentence(label: str, outcome, step: int, last: int) -> str:
    """What the track's reading begins with."""
    if isinstance(outcome, str):
        return f"{label}: cannot be done, {outcome}"
    report, step = outcome.report(), min(step, last)
    if step == 0 < report.wavefronts:
        return f"{label}: wavefront 0, "
    if step < report.wavefronts:
        return f"{label}: wavefront {step} of {report.wavefronts}, phase"
    counts = f"{plural(report.wavefronts, 'wavefront')}, ideal {report.ideal}, {plural(report.conflicts, 'conflict')}"
    return f"{label}: done after {report.wavefronts}, {counts}"


def choice_sentence(widget: SwizzleRanking, tile) -> str:
    """The verdict that the state holds of the swizzle shown; a state that is no search is refused."""
    whole("ideal", widget.ideal, 0, 2**53 - 1)
    verdicts = {}
    for bits, base, shift, wavefronts, verdict in _rows(widget.ways):
        if not all(type(number) is int for number in (bits, base, shift, wavefronts)) or not isinstance(verdict, str):
            raise TypeError(f"no way: {verdict!r}")
        verdicts[bits, base, shift] = verdict
    for fields, verdict in _rows(widget.best):
        if not isinstance(verdict, str) or (fields is not None and tuple(fields) not in verdicts):
            raise ValueError(f"no best way: {fields!r}")
    swizzle = tile.swizzle
    base = swizzle.base - (tile.element_bits // 8).bit_length() + 1 if widget.unit == "byte" else swizzle.base
    fields = (swizzle.bits, base, swizzle.shift) if swizzle.bits else (0, 0, 0)
    return verdicts.get(fields, f"{swizzle} lies beyond the tile or has too many bits.")


def _rows(value) -> list[list]:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise TypeError(f"no list of lists: {value!r}")
    return value


def agree(note: dict, shown: dict | None) -> None:
    """Assert that the page (what READ returned) shows what Python says, or an error if Python refuses the state."""
    assert note["height"] > 100
    if shown is None:
        assert note["problems"]
        assert all(note["problems"])
        assert note["stale"]
        return
    assert not note["problems"]
    assert not note["stale"]
    live = " | ".join(note["live"])
    for part in ("costs", "move", "choice"):
        assert shown.get(part, "") in live
    assert all(text in live for text in shown.get("tracks", []))
    assert note["banks"] == shown.get("banks", [])
    assert note["towers"] == len(shown.get("tracks", []))
    assert note["bits"] == shown.get("bits", [])
