"""The gallery: every exhibit is what its source prints, and costs what the course says."""

from __future__ import annotations

import pytest

from swizzle_widgets import Tile
from swizzle_widgets.course.kernel_layouts import KERNEL_LAYOUTS

# Cost and least cost of each access; every other exhibit serves its accesses as cheaply as can be.
KNOWN_CONFLICTS = {"SM80 tf32, M-major": [(4, 4), (2, 1)], "SM90 half without a swizzle": [(32, 4), (4, 4)]}


@pytest.mark.parametrize("exhibit", KERNEL_LAYOUTS, ids=lambda exhibit: exhibit.name)
def test_exhibits(exhibit):
    reports = [access.report() for access in exhibit.accesses]
    ideal = [(report.least, report.least) for report in reports]
    assert [(report.cost, report.least) for report in reports] == KNOWN_CONFLICTS.get(exhibit.name, ideal)
    assert (exhibit.tile.rows, exhibit.tile.cols, exhibit.tile.dtype) == (exhibit.rows, exhibit.cols, exhibit.dtype)
    assert Tile.from_cute(exhibit.atom, exhibit.dtype).cute_text == exhibit.atom
    assert exhibit.url.startswith("https://")


def test_names_are_unique():
    assert len({exhibit.name for exhibit in KERNEL_LAYOUTS}) == len(KERNEL_LAYOUTS) == 16
