"""The course as a folder of pages: widgets alive, no server, no kernel, no network.

`python -m swizzle_widgets.site notebooks site` runs each notebook and writes one page for each, a first page, a
playground, a cheat sheet, an index of terms and a page for teachers. A page holds the state of its widgets;
`widgets.js` beside it holds their code. Nothing is fetched from elsewhere, and the pages tell the browser to
refuse it; so they also open from a disk.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .notebook import Page

# What the extra of this name brings.
NEEDED = frozenset({"ipykernel", "jinja2", "latex2mathml", "mistune", "nbclient", "nbconvert", "nbformat", "pygments"})


def build(notebooks: Path, out: Path, binder: str | None = None) -> list[Page]:
    """Run every notebook of a folder and write the site.

    Parameters
    ----------
    notebooks : Path
        A folder of .ipynb files; their order is that of their names.
    out : Path
        The folder to write; it is made if missing. Files of the same names are replaced.
    binder : str, optional
        "organization/repository/tag" on GitHub, where Binder finds the notebooks; the pages then link to it.

    Returns
    -------
    list of Page

    Raises
    ------
    ValueError
        If the folder has no notebooks, `binder` has not three parts, or a notebook's cell fails.
    ModuleNotFoundError
        If the extra is not installed; the text says how to install it.
    """
    try:
        from .notebook import read_page
        from .pages import Site
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        advice = f'the site needs {error.name}, which is not installed: pip install "swizzle-widgets[site]"'
        raise ModuleNotFoundError(advice, name=error.name) from None
    paths = sorted(notebooks.glob("*.ipynb"))
    if not paths:
        raise ValueError(f"{notebooks} has no notebooks")
    if binder is not None and not re.fullmatch(r"[\w.-]+/[\w.-]+/[\w.-]+", binder):
        raise ValueError(f"binder = {binder!r} must be organization/repository/tag")
    site = Site([read_page(path) for path in paths], binder)
    (out / "pictures").mkdir(parents=True, exist_ok=True)
    for name, text in site.files():
        (out / name).write_text(text, encoding="utf-8")
    for page in site.pages:
        for name, data in page.pictures.items():
            (out / name).write_bytes(data)
    return site.pages
