"""Tables that notebooks show."""

from __future__ import annotations

import pytest

from swizzle_widgets.course import table


def test_a_table_is_markdown_with_bars_escaped():
    shown = table(["a", "b"], [[1, "|S|"], ["two\nlines", None]])
    assert shown.data.splitlines() == ["| a | b |", "| --- | --- |", "| 1 | \\|S\\| |", "| two<br>lines | None |"]


def test_a_short_row_is_refused():
    with pytest.raises(ValueError, match="1 cells under 2 heads"):
        table(["a", "b"], [[1]])
