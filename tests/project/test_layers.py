"""Imports go one way: the model needs numpy alone, and matplotlib waits until a picture is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import swizzle_widgets

PACKAGE = Path(swizzle_widgets.__file__).parent
MODEL = ["theme", *(f"model.{path.stem}" for path in sorted((PACKAGE / "model").glob("*.py")))]
ABOVE = ["ipywidgets", "anywidget", "IPython", "traitlets", "matplotlib"]

# The package's own __init__ could import anything, so each module is loaded beside it, under the same name.
ALONE = """
import sys, types
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {above!r}:
            raise ImportError("the model must not import " + name)
sys.meta_path.insert(0, Refuse())
package = types.ModuleType("swizzle_widgets")
package.__path__ = [{path!r}]
sys.modules["swizzle_widgets"] = package
import importlib
importlib.import_module("swizzle_widgets.{module}")
loaded = {{name.split(".")[0] for name in sys.modules}} & set({above!r})
assert not loaded, loaded
"""


def run(code: str) -> None:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("module", MODEL)
def test_the_model_needs_only_numpy(module):
    run(ALONE.format(above=ABOVE, path=str(PACKAGE), module=module))


def test_the_guard_guards():
    """The same code on a module that does import a widget library fails."""
    code = ALONE.format(above=ABOVE, path=str(PACKAGE), module="model.swizzle").replace(
        'importlib.import_module("swizzle_widgets.model.swizzle")', "import ipywidgets"
    )
    with pytest.raises(AssertionError, match="the model must not import ipywidgets"):
        run(code)


def test_importing_the_package_loads_no_matplotlib():
    run("import sys, swizzle_widgets; assert 'matplotlib' not in sys.modules")


def test_all_names_exist():
    for name in swizzle_widgets.__all__:
        assert getattr(swizzle_widgets, name).__doc__
