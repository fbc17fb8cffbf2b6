"""Binder builds from `binder/` alone: what is pinned there must be what the package needs, and must exist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

tomllib = pytest.importorskip("tomllib")

ROOT = Path(__file__).parents[2]
BINDER = ROOT / "binder"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHON = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")


def pins() -> dict[str, str]:
    """The pinned versions by name."""
    lines = (BINDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_every_dependency_is_pinned_and_nothing_else():
    course = PROJECT["optional-dependencies"]["course"]
    needed = {item.name: item.specifier for item in map(Requirement, [*PROJECT["dependencies"], *course])}
    assert pins().keys() == needed.keys()
    for name, version in pins().items():
        assert version in needed[name]


def test_the_folder_is_small_and_installs_the_package():
    # Where binder/ exists, nothing else is read; each further file would be one more way to build.
    assert sorted(path.name for path in BINDER.iterdir()) == ["postBuild", "requirements.txt", "runtime.txt"]
    script = (BINDER / "postBuild").read_text()
    assert os.access(BINDER / "postBuild", os.X_OK)
    assert script.startswith("#!")
    assert "pip install --no-cache-dir --no-deps ." in script
    assert PYTHON in SpecifierSet(PROJECT["requires-python"])


def test_the_link_is_shown():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    link = r"https://mybinder\.org/v2/gh/<ORGANIZATION>/<REPOSITORY>/<TAG>\?urlpath=lab/tree/(notebooks/[\w.]+)"
    assert (ROOT / re.search(link, text)[1]).exists()


@pytest.mark.release
def test_the_pins_resolve(tmp_path):
    """pip finds every pin, and what the pins need, as wheels for Binder's Python."""
    pytest.importorskip("pip")
    report = tmp_path / "report.json"
    command = [
        *(sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--report", report),
        *("--only-binary=:all:", "--python-version", PYTHON, "--target", tmp_path / "target"),
        *("-r", BINDER / "requirements.txt"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if "from versions: none" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    chosen = {item["metadata"]["name"].lower(): item["metadata"]["version"] for item in _installs(report)}
    assert chosen.items() >= pins().items()


def _installs(report: Path) -> list[dict]:
    return json.loads(report.read_text(encoding="utf-8"))["install"]
