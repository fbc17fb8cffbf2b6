"""Whatever the traits are set to, a widget shows that state or says what is wrong: never a blank or a stale picture.

Python answers the same states, so every picture and verdict is compared with what the model says.
"""

from __future__ import annotations

import contextlib
import json
import random

import pytest

from swizzle_widgets import (
    Access,
    BankHeatmap,
    BitDiagram,
    ColumnRead,
    Swizzle,
    SwizzleLab,
    SwizzleRanking,
    Tile,
    best_swizzles,
)
from tests.support.agreement import READ, agree, shown_by_python
from tests.support.live import LivePage, traits
from tests.support.random_cases import random_spec, random_swizzle, random_tile

pytestmark = pytest.mark.browser

STATES = 50
HOSTILE = "<img src=x onerror=\"throw Error('run')\">"
JUNK = [
    None, True, False, float("nan"), float("inf"), -1, 0, 1, 0.5, 3, 200, 2**31, 2**53, 1e308, "", "3", "byte", HOSTILE,
    [], [1], [[1]], [None], {}, {"pattern": "column"}, {"pattern": "toString"}, {"rows": 1},
]  # fmt: skip
START = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
RANKING = best_swizzles(START.with_swizzle(None), [Access.column(START.with_swizzle(None))])
WIDGETS = {
    "BankHeatmap": lambda: BankHeatmap(START),
    "BitDiagram": lambda: BitDiagram(START),
    "ColumnRead": lambda: ColumnRead(START),
    "SwizzleLab": lambda: SwizzleLab(START),
    "SwizzleRanking": lambda: SwizzleRanking(RANKING),
}

# Sets each state and notes what stands on the page when its frame has been painted.
WALK = f"""
async (changes) => {{
  const read = {READ};
  const painted = () => new Promise((done) => requestAnimationFrame(() => {{
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  }}));
  const notes = [];
  for (const change of changes) {{
    models[0].set(change);
    await painted();
    const note = {{ ...read(document.querySelector('.swz')), state: models[0].state }};
    // JSON would make null of it.
    notes.push(JSON.stringify(note, (_, value) => (Number.isNaN(value) ? 'NaN' : value)));
  }}
  return notes;
}}
"""


def next_change(rng: random.Random, widget) -> dict:
    """Some traits and their new values: a legal state, or anything."""
    names = sorted(name for name in traits(widget) if name != "playing")
    if rng.random() < 0.5:
        return legal_change(rng, widget)
    name = rng.choice(names)
    old = getattr(widget, name)
    if isinstance(old, dict) and rng.random() < 0.6:
        return {name: spoiled(rng, old)}
    if name == "variants" and rng.random() < 0.7:
        return {name: [spoiled(rng, item) for item in old[:1]]}
    return {name: rng.choice(JUNK)}


def legal_change(rng: random.Random, widget) -> dict:
    """Another tile with an access that fits it, or another swizzle on the same one; the swizzle may not fit."""
    fields, unit = random_swizzle(rng)
    fields, unit = fields or [0, 4, 3], unit if unit in ("byte", "element") else "byte"
    change = dict(zip(("bits", "base", "shift"), fields), unit=unit)
    # A ranking belongs to its tile.
    if rng.random() < 0.7 and not widget.has_trait("ways"):
        fresh = legal_widget(rng)
        change |= {name: value for name, value in fresh.get_state().items() if name in ("tile", "access", "variants")}
    change |= {"step": rng.choice((0, 1, 2, 99)), "speed": rng.choice((0.5, 2)), "loop": rng.random() < 0.5}
    change["offset"] = rng.choice((0, 5, 77, 100_000))
    return {name: value for name, value in change.items() if widget.has_trait(name)}


def legal_widget(rng: random.Random) -> ColumnRead:
    """A widget on a tile whose cells are quickly compared, with an access that fits."""
    while True:
        tile = random_tile(rng)
        if tile.rows * tile.cols <= 4096:
            with contextlib.suppress(ValueError):
                return ColumnRead(tile, random_spec(rng, tile))


def spoiled(rng: random.Random, record: dict) -> dict:
    """A copy with one part exchanged, added or missing."""
    # `layout` and `order` follow from the modes: Python writes them, and nobody else has reason to.
    record, keys = dict(record), [key for key in record if key not in ("layout", "order")]
    key = rng.choice(keys)
    action = rng.random()
    if action < 0.2:
        del record[key]
    elif action < 0.3 and "pattern" in record:
        record[HOSTILE] = 1
    else:
        record[key] = rng.choice(JUNK)
    return record


@pytest.mark.parametrize("name", WIDGETS)
def test_any_state_is_shown_or_refused(browser, name):
    make, rng = WIDGETS[name], random.Random(name)
    # Nothing falls: the page is read at once.
    page = browser.new_page(viewport={"width": 1100, "height": 900}, reduced_motion="reduce")
    live = LivePage(page)
    widget = make()
    live.show(widget)
    # Some changes begin with a legal state again, or most would be refused for an old reason.
    changes = [(traits(widget) if rng.random() < 0.3 else {}) | next_change(rng, widget) for _ in range(STATES)]
    notes = [json.loads(note) for note in page.evaluate(WALK, changes)]
    page.close()
    refused = 0
    for change, note in zip(changes, notes):
        # The browser moves some traits itself: a step beyond the end, the element whose bits are shown.
        shown = shown_by_python(make(), state := note.pop("state"))
        refused += shown is None
        try:
            agree(note, shown)
        except AssertionError as error:
            raise AssertionError(f"after {change}\nin {state}\nPython shows {shown}\nthe page shows {note}") from error
    assert STATES / 5 < refused < 4 * STATES / 5
    assert not live.problems


# Moves every control, presses every key that means something, and points at every picture.
HANDLE = """
async (changes) => {
  const painted = () => new Promise(requestAnimationFrame);
  const card = document.querySelector('.swz');
  function send(element, type, options = {}) {
    const Event = options.key ? KeyboardEvent : PointerEvent;
    element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true, ...options }));
  }
  for (const change of changes) {
    models[0].set(change);
    await painted();
    for (const input of card.querySelectorAll('input')) {
      if (input.type === 'range' || input.type === 'number') input.value = input.max;
      if (input.type === 'radio' || input.type === 'checkbox') input.click();
      else send(input, 'input');
    }
    for (const select of card.querySelectorAll('select')) send(select, 'change');
    for (const button of card.querySelectorAll('button')) button.click();
    for (const picture of card.querySelectorAll('[tabindex]')) {
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', ' ', 'Home', 'End', 'x']) {
        send(picture, 'keydown', { key });
      }
      const inside = picture.firstElementChild ?? picture;
      const { left, top } = picture.getBoundingClientRect();
      for (const type of ['pointermove', 'click', 'pointerleave']) {
        send(inside, type, { clientX: left + 5, clientY: top + 5 });
      }
    }
    await painted();
  }
}
"""


@pytest.mark.parametrize("name", WIDGETS)
def test_every_control_works_in_any_state_and_a_legal_state_heals(browser, name):
    make, rng = WIDGETS[name], random.Random(name)
    # Nothing falls: the page is read at once.
    page = browser.new_page(viewport={"width": 1100, "height": 900}, reduced_motion="reduce")
    live = LivePage(page)
    widget = make()
    live.show(widget)
    start = traits(widget)
    page.evaluate(HANDLE, [start | next_change(rng, widget) for _ in range(STATES // 2)])
    page.evaluate("(state) => models[0].set(state)", start | {"playing": False})
    if name == "SwizzleLab":
        # Which variant stands beside it is the reader's choice, no trait.
        page.get_by_label("no swizzle", exact=True).check()
    [note] = page.evaluate(WALK, [start | {"playing": False}])
    page.close()
    agree(note := json.loads(note), shown_by_python(make(), note["state"]))
    assert not live.problems


@pytest.mark.parametrize("name", WIDGETS)
def test_python_takes_no_junk(name):
    make, rng = WIDGETS[name], random.Random(name)
    widget = make()
    refused = 0
    for _ in range(2 * STATES):
        before = traits(widget)
        for trait, value in next_change(rng, widget).items():
            try:
                setattr(widget, trait, value)
            except (TypeError, ValueError):
                refused += 1
                assert {**traits(widget), "playing": 0} == {**before, "playing": 0}
            before = traits(widget)
        # The state is one that can be shown, whatever was tried.
        assert "must" not in repr(widget)
        assert shown_by_python(make(), before)
        widget = make() if rng.random() < 0.1 else widget
    assert refused > 20


def test_names_are_text_and_never_markup(browser):
    tile = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    widget = SwizzleLab(tile, Access.at(tile, range(8), 0, name=HOSTILE))
    page = browser.new_page()
    live = LivePage(page)
    live.show(widget)
    live.set(variants=[{**item, "label": HOSTILE} for item in traits(widget)["variants"]])
    assert HOSTILE in page.locator("select").first.text_content()
    assert HOSTILE in page.locator(".swz-left").text_content()
    assert page.locator("img").count() == 0
    page.close()
    assert not live.problems
