"""Question: a small form that judges an answer where it stands, without a kernel."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from ..model.reports import BankReport
from .generated import module_text, style_text


class Question(anywidget.AnyWidget):
    """A question whose answer is a number, a pair, a choice or a swizzle.

    The judge ran beforehand: the widget carries its verdicts on every answer of the form, packed so that a page's
    source does not give them away. Whatever is no answer is told how one looks. A verdict comes first, then the hint,
    then the reason, each when it is asked for; a right answer shows its reason at once.

    Parameters
    ----------
    number : str
        What the question is called, such as "01.2".
    asks : str
        What it asks for, in a line; the page above it says more.
    fields : list of dict
        One or two fields, as `course.forms.fields` describes them.
    verdicts : mapping
        (right, cost, hint, why) of each answer, by its key, such as "8", "4;0" or "3,4,3".
    report : BankReport, optional
        A request whose wavefronts are asked for, first of two numbers if there are two. It is played against a wrong
        answer, as far as that goes, and whole once the answer is right.

    Attributes
    ----------
    number, asks : str
    fields : list of dict
    verdicts : str
        The verdicts as the browser takes them: JSON, compressed, in base 64.
    answer : str
        The key of the last answer, "" before there is one. The browser sets it, Python may too.
    answered : bool
        Whether the reader has committed: answered, or asked for the reason.
    right : bool
        Whether the answer is right.
    """

    _esm = module_text("question.js")
    _css = style_text()

    number: traitlets.Unicode[str, Any] = traitlets.Unicode(help="what the question is called").tag(sync=True)
    asks: traitlets.Unicode[str, Any] = traitlets.Unicode(help="what it asks for, in a line").tag(sync=True)
    fields: traitlets.List[Any] = traitlets.List(help="the one or two fields of an answer").tag(sync=True)
    verdicts: traitlets.Unicode[str, Any] = traitlets.Unicode(help="the verdicts on every answer, packed").tag(
        sync=True
    )
    answer: traitlets.Unicode[str, Any] = traitlets.Unicode(help="the key of the last answer").tag(sync=True)
    answered: traitlets.Bool[bool, Any] = traitlets.Bool(False, help="whether the reader has committed").tag(sync=True)
    right: traitlets.Bool[bool, Any] = traitlets.Bool(False, help="whether the answer is right").tag(sync=True)

    def __init__(
        self,
        number: str,
        asks: str,
        fields: list[dict[str, Any]],
        verdicts: Mapping[str, tuple[bool, str, str, str]],
        report: BankReport | None = None,
    ):
        self._verdicts = dict(verdicts)
        super().__init__(number=number, asks=asks, fields=fields, verdicts=pack(self._verdicts, report))

    @traitlets.validate("answer")
    def _known(self, proposal):
        if proposal.value and proposal.value not in self._verdicts:
            raise ValueError(f"answer = {proposal.value!r} is no answer of this form: {self._looks()} is asked for")
        return proposal.value

    @traitlets.observe("answer")
    def _judge(self, change):
        if change.new:
            self.set_trait("answered", True)
        self.set_trait("right", bool(change.new) and self._verdicts[change.new][0])

    def _looks(self) -> str:
        return "; ".join(f"{field['name']}: {field['looks']}" for field in self.fields)

    def __repr__(self) -> str:
        return f"Question {self.number}: {self.asks} Answer with {self._looks()}."

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        # Where no widget can live, the form stands in, and not the answer.
        return {**bundle[0], "text/plain": repr(self)}, bundle[1]


def pack(verdicts: Mapping[str, tuple[bool, str, str, str]], report: BankReport | None = None) -> str:
    """Return verdicts as the browser takes them: each text once, compressed, in base 64.

    With a report, also who is served when: for each wavefront the lanes that each bank serves.
    """
    texts = {text: None for _, *said in verdicts.values() for text in said}
    places = {text: place for place, text in enumerate(texts)}
    rows = {key: [int(right), *(places[text] for text in said)] for key, (right, *said) in verdicts.items()}
    served = [{bank: lanes for bank, (_, lanes) in turn.items()} for turn in report.served] if report else None
    content = {"texts": list(texts), "rows": rows, "served": served}
    return packed(content)


def packed(content: Any) -> str:
    """Return JSON as the browser unpacks it: compressed, in base 64, so that a page's source tells nothing."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(data.encode(), 9)).decode()
