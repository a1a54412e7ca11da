"""Controllers in Python that models have by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from . import _sinew

C = TypeVar("C", bound=type)


def controller(name: str) -> Callable[[C], C]:
    """Registers a class of controllers under a name, by which models have them; a decorator.

    A controller of the model with ``law="code"`` and ``code`` that name makes an object of the class, with the properties
    that are declared on it as arguments by name. Before every step ``output(input, time, step)`` is called with the value
    of its ``input`` formula, the time and the length of the step [s]; what it returns is the value of the property that the
    controller sets. What it remembers goes through waypoints where it has ``save() -> list of float`` and
    ``restore(numbers)``. A model that is saved has the name; who loads it registers the class before.

    >>> @controller("relay")
    ... class Relay:
    ...     def __init__(self, level: float) -> None:
    ...         self.level = level
    ...
    ...     def output(self, input: float, time: float, step: float) -> float:
    ...         return 1.0 if input > self.level else 0.0
    """

    def register(kind: C) -> C:
        _sinew.register_controller(name, kind)
        return kind

    return register
