"""Trajectories as functions that can be differentiated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _sinew
from .model import Model


class Trajectory:
    """``steps`` steps of a model from its start, as a function of numbers of it.

    ``parameters`` are paths of properties: constants of materials, excitations, loads, with ``.x``, ``.y`` or ``.z`` behind
    those of vectors. ``observed`` are positions of points and bodies, orientations of bodies, or values of coordinates.
    Steps are those of backward Euler or the trapezoidal rule by Newton's method, to 1e-12; other settings are those of
    :class:`sinew.Simulation`.
    """

    def __init__(
        self,
        model: Model,
        parameters: Sequence[str],
        observed: Sequence[str],
        *,
        steps: int,
        step: float | None = None,
        **solver: Any,
    ) -> None:
        if step is not None:
            solver["step"] = step
        self.parameters = list(parameters)
        names = [self.parameters, list(observed)]
        self._raw = _sinew.Rollout(model._raw, json.dumps(solver), steps, names)
        self.steps = steps

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of what is observed [s]: shape (steps + 1,)."""
        return np.arange(self.steps + 1) * self._raw.step_length

    @property
    def values(self) -> NDArray[np.float64]:
        """Values of the parameters in the model: shape (count,)."""
        return self._raw.values()

    def forward(self, values: Sequence[ArrayLike]) -> NDArray[np.float64]:
        """What is observed at the start and after every step: shape (steps + 1, size), all numbers of a state in a row.

        ``values``: one entry a parameter, a number for all steps or an array of shape (steps,).
        """
        return self._raw.observe([np.asarray(it, float).ravel() for it in values])

    def sensitivities(self, values: Sequence[ArrayLike]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What :meth:`forward` finds, and its derivatives by each parameter: shape (steps + 1, size, count).

        Forwards in time, for few parameters; each has one value for all steps.
        """
        return self._raw.sensitivities([np.asarray(it, float).ravel() for it in values])

    def backward(self, values: Sequence[ArrayLike], by_observed: ArrayLike) -> list[NDArray[np.float64]]:
        """Derivatives of a scalar by the values, each of their shape, from those by what is observed."""
        arrays = [np.asarray(it, float) for it in values]
        found = self._raw.pull_back([it.ravel() for it in arrays], np.asarray(by_observed, float).ravel())
        return [by.reshape(it.shape) for by, it in zip(found, arrays, strict=True)]


def grad(
    model: Model,
    loss: Callable[[NDArray[np.float64]], tuple[float, ArrayLike]],
    parameters: Mapping[str, ArrayLike],
    observed: Sequence[str],
    *,
    steps: int,
    step: float | None = None,
    **solver: Any,
) -> tuple[float, dict[str, NDArray[np.float64]]]:
    """A scalar of a trajectory, and its derivatives by parameters.

    ``loss`` takes what is observed, shape (steps + 1, size), and returns the scalar and its derivatives by that.
    ``parameters`` maps paths to values: a number for all steps or an array of shape (steps,). The other arguments are those
    of :class:`Trajectory`, which a library that differentiates programs calls itself.
    """
    trajectory = Trajectory(model, list(parameters), observed, steps=steps, step=step, **solver)
    values = list(parameters.values())
    value, by_observed = loss(trajectory.forward(values))
    found = trajectory.backward(values, by_observed)
    return float(value), dict(zip(parameters, found, strict=True))
