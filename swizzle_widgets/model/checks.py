"""Checks on plain values, shared by the model classes. Each error shows the value and the rule."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np


def whole(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
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
    """Return a number for an error text; a huge one by its power of two, since Python refuses to print it."""
    if abs(number) < 1 << 64:
        return str(number)
    return f"about {'-' if number < 0 else ''}2**{number.bit_length() - 1}"


def power_of_two(name: str, value: Any, low: int, high: int) -> int:
    """Return `value` as an int if it is a power of two within [low, high], else raise as `whole` does."""
    number = whole(name, value, low, high)
    if number & (number - 1):
        raise ValueError(f"{name} = {number} must be a power of two")
    return number


def integers(name: str, values: Any, low: int | None = 0) -> np.ndarray:
    """Return `values` as an int64 array (uint64 stays as it is).

    Parameters
    ----------
    name : str
        What the values are called in the error.
    values : int or integer array
        An empty list counts as an array of integers.
    low : int or None
        The least value allowed.

    Raises
    ------
    TypeError
        If the values are not integers (booleans and floats are not).
    ValueError
        If a value is below `low`.
    """
    array = np.asarray(values)
    if not array.size:
        return np.zeros(array.shape, np.int64)
    if array.dtype.kind not in "iu":
        sample = array.item(0)
        raise TypeError(f"{name} must be whole numbers of at most 64 bits, not {array.dtype} such as {sample!r}")
    if array.dtype != np.uint64:
        array = array.astype(np.int64, copy=False)
    if low is not None and array.min() < low:
        raise ValueError(f"{name} must be at least {low}, but one is {array.min()}")
    return array


def one_or_many(name: str, names: str, value: Any) -> Any:
    """Return an int if `value` is a single number, else an array as `integers` does; neither negative."""
    return integers(names, value) if np.ndim(value) else whole(name, value, 0)


def one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`, else raise ValueError naming both."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} = {value!r} is not known: it must be one of {', '.join(map(repr, choices))}")
    return value


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """Return `1 wavefront`, `2 wavefronts`; `nouns` is the plural where an s behind `noun` is not."""
    return f"{count} {noun if count == 1 else nouns or f'{noun}s'}"
