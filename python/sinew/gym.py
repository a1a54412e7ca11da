"""Environments of Gymnasium over models, one or many at once: ``pip install "sinew[gym]"``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._sinew import SimulationError
from .batch import Batch
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


class VectorEnvironment(gymnasium.vector.VectorEnv[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]):
    """``count`` instances of a model, stepped side by side on all cores by a :class:`sinew.Batch`.

    Paths and lengths of time are those of :class:`Environment`. ``reward`` and ``is_over`` look at the batch and return
    arrays of shape (count,); ``start`` may change the instances of an array of numbers at the begin of their episodes, by the
    generator that it is given. An instance whose episode ended begins another in the next step, whose action and reward are
    none (``AutoresetMode.NEXT_STEP``). A step that fails ends the episode of its instance: ``info["error"]`` says why.
    """

    metadata = {"render_modes": [], "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        model: Model,
        count: int,
        observations: Sequence[str],
        actions: Sequence[str],
        reward: Callable[[Batch], NDArray[np.float64]],
        *,
        is_over: Callable[[Batch], NDArray[np.bool_]] = lambda batch: np.zeros(len(batch), bool),
        start: Callable[[Batch, NDArray[np.int64], np.random.Generator], object] = lambda batch, instances, generator: None,
        low: float = 0.0,
        high: float = 1.0,
        control_step: float = 0.02,
        duration: float = 1.0,
        **solver: Any,
    ) -> None:
        self.batch = Batch(model, count, **solver)
        self.num_envs = count
        self._observations, self._actions = self.batch.select(observations), self.batch.select(actions)
        self._reward, self._is_over, self._start = reward, is_over, start
        self._control_step, self._duration = control_step, duration
        self._ended = np.zeros(count, bool)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self._observations.size,), np.float64)
        self.single_action_space = gymnasium.spaces.Box(low, high, (self._actions.size,), np.float64)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, count)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins episodes of all instances, or of those of ``options["reset_mask"]``: the observations, (count, size)."""
        super().reset(seed=seed)
        chosen = (options or {}).get("reset_mask", np.ones(self.num_envs, bool))
        self._begin(np.flatnonzero(chosen))
        return self._observations.values, {}

    def _begin(self, instances: NDArray[np.int64]) -> None:
        if instances.size:
            self.batch.reset(instances)
            self._start(self.batch, instances, self.np_random)
            self._ended[instances] = False

    def step(
        self, actions: NDArray[np.float64]
    ) -> tuple[
        NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Sets the actions, (count, size), and runs for a control step: observations, rewards, ended, cut, notes."""
        fresh = np.flatnonzero(self._ended)
        going = np.flatnonzero(~self._ended)
        self._begin(fresh)
        limited = np.clip(actions, self.single_action_space.low, self.single_action_space.high)
        self._actions.set(limited[going], going)
        failed = self.batch.run(self._control_step, going, strict=False)
        ended = np.array(self._is_over(self.batch), bool)
        ended[list(failed)] = True
        cut = self.batch.times >= self._duration - 1e-6 * self._control_step
        rewards = np.array(self._reward(self.batch), float)
        rewards[fresh], ended[fresh], cut[fresh] = 0.0, False, False
        self._ended = ended | cut
        notes: dict[str, Any] = {}
        if failed:
            notes["error"] = np.array([failed.get(k, "") for k in range(self.num_envs)], object)
            notes["_error"] = np.isin(np.arange(self.num_envs), list(failed))
        return self._observations.values, rewards, ended, cut, notes
