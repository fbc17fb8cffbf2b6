"""Texts as people paste them, each read or refused as tests/data/texts.json says."""

from __future__ import annotations

import pytest

from swizzle_widgets import Access, Tile
from tests.support.texts import CASES, checksum


@pytest.mark.parametrize("case", CASES, ids=[case["kind"] for case in CASES])
def test_asked_texts(case):
    read = getattr(Tile, case.get("maker", "from_cute"))
    if "error" in case:
        with pytest.raises(ValueError, match=r"partition=|stage=|unit=") as error:
            read(case["text"], **case["call"])
        assert case["text"].split(" o ")[-1] in str(error.value)
        return
    tile = read(case["text"], **case["call"])
    assert (tile.rows, tile.cols) == (case["rows"], case["cols"])
    assert checksum(tile.addresses) == case["checksum"]
    if "addresses_first_rows" in case:
        assert tile.addresses[:2, :8].tolist() == case["addresses_first_rows"]
    accesses = {
        "ldmatrix": Access.ldmatrix,
        "cp_async": cp_async_ca,
        "column16": lambda tile: Access.column(tile, width=16),
    }
    for name, access in accesses.items():
        if name in case:
            report = access(tile).report()
            assert [report.wavefronts, report.ideal, report.conflicts] == case[name], name


def cp_async_ca(tile: Tile) -> Access:
    return Access.cp_async(tile, cache="ca")
