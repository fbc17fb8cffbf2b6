"""Traits that refuse what the model refuses, in the model's own words."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import traitlets

from ..model.checks import one_of, whole


class Refused(traitlets.TraitError, ValueError):
    """A state that the model refuses. As a TraitError it also takes back what was set under a hold."""


class Whole(traitlets.TraitType[Any, Any]):
    """A whole number within limits."""

    def __init__(self, default: int | None, low: int, high: int | None, **options: Any):
        super().__init__(default, **options)
        self.low: int = low
        self.high: int | None = high

    def validate(self, obj: Any, value: Any) -> int:
        return whole(self.name or "value", value, self.low, self.high)


class Checked(traitlets.TraitType[Any, Any]):
    """What a validator of the widget accepts; unlike traitlets' own Any, which takes None unseen."""


class Choice(traitlets.TraitType[str, Any]):
    """One of some names."""

    def __init__(self, default: str, choices: Sequence[str], **options: Any):
        super().__init__(default, **options)
        self.choices: tuple[str, ...] = tuple(choices)

    def validate(self, obj: Any, value: Any) -> str:
        return one_of(self.name or "value", value, self.choices)


class Names(traitlets.TraitType[list[str], Any]):
    """A list of some of the names there are, each once."""

    def __init__(self, choices: Sequence[str], **options: Any):
        super().__init__(list(choices), **options)
        self.choices: tuple[str, ...] = tuple(choices)

    def validate(self, obj: Any, value: Any) -> list[str]:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"{self.name} must be a list of names, not {value!r}")
        names = {one_of(self.name or "value", each, self.choices) for each in value}
        return [name for name in self.choices if name in names]


class Flag(traitlets.TraitType[bool, Any]):
    """True or False."""

    def validate(self, obj: Any, value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError(f"{self.name} must be True or False, not {value!r}")
        return value


class Rate(traitlets.TraitType[float, Any]):
    """A number within limits."""

    def __init__(self, default: float, low: float, high: float, **options: Any):
        super().__init__(default, **options)
        self.low: float = low
        self.high: float = high

    def validate(self, obj: Any, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.name} must be a number, not {value!r}")
        if not self.low <= float(value) <= self.high:
            raise ValueError(f"{self.name} = {value!r} must be at least {self.low} and at most {self.high}")
        return value  # pyright: ignore[reportReturnType]
