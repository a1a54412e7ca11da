"""Environments of Gymnasium over models: ``pip install "sinew[gym]"``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._sinew import SimulationError
from .model import Model
from .simulation import Simulation


class Environment(gymnasium.Env[NDArray[np.float64], NDArray[np.float64]]):
    """A model whose properties are observed and set.

    ``observations`` and ``actions`` are paths of properties of numbers: the observation is an array of all their numbers
    now, the action one of the numbers that are set for the next ``control_step`` seconds, from ``low`` to ``high``.
    ``reward`` and ``is_over`` look at the simulation after that. An episode is cut after ``duration`` seconds. ``start``
    may change the simulation at the begin of an episode, by the generator that it is given. A step that fails ends the
    episode: ``info["error"]`` says why.
    """

    metadata = {"render_modes": ["rgb_array"]}

    def __init__(
        self,
        model: Model,
        observations: Sequence[str],
        actions: Sequence[str],
        reward: Callable[[Simulation], float],
        *,
        is_over: Callable[[Simulation], bool] = lambda simulation: False,
        start: Callable[[Simulation, np.random.Generator], object] = lambda simulation, generator: None,
        low: float = 0.0,
        high: float = 1.0,
        control_step: float = 0.02,
        duration: float = 1.0,
        render_mode: str | None = None,
        **solver: Any,
    ) -> None:
        self.simulation = Simulation(model, **solver)
        self.render_mode = render_mode
        self._observations = self.simulation.select(observations)
        self._actions = self.simulation.select(actions)
        self._reward, self._is_over, self._start = reward, is_over, start
        self._control_step, self._duration = control_step, duration
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self._observations.size,), np.float64)
        self.action_space = gymnasium.spaces.Box(low, high, (self._actions.size,), np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins an episode: the first observation."""
        super().reset(seed=seed, options=options)
        self.simulation.reset()
        self._start(self.simulation, self.np_random)
        return self._observations.values, {}

    def step(self, action: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Sets the action and runs for a control step: observation, reward, ended, cut, notes."""
        self._actions.values = np.clip(action, self.action_space.low, self.action_space.high)
        notes: dict[str, Any] = {}
        try:
            self.simulation.run(self._control_step)
        except SimulationError as error:
            notes["error"] = str(error)
        ended = bool(notes) or bool(self._is_over(self.simulation))
        cut = self.simulation.time >= self._duration - 1e-6 * self._control_step
        return self._observations.values, float(self._reward(self.simulation)), ended, cut, notes

    def render(self) -> NDArray[np.uint8] | None:
        """A picture, where ``render_mode`` is ``"rgb_array"``: shape (height, width, 3)."""
        return self.simulation.render()[..., :3] if self.render_mode == "rgb_array" else None
