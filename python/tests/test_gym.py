"""Environments over models."""

import numpy as np
import pytest

import sinew

gymnasium = pytest.importorskip("gymnasium")

HAND = "/models/arm/particles/hand"


@pytest.fixture
def environment(arm):
    from sinew.gym import Environment

    arm.set("/models/arm/axial_springs/elastic:material", "simple_muscle")
    arm.set("/models/arm/axial_springs/elastic:material.max_force", 20.0)

    def start(simulation, generator):
        height = -0.3 + 0.05 * generator.uniform(-1, 1)
        simulation.set(f"{HAND}:position", [0.0, 0.0, height])

    return Environment(
        arm,
        observations=[f"{HAND}:position", f"{HAND}:velocity"],
        actions=["/models/arm/axial_springs/elastic:excitation"],
        reward=lambda simulation: -abs(simulation[HAND].position[2] + 0.25),
        is_over=lambda simulation: simulation[HAND].position[2] < -2.0,
        start=start,
        duration=0.5,
    )


def test_an_environment_is_one_of_gymnasium(environment):
    from gymnasium.utils.env_checker import check_env

    check_env(environment, skip_render_check=True)


def test_what_pulls_up_falls_less_and_an_episode_is_cut(environment):
    ends = []
    for excitation in (0.0, 1.0):
        first, _ = environment.reset(seed=3)
        assert first.shape == (6,) and -0.35 <= first[2] <= -0.25
        cut, ended, count = False, False, 0
        while not (cut or ended):
            observation, reward, ended, cut, notes = environment.step(np.array([excitation]))
            count += 1
        assert not ended and count == 25 and notes == {} and reward <= 0.0
        ends.append(observation[2])
    # Free fall: 0.5 g t².
    assert ends[0] < -0.3 + 0.05 - 0.5 * 9.8 * 0.25 and ends[1] > ends[0] + 0.5
    again, _ = environment.reset(seed=3)
    np.testing.assert_array_equal(again, first)
    assert environment.simulation["/models/arm/axial_springs/elastic:excitation"] == 0.0


def test_the_end_and_a_failed_step_end_an_episode(environment):
    environment.reset(seed=1)
    environment.simulation.set(f"{HAND}:position", [0.0, 0.0, -3.0])
    assert environment.step(np.array([0.0]))[2]
    environment.reset(seed=1)

    def fail(simulation):
        raise sinew.SimulationError("as asked")

    environment.simulation.add_controller(fail)
    *_, ended, _, notes = environment.step(np.array([0.0]))
    assert ended and notes == {"error": "as asked"}
