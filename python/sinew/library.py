"""Tables of the library."""

from __future__ import annotations

from typing import NamedTuple

from . import _sinew


class Parameter(NamedTuple):
    """A parameter of a built-in model."""

    name: str
    #: As it would be written.
    default: str
    #: "-" for none.
    unit: str
    doc: str


class Builtin(NamedTuple):
    """A built-in model."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]


def builtins() -> dict[str, Builtin]:
    """All built-in models by their names, with the parameters that :meth:`Model.load` takes."""
    rows = _sinew.builtins()
    return {
        name: Builtin(name, summary, tuple(Parameter(*row) for row in parameters))
        for name, summary, parameters in rows
    }


def kinds() -> list[str]:
    """Names of all kinds of components, as :meth:`Model.add` takes them."""
    return _sinew.kinds()
