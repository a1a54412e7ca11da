"""Inverse problems: excitations that make a motion, joints from markers, moments from joints, muscles from moments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _sinew
from .model import Model
from .recording import Recording, raw_recording
from .simulation import Simulation


@dataclass(frozen=True)
class Tracking:
    """Excitations that :func:`track` found, and where they led: arrays with a row for each of n steps."""

    #: Times at the ends of the steps [s]: shape (n,).
    times: NDArray[np.float64]
    #: Paths of the properties that are excited.
    names: list[str]
    #: Excitations in force in each step [-]: shape (n, names).
    excitations: NDArray[np.float64]
    #: Names of the numbers of all targets: paths of properties, with ``.x`` and so on.
    columns: list[str]
    #: Desired numbers [m], [rad], [N]: shape (n, columns).
    desired: NDArray[np.float64]
    #: Numbers at the ends of the steps [m], [rad], [N]: shape (n, columns).
    reached: NDArray[np.float64]
    #: Paths of the properties that follow.
    targets: list[str]
    #: Distance of each target from what is desired [m], [rad], [N]: shape (n, targets).
    errors: NDArray[np.float64]
    #: True for steps in which bounds of excitations kept the targets from what is desired: shape (n,).
    out_of_reach: NDArray[np.bool_]
    #: True for steps that left more than half of what the targets were asked for: no excitation leads there, or targets contradict each
    #: other: shape (n,).
    missed: NDArray[np.bool_]
    #: Columns of the recording that cannot be followed.
    left_out: list[str]
    _model: Model = field(repr=False)
    _solver: dict[str, Any] = field(repr=False)

    @property
    def rms(self) -> dict[str, float]:
        """Root of the mean squared distance of each target [m], [rad], [N], by its path."""
        return dict(zip(self.targets, np.sqrt(np.mean(self.errors**2, axis=0)).tolist()))

    @property
    def values(self) -> NDArray[np.float64]:
        """The excitations, so that this is a recording of them."""
        return self.excitations

    def replay(self) -> Simulation:
        """A simulation of the model at its start that is fed with the excitations: it takes the same steps, without a search."""
        simulation = Simulation(self._model, **self._solver)
        simulation.feed(self.names, self.times, self.excitations)
        return simulation


def track(
    model: Model,
    targets: Recording | None = None,
    *,
    times: ArrayLike | None = None,
    excite: Sequence[Any] = (),
    chase_time: float | None = None,
    kp: float | None = None,
    kd: float | None = None,
    regularization: float | None = None,
    damping: float | None = None,
    sparsity: float | None = None,
    iterations: int | None = None,
    tolerance: float | None = None,
    weights: Mapping[str, float | Mapping[str, Any]] | None = None,
    bounds: Mapping[str, tuple[float | None, float | None] | Mapping[str, Any]] | None = None,
    ratios: Iterable[tuple[Any, float, Any]] = (),
    synergies: Iterable[Mapping[Any, float]] = (),
    sums: Iterable[Mapping[str, Any]] = (),
    time: float | None = None,
    step: float | None = None,
    **solver: Any,
) -> Tracking:
    """Finds the excitations that make a model follow recorded motions and forces, as ``sinew inverse`` does.

    ``targets`` is a file, a :class:`Probe`, or arrays of shape (n,) or (n, 3) by what follows them, at ``times`` of shape
    (n,) [s]: positions of points and bodies [m], orientations [rad], values of coordinates, forces [N], sensors, named by the
    paths of their properties, or markers by their names. Without them, those of the section ``[inverse]`` of the model file
    are followed; other settings that are not given are those of that section too.

    ``excite`` are paths or components of muscles, bundles, exciters and actuators, or ``"muscles"`` (all, and all actuators;
    the default) and ``"exciters"``. A target makes up for its distance in ``chase_time`` [s], or by the gains ``kp`` [1/s²]
    and ``kd`` [1/s]. ``regularization``, ``damping`` and ``sparsity`` weigh squares, squared changes and amounts of
    excitations; ``iterations`` is the most linearizations of a step, ``tolerance`` the change of an excitation above which
    there is another.

    ``weights`` maps paths of targets to weights, or to a mapping of ``weight``, ``directions``, factors along x, y and z, and
    ``factors``, pairs of a time [s] and a factor with lines between them. ``bounds`` maps excitations to (lower, upper), or
    to a mapping of ``lower``, ``upper`` and ``weight``. ``ratios`` are triples (of, ratio, to), ``synergies`` patterns of
    factors by excitation, and ``sums`` mappings of ``shares``, factors by excitation, with ``target`` and ``weight``, or
    ``lower`` and ``upper``. It runs for ``time`` [s], or as long as the recording does.

    Steps are those of backward Euler, linearized. Raises :class:`PropertyError` or :class:`PathError` for what cannot be
    followed or excited, :class:`SimulationError` where a step or its program fails.
    """
    settings = {
        "excite": [str(it) for it in excite],
        "chase_time": chase_time,
        "kp": kp,
        "kd": kd,
        "regularization": regularization,
        "damping": damping,
        "sparsity": sparsity,
        "iterations": iterations,
        "tolerance": tolerance,
        "weights": [{"target": str(path), **_weight(it)} for path, it in (weights or {}).items()],
        "bounds": [{"of": str(path), **_bounds(it)} for path, it in (bounds or {}).items()],
        "ratios": [{"of": str(of), "ratio": float(ratio), "to": str(to)} for of, ratio, to in ratios],
        "synergies": [_shares(pattern) for pattern in synergies],
        "sums": [{**it, "shares": _shares(it["shares"])} for it in sums],
    }
    if step is not None:
        solver["step"] = step
    told = _told({key: value for key, value in settings.items() if value is not None})
    raw = None if targets is None else raw_recording(targets, times)
    names, ends, tables, (out_of_reach, missed) = _sinew.track(model._raw, raw, told, json.dumps(solver), time)
    excited, columns, followed, left_out = names
    excitations, desired, reached, errors = tables
    return Tracking(
        ends, excited, excitations, columns, desired, reached, followed, errors,
        np.array(out_of_reach, bool), np.array(missed, bool), left_out, model.copy(), solver,
    )  # fmt: skip


def _told(settings: dict[str, Any]) -> str:
    for key, value in settings.items():
        try:
            json.dumps(value, allow_nan=False)
        except ValueError:
            raise _sinew.PropertyError(f"'{key}' of sinew.track has a number that is not finite") from None
    return json.dumps(settings)


def _weight(given: float | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        return {"weight": float(given)}
    arrays = {key: np.asarray(given[key], float).tolist() for key in ("directions", "factors") if key in given}
    return {**given, **arrays}


def _bounds(given: tuple[float | None, float | None] | Mapping[str, Any]) -> dict[str, Any]:
    return dict(given) if isinstance(given, Mapping) else dict(zip(("lower", "upper"), given, strict=True))


def _shares(factors: Mapping[Any, float]) -> list[dict[str, Any]]:
    return [{"of": str(of), "factor": float(factor)} for of, factor in factors.items()]


@dataclass(frozen=True)
class JointMotion:
    """Coordinates of joints over time: a recording, which :func:`inverse_dynamics` takes."""

    #: Paths of the values of the coordinates.
    columns: list[str]
    #: Times [s]: shape (n,).
    times: NDArray[np.float64]
    #: Values [m], [rad]: shape (n, columns).
    values: NDArray[np.float64]
    #: Root of the mean weighted squared distance of the markers [m]: shape (n,).
    errors: NDArray[np.float64]
    #: Columns of the recording that are no markers of the model.
    left_out: list[str]


def inverse_kinematics(
    model: Model, markers: Recording, *, times: ArrayLike | None = None, weights: Mapping[str, float] | None = None
) -> JointMotion:
    """Coordinates of the joints of a model with which its markers are nearest to recorded ones, row by row.

    ``markers`` is a file (.trc, .csv), or arrays of shape (n, 3) [m] at ``times`` [s], by the names of markers or the paths of
    positions; NaN where a marker was not seen. ``weights`` are those of squared distances, by the paths of positions. Joints
    hold, within their ranges. Raises :class:`SimulationError` where they do not.
    """
    pairs = [(str(path), float(weight)) for path, weight in (weights or {}).items()]
    return JointMotion(*_sinew.inverse_kinematics(model._raw, raw_recording(markers, times), pairs))


@dataclass(frozen=True)
class JointMoments:
    """Forces along coordinates of joints over time."""

    #: Paths of the forces of the coordinates.
    columns: list[str]
    #: Times [s]: shape (n,).
    times: NDArray[np.float64]
    #: Moments [N m] and forces [N]: shape (n, columns).
    values: NDArray[np.float64]
    #: Columns of the recording that are no coordinates of the model.
    left_out: list[str]


def inverse_dynamics(
    model: Model,
    motion: Recording,
    *,
    times: ArrayLike | None = None,
    loads: Recording | None = None,
    load_times: ArrayLike | None = None,
) -> JointMoments:
    """Moments and forces along the coordinates of joints that a motion asks for beside weight, loads and springs.

    ``motion`` is a file (.mot, .sto, .csv), a :class:`JointMotion`, or arrays of shape (n,) at ``times`` [s] by the paths of
    coordinates, ``.../elbow:coordinate.theta.value`` [rad], [m]. Rates and accelerations are those of a natural cubic spline.
    Muscles and actuators are out of action. ``loads`` are forces on bodies beside: ``BODY:force`` [N], ``BODY:point`` [m],
    where it acts in the world, and ``BODY:moment`` [N m], at ``load_times``.
    """
    raw = None if loads is None else raw_recording(loads, load_times)
    moments, _ = _sinew.inverse_dynamics(model._raw, raw_recording(motion, times), raw, None)
    return JointMoments(*moments)


@dataclass(frozen=True)
class MuscleShares:
    """Activations of muscles that share the moments of joints over n rows of a motion."""

    #: Times [s]: shape (n,).
    times: NDArray[np.float64]
    #: Moments that are shared.
    moments: JointMoments
    #: Paths of the muscles.
    muscles: list[str]
    #: Activations [-]: shape (n, muscles).
    activations: NDArray[np.float64]
    #: Tensions [N]: shape (n, muscles).
    tensions: NDArray[np.float64]
    #: Moments that no activations give [N m], [N], zero where all are met: shape (n, moments).
    missing: NDArray[np.float64]


def static_optimization(
    model: Model,
    motion: Recording,
    *,
    times: ArrayLike | None = None,
    loads: Recording | None = None,
    load_times: ArrayLike | None = None,
    power: float = 2.0,
) -> MuscleShares:
    """Shares the moments of :func:`inverse_dynamics` among all muscles along lines, with the least sum of ``power``-th powers.

    ``power`` is 2 to 10. Elastic tendons are in balance with fibres at rest.
    """
    raw = None if loads is None else raw_recording(loads, load_times)
    moments, shares = _sinew.inverse_dynamics(model._raw, raw_recording(motion, times), raw, power)
    muscles, (activations, tensions, missing) = shares
    moments = JointMoments(*moments)
    return MuscleShares(moments.times, moments, muscles, activations, tensions, missing)
