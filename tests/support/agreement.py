"""Whether what a page shows is what the model says: the pictures item by item, the verdicts, the error line."""

from __future__ import annotations

from swizzle_widgets import Access, BankHeatmap, BitDiagram, ColumnRead, Swizzle, SwizzleLab, SwizzleRanking
from swizzle_widgets.figures.bank_heatmap import tiles_scene
from swizzle_widgets.figures.bit_diagram import bits_scene
from swizzle_widgets.figures.column_read import times_scene, track_of
from swizzle_widgets.figures.lab import lab_bits_scene, lab_scene
from swizzle_widgets.figures.measures import TALLEST_LIVE
from swizzle_widgets.model.banks import bank_of
from swizzle_widgets.model.checks import plural, whole
from swizzle_widgets.widgets.wire import spec_tile
from tests.support.scenes import in_python, rounded

# A JavaScript function that reads a widget's card: its words, and the scenes that its canvases show.
READ = """(card) => {
  const texts = (selector) => [...card.querySelectorAll(selector)].map((element) => element.textContent);
  return {
    problems: texts('.swz-problem:not([hidden])'),
    stale: card.matches('.swz-stale') || card.querySelector('.swz-stale') !== null,
    live: texts('[aria-live]'),
    scenes: [...card.querySelectorAll('.swz-scene')]
      .filter((stage) => stage.offsetWidth && !stage.closest('.swz-ways, .swz-map'))
      .map((stage) => stage.swzScene()),
    height: card.offsetHeight,
  };
}"""


def shown_by_python(widget, state: dict) -> dict | None:
    """Put `widget` into a state of the browser and return what the model says it shows; None if it refuses it."""
    try:
        others = _variants(state.get("variants", []))
        widget.set_state(state)
        if "variants" in state:
            # A page shows the tracks that it was sent; Python has made its own.
            widget._others = others
        if widget.problem:
            return None
        tile, shown = widget.tile, {}
        shown["scenes"] = scenes_of(widget, tile, state.get("numbers", "lanes"))
        if isinstance(widget, BankHeatmap):
            shown["costs"] = ". ".join(access_sentence(access) for access in widget.compared)
        if isinstance(widget, BitDiagram):
            shown["move"] = move_sentence(widget)
        if isinstance(widget, ColumnRead):
            shown["tracks"] = [track_sentence(*track, widget.step) for track in tracks_of(widget)]
        if isinstance(widget, SwizzleRanking):
            shown["choice"] = choice_sentence(widget, tile)
        return shown
    except (KeyError, TypeError, ValueError):
        return None


def _variants(items) -> list[tuple]:
    """The other tracks that a page was sent, as Python holds its own; what the page refuses is refused."""
    found = []
    for item in _listed(items):
        if (
            not isinstance(item, dict)
            or set(item) != {"label", "tile", "swizzle"}
            or not isinstance(item["label"], str)
        ):
            raise TypeError(f"no variant: {item!r}")
        tile, swizzle = spec_tile(item["tile"]), item["swizzle"]
        if swizzle is not None:
            fields = Swizzle(swizzle["bits"], swizzle["base"], swizzle["shift"])
            tile = tile.with_swizzle(fields, swizzle["unit"])
        found.append((item["label"], tile))
    return found


def _listed(value) -> list:
    if not isinstance(value, list):
        raise TypeError(f"no list: {value!r}")
    return value


def access_sentence(access: Access) -> str:
    return access.refusal or f"{access.tile.swizzle_name}: {access.report()}"


def move_sentence(widget) -> str:
    place = "row {}, column {}".format(*widget.place) if widget.place else "no element of this tile"
    before, after = (
        f"{bits // 8}{f' bit {bits % 8}' if bits % 8 else ''} (bank {bank_of(bits // 8)})"
        for bits in widget.bit_addresses
    )
    return f"{place}: byte {before} goes to {after}"


def tracks_of(widget) -> list[tuple]:
    """The names that the browser shows, and the accesses."""
    if isinstance(widget, SwizzleLab):
        # The first variant, and the sliders' tile, also where that is the same.
        access = widget.accesses[1]
        return [widget.tracks[0], (access.tile.swizzle_name, access)]
    letters = len(widget.tracks) > 2
    return [(f"{chr(65 + at)}  {name}" if letters else name, item) for at, (name, item) in enumerate(widget.tracks)]


def scenes_of(widget, tile, numbers: str = "lanes") -> list:
    """For each canvas, from above, a function that draws it at a width."""
    if isinstance(widget, SwizzleLab):
        accesses = [access for _, access in tracks_of(widget)]
        if isinstance(accesses[0], str):
            # There is no access to draw.
            return [None, lambda width: lab_bits_scene(tile, widget.offset, width)]
        return [
            lambda width: lab_scene(accesses, width, widget.step),
            lambda width: lab_bits_scene(tile, widget.offset, width),
        ]
    if isinstance(widget, BankHeatmap):
        return [lambda width: tiles_scene(widget.compared, width, numbers, most=TALLEST_LIVE)]
    if isinstance(widget, BitDiagram):
        return [lambda width: bits_scene(tile, widget.offset, width)]
    if isinstance(widget, ColumnRead):
        tracks = [track_of(access, label) for label, access in tracks_of(widget)]
        return [lambda width: times_scene(tracks, width, widget.step)]
    return []


def track_sentence(label: str, outcome, step: int | None) -> str:
    """What is told of a track."""
    if isinstance(outcome, str) or outcome.refusal:
        return f"{label}: cannot be done, {outcome if isinstance(outcome, str) else outcome.refusal}"
    report = outcome.report()
    if step is None or step >= report.cost:
        return f"{label}: done after {report}"
    return f"{label}: {plural(step, 'wavefront')} so far, " if step else f"{label}: wavefront 0"


def choice_sentence(widget: SwizzleRanking, tile) -> str:
    """The verdict that the state holds of the swizzle shown; a state that is no search is refused."""
    whole("ideal", widget.ideal, 0, 2**53 - 1)
    verdicts = {}
    for bits, base, shift, cost, verdict, why in _rows(widget.ways):
        texts = isinstance(verdict, str) and isinstance(why, str)
        if not all(type(number) is int for number in (bits, base, shift, cost)) or not texts:
            raise TypeError(f"no way: {verdict!r}")
        verdicts[bits, base, shift] = verdict
    for fields, verdict, *_ in _rows(widget.best):
        if not isinstance(verdict, str) or (fields is not None and tuple(fields) not in verdicts):
            raise ValueError(f"no best way: {fields!r}")
    swizzle = tile.swizzle or Swizzle(0, 0, 0)
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
    drawn, wanted = note["scenes"], shown["scenes"]
    assert len(drawn) == len(wanted)
    for scene, expected in zip(drawn, wanted):
        assert expected is None or rounded(scene) == in_python(expected(scene["width"]))
