"""The arrows between the rooms, which pyproject.toml states; what importing the package loads."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import swizzle_widgets

PACKAGE = Path(swizzle_widgets.__file__).parent
ROOT = Path(__file__).parents[2]


def lint(root: Path) -> subprocess.CompletedProcess:
    """Check the contracts of pyproject.toml on the package in a folder."""
    program = Path(sys.executable).with_name("lint-imports")
    command = [program, "--config", "pyproject.toml", "--no-cache"]
    environment = {"PATH": "", "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path) -> Path:
    """A copy of the package beside its contracts."""
    shutil.copytree(PACKAGE, tmp_path / "swizzle_widgets", ignore=shutil.ignore_patterns("data", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_hold():
    checked = lint(ROOT)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("theme.py", "from .course import check", "Data flows one way"),
        ("model/tile.py", "    from ..widgets import BankHeatmap", "Data flows one way"),
        ("model/banks.py", "    import matplotlib", "The model needs numpy alone"),
        ("figures/__init__.py", "    from ..widgets import base", "Data flows one way"),
        ("measured/record.py", "    from ..probe import measure", "Data flows one way"),
        ("widgets/base.py", "    from ..course import check", "Data flows one way"),
        ("model/hardware.py", "    from .banks import bank_of", "The hardware's rules stand below everything"),
    ],
)
def test_an_import_upwards_is_refused(copy, module, line, contract):
    """Also one that waits inside a function."""
    path = copy / "swizzle_widgets" / module
    lazy = f"\n\ndef _planted():\n{line}\n" if line.startswith(" ") else f"\n{line}\n"
    path.write_text(path.read_text(encoding="utf-8") + lazy, encoding="utf-8")
    checked = lint(copy)
    assert checked.returncode == 1
    assert f"{contract} BROKEN" in checked.stdout


def test_a_new_room_needs_its_place(copy):
    (copy / "swizzle_widgets" / "attic.py").write_text("")
    checked = lint(copy)
    assert checked.returncode == 1
    assert "swizzle_widgets.attic" in checked.stdout


def run(code: str) -> str:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


# What the installation itself loads at every start is no dependency of ours.
LOADED = "{n.partition('.')[0] for n, m in sys.modules.items() if 'site-packages' in str(getattr(m, '__file__', ''))}"


def test_importing_the_package_needs_numpy_alone():
    found = run(f"import sys; before = {LOADED}; import swizzle_widgets; print(sorted({LOADED} - before))")
    assert set(eval(found)) - {"swizzle_widgets"} == {"numpy"}


def test_the_widgets_load_no_matplotlib():
    run("import sys, swizzle_widgets.widgets; assert 'matplotlib' not in sys.modules")


def test_all_names_exist():
    for name in set(swizzle_widgets.__all__) - {"__version__"}:
        assert getattr(swizzle_widgets, name).__doc__


def test_no_test_imports_a_test():
    """What two test modules need is in tests/support."""
    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert len(modules) > 80
    for module in modules:
        found = re.findall(r"^\s*(?:from|import) .*\btest_\w+.*", module.read_text(encoding="utf-8"), re.MULTILINE)
        assert not found, module
