"""The course's notebooks, written where the reader wants them."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

from ..model.checks import plural

PACKAGE = Path(__file__).parents[1]
# In an installed package, and beside the package in a checkout.
PLACES = (PACKAGE / "course" / "notebooks", PACKAGE.parent / "notebooks")


def run(arguments: Sequence[str]) -> int:
    """Write the notebooks and return the exit status."""
    parser = argparse.ArgumentParser(prog="swizzle-widgets course", description="Write the course's notebooks.")
    parser.add_argument("folder", metavar="DIR", type=Path, help="a new or an empty folder")
    folder = parser.parse_args(arguments).folder
    written = write_notebooks(folder)
    print(f"{plural(len(written), 'notebook')} in {folder}: open them with  jupyter lab {folder}")
    return 0


def write_notebooks(folder: Path) -> list[Path]:
    """Copy the notebooks and what they read into a folder, and return them in the course's order.

    Raises
    ------
    ValueError
        If something of that name is there already (nothing is written then), or the notebooks are missing.
    """
    source = next((place for place in PLACES if any(place.glob("*.ipynb"))), None)
    if source is None:
        raise ValueError("the notebooks are not part of this installation: take them from the repository")
    files = [path for path in sorted(source.rglob("*")) if path.is_file() and _wanted(path.relative_to(source))]
    targets = [folder / path.relative_to(source) for path in files]
    present = [target for target in targets if target.exists()]
    if present:
        raise ValueError(f"{present[0]} is there already: nothing was written")
    for path, target in zip(files, targets):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return [target for target in targets if target.suffix == ".ipynb"]


def _wanted(path: Path) -> bool:
    """Whether a file belongs to the course: a notebook, or in a folder beside them."""
    hidden = any(part.startswith((".", "__")) for part in path.parts)
    return not hidden and (path.suffix == ".ipynb" or len(path.parts) > 1)
