"""The bundler: imports are followed, each file has a scope of its own, and what is not understood is refused."""

from __future__ import annotations

import pytest
from py_mini_racer import MiniRacer

from swizzle_widgets.widgets.bundle import bundle


@pytest.fixture
def files(tmp_path):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.js").write_text(text)
        return tmp_path / "entry.js"

    return write


def test_imports_are_followed_and_renamed_and_scopes_kept_apart(files):
    entry = files(
        entry='import { two as deux, one } from "./a.js";\nconst own = 5;\n'
        "globalThis.sum = `${one}${`}${deux() + own}`}`;\n",
        a='import {\n  base,\n} from "./b.js";\nconst own = 1;\nexport const one = own;\n'
        "export function two() {\n  return base + own;\n}\n",
        b='// export const base = 1;\nconst own = "import { x } from";\nconst slash = /["`]/;\n'
        "export const base = own.length + (slash.test(own) ? 1 : 0);\n",
    )
    with MiniRacer() as engine:
        engine.eval(bundle(entry))
        assert engine.eval("sum") == "1}23"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("`import ${`export ${[{ a: 1 }].map((x) => { return x.a; })}`} export`", "import export 1 export"),
        ("((x) => { return /['\"`]import/.test(x); })('`import')", True),
        ("((x) => { switch (x) { case /`export/.source: return typeof /import'/; } })('`export')", "object"),
        ("8 /* as long as a comment may be: import ` */ / '2'.length // export '", 8),
        ("'import \\' export' + \"export \\\" import\"", "import ' exportexport \" import"),
    ],
)  # fmt: skip
def test_words_in_texts_and_patterns_are_no_imports(files, text, value):
    with MiniRacer() as engine:
        engine.eval(bundle(files(entry=f"globalThis.value = (\n{text}\n);\n")))
        assert engine.eval("value") == value


def test_the_entry_keeps_its_default_export(files):
    lines = bundle(files(entry="export default { render: 1 };\n")).splitlines()
    assert lines[-1] == "export default module0_entry.default;"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\nconst x = import('./a.js');\n", "entry.js, line 2"),
        ('import * as a from "./a.js";\n', "entry.js, line 1"),
        ('import a from "./a.js";\n', "entry.js, line 1"),
        ('import { a } from "lodash";\n', "is no relative path"),
        ('import { b } from "./a.js";\n', "entry.js: a.js exports no b"),
        ('import { a } from "./none.js";\n', "there is no file"),
        ('export { a } from "./a.js";\n', "entry.js, line 1"),
        ('import { a } from "./entry.js";\n', "in a circle: entry.js -> entry.js"),
    ],
)
def test_what_is_not_understood_is_refused_with_file_and_line(files, text, why):
    entry = files(entry=text, a="export const a = 1;\n")
    with pytest.raises(ValueError, match=why):
        bundle(entry)
