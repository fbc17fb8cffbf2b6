"""Whole copies: which requests they are, and what they cost, against loops that say the same more slowly."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from swizzle_widgets import Access, Layout, Swizzle, Table, Tile, TiledCopy
from swizzle_widgets.model.hardware import SHARED_BYTES
from tests.support import reference

SW128 = {"swizzle": Swizzle(3, 4, 3), "unit": "byte"}
ROWS_OF_64 = "((8,16),8):((128,1),16)"


def refused(problem, message):
    return pytest.raises(problem, match=f"^{re.escape(message)}$")


def listed(tile, tv, tiler, width, lanes=32):
    """Every request as a list of (row, col) or None, one a lane: steps (down first), warps, vectors."""
    count = 8 * width // tile.element_bits
    threads, values = tv.sizes
    result = []
    for col in range(0, tile.cols, tiler[1]):
        for row in range(0, tile.rows, tiler[0]):
            for warp in range(-(-threads // 32)):
                for vector in range(values // count):
                    request = []
                    for thread in range(32 * warp, 32 * warp + 32):
                        if thread >= threads or thread % 32 >= lanes:
                            request.append(None)
                            continue
                        index = tv(thread, vector * count)
                        place = (row + index % tiler[0], col + index // tiler[0])
                        request.append(place if place[0] < tile.rows and place[1] < tile.cols else None)
                    result.append(request)
    return [request for request in result if any(request)]


def cost(tile, request, width, kind):
    active = [place is not None for place in request]
    addresses = [0 if place is None else int(tile.addresses[place]) // width * width for place in request]
    return reference.cost(addresses, width, kind, active)


def agrees(copy, requests):
    """The copy's requests and costs are those of the list."""
    assert [
        [None if r < 0 else (r, c) for r, c in zip(*both)] for both in zip(copy.rows.tolist(), copy.cols.tolist())
    ] == requests
    costs = [cost(copy.tile, request, copy.width, copy.kind) for request in requests]
    report = copy.report()
    assert list(zip(report.each.wavefronts.tolist(), report.each.ideal.tolist())) == costs
    assert (report.requests, report.wavefronts, report.ideal) == (len(costs), *map(sum, zip(*costs)))
    worst = max(range(len(costs)), key=lambda i: (costs[i][0] - costs[i][1], costs[i][0], -i))
    assert report.worst.where == copy.where(worst)
    assert (report.worst.wavefronts, report.worst.ideal) == costs[worst]


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(("f16", "f32", "e4m3", "f64")),
    st.integers(0, 3), st.integers(0, 3), st.integers(0, 2), st.integers(0, 2), st.integers(0, 3),
    st.sampled_from((None, (3, 4, 3), (2, 4, 3), (1, 5, 4))), st.sampled_from(("load", "store")),
    st.sampled_from((0, 1, 3)), st.booleans(),
)  # fmt: skip
def test_a_copy_is_all_requests_of_all_steps(dtype, down, across, rows, more, run, swizzle, kind, extra, column):
    """Threads in rows or columns, blocks of values, steps both ways, partly filled warps, lanes outside."""
    threads = Layout((1 << down + 1, 1 << across), (1 << across, 1))
    values = Layout((1 << rows, 1 << run), (1 << run, 1))
    tiler = (threads.sizes[0] * values.sizes[0], threads.sizes[1] * values.sizes[1])
    height, length = tiler[0] * (more + 1), tiler[1] * 2 + extra * values.sizes[1]
    options = {"swizzle": Swizzle(*swizzle), "unit": "byte"} if swizzle else {}
    assume(height * length * Tile(1, 1, dtype).element_bits <= 8 * SHARED_BYTES)
    if column:
        threads, values = (Layout(m.shape[::-1], m.stride[::-1]) for m in (threads, values))
        tile, tiler = Tile(length, height, dtype, order="column", **options), tiler[::-1]
    else:
        tile = Tile(height, length, dtype, **options)
    copy = TiledCopy.of_threads(tile, threads, values, kind=kind, predicate=True)
    # The thread at (i, j) has the rows from i * rows: the raked product, said with a coordinate a time.
    (m, n), (p, q) = threads.sizes, values.sizes
    stride = ((q * tiler[0], p) if not column else (p, q * tiler[0]), (tiler[0], 1) if not column else (1, tiler[0]))
    shape = ((n, m) if not column else (m, n), (q, p) if not column else (p, q))
    tv = Layout(shape, stride)
    agrees(copy, listed(tile, tv, tiler, copy.width))
    same = TiledCopy.from_tv(tile, tv, tiler, kind=kind, predicate=True)
    assert np.array_equal(same.rows, copy.rows)
    assert np.array_equal(same.cols, copy.cols)
    assert same.width == copy.width


def widest(tile, held):
    """The widest vectors, tried one by one: neighbors before the swizzle, aligned and in order after it."""
    for width in (16, 8, 4, 2, 1):
        count = 8 * width // tile.element_bits
        if count and all(len(values) % count == 0 for values in held):
            vectors = [values[i : i + count] for values in held for i in range(0, len(values), count)]
            plain = all(tile.layout(*v[i]) == tile.layout(*v[0]) + i for v in vectors for i in range(count))
            bits = [[int(tile.bit_addresses(tile.layout(*place))) for place in v] for v in vectors]
            moved = all(
                b[i] == b[0] + i * tile.element_bits and b[0] % (8 * width) == 0 for b in bits for i in range(count)
            )
            if plain and moved:
                return width


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(("f16", "f32", "e4m3", "s4")), st.sampled_from((0, 2, 4, 8, 16, 24)), st.sampled_from((4, 8, 16)),
    st.integers(0, 5), st.integers(2, 4), st.sampled_from((0, 4, 8, 64)),
)  # fmt: skip
def test_the_width_left_out_is_the_widest_that_all_threads_allow(dtype, padding, run, base, shift, address):
    tile = Tile(4, 32, dtype, padding=padding, swizzle=Swizzle(2, base, shift), unit="element", base_address=address)
    held = [[(row, col + i) for i in range(run)] for col in range(0, 32, run) for row in range(4)]
    expected, tiler = widest(tile, held), (4, 32)
    tv = f"((4,{32 // run}),{run}):((1,{4 * run}),4)"
    if expected is not None:
        assert TiledCopy.from_tv(tile, tv, tiler).width == expected
    elif padding * tile.element_bits % 8 or 8 * address % tile.element_bits:
        with pytest.raises(ValueError, match=r"^no width fits all threads: thread .* no multiple of"):
            TiledCopy.from_tv(tile, tv, tiler)
    else:
        # The swizzle moves parts of the least a lane can have: nibbles between bytes, or within one.
        copy = TiledCopy.from_tv(tile, tv, tiler)
        assert copy.width == 1
        if copy.requests.torn.any():
            with pytest.raises(ValueError, match=r"^step \(0, "):
                copy.report()
        else:
            assert copy.report().conflicts >= 0


@pytest.mark.parametrize("num", [1, 2, 4])
@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("order", ["row", "column"])
@pytest.mark.parametrize("kind", ["ldmatrix", "stmatrix"])
def test_matrices_over_a_tile_are_the_instruction_at_every_corner(num, trans, order, kind):
    tile = Tile(32, 64, "f16", order=order, **SW128)
    copy = getattr(TiledCopy, kind)(tile, num=num, trans=trans)
    lines, run = (8 if num == 1 else 16), (16 if num == 4 else 8)
    down, across = (lines, run) if order == "row" else (run, lines)
    corners = [(row, col) for col in range(0, 64, across) for row in range(0, 32, down)]
    expected = [getattr(Access, kind)(tile, row, col, num, trans) for row, col in corners]
    assert [access.starts for access in copy.accesses] == [access.starts for access in expected]
    assert copy.report().wavefronts == sum(access.report().wavefronts for access in expected)
    assert copy.instruction == f"{kind}.x{num}"
    assert len(copy) * num == 32 * 64 // 64


def test_row_addresses_by_a_thread_value_layout():
    """SM75_U32x4_LDSM_N's source: each lane has a row of 16 bytes; x1 takes the first 8 lanes' alone."""
    tile = Tile(16, 64, "f16", **SW128)
    copy = TiledCopy.from_tv(tile, "((8,2,2),8):((1,8,128),16)", (16, 16), kind="ldmatrix")
    assert [access.starts for access in copy.accesses] == [a.starts for a in TiledCopy.ldmatrix(tile).accesses]
    one = TiledCopy.from_tv(tile, "((8,4),8):((1,0),8)", (8, 8), kind="ldmatrix", num=1)
    assert one.instruction == "ldmatrix.x1"
    assert [access.starts for access in one.accesses] == [a.starts for a in TiledCopy.ldmatrix(tile, 1).accesses]


def test_threads_of_make_tiled_copy_give_row_addresses_too():
    copy = TiledCopy.of_threads(Tile(32, 16, "f16", **SW128), "(16,2):(1,16)", "(1,8):(8,1)", kind="ldmatrix")
    assert copy.instruction == "ldmatrix.x4"
    assert [access.starts for access in copy.accesses] == [
        access.starts for access in TiledCopy.ldmatrix(Tile(32, 16, "f16", **SW128)).accesses
    ]


def test_accesses_are_made_when_asked_and_stand_where_they_say():
    copy = TiledCopy.from_tv(Tile(128, 128, "f16", **SW128), ROWS_OF_64, (16, 64), kind="store")
    assert len(copy.accesses) == len(copy) == 64
    assert copy.where(0) == "step (0, 0), warp 0, vector 0"
    assert copy.where(5) == "step (16, 0), warp 1, vector 0"
    assert copy.where(63) == "step (112, 64), warp 3, vector 0"
    last = copy.accesses[-1]
    assert last.coordinates[0].tolist() == [124 + lane // 8 for lane in range(32)]
    assert last.coordinates[1].tolist() == [64 + lane % 8 * 8 for lane in range(32)]
    assert str(last) == "STS.128, step (112, 64), warp 3, vector 0"
    assert [access.name for access in copy.accesses[62:]] == [copy.where(62), copy.where(63)]
    assert sum(access.report().wavefronts for access in copy.accesses) == copy.report().wavefronts
    with pytest.raises(IndexError):
        copy.accesses[64]


def test_stages_are_moved_one_after_the_other():
    text = "Sw<3,3,3> o _0 o (_32,_64,_3):(_64,_1,_2048)"
    stages = [Tile.from_cute(text, "f16", stage=stage) for stage in range(3)]
    one, all_three = (TiledCopy.from_tv(tiles, ROWS_OF_64, (16, 64), kind="store") for tiles in (stages[1], stages))
    assert len(all_three) == 3 * len(one) == 24
    assert all_three.where(9) == "stage 1, step (0, 0), warp 1, vector 0"
    assert all_three.accesses[9].tile == stages[1]
    assert all_three.tile == stages[0]
    assert np.array_equal(all_three.accesses[9].addresses, one.accesses[1].addresses)
    assert str(all_three) == "2 steps of 16x64 by 128 threads, STS.128 on 3 stages of 32x64 f16"
    # A stage that starts inside the swizzle's period is not its neighbor moved: here the third is the slow one.
    odd = [Tile(32, 64, "f16", base_address=base) for base in (0, 4096)] + [Tile(32, 64, "f16", padding=0)]
    report = TiledCopy.of_threads([*odd[:2], odd[2]], "(32,1):(1,1)", "(1,8):(8,1)").report()
    assert report.requests == 3 * 8
    with pytest.raises(ValueError, match="all must have one size and dtype"):
        TiledCopy.ldmatrix([Tile(32, 64, "f16"), Tile(32, 32, "f16")])


def test_a_tiler_that_does_not_divide_is_refused_or_predicated():
    tile = Tile(40, 72, "f16")
    with refused(
        ValueError,
        "the tiler of 16x64 does not divide the tile of 40x72: predicate=True leaves out the lanes beyond it",
    ):
        TiledCopy.from_tv(tile, ROWS_OF_64, (16, 64))
    copy = TiledCopy.from_tv(tile, ROWS_OF_64, (16, 64), predicate=True)
    agrees(copy, listed(tile, Layout.parse(ROWS_OF_64), (16, 64), 16))
    inside = copy.rows >= 0
    assert sorted(zip(copy.rows[inside].tolist(), copy.cols[inside].tolist())) == [
        (row, col) for row in range(40) for col in range(0, 72, 8)
    ]


def test_a_predicate_takes_whole_vectors_and_no_lane_of_ldmatrix():
    with pytest.raises(ValueError, match=r"^thread 0, values 0 to 7 from \(0, 64\) is partly outside the tile"):
        TiledCopy.from_tv(Tile(8, 68, "f16"), "((8,8),8):((64,1),8)", (8, 64), width=16, predicate=True)
    rows = "((8,2,2),8):((1,8,128),16)"
    with refused(
        ValueError,
        "ldmatrix.x4 takes 32 row addresses, but lane 8 of a warp has none: it cannot be predicated lane by lane",
    ):
        TiledCopy.from_tv(Tile(24, 16, "f16"), rows, (16, 16), kind="ldmatrix", predicate=True)


def test_on_another_tile_the_instruction_stays():
    plain = Tile(64, 64, "f16")
    copy = TiledCopy.ldmatrix(plain)
    assert (copy.report().conflicts, copy.on(replace(plain, **SW128)).report().conflicts) == (448, 0)
    assert copy.on(plain.padded(8)).report().conflicts == 0
    assert copy.on(plain.padded(8)).width == 16
    with refused(ValueError, "thread 1, values 0 to 7 from (1, 0) starts at byte 130, no multiple of 16 bytes"):
        copy.on(plain.padded(1))
    nibbles = Tile(4, 8, "s4", padding=1)
    with refused(
        ValueError,
        "no width fits all threads: thread 1, values 0 to 1 from (1, 0) starts at bit 36, no multiple of 1 byte",
    ):
        TiledCopy.from_tv(nibbles, "(4,2):(1,4)", (4, 2))
    with refused(ValueError, "no width fits all threads: 1 value of a thread fill no whole bytes"):
        TiledCopy.from_tv(nibbles, "(4,1):(1,4)", (4, 2))


def test_maps_that_are_no_layout_are_copied_too():
    tile = Tile(16, 64, "f16", **SW128)
    table = Tile(16, 64, "f16", layout=Table(tile.bit_addresses(tile.layout.offsets) // 16))
    copies = [TiledCopy.of_threads(t, "(16,8):(8,1)", "(1,8):(8,1)", width=16) for t in (tile, table)]
    assert copies[0].report().wavefronts == copies[1].report().wavefronts == 16


def test_every_vector_that_the_swizzle_tears_is_refused_where_it_stands():
    tile = Tile(16, 64, "f16", swizzle=Swizzle(3, 3, -3), unit="byte")
    copy = TiledCopy.from_tv(tile, ROWS_OF_64, (16, 64), width=16)
    with pytest.raises(ValueError, match=r"^step \(0, 0\), warp 0, vector 0: Sw<3,3,-3> in bytes"):
        copy.report()
    # Left out, the width is what the swizzle leaves whole.
    assert TiledCopy.from_tv(tile, ROWS_OF_64, (16, 64)).width == 8


def test_a_vector_in_another_order_is_no_more_work_for_a_plain_load_and_none_for_ldmatrix():
    """Sw<3,3,3> in bytes exchanges the halves of 16 bytes and leaves them in their place otherwise."""
    plain, tile = Tile(16, 64, "f16"), Tile(16, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="byte")
    copy = TiledCopy.from_tv(tile, ROWS_OF_64, (16, 64), width=16)
    assert copy.requests.reordered.any()
    assert not copy.requests.torn.any()
    assert copy.report().wavefronts == copy.on(plain).report().wavefronts == 16
    assert not copy.on(plain).requests.reordered.any()
    with pytest.raises(ValueError, match=r"^step \(0, 32\), warp 0, vector 0: Sw<3,3,3> in bytes"):
        TiledCopy.ldmatrix(tile).report()


@pytest.mark.parametrize(
    ("arguments", "options", "problem", "message"),
    [
        (("((8,16),8):((128,1),16)", (16, 32)), {}, ValueError,
         "tv = ((8,16),8):((128,1),16) sends thread 4, value 0 to index 512, outside the tiler of 16x32"),
        (("(8,16,8):(128,1,16)", (16, 64)), {}, ValueError,
         "tv = (8,16,8):(128,1,16) has 3 modes: it needs two, threads and values"),
        (("128:1", (16, 64)), {}, ValueError, "tv = 128:1 has 1 mode: it needs two, threads and values"),
        (("(2048,1):(1,0)", (64, 64)), {}, ValueError, "threads = 2048 is too large: it must be at most 1024"),
        ((5, (16, 64)), {}, TypeError,
         "tv must be a layout, as text, as a Layout or with shape and stride, not 5"),
        ((ROWS_OF_64, (16,)), {}, ValueError, "tiler = (16,): two numbers, the rows and the columns of one step"),
        ((ROWS_OF_64, (16, "64")), {}, TypeError, "tiler[1] must be a whole number, not '64'"),
        ((ROWS_OF_64, (0, 64)), {}, ValueError, "tiler[0] = 0 is too small: it must be at least 1"),
        ((ROWS_OF_64, (16, 64)), {"width": 32}, ValueError,
         "width = 32 bytes is no instruction: a lane reads or writes 1, 2, 4, 8 or 16 bytes"),
        ((ROWS_OF_64, (16, 64)), {"width": 1}, ValueError, "8 f16 values of a thread are no vectors of 1 byte"),
        (("((16,8),4):((1,64),16)", (16, 64)), {"width": 16}, ValueError,
         "4 f16 values of a thread are no vectors of 16 bytes"),
        (("((16,8),8):((1,128),16)", (16, 64)), {"kind": "copy"}, ValueError, "kind = 'copy' is not known"),
        (("(16,(8,2)):(1,(16,320))", (16, 64)), {"width": 16}, ValueError,
         "thread 0, values 8 to 15 from (0, 20) starts at byte 40, no multiple of 16 bytes"),
        (("((16,8),8):((1,16),128)", (16, 64)), {"width": 16}, ValueError,
         "thread 0, values 0 to 7 from (0, 0) is no run of neighbors in (16,64):(64,1)"),
        ((ROWS_OF_64, (16, 64)), {"kind": "ldmatrix", "num": 3}, ValueError,
         "num = 3 is no instruction: ldmatrix and stmatrix move 1, 2 or 4 matrices"),
    ],
)  # fmt: skip
def test_bad_input_names_the_mode_the_thread_or_the_value(arguments, options, problem, message):
    with pytest.raises(problem, match="^" + re.escape(message)):
        TiledCopy.from_tv(Tile(16, 64, "f16"), *arguments, **options)


def test_a_text_that_is_no_layout_names_the_argument():
    with pytest.raises(ValueError, match=r"^tv: expected"):
        TiledCopy.from_tv(Tile(16, 64, "f16"), "((8,16),8", (16, 64))
    with pytest.raises(ValueError, match=r"^threads: expected"):
        TiledCopy.of_threads(Tile(16, 64, "f16"), "(16,", "(1,8):(8,1)")


def test_an_object_of_cute_with_shape_and_stride_is_its_layout():
    of_cute, ours = (make(shape=(32, 1), stride=(1, 1)) for make in (SimpleNamespace, Layout))
    copies = [TiledCopy.of_threads(Tile(32, 16, "f16"), threads, "(1,8):(1,1)") for threads in (of_cute, ours)]
    assert len({str(copy) for copy in copies}) == 1
    assert np.array_equal(*(copy.requests.addresses for copy in copies))


@pytest.mark.parametrize(
    ("threads", "values", "message"),
    [
        ("(16,8):(8,2)", "(1,8):(8,1)", "threads = (16,8):(8,2) gives number 1 never: it must give 0 to 127 once each"),
        ("(16,8):(8,1)", "(1,8):(8,0)", "values = (1,8):(8,0) gives number 0 8 times: it must give 0 to 7 once each"),
        ("(2,2,2):(4,2,1)", "(1,8):(8,1)", "threads = (2,2,2):(4,2,1) has 3 modes: it needs rows and columns"),
    ],
)
def test_threads_and_values_must_be_numbered_once_each(threads, values, message):
    with refused(ValueError, message):
        TiledCopy.of_threads(Tile(16, 64, "f16"), threads, values)


def test_a_copy_is_made_on_tiles():
    for tile in (None, [], [Tile(8, 8), 3], "8x8"):
        with pytest.raises(TypeError, match="a copy is made on a Tile, or on a list of them, its stages; not on"):
            TiledCopy.ldmatrix(tile)


def test_sentences():
    tile = Tile(128, 64, "f16")
    copy = TiledCopy.ldmatrix(tile)
    assert str(copy) == "32 steps of 16x16 by 32 threads, ldmatrix.x4 on 128x64 f16"
    assert repr(copy) == f"<TiledCopy: {copy}>"
    report = copy.report()
    assert str(report) == (
        "32 requests of ldmatrix.x4: 1024 wavefronts, ideal 128, 896 conflicts; "
        "the worst takes 32 instead of 4: step (0, 0), warp 0, vector 0"
    )
    assert repr(report) == f"<CopyReport: {report}>"
    clean = TiledCopy.ldmatrix(replace(tile, **SW128)).report()
    assert str(clean) == "32 requests of ldmatrix.x4: 128 wavefronts, ideal 128, 0 conflicts"
    assert clean.worst.where == "step (0, 0), warp 0, vector 0"
    assert (clean.worst.wavefronts, clean.worst.ideal, clean.worst.conflicts) == (4, 4, 0)
    assert report.worst.report.wavefronts == 32


def test_the_worst_stands_out_among_better_requests():
    """In a padded tile of odd lines the worst request is not the first."""
    tile = Tile(32, 40, "f32", padding=1)
    tv = "((1,32),1):((0,1),0)"
    layout = Layout.parse(tv)
    agrees(TiledCopy.from_tv(tile, tv, (32, 1)), listed(tile, layout, (32, 1), 4))
    mixed = Table(
        np.where(np.arange(40) == 7, np.arange(32)[:, None] * 64, np.arange(32)[:, None]) + np.arange(40) * 2048
    )
    odd = Tile(32, 40, "u8", layout=mixed)
    report = TiledCopy.from_tv(odd, tv, (32, 1)).report()
    assert report.worst.where == "step (0, 7), warp 0, vector 0"
    assert report.worst.conflicts == 15


ODD_TILES = [
    Tile(40, 72, "f16"), Tile(40, 72, "f16", order="column"), Tile(8, 64, "f16"), Tile(33, 40, "f32", padding=1),
    Tile(16, 64, "s4"), Tile(70, 16, "f64"), Tile(1, 48, "e4m3"), Tile(100, 1, "f32"),
]  # fmt: skip


def lines_and_vectors(tile, count, direction):
    """(row, col) of every vector, walked down the columns or along the rows, a list a column or row."""
    down, across = (count, 1) if tile.order == "column" else (1, count)
    rows, cols = range(0, tile.rows, down), range(0, tile.cols, across)
    if direction == "column":
        return [[(row, col) for row in rows] for col in cols]
    return [[(row, col) for col in cols] for row in rows]


@pytest.mark.parametrize("tile", ODD_TILES, ids=str)
@pytest.mark.parametrize("direction", ["column", "row"])
@pytest.mark.parametrize("kind", ["load", "store"])
def test_a_warp_walks_every_column_or_row_once(tile, direction, kind):
    copy = getattr(TiledCopy, direction)(tile, kind=kind)
    count = 8 * copy.width // tile.element_bits
    assert copy.width == max(1, tile.element_bits // 8)
    walks = lines_and_vectors(tile, count, direction)
    expected = [walk[first : first + 32] for walk in walks for first in range(0, len(walk), 32)]
    found = [
        [place for place in zip(*both) if place != (-1, -1)] for both in zip(copy.rows.tolist(), copy.cols.tolist())
    ]
    assert sorted(found) == sorted(expected)
    agrees(copy, [request + [None] * (32 - len(request)) for request in found])


def test_wide_vectors_lie_along_the_lines_of_the_tile():
    row, column = Tile(64, 64, "f16"), Tile(64, 64, "f16", order="column")
    assert TiledCopy.column(row, 16).cols[0].tolist() == [0] * 32
    assert TiledCopy.column(row, 16).rows[0].tolist() == list(range(32))
    assert TiledCopy.column(column, 16).rows[0].tolist() == [*range(0, 64, 8), *[-1] * 24]
    assert TiledCopy.row(column, 16).cols[0].tolist() == list(range(32))
    with refused(ValueError, "width = 1 bytes holds no whole number of 16-bit elements"):
        TiledCopy.row(row, 1)
    with refused(ValueError, "kind = 'ldmatrix' is not known: it must be one of 'load', 'store', 'atomic'"):
        TiledCopy.row(row, 16, "ldmatrix")


@pytest.mark.parametrize(
    "tile", [Tile(40, 72, "f16"), Tile(72, 40, "f16", order="column"), Tile(8, 1024, "f32")], ids=str
)
@pytest.mark.parametrize(("width", "cache"), [(16, None), (16, "ca"), (8, None), (4, "ca")])
def test_cp_async_fills_lines_one_after_the_other(tile, width, cache):
    copy = TiledCopy.cp_async(tile, width, cache)
    count = 8 * width // tile.element_bits
    vectors = [place for walk in lines_and_vectors(tile, count, tile.order) for place in walk]
    found = [place for both in zip(copy.rows.tolist(), copy.cols.tolist()) for place in zip(*both)]
    assert found[: len(vectors)] == vectors
    assert set(found[len(vectors) :]) <= {(-1, -1)}
    assert len(copy) == -(-len(vectors) // 32)
    one = Access.cp_async(tile, width=width, cache=cache)
    assert copy.accesses[0].starts == one.starts
    assert (copy.kind, copy.accesses[0].report()) == (one.kind, one.report())
    assert copy.report().cost == sum(access.report().cost for access in copy.accesses)


def test_cp_async_to_lines_is_paid_in_lines():
    padded = TiledCopy.cp_async(Tile(64, 64, "f16", padding=8)).report()
    assert str(padded) == (
        "16 requests of cp.async.cg.16: 120 lines of 128 bytes, at least 64, no bank conflicts; "
        "the worst takes 8 instead of 4: step (0, 0), warp 0, vector 1"
    )
    assert (padded.unit, padded.cost, padded.least, padded.excess, padded.conflicts) == ("line", 120, 64, 56, 0)
    assert (padded.worst.cost, padded.worst.least, padded.worst.excess, padded.worst.conflicts) == (8, 4, 4, 0)
    clean = TiledCopy.cp_async(Tile(64, 64, "f16")).report()
    assert str(clean) == "16 requests of cp.async.cg.16: 64 lines of 128 bytes, at least 64, no bank conflicts"
    with pytest.raises(ValueError, match=r"cp\.async"):
        TiledCopy.cp_async(Tile(64, 64, "f16"), 8, "cg")
