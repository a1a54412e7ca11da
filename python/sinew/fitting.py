"""Numbers of a model from recorded motions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _sinew
from .model import Model
from .recording import Recording, raw_recording


@dataclass(frozen=True)
class FitResult:
    """Numbers that :func:`fit` found."""

    #: Values by the paths of the parameters.
    values: dict[str, float]
    #: Standard error of each; infinite where the record says nothing of it.
    standard_errors: dict[str, float]
    #: True for those at a bound.
    at_bound: dict[str, bool]
    #: Root of the mean squared difference that is left [m], [rad].
    rms: float
    iterations: int
    #: True if the last iteration changed nothing that matters.
    converged: bool
    #: Columns of the record that cannot be compared.
    left_out: list[str]
    #: The model with the values in it.
    model: Model


def fit(
    model: Model,
    data: Recording,
    parameters: Iterable[str] | Mapping[str, tuple[float, float] | None],
    *,
    times: ArrayLike | None = None,
    iterations: int = 30,
    time: float | None = None,
    step: float | None = None,
    progress: Callable[[int, NDArray[np.float64], float], object] | None = None,
    **solver: Any,
) -> FitResult:
    """Finds numbers of a model with which it moves as was recorded, as ``sinew fit`` does.

    ``data`` is a file, a :class:`Probe` or arrays at ``times`` [s], named as :func:`track` has its targets: positions,
    orientations and coordinates. ``parameters`` are paths of properties, with ``.x``, ``.y`` or ``.z`` behind those of vectors,
    and may map them to (lower, upper); without bounds these are a tenth of the value in the model and ten times as much.
    ``progress`` is called with the number of each iteration, the values and the root of the mean squared difference. Steps
    are those of backward Euler or the trapezoidal rule by Newton's method.
    """
    if step is not None:
        solver["step"] = step
    bounds = dict(parameters) if isinstance(parameters, Mapping) else dict.fromkeys(parameters)
    sought = [(str(path), None if it is None else (float(it[0]), float(it[1]))) for path, it in bounds.items()]
    tell = None if progress is None else lambda k, values, error: progress(k, np.array(values), error)
    raw = raw_recording(data, times)
    numbers, at_bound, rms, (count, converged), left_out = _sinew.fit(
        model._raw, raw, sought, json.dumps(solver), (iterations, time), tell
    )
    paths = [path for path, _ in sought]
    values, errors = (dict(zip(paths, it.tolist())) for it in numbers)
    fitted = model.copy()
    for path, value in values.items():
        _set(fitted, path, value)
    return FitResult(values, errors, dict(zip(paths, at_bound)), rms, count, converged, left_out, fitted)


def _set(model: Model, path: str, value: float) -> None:
    """Sets a number, or a component of a vector."""
    rest, _, axis = path.rpartition(".")
    if axis in ("x", "y", "z"):
        try:
            vector = np.array(model.get(rest), float)
        except _sinew.SinewError:
            vector = np.zeros(0)
        if vector.shape == (3,):
            vector["xyz".index(axis)] = value
            model.set(rest, vector)
            return
    model.set(path, value)
