"""assert_clean: silent on what is clean, and an explanation on what is not."""

from dataclasses import replace

import pytest

from swizzle_widgets import Access, Swizzle, Tile, TiledCopy
from swizzle_widgets.testing import assert_clean

PLAIN = Tile(64, 64, "f16")
CLEAN = replace(PLAIN, swizzle=Swizzle(3, 4, 3), unit="byte")


def test_what_is_clean_passes_in_every_spelling():
    assert_clean(CLEAN, "ldmatrix")
    assert_clean(CLEAN, Access.ldmatrix(CLEAN))
    assert_clean(CLEAN, ["cp.async", Access.ldmatrix(CLEAN, row=16), TiledCopy.ldmatrix(CLEAN), "row:16"])
    assert_clean(PLAIN, [])


def test_an_access_of_another_tile_is_moved_to_this_one():
    assert_clean(CLEAN, [Access.ldmatrix(PLAIN), TiledCopy.ldmatrix(PLAIN)])
    with pytest.raises(AssertionError):
        assert_clean(PLAIN, Access.ldmatrix(CLEAN))


def test_a_conflict_is_explained():
    with pytest.raises(AssertionError) as error:
        assert_clean(PLAIN, ["row:16", "ldmatrix", Access.column(PLAIN)])
    assert str(error.value) == (
        f"{PLAIN} is not clean\n\nldmatrix:\n{TiledCopy.ldmatrix(PLAIN).report().explain()}\n\n"
        f"LDS.U16, column 0:\n{Access.column(PLAIN).explain()}"
    )


def test_what_no_instruction_can_do_fails_with_the_reason():
    torn = replace(PLAIN, swizzle=Swizzle(3, 3, 3), unit="byte")
    with pytest.raises(AssertionError, match=r"ldmatrix: step \(0, 32\), warp 0, vector 0: Sw<3,3,3> in bytes"):
        assert_clean(torn, "ldmatrix")


def test_what_is_no_access_is_an_error_of_the_test():
    with pytest.raises(TypeError, match="an access is an Access, a TiledCopy or a name, not 3"):
        assert_clean(PLAIN, [3])
    with pytest.raises(ValueError, match="access 'ldmatri' is not known"):
        assert_clean(PLAIN, "ldmatri")
