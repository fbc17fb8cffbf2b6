"""The wheel, installed elsewhere: all of the package is in it, and what an extra brings is asked for by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.release

ROOT = Path(__file__).parents[2]
SHOW = """
import warnings
from pathlib import Path
warnings.simplefilter("error")
import swizzle_widgets
from swizzle_widgets import *
assert "site-packages" in swizzle_widgets.__file__
tile = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
access = Access.ldmatrix(tile)
ranking = best_swizzles(tile, [access])
for widget in (BitDiagram(tile), BankHeatmap(tile, access), ColumnRead(tile, access), SwizzleLab(tile, access),
               SwizzleRanking(ranking)):
    assert widget.png().startswith(b"\\x89PNG"), widget
    assert "export" in widget._esm and widget._css, widget
    assert type(widget).__name__ in repr(widget)
from swizzle_widgets.course import check
check("01.1", 3)
from swizzle_widgets.measured import recorded
for name in ("requests", "hopper", "price"):
    recorded(name)
"""
NEEDS_JUPYTER = """
import importlib.util
assert importlib.util.find_spec("jupyterlab") is None
assert importlib.util.find_spec("nbconvert") is None
"""


@pytest.fixture(scope="module")
def uv() -> str:
    """The installer, which is fast enough to make environments by the dozen."""
    return str(Path(sys.executable).with_name("uv"))


def run(*command, cwd, code: int = 0) -> str:
    # What is installed is asked, and not a checkout that whoever runs this has on its path.
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=outside, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(uv, tmp_path_factory) -> dict[str, Path]:
    """The sdist, and the wheel that is built from it."""
    out = tmp_path_factory.mktemp("dist")
    run(uv, "build", "--out-dir", out, ROOT, cwd=out)
    return {"wheel": next(out.glob("*.whl")), "sdist": next(out.glob("*.tar.gz"))}


def environment(uv: str, folder: Path, *requirements, options=()) -> Path:
    """The Python of a fresh environment with the requirements."""
    run(uv, "venv", folder / "venv", "--python", sys.executable, cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(uv, "pip", "install", "--python", python, *options, *requirements, cwd=folder)
    return python


def test_without_extras(uv, built, tmp_path):
    python = environment(uv, tmp_path, built["wheel"])
    run(python, "-c", NEEDS_JUPYTER + SHOW, cwd=tmp_path)
    said = run(python, "-m", "swizzle_widgets.site", "notebooks", "out", cwd=tmp_path, code=1)
    assert 'pip install "swizzle-widgets[site]"' in said
    assert "Traceback" not in said


def test_the_installed_command_writes_the_course_and_the_site_is_built_from_it(uv, built, tmp_path):
    python = environment(uv, tmp_path, f"swizzle-widgets[site] @ {built['wheel'].as_uri()}")
    command = python.with_name("swizzle-widgets")
    run(command, "(64,64):(64,1)", "--dtype", "f16", "--access", "ldmatrix", cwd=tmp_path, code=1)
    run(command, "course", "course", cwd=tmp_path)
    notebooks = sorted((tmp_path / "course").glob("*.ipynb"))
    assert [path.name for path in notebooks] == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    for path in notebooks[1:]:
        path.unlink()
    run(python, "-m", "swizzle_widgets.site", "course", "site", cwd=tmp_path)
    page = (tmp_path / "site" / f"{notebooks[0].stem}.html").read_text(encoding="utf-8")
    assert '"view": "ColumnRead"' in page
    assert '"view": "Question"' in page


def test_an_editable_installation_is_the_checkout_alone(uv, tmp_path):
    python = environment(uv, tmp_path, "-e", ROOT, options=["--no-deps"])
    places = run(python, "-c", "import site; print(*site.getsitepackages(), sep='\\n')", cwd=tmp_path).splitlines()
    assert not [place for place in places if (Path(place) / "swizzle_widgets").exists()]
    found = run(python, "-c", "import importlib.util as u; print(u.find_spec('swizzle_widgets').origin)", cwd=tmp_path)
    assert Path(found.strip()) == ROOT / "swizzle_widgets" / "__init__.py"


def test_the_sdist_passes_its_own_tests(uv, built, tmp_path):
    """Those of the model, and those that read the repository's files."""
    run("tar", "xzf", built["sdist"], "--strip-components=1", cwd=tmp_path)
    python = environment(uv, tmp_path, "-e", ".[test]")
    targets = ("tests/model", "tests/project", "tests/course", "tests/measured")
    run(python, "-m", "pytest", "-q", *targets, cwd=tmp_path)


def test_the_lowest_declared_versions(uv, tmp_path):
    """Everything but the browser tests, what needs a compiler, and types: an old dependency's own are not ours."""
    run("git", "clone", "--quiet", ROOT, tmp_path / "repository", cwd=tmp_path)
    options = ("--resolution", "lowest-direct")
    python = environment(uv, tmp_path, "-e", f"{tmp_path / 'repository'}[test]", options=options)
    targets = ("tests/model", "tests/figures", "tests/widgets", "tests/course", "tests/measured", "tests/project")
    targets += ("--ignore=tests/project/test_types.py", "--ignore=tests/project/test_public_types.py")
    run(python, "-m", "pytest", "-q", *targets, cwd=tmp_path / "repository")
