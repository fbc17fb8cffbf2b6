"""The modes of TMA and WGMMA, against what an H200 did."""

import numpy as np
import pytest

from swizzle_widgets import Swizzle, Tile
from swizzle_widgets.measured import hopper, recorded
from swizzle_widgets.model.modes import MODES, mode, mode_of

DTYPES = {1: "u8", 2: "u16", 4: "u32"}


@pytest.fixture(scope="module")
def found():
    return recorded("hopper")


def _image(tile: Tile, halfwords: int) -> np.ndarray:
    """What shared memory holds after a tile of numbered two-byte elements was stored in it."""
    image = np.full(halfwords, 0xFFFF, np.uint16)
    image[tile.addresses // 2] = np.arange(tile.rows * tile.cols).reshape(tile.rows, tile.cols)
    return image


@pytest.mark.parametrize("which", MODES, ids=str)
@pytest.mark.parametrize("base", hopper.DUMP_BASES)
def test_the_copy_engine_wrote_where_the_mode_says(found, which, base):
    dump = found[f"dump_{which.name}"][hopper.DUMP_BASES.index(base)]
    tile = which.tile(hopper.DUMP_ROWS, (which.row_bytes or 128) // 2, "u16", base)
    np.testing.assert_array_equal(dump, _image(tile, len(dump)))


@pytest.mark.parametrize("which", MODES[1:], ids=str)
def test_an_offset_rule_holds_at_multiples_of_the_repeat_only(found, which):
    for base, dump in zip(hopper.DUMP_BASES, found[f"dump_{which.name}"]):
        cols = which.row_bytes // 2
        tile = Tile(
            hopper.DUMP_ROWS, cols, "u16", base_address=base, swizzle=which.swizzle, unit="byte", anchor="offset"
        )
        assert (dump == _image(tile, len(dump))).all() == (base % which.repeat_bytes == 0)


def test_a_box_wider_than_the_matrix_fills_padded_rows(found):
    rows = np.zeros((hopper.DUMP_ROWS, hopper.PADDED_COLS + hopper.PADDING), np.uint16)
    rows[:, : hopper.PADDED_COLS] = np.arange(hopper.DUMP_ROWS * hopper.PADDED_COLS).reshape(hopper.DUMP_ROWS, -1)
    for base, dump in zip(hopper.DUMP_BASES, found["dump_padded"]):
        image = np.full(len(dump), 0xFFFF, np.uint16)
        image[base // 2 :][: rows.size] = rows.ravel()
        np.testing.assert_array_equal(dump, image)
        tile = Tile(hopper.DUMP_ROWS, hopper.PADDED_COLS, "u16", padding=hopper.PADDING, base_address=base)
        np.testing.assert_array_equal(dump[tile.addresses // 2], rows[:, : hopper.PADDED_COLS])


def test_other_swizzles_are_none_of_the_modes(found):
    dump = found["dump_64B"][0]
    for swizzle in (Swizzle(3, 3, 3), Swizzle(3, 4, 3), Swizzle(1, 4, 3)):
        tile = Tile(hopper.DUMP_ROWS, 32, "u16", swizzle=swizzle, unit="byte")
        assert not np.array_equal(dump, _image(tile, len(dump)))


def test_a_box_is_refused_where_the_driver_refuses_it(found):
    asked = zip(*(found[f"box_{name}"].tolist() for name in ("swizzle", "element_bytes", "rows", "cols", "taken")))
    outcomes = {True: 0, False: 0}
    for index, element_bytes, rows, cols, taken in asked:
        if index >= len(MODES):
            assert not taken, f"{hopper.SWIZZLES[index]} is for later GPUs"
            continue
        try:
            MODES[index].check_box(rows, cols, DTYPES[element_bytes])
            legal = True
        except ValueError:
            legal = False
        assert legal == bool(taken), (MODES[index].name, element_bytes, rows, cols)
        outcomes[legal] += 1
    assert min(outcomes.values()) > 100


@pytest.mark.parametrize(
    ("name", "rows", "cols", "dtype", "text"),
    [
        ("128B", 8, 72, "f16", "144 bytes: the 128B swizzle takes rows of at most 128"),
        ("64B", 8, 64, "f16", "128 bytes: the 64B swizzle takes rows of at most 64"),
        ("none", 8, 4, "f16", "64 bits.*multiple of 16 bytes"),
        ("none", 257, 8, "f16", "rows = 257"),
        ("none", 8, 257, "u8", "cols = 257"),
        ("none", 256, 256, "f32", "262144 bytes: shared memory"),
    ],
)
def test_a_bad_box_is_explained(name, rows, cols, dtype, text):
    with pytest.raises(ValueError, match=text):
        mode(name).check_box(rows, cols, dtype)


def test_a_bad_base_or_mode_is_explained():
    with pytest.raises(ValueError, match="base_address = 64 must be a multiple of 128"):
        mode("128B").tile(8, 64, base_address=64)
    with pytest.raises(ValueError, match="'96B' is not known"):
        mode("96B")


def test_mode_of_a_swizzle_depends_on_its_unit():
    assert mode_of(Swizzle(3, 4, 3), 8).name == "128B"
    assert mode_of(Swizzle(3, 3, 3), 8) is None
    assert mode_of(Swizzle(3, 3, 3), unit_bits=16).name == "128B"
    assert mode_of(Swizzle(3, 4, 3), unit_bits=16) is None
    assert mode_of(Swizzle(2, 3, 3), unit_bits=16).name == "64B"
    assert mode_of(Swizzle(3, 7, 3), unit_bits=1).name == "128B"
    assert mode_of(Swizzle(3, 2, 3), unit_bits=1) is None
    assert mode_of(Swizzle(0, 0, 0)).name == "none"


def test_chunk_order_is_what_the_dump_holds(found):
    dump = found["dump_128B"][0][: 8 * 64].reshape(8, 8, 8)
    np.testing.assert_array_equal(mode("128B").chunk_order(), dump[:, :, 0] % 64 // 8)


def test_products_are_right_exactly_where_the_layouts_match(found):
    cases = list(zip(*(found[f"product_{name}"].tolist() for name in ("stored", "mode", "width", "wrong", "of"))))
    assert len(cases) == len(hopper.WIDTHS) * (1 + 3 * len(hopper.STORED))
    for stored, index, width, wrong, of in cases:
        assert of == 64 * width
        swizzle = hopper.STORED[stored] or Swizzle(0, 4, 3)
        if mode_of(swizzle, 8) is MODES[index]:
            assert wrong == 0
        else:
            assert wrong > of / 3


def test_operand_reads_have_no_conflicts_in_any_mode(found):
    assert len(found["gmma_conflicts"]) > 200
    assert found["gmma_conflicts"].max() == 0
    # A wavefront is 128 bytes: 64 rows of a, and as many rows of b as the instruction is wide, of 32 bytes each.
    np.testing.assert_array_equal(found["gmma_wavefronts"], (64 + found["gmma_width"]) * 32 // 128)
    matching = found["gmma_matching"].astype(bool)
    assert matching.sum() == len(hopper.WIDTHS) * len(MODES) * hopper.READ_ROUNDS
    np.testing.assert_allclose(found["gmma_cycles"], 32, atol=0.1)


def _speeds(found, name):
    """Row bytes and the median speed of each case of one traffic."""
    chosen = found["tma_traffic"] == [traffic.name for traffic in hopper.TRAFFIC].index(name)
    return found["tma_row_bytes"][chosen], np.median(found["tma_bytes_per_cycle"][chosen], axis=1)


def test_alone_the_copy_engine_takes_one_row_a_cycle(found):
    for name in ("one alone, 128 KiB in L2", "one alone, 32 MiB"):
        row_bytes, speeds = _speeds(found, name)
        narrow = row_bytes <= 64
        assert narrow.sum() == 11
        np.testing.assert_allclose(speeds[narrow], row_bytes[narrow], rtol=0.01)
        np.testing.assert_allclose(speeds[~narrow], 90, atol=1)


def test_together_the_copy_engines_share_what_l2_and_memory_deliver(found):
    row_bytes, speeds = _speeds(found, "all, 128 KiB each, in L2")
    # Rows of 64 bytes and more come equally fast; narrower ones do not.
    assert speeds[row_bytes >= 64].min() > 34 > 21 > speeds[row_bytes <= 32].max()
    row_bytes, speeds = _speeds(found, "all, 32 MiB each, from memory")
    assert np.ptp(speeds[row_bytes >= 64]) < 0.6
    # What looks faster comes from multiprocessors that walk over the same bytes in step: L2 reads them once.
    _, together = _speeds(found, "all, the same 128 KiB")
    assert together.max() > 2 * 36


def test_no_mode_is_slower_than_another(found):
    for traffic in range(len(hopper.TRAFFIC)):
        for width in np.unique(found["tma_row_bytes"]):
            chosen = (found["tma_traffic"] == traffic) & (found["tma_row_bytes"] == width)
            speeds = np.median(found["tma_bytes_per_cycle"][chosen], axis=1)
            assert speeds.max() < 1.1 * speeds.min()
