"""Checks on plain values, shared by the model classes. Each error shows the value and the rule."""

from __future__ import annotations

import operator

import numpy as np


def whole(name: str, value, low: int | None = None, high: int | None = None) -> int:
    """Return `value` as an int, or say why it is none.

    Parameters
    ----------
    name : str
        What the value is called in the error.
    value : int or numpy integer
        Booleans, floats, NaN and strings are refused, whole or not.
    low, high : int, optional
        Inclusive limits.

    Raises
    ------
    TypeError
        If `value` is not an integer.
    ValueError
        If `value` lies outside the limits.
    """
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if low is not None and number < low:
        raise ValueError(f"{name} = {shown(number)} is too small: it must be at least {low}")
    if high is not None and number > high:
        raise ValueError(f"{name} = {shown(number)} is too large: it must be at most {high}")
    return number


def shown(number: int) -> str:
    """Return a number for an error text; a huge one by its size, since Python refuses to print it."""
    return str(number) if abs(number) < 1 << 64 else f"a number of {number.bit_length()} bits"


def power_of_two(name: str, value, low: int, high: int) -> int:
    """Return `value` as an int if it is a power of two within [low, high], else raise as `whole` does."""
    number = whole(name, value, low, high)
    if number & (number - 1):
        raise ValueError(f"{name} = {number} must be a power of two")
    return number


def integers(name: str, values) -> np.ndarray:
    """Return `values` as an int64 array (uint64 stays as it is).

    Raises
    ------
    TypeError
        If the values are not integers (booleans and floats are not).
    ValueError
        If a value is negative.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers of at most 64 bits, not {array.dtype} such as {_sample(array)}")
    if array.dtype != np.uint64:
        array = array.astype(np.int64, copy=False)
    if array.size and array.min() < 0:
        raise ValueError(f"{name} must not be negative, but one is {array.min()}")
    return array


def one_of(name: str, value, choices) -> str:
    """Return `value` if it is one of `choices`, else raise ValueError naming both."""
    if value not in tuple(choices):
        raise ValueError(f"{name} = {value!r} is not known: it must be one of {', '.join(map(repr, choices))}")
    return value


def _sample(array: np.ndarray) -> str:
    return repr(array.flat[0]) if array.size else "an empty list"
