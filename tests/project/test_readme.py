"""The README and CONTRIBUTING: what they show runs, what they link to exists."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")}


def block(marker: str) -> str:
    """The code block behind a marker of the README."""
    return re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", README, re.DOTALL)[1]


def test_the_example_prints_what_it_says():
    shown = re.findall(r"  # (.+)$", block("example"), re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block("example"), "README.md", "exec"), {})
    assert printed.getvalue().splitlines() == shown


def test_the_command_answers(capsys):
    from swizzle_widgets.__main__ import main

    program, *arguments = shlex.split(block("command"))
    assert program == ".venv/bin/swizzle-widgets"
    assert main(arguments) == 0
    assert "Clean" in capsys.readouterr().out


def test_the_commands_open_and_test_what_is_there():
    assert (ROOT / re.search(r"jupyter lab (\S+)", block("open"))[1]).exists()
    assert block("test").strip().endswith(".venv/bin/python -m pytest")
    assert '"' + ".[test]" + '"' in block("test")


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere(name):
    prose = re.sub(r"```.*?```", "", TEXTS[name], flags=re.DOTALL)
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", prose):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("name", TEXTS)
def test_modules_that_are_named_can_be_run(name):
    for module in set(re.findall(r"python -m ((?:swizzle_widgets|tests)[\w.]*)", TEXTS[name])):
        found = find_spec(module)
        assert found is not None, module
        assert not found.submodule_search_locations or find_spec(f"{module}.__main__"), module
