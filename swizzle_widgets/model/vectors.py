"""What a swizzle leaves of a vector: whole, reordered within its own aligned bytes, or torn."""

from __future__ import annotations

import numpy as np


def torn(bits: np.ndarray, width: int) -> np.ndarray:
    """Return which vectors do not lie in one aligned run of `width` bytes.

    Parameters
    ----------
    bits : int array, shape (..., elements)
        The bit address of each element of a vector after the swizzle.
    width : int
        The vector's bytes, a power of two.

    Returns
    -------
    bool array, shape (...)
    """
    places = bits >> (8 * width).bit_length() - 1
    return (places != places[..., :1]).any(axis=-1)


def reordered(bits: np.ndarray, width: int, step: int) -> np.ndarray:
    """Return which vectors lie in one aligned run of `width` bytes, but not in order.

    Parameters
    ----------
    bits, width
        As for `torn`.
    step : int or int array of shape (elements - 1,)
        The size of an element in bits; or the distances of the elements given, in bits, if not all are.
    """
    return ~torn(bits, width) & (np.diff(bits, axis=-1) != step).any(axis=-1)
