"""Hypothesis strategies: legal swizzles, nested layouts, requests of a warp."""

from __future__ import annotations

from hypothesis import strategies as st

from swizzle_widgets import Swizzle

MEMORY = 227 * 1024
LEGAL = [(b, m, s) for b in range(5) for m in range(6) for s in range(-7, 8) if abs(s) >= b]


@st.composite
def swizzles(draw, most=8) -> Swizzle:
    """Any legal swizzle with fields of at most `most` bits."""
    bits = draw(st.integers(0, most))
    shift = draw(st.integers(bits, most + 2)) * draw(st.sampled_from((1, -1)))
    return Swizzle(bits, draw(st.integers(0, min(most, 31 - bits - abs(shift)))), shift)


@st.composite
def requests(draw, kinds=("load", "store", "ldmatrix", "stmatrix"), widths=(1, 2, 4, 8, 16)):
    """(addresses, width, kind, active) of one warp; often conflicting, often shared by pairs, often partly active."""
    kind = draw(st.sampled_from(kinds))
    width = 16 if kind.endswith("matrix") else draw(st.sampled_from(widths))
    # A few vectors in a small window collide often; a stride collides always.
    window = draw(st.sampled_from((1, 2, 8, 64, MEMORY // width)))
    addresses = draw(
        st.one_of(
            st.lists(st.integers(0, window - 1), min_size=32, max_size=32),
            st.integers(0, 224 * 1024 // width // 32).map(lambda stride: [lane * stride for lane in range(32)]),
        )
    )
    # Pairs agree everywhere, or by another pairing in each half, or everywhere but in one lane.
    pairing = draw(st.sampled_from((None, (1, 1), (2, 2), (1, 2), (3, 3), (4, 4))))
    if pairing:
        addresses = [addresses[lane & ~pairing[lane // 16]] for lane in range(32)]
        if draw(st.booleans()):
            addresses[draw(st.integers(0, 31))] = draw(st.integers(0, window - 1))
    if kind.endswith("matrix"):
        count = draw(st.sampled_from((8, 16, 32)))
        active = [lane < count for lane in range(32)]
    else:
        active = draw(st.one_of(st.just([True] * 32), st.lists(st.booleans(), min_size=32, max_size=32)))
    return [address * width for address in addresses], width, kind, active


sizes = st.recursive(st.integers(1, 5), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=5)


def strides_for(shape):
    """Strides nested as `shape` is."""
    return st.integers(0, 40) if isinstance(shape, int) else st.tuples(*map(strides_for, shape))
