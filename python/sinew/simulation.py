"""Running models."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _sinew
from ._editable import Editable
from .component import Component
from .model import Model
from .probe import Probe


class Waypoint(NamedTuple):
    """A time that a run can go back to."""

    #: [s].
    time: float
    #: True if a run halts there.
    halts: bool
    #: True if it was saved: going back to it is possible.
    saved: bool


class State:
    """Everything that the rest of a run depends on, kept in memory."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    @property
    def time(self) -> float:
        """Its time [s]."""
        return self._raw.time


class Properties:
    """Properties of numbers, looked up once, that are read and set together in one call.

    ``values`` is an array of all their numbers, one property after the other; a vector is three.
    """

    def __init__(self, simulation: Simulation, paths: Sequence[str]) -> None:
        self._simulation = simulation
        self._raw = simulation._raw.property_list(list(paths))

    @property
    def values(self) -> NDArray[np.float64]:
        """Their numbers now: shape (size,)."""
        return self._simulation._raw.read(self._raw)

    @values.setter
    def values(self, values: ArrayLike) -> None:
        self._simulation._raw.write(self._raw, np.asarray(values, float).ravel())

    @property
    def size(self) -> int:
        """Count of all numbers."""
        return self._raw.size

    @property
    def places(self) -> list[int]:
        """Place of the first number of each property, and the end of the last."""
        return self._raw.places


class Simulation(Editable):
    """A model on its way through time, from a copy of ``model``.

    ``step`` is the length of a step [s], 0.01 where neither it nor the model file says one. Other settings are those of
    ``[solver]`` in model files: ``integrator="trapezoidal"``, ``newton=True``, ``linear_solver="direct"``,
    ``friction="cone8"``. While it steps, other threads of Python run; several simulations run in several threads.
    """

    def __init__(self, model: Model, *, step: float | None = None, **solver: Any) -> None:
        if step is not None:
            solver["step"] = step
        for name, value in solver.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{name} must be a finite number, got {value}")
        self._raw = _sinew.Simulation(model._raw, json.dumps(solver))
        self._controllers: list[Callable[[Simulation], object]] = []
        self._monitors: list[Callable[[Simulation], object]] = []
        self._is_calling = False
        self._views: tuple[int, NDArray[np.float64], NDArray[np.float64], dict[str, slice]] | None = None

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._raw.time

    @property
    def steps(self) -> int:
        """Steps that led here."""
        return self._raw.steps

    @property
    def step_length(self) -> float:
        """Length of a step [s]."""
        return self._raw.step_length

    @property
    def model(self) -> Model:
        """A copy of the model with everything that was edited and set; to be saved, or simulated anew."""
        return Model._of(self._raw.model())

    def step(self, count: int = 1) -> None:
        """Takes steps.

        Raises :class:`SimulationError` where one fails; the state is then the last good one.
        """
        if count < 0:
            raise ValueError(f"the count of steps must be 0 or more, got {count}")
        self._not_calling()
        if not (self._controllers or self._monitors) and count == 1:
            self._raw.step()
            return
        for _ in range(count):
            self._call(self._controllers)
            self._raw.step()
            self._call(self._monitors)

    def run(self, duration: float) -> bool:
        """Runs for so long [s]; true where the end is reached, false where a breakpoint halts it before."""
        if duration < 0:
            raise ValueError(f"the time of a run must be 0 s or more, got {duration}; rewind goes back")
        return self.run_until(self.time + duration)

    def run_until(self, end: float) -> bool:
        """Runs until a time [s]; true where it is reached, false where a breakpoint halts the run before."""
        if math.isnan(end):
            raise ValueError("the end of a run must be a number of seconds, got nan")
        self._not_calling()
        if not (self._controllers or self._monitors):
            self._raw.run_until(end, None)
        else:
            halted = self._is_at(end)
            while not halted:
                self._call(self._controllers)
                halted = self._raw.run_until(end, 1) or self._is_at(end)
                self._call(self._monitors)
        return self._is_at(end)

    def _not_calling(self) -> None:
        if self._is_calling:
            raise _sinew.SimulationError("controllers and monitors are called by a step, and cannot take steps themselves")

    def _is_at(self, end: float) -> bool:
        # Times are sums of rounded steps.
        return self.time >= end - 1e-6 * self.step_length

    def _call(self, functions: list[Callable[[Simulation], object]]) -> None:
        self._is_calling = True
        try:
            for function in functions:
                function(self)
        finally:
            self._is_calling = False

    def reset(self) -> None:
        """Goes back to the start of the model as it is now; what controllers and probes have set is put back."""
        self._raw.reset()

    def add_waypoint(self, time: float, *, halts: bool = False) -> None:
        """Saves what is needed to go back to ``time`` [s] when it is reached; a breakpoint ``halts`` there too."""
        self._raw.add_waypoint(time, halts)

    def remove_waypoint(self, time: float) -> bool:
        """Removes the waypoint at ``time`` [s]; false where there is none."""
        return self._raw.remove_waypoint(time)

    @property
    def waypoints(self) -> list[Waypoint]:
        """All waypoints, by rising time."""
        return [Waypoint(*row) for row in self._raw.waypoints()]

    def rewind(self, time: float = 0.0) -> float:
        """Goes back to the last waypoint at or before ``time`` [s], or to the start; the time that came of it [s]."""
        return self._raw.rewind(time)

    def save_state(self) -> State:
        """Everything that the rest of the run depends on, to come back to by :meth:`restore_state`."""
        return State(self._raw.save_state())

    def restore_state(self, state: State) -> None:
        """Goes back, or on, to a state of this simulation."""
        self._raw.restore_state(state._raw)

    def set(self, path: str, value: Any) -> None:
        """Sets a property for the next step; ``None`` lets it be inherited.

        Positions and velocities of what moves are those of now. What a controller sets is put back by going back to a
        waypoint. Setting is no edit: :meth:`edit` with ``set PATH:NAME VALUE`` can be undone.
        """
        self._raw.set(path, value, self._is_calling)

    def select(self, paths: Iterable[str]) -> Properties:
        """Properties of numbers at these paths, to be read and set together in one call."""
        return Properties(self, list(paths))

    def node_positions(self, path: str | Component) -> NDArray[np.float64]:
        """Positions of the nodes of a tissue now [m]: shape (n, 3), read-only.

        It is a view of one array of the nodes of all tissues, which is made once after a step and shared by all who ask
        until the next; an array that is kept stays what it is.
        """
        return self._nodes(path)[0]

    def node_velocities(self, path: str | Component) -> NDArray[np.float64]:
        """Velocities of the nodes of a tissue now [m/s]: shape (n, 3), read-only, as :meth:`node_positions`."""
        return self._nodes(path)[1]

    def _nodes(self, path: str | Component) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Views of the arrays of all nodes."""
        revision = self._raw.revision
        if self._views is None or self._views[0] != revision:
            positions, velocities, tissues = self._raw.nodes()
            positions.flags.writeable = velocities.flags.writeable = False
            ends = np.cumsum([count for _, count in tissues], dtype=int).tolist()
            places = {known: slice(end - count, end) for (known, count), end in zip(tissues, ends)}
            self._views = (revision, positions, velocities, places)
        _, positions, velocities, places = self._views
        found, _ = self._raw.find(str(path))
        if found not in places:
            raise _sinew.PathError(f"'{path}' is no tissue")
        return positions[places[found]], velocities[places[found]]

    def snapshot(self) -> dict[str, NDArray[np.float64]]:
        """Present positions of all components, by path.

        Of tissues the positions of the nodes, shape (n, 3), of bodies their poses, shape (7,), of particles and markers
        their positions, shape (3,); all in m.
        """
        where = {it.path: self.node_positions(it) for it in self.components("fem_model")}
        where.update((it.path, it["pose"]) for it in self.components("rigid_body"))
        for kind in ("particle", "frame_marker"):
            where.update((it.path, it["position"]) for it in self.components(kind))
        return where

    def record(
        self,
        properties: Sequence[str] = (),
        *,
        every: float = 0.0,
        start: float = 0.0,
        stop: float | None = None,
        cut: bool = False,
        **expressions: str,
    ) -> Probe:
        """Records properties and formulas from now on.

        A formula has the name of its column: ``height="{/models/m/particles/a:position.z} - 0.1"``. There is a sample
        every ``every`` seconds, after each step for 0; between steps it is interpolated, or the step is ``cut`` there.
        """
        columns = list(expressions.items())
        return Probe(self._raw.record(list(properties), columns, (every, start, stop, cut)))

    def recorded(self, path: str) -> Probe:
        """Table of an output probe of the model, ``simulation.recorded("/models/m/probes/gape")``.

        Probes of a model are components, added, set, renamed and deleted as others are; here they record into memory, and
        write no file.
        """
        return Probe(self._raw.recorded(path))

    def feed(
        self,
        properties: Sequence[str],
        times: ArrayLike,
        values: ArrayLike,
        *,
        interpolation: str = "linear",
        extension: str = "hold",
    ) -> None:
        """Feeds values over time into properties before every step.

        ``times``: shape (n,) [s], rising. ``values``: shape (n,) or (n, k), k the count of the numbers of all
        properties. ``interpolation`` is ``step``, ``linear``, ``cubic`` or ``spline``; ``extension``, before the first
        time and after the last, ``none``, ``hold``, ``repeat`` or ``linear``.
        """
        times, values = np.asarray(times, float), np.asarray(values, float)
        rows = np.column_stack([times, values.reshape(len(times), -1)])
        self._raw.feed(list(properties), rows, interpolation, extension)

    def add_controller(self, function: Callable[[Simulation], object]) -> Callable[[Simulation], object]:
        """Calls a function with this simulation before every step, after those that were added before it.

        It reads and sets what it likes; an exception ends the run before the step. It may be a decorator.
        """
        self._controllers.append(function)
        return function

    def add_monitor(self, function: Callable[[Simulation], object]) -> Callable[[Simulation], object]:
        """Calls a function with this simulation after every step."""
        self._monitors.append(function)
        return function

    def remove_controller(self, function: Callable[[Simulation], object]) -> None:
        """Calls it no more."""
        self._controllers.remove(function)

    def render(
        self, size: tuple[int, int] = (800, 600), *, camera: str = "iso", view: Mapping[str, Any] | None = None
    ) -> NDArray[np.uint8]:
        """A picture: shape (height, width, 4), red, green, blue and opacity from 0 to 255.

        ``size`` is width and height [pixel]; ``camera`` is ``iso``, ``+x``, ``-x``, ``+y``, ``-y``, ``+z`` or ``-z``,
        and ``view`` has the keys of a file with a view. Needs a build with pictures, see :data:`HAS_RENDER`.
        """
        if not _sinew.HAS_RENDER:
            raise _sinew.SinewError(
                "this build draws no pictures: install with "
                'pip install ./python --config-settings=build-args="--features render"'
            )
        return self._raw.render(list(size), camera, json.dumps(dict(view or {})))

    def __repr__(self) -> str:
        return f"<Simulation of {self.get('/:name')} at t = {self.time:.6g} s>"
