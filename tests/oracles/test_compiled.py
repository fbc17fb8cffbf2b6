"""The record of what nvcc made of our sources: it holds for one text alone, and a release compiles everything again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import compiled

ROOT = Path(__file__).parents[2]


def test_what_changed_is_not_taken_from_the_record(tmp_path):
    """A source, a file that it includes, or an option."""
    source, included = '#include "a.hpp"\n', tmp_path / "a.hpp"

    def key(text: str = "int one;", source: str = source, option: str = "-c") -> str:
        included.write_text(text, encoding="utf-8")
        return compiled.key_of(source, (option,), (tmp_path,))

    assert key() == key()
    assert len({key(), key("int two;"), key(source=source + " "), key(option="-g")}) == 4


@pytest.mark.release
def test_what_is_on_record_is_what_nvcc_makes():
    options = [
        "-q",
        "-p",
        "no:nbval",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=--import-mode=importlib -m 'not release'",
    ]
    files = ["tests/oracles", "tests/measured/test_record.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *files],
        cwd=ROOT, env={**os.environ, "SWIZZLE_NVCC": "all"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " skipped" not in done.stdout, done.stdout
