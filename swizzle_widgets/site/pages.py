"""The pages of the site as text, made from templates; what they say of the hardware comes from the model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from .. import Access, Swizzle, SwizzleLab, Tile
from ..measured import recorded
from ..measured.counters import COUNTERS, GMMA_COUNTERS
from ..model import hardware
from ..model.modes import MODES
from .course import HURRY, OUTCOMES, TERMS
from .goals import page_traits
from .notebook import Page
from .script import script, style
from .text import anchor, plain

COURSE = "GPU shared memory, seen"
SUMMARY = (
    "Bank conflicts in GPU shared memory and CuTe's Swizzle<B,M,S> in interactive pictures: "
    "what a request costs, why a column is slow, how XOR repairs it."
)
# What a page may load: what lies beside it. No script in its text, no request to anywhere. On a disk some
# browsers know no "self", hence "file:".
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data:; base-uri 'none'; form-action 'none'"
)
INSTALL = 'python3 -m venv .venv && .venv/bin/pip install -e ".[course]" && .venv/bin/jupyter lab'
COUNTER_WORDS = {
    "loads": "wavefronts of loads, ldmatrix included",
    "stores": "wavefronts of stores, stmatrix included",
    "conflicts": "conflicts of both",
    "wavefronts": "wavefronts of WGMMA's operand reads",
}
ROW_BYTES = (32, 64, 128, 256)
_HEADING = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)


class Site:
    """All pages of the course.

    Parameters
    ----------
    pages : list of Page
    binder : str, optional
        "organization/repository/tag" on GitHub.
    """

    def __init__(self, pages: list[Page], binder: str | None = None):
        self.pages: list[Page] = pages
        self.binder: str | None = binder
        loader = PackageLoader(__package__)
        options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
        self._templates = Environment(loader=loader, autoescape=select_autoescape(), **options)

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield (name, text) of every file but the pictures."""
        yield "widgets.js", script()
        yield "style.css", style()
        yield "index.html", self.first()
        for page in self.pages:
            yield f"{page.name}.html", self.page(page)
        yield "playground.html", self.playground()
        yield "cheat_sheet.html", self._one_of("cheat_sheet", "Cheat sheet", CHEAT_SUMMARY, **cheat_sheet())
        yield "terms.html", self._one_of("terms", "Terms", TERMS_SUMMARY, terms=self.terms)
        yield "teachers.html", self._one_of("teachers", "For teachers", TEACHERS_SUMMARY, pages=self.pages)

    def page(self, page: Page) -> str:
        """Return a notebook's page, with its neighbors in the navigation."""
        at = self.pages.index(page)
        near = [("prev", "← ", self.pages[at - 1])] if at else []
        near += [("next", "", self.pages[at + 1])] if at + 1 < len(self.pages) else []
        links = [
            {"file": other.name, "rel": rel, "text": f"{mark}{other.title}{' →' if rel == 'next' else ''}"}
            for rel, mark, other in near
        ]
        title = f"{page.title} · {COURSE}"
        return self._rendered("page", page.name, title, page.summary, page.widgets, links, page=page)

    def first(self) -> str:
        """Return the first page: a live picture, the course, and the ways in."""
        by_number = {page.number: page for page in self.pages}
        hardware_page, record = by_number.get("10"), recorded()
        facts = {
            "live": '<figure class="swz-live" data-models="first"></figure>',
            "hurry": [
                _stop(by_number[number])
                for number in HURRY
                if number in by_number and _HEADING.search(by_number[number].text)
            ],
            "launches": int(record.requests.in_model.sum()),
            "disagreements": len(record.counter_disagreements()),
            "hardware": hardware_page and hardware_page.name,
            "hardware_title": hardware_page and hardware_page.title,
        }
        title = f"{COURSE}: bank conflicts and CuTe swizzles"
        return self._rendered("index", "index", title, SUMMARY, {"first": live()}, [], pages=self.pages, **facts)

    def playground(self) -> str:
        """Return the page to paste a layout into."""
        return self._one_of(
            "playground",
            "Playground",
            PLAYGROUND_SUMMARY,
            widgets={"lab": live(("swizzle", "unit", "access", "playback"))},
        )

    @cached_property
    def terms(self) -> list[dict[str, Any]]:
        """Each term, what it means, and the first heading below which it stands in bold or in a question."""
        return [
            {"name": name, "meaning": meaning, "anchor": anchor(name), "place": self._place(name)}
            for name, meaning in sorted(TERMS.items(), key=lambda item: item[0].lower())
        ]

    def _place(self, term: str) -> dict[str, Any] | None:
        bold = re.compile(rf"\*\*[^*\n]*\b{re.escape(term)}s?\b[^*\n]*\*\*", re.IGNORECASE)
        for wanted in (bold, re.compile(rf"\b{re.escape(term)}s?\b")):
            for page in self.pages:
                if found := wanted.search(page.text):
                    above = _HEADING.findall(page.text[: found.start()])
                    return {"file": page.name, "anchor": anchor(above[-1]) if above else "", "text": page.title}
        return None

    def _one_of(
        self, template: str, name: str, summary: str, widgets: dict[str, Any] | None = None, **facts: object
    ) -> str:
        return self._rendered(template, template, f"{name} · {COURSE}", summary, widgets or {}, [], **facts)

    def _rendered(self, template, name, title, summary, widgets, links, **facts) -> str:
        # As JSON, "<" may be written so everywhere; then nothing in a state can end the element or open a comment.
        state = json.dumps(widgets, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
        common = {
            "name": name, "title": title, "summary": summary, "course": COURSE, "policy": POLICY, "links": links,
            "binder": self.binder, "install": INSTALL, "outcomes": OUTCOMES,
        }  # fmt: skip
        return self._templates.get_template(f"{template}.html").render(**common, **facts, state=_Safe(state))


CHEAT_SUMMARY = (
    "The rules of shared memory, the modes of TMA and WGMMA, and the counters of Nsight Compute on one page."
)
TERMS_SUMMARY = "The words of the course, what each means, and where it is explained."
TEACHERS_SUMMARY = "What each notebook needs, what it leaves behind, and which wrong idea it removes."
PLAYGROUND_SUMMARY = (
    "Paste a layout as CuTe or Triton printed it: its banks, its wavefronts, and a link to the same picture."
)


class _Safe(str):
    """Text that stands in a page as it is."""

    def __html__(self) -> str:
        return self


def live(controls: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Return the state of the picture on the first page, with some of its controls, or all."""
    tile = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    chosen = {} if controls is None else {"controls": list(controls)}
    widget = SwizzleLab(tile, access=Access.ldmatrix(tile), **chosen)
    state = page_traits(widget.get_state())
    widget.close()
    return {"view": "SwizzleLab", "state": state}


def cheat_sheet() -> dict[str, Any]:
    """Return what the cheat sheet shows, computed by the model."""
    lanes = hardware.WARP_LANES
    phases = [{"width": w, "lanes": n, "ideal": lanes // n} for w, n in hardware.PHASE_LANES.items()]
    modes = [
        {"name": mode.name, "swizzle": str(mode.swizzle) if mode.row_bytes else "none", "repeat": mode.repeat_bytes,
         "halves": str(mode.swizzle.recast(8, 16)) if mode.row_bytes else "none",
         "row": f"{mode.row_bytes} bytes" if mode.row_bytes else "as long as a box"}
        for mode in MODES
    ]  # fmt: skip
    named = {
        **{name: COUNTERS[name] for name in ("loads", "stores", "conflicts")},
        "wavefronts": GMMA_COUNTERS["wavefronts"],
    }
    sw343 = Swizzle(3, 4, 3)
    units = [{"swizzle": str(sw343.recast(8, bits)), "dtype": dtype} for bits, dtype in ((16, "f16"), (32, "f32"))]
    granule = hardware.GRANULE_BYTES.bit_length() - 1
    return {
        "hw": hardware, "phases": phases, "modes": modes, "units": units,
        "counters": [{"what": COUNTER_WORDS[name], "counter": counter} for name, counter in named.items()],
        "rule": {"base": granule, "rows": [_ruled(row_bytes) for row_bytes in ROW_BYTES]},
    }  # fmt: skip


def _ruled(row_bytes: int) -> dict[str, Any]:
    """The rule's swizzle for a row of halves, and what it costs."""
    granule, line = (size.bit_length() - 1 for size in (hardware.GRANULE_BYTES, hardware.LINE_BYTES))
    row = row_bytes.bit_length() - 1
    swizzle = Swizzle(min(row, line) - granule, granule, max(row, line) - granule)
    tile = Tile(32, row_bytes // 2, "f16", swizzle=swizzle, unit="byte")
    report = Access.ldmatrix(tile).report()
    cost = f"{report.wavefronts} wavefronts, {report.conflicts} conflicts"
    return {"bytes": row_bytes, "swizzle": str(swizzle), "halves": str(swizzle.recast(8, 16)), "cost": cost}


def _stop(page: Page) -> dict[str, Any]:
    """Where the short path stops in a notebook: at its first heading below the title."""
    first = _HEADING.findall(page.text)[0]
    return {"page": page.name, "anchor": anchor(first), "text": f"{page.title}: {plain(first)}"}
