"""Biome lints the package's JavaScript, and its formatter has nothing to change."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "tests" / "javascript"
SOURCES = sorted([*(ROOT / "swizzle_widgets").rglob("*.js"), *CONFIGURATION.glob("*.js")])


@pytest.fixture(scope="module")
def biome(tmp_path_factory) -> Path:
    """The program, installed from the registry that npm is set to."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on the PATH")
    folder = tmp_path_factory.mktemp("biome")
    shutil.copy(CONFIGURATION / "package.json", folder)
    install = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock"]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"npm cannot install biome: {done.stderr[-300:]}")
    return folder / "node_modules" / ".bin" / "biome"


def complaints(biome: Path, command: str, *files: Path) -> str:
    """What biome has to say about the files; "" if nothing."""
    # Its configuration is that of the folder it runs in.
    done = subprocess.run([biome, command, *files], cwd=CONFIGURATION, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("command", ["lint", "format"])
def test_the_javascript_is_clean(biome, command):
    assert len(SOURCES) > 30
    assert not complaints(biome, command, *SOURCES)


def test_what_is_not_clean_is_found(biome, tmp_path):
    wrong = tmp_path / "wrong.js"
    wrong.write_text("export const f = (a) => {\n      if (a == 1) return 2 }\n", encoding="utf-8")
    assert "noDoubleEquals" in complaints(biome, "lint", wrong)
    assert "wrong.js" in complaints(biome, "format", wrong)
