"""Many simulations of one model at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _sinew
from .component import Component
from .model import Model
from .simulation import State


class BatchProperties:
    """Properties of numbers of all instances, looked up once, that are read and set together in one call."""

    def __init__(self, batch: Batch, paths: Sequence[str]) -> None:
        self._batch = batch
        self._raw = batch._raw.property_list([str(path) for path in paths])

    @property
    def values(self) -> NDArray[np.float64]:
        """Their numbers now: shape (count, size), one property after the other; a vector is three."""
        return self._batch._raw.read(self._raw)

    @values.setter
    def values(self, values: ArrayLike) -> None:
        self.set(values)

    def set(self, values: ArrayLike, instances: ArrayLike | None = None) -> None:
        """Sets them from the next step on: shape (size,), the same for all, or (instances, size).

        As by a probe: taking an instance back to its start puts back what was there.
        """
        self._batch._write(self._raw, values, instances, fed=True)

    @property
    def size(self) -> int:
        """Count of the numbers of an instance."""
        return self._raw.size


class Batch:
    """``count`` simulations of a model, stepped side by side on all cores while other threads of Python run.

    Each has a state and properties of its own, and takes the same steps, bit for bit, as it would alone. ``step`` and other
    settings are those of :class:`sinew.Simulation`. The compiled model is one for all, until numbers such as stiffness or
    excitations are set in an instance, which then has a copy of its own; positions and velocities are no such numbers.
    Where a choice of ``instances`` is taken, it is a list of numbers from 0 or an array of bool; all without one.

    With ``device``, "best" or the number or a part of the name of one, a graphics device takes their steps, all at once, if the
    package was built with the feature ``gpu``. The model must be of tissue alone; there may be 4,096 instances at most.
    """

    def __init__(
        self,
        model: Model,
        count: int,
        *,
        step: float | None = None,
        device: str | None = None,
        **solver: Any,
    ) -> None:
        if step is not None:
            solver["step"] = step
        self._raw = _sinew.Batch(model._raw, count, json.dumps(solver), device)
        self._count = count

    def __len__(self) -> int:
        return self._count

    @property
    def times(self) -> NDArray[np.float64]:
        """Simulated time of each instance [s]: shape (count,)."""
        return self._raw.times

    def step(self, count: int = 1, *, strict: bool = True) -> dict[int, str]:
        """Takes steps of all instances.

        Instances whose step fails keep their last good state, and the others go on. With ``strict``, :class:`SimulationError`
        is raised then; without, the messages are returned by the numbers of the instances.
        """
        failed: dict[int, str] = {}
        for _ in range(count):
            failed.update(self._raw.step())
        return _told(failed, strict)

    def run(self, duration: float, instances: ArrayLike | None = None, *, strict: bool = True) -> dict[int, str]:
        """Runs instances for so long [s]; failures are as with :meth:`step`, and end the run of an instance."""
        return _told(dict(self._raw.run(duration, self._numbers(instances))), strict)

    def reset(self, instances: ArrayLike | None = None) -> None:
        """Takes instances back to the start; what :meth:`select` has set is put back, what :meth:`set` has set stays."""
        self._raw.reset(self._numbers(instances))

    def get(self, path: str) -> NDArray[np.float64]:
        """A property of numbers of every instance now: shape (count,), or (count, size) where it has several."""
        values = BatchProperties(self, [path]).values
        return values[:, 0] if values.shape[1] == 1 else values

    def set(self, path: str, values: ArrayLike, instances: ArrayLike | None = None) -> None:
        """Sets a property of numbers from the next step on, and until it is set again.

        ``values``: one value for all, or one an instance: shape (instances,), or (instances, size) where it has several
        numbers. Positions and velocities of what moves are those of now.
        """
        raw = self._raw.property_list([path])
        values = np.asarray(values, float)
        if raw.size == 1 and values.ndim == 1:
            values = values[:, None]
        self._write(raw, values, instances, fed=False)

    def select(self, paths: Iterable[str]) -> BatchProperties:
        """Properties of numbers at these paths, to be read and set together in one call."""
        return BatchProperties(self, list(paths))

    def node_positions(self, path: str | Component) -> NDArray[np.float64]:
        """Positions of the nodes of a tissue now [m]: shape (count, n, 3)."""
        return self._raw.nodes(str(path))[0]

    def node_velocities(self, path: str | Component) -> NDArray[np.float64]:
        """Velocities of the nodes of a tissue now [m/s]: shape (count, n, 3)."""
        return self._raw.nodes(str(path))[1]

    def save_states(self) -> list[State]:
        """Everything that the rest of the run of each instance depends on, to come back to by :meth:`restore_states`."""
        return [State(raw) for raw in self._raw.save_states()]

    def restore_states(self, states: Sequence[State], instances: ArrayLike | None = None) -> None:
        """Takes instances to states of this batch or of a simulation of the same model, one each."""
        self._raw.restore_states([state._raw for state in states], self._numbers(instances))

    def _numbers(self, instances: ArrayLike | None) -> list[int]:
        """Numbers of the instances of a choice."""
        if instances is None:
            return list(range(self._count))
        chosen = np.asarray(instances)
        if chosen.dtype == bool:
            if chosen.shape != (self._count,):
                raise ValueError(f"a choice of shape ({self._count},) is expected, got {chosen.shape}")
            return np.flatnonzero(chosen).tolist()
        return [int(number) for number in chosen.ravel()]

    def _write(self, raw: Any, values: ArrayLike, instances: ArrayLike | None, *, fed: bool) -> None:
        numbers = self._numbers(instances)
        shape = (len(numbers), raw.size)
        try:
            table = np.broadcast_to(np.asarray(values, float), shape)
        except ValueError:
            raise _sinew.PropertyError(f"values of shape {shape} are expected, got {np.shape(values)}") from None
        self._raw.write(raw, np.ascontiguousarray(table), numbers, fed)

    def __repr__(self) -> str:
        return f"<Batch of {self._count}>"


def _told(failed: dict[int, str], strict: bool) -> dict[int, str]:
    if failed and strict:
        first, message = min(failed.items())
        more = f"; {len(failed) - 1} more failed" if len(failed) > 1 else ""
        raise _sinew.SimulationError(f"instance {first}: {message}{more}")
    return failed
