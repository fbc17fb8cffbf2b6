"""JavaScript without a browser: V8 from a wheel runs the widgets' modules."""

from __future__ import annotations

import json
from pathlib import Path

from py_mini_racer import MiniRacer

from swizzle_widgets.widgets.bundle import bundle
from swizzle_widgets.widgets.generated import GENERATED, generated_text

MODULES = Path(__file__).parents[1] / "javascript"


class Engine:
    """A JavaScript engine that has run one of the modules of tests/javascript."""

    def __init__(self, name: str):
        self._context = MiniRacer()
        self._context.eval(bundle(MODULES / name, {GENERATED: generated_text()}))

    def answer(self, question: str, argument):
        """Return what the JavaScript function `question` returns for `argument`, both as JSON."""
        return json.loads(self._context.eval(f"answer({question}, {json.dumps(json.dumps(argument))})"))

    def close(self) -> None:
        """End the engine; its threads would keep Python from ending."""
        self._context.close()
