"""Whatever the traits are set to, a widget shows that state or says what is wrong: never a blank or a stale picture.

Python answers the same states, so every picture and verdict is compared with what the model says.
"""

from __future__ import annotations

import json
import random

import pytest

from swizzle_widgets import (
    Access,
    Swizzle,
    SwizzleLab,
    Tile,
)
from tests.support.agreement import READ, agree, shown_by_python
from tests.support.live import LivePage, traits
from tests.support.states import HOSTILE, WIDGETS, next_change

pytestmark = pytest.mark.browser

STATES = 24
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
    page.evaluate(HANDLE, [start | next_change(rng, widget) for _ in range(STATES // 4)])
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
