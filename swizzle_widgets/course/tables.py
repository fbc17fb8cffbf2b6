"""Tables for notebooks, as Markdown: no library for data frames is needed to show ten rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.display import Markdown


def table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> Markdown:
    """Return a table that a notebook shows.

    Parameters
    ----------
    heads : sequence
        The head of each column, Markdown or a number.
    rows : iterable of sequences
        The cells of each row, as many as there are heads.

    Returns
    -------
    IPython.display.Markdown

    Raises
    ------
    ValueError
        If a row has more or fewer cells than there are heads.
    """
    from IPython.display import Markdown

    rows = [tuple(row) for row in rows]
    for row in rows:
        if len(row) != len(heads):
            raise ValueError(f"a row has {len(row)} cells under {len(heads)} heads: {row}")
    lines = (heads, ("---",) * len(heads), *rows)
    return Markdown("\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines))


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", "<br>")
