"""Gradients of trajectories, against differences of them; in PyTorch and JAX where these are installed."""

import pathlib
import runpy

import numpy as np
import pytest

import sinew

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python" / "differentiable.py"
STEPS = 6


@pytest.fixture
def pulled(arm):
    """The arm with a muscle from a point beside it."""
    post = arm.add("particle", "post", dynamic=False, position=[0.4, 0.1, 0.0])
    arm.add(
        "axial_spring", "muscle",
        first=post, second="/models/arm/particles/hand", material="simple_muscle",
        properties={"material.max_force": 20.0},
    )
    return arm


def loss(motion):
    factors = np.sin(np.arange(motion.size)).reshape(motion.shape)
    return np.sum(factors * motion**2), 2.0 * factors * motion


def test_gradients_are_those_of_differences(pulled):
    parameters = {
        "/models/arm/axial_springs/elastic:material.stiffness": 40.0,
        "/models/arm/particles/hand:mass": 0.5,
        "/models/arm/axial_springs/muscle:excitation": np.linspace(0.2, 0.8, STEPS),
    }
    observed = ["/models/arm/particles/hand:position"]

    def of(changed):
        return sinew.grad(pulled, loss, changed, observed, steps=STEPS, step=0.01)

    value, gradient = of(parameters)
    assert np.isfinite(value)
    assert gradient["/models/arm/axial_springs/muscle:excitation"].shape == (STEPS,)
    for path, values in parameters.items():
        for k in range(np.size(values)):
            width = 1e-3 * max(1.0, abs(np.array(values).flat[k]))

            def central(width, path=path, values=values, k=k):
                ends = []
                for sign in (1.0, -1.0):
                    moved = np.array(values, float)
                    moved.flat[k] += sign * width
                    ends.append(of(parameters | {path: moved})[0])
                return (ends[0] - ends[1]) / (2.0 * width)

            # The error of second order taken out.
            expected = (4.0 * central(0.5 * width) - central(width)) / 3.0
            found = gradient[path].flat[k]
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-9), f"{path} {k}"


def test_a_trajectory_has_times_values_and_a_table(pulled):
    path = "/models/arm/particles/hand:mass"
    trajectory = sinew.Trajectory(pulled, [path], ["/models/arm/particles/hand:position"], steps=3, step=0.02)
    assert trajectory.times == pytest.approx([0.0, 0.02, 0.04, 0.06])
    assert trajectory.values == pytest.approx([0.5])
    motion = trajectory.forward([0.5])
    assert motion.shape == (4, 3)
    assert motion[0] == pytest.approx([0.0, 0.0, -0.3])


def test_what_cannot_be_differentiated_is_refused_by_name(pulled):
    observed = ["/models/arm/particles/hand:position"]
    with pytest.raises(sinew.PathError, match="nobody"):
        sinew.Trajectory(pulled, ["/models/arm/nobody:mass"], observed, steps=2)
    with pytest.raises(sinew.PropertyError, match="cannot be followed"):
        sinew.Trajectory(pulled, [], ["/models/arm/particles/hand:mass"], steps=2)
    trajectory = sinew.Trajectory(pulled, ["/models/arm/particles/hand:mass"], observed, steps=4)
    with pytest.raises(sinew.PropertyError, match="one or one a step"):
        trajectory.forward([[0.5, 0.5]])


def test_plain_descent_finds_the_pull():
    assert runpy.run_path(str(EXAMPLE))["by_numpy"](30) < 1e-4


def test_torch_differentiates_a_trajectory():
    pytest.importorskip("torch")
    assert runpy.run_path(str(EXAMPLE))["by_torch"](30) < 1e-4


def test_jax_differentiates_a_trajectory():
    pytest.importorskip("jax")
    assert runpy.run_path(str(EXAMPLE))["by_jax"](30) < 1e-4
