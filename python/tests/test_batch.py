"""Many simulations of one model at once: each as it would be alone."""

import threading

import numpy as np
import pytest

import sinew

TONGUE = "/models/tongue/fem_models/tongue"


def states_of(simulation):
    return {path: array.copy() for path, array in simulation.snapshot().items()}


@pytest.fixture(scope="module")
def jaw():
    return sinew.Model.load("jaw-tongue-hyoid", task="rest")


def test_instances_take_the_steps_of_single_runs_bit_for_bit(jaw):
    muscles = [f"{it.path}:excitation" for it in jaw.components("axial_spring") if "excitation" in it.properties][:6]
    excitations = np.linspace(0.0, 0.5, 4 * len(muscles)).reshape(4, -1)
    mass = "/models/jaw-tongue-hyoid/rigid_bodies/mandible:position"
    later = excitations[::-1].copy()
    batch = sinew.Batch(jaw, 4, step=0.01)
    acting = batch.select(muscles)
    acting.values = excitations
    batch.step(3)
    # Changed on the way, where only some have a copy of the compiled model of their own.
    acting.set(later[:2], [0, 1])
    batch.run(0.03)
    tissue = jaw.components("fem_model")[0]
    nodes, places = batch.node_positions(tissue), batch.get(mass)
    for k in range(4):
        alone = sinew.Simulation(jaw, step=0.01)
        single = alone.select(muscles)
        single.values = excitations[k]
        alone.step(3)
        if k < 2:
            single.values = later[k]
        alone.run(0.03)
        np.testing.assert_array_equal(nodes[k], alone.node_positions(tissue), err_msg=f"instance {k}")
        np.testing.assert_array_equal(places[k], alone.get(mass))
    assert np.ptp(places, axis=0).max() > 0.0
    np.testing.assert_allclose(batch.times, 0.06)


def test_parameters_states_and_resets_are_those_of_an_instance(arm):
    stiffness, hand = "/models/arm/axial_springs/elastic:material.stiffness", "/models/arm/particles/hand"
    batch = sinew.Batch(arm, 3, step=0.01)
    assert len(batch) == 3 and batch.get(f"{hand}:position").shape == (3, 3)
    batch.set(stiffness, [10.0, 20.0, 40.0])
    batch.set(f"{hand}:position", [[0.0, 0.0, -0.3], [0.0, 0.1, -0.3], [0.1, 0.0, -0.4]])
    batch.set(f"{hand}:velocity", [0.0, 0.5, 0.0], [1])
    starts = batch.save_states()
    batch.run(0.2)
    first = batch.get(f"{hand}:position")
    for k, (stiff, place, speed) in enumerate(
        zip([10.0, 20.0, 40.0], [[0, 0, -0.3], [0, 0.1, -0.3], [0.1, 0, -0.4]], [0.0, 0.5, 0.0])
    ):
        alone = sinew.Simulation(arm, step=0.01)
        alone.set(stiffness, stiff)
        alone.set(f"{hand}:position", place)
        alone.set(f"{hand}:velocity", [0.0, speed, 0.0])
        alone.run(0.2)
        np.testing.assert_array_equal(first[k], alone.get(f"{hand}:position"))
    batch.restore_states(starts)
    batch.run(0.2)
    np.testing.assert_array_equal(batch.get(f"{hand}:position"), first)
    # Some go back to the start of the model; what was set stays.
    batch.reset(np.array([True, False, True]))
    np.testing.assert_allclose(batch.times, [0.0, 0.2, 0.0])
    np.testing.assert_array_equal(batch.get(f"{hand}:position")[[0, 2]], [[0, 0, -0.3]] * 2)
    np.testing.assert_array_equal(batch.get(stiffness), [10.0, 20.0, 40.0])
    batch.run(0.1, [2])
    np.testing.assert_allclose(batch.times, [0.0, 0.2, 0.1])


def test_what_is_selected_is_put_back_by_a_reset(arm):
    mass = "/models/arm/particles/hand:mass"
    batch = sinew.Batch(arm, 2, step=0.01)
    masses = batch.select([mass])
    masses.values = [2.0]
    np.testing.assert_array_equal(masses.values, [[2.0], [2.0]])
    batch.step()
    batch.reset([1])
    np.testing.assert_array_equal(batch.get(mass), [2.0, 0.5])


def test_what_is_wrong_is_told_with_the_instance(arm):
    batch = sinew.Batch(arm, 3, step=0.01)
    mass = "/models/arm/particles/hand:mass"
    with pytest.raises(sinew.PropertyError, match="instance 1: .*mass"):
        batch.set(mass, [1.0, -1.0, 1.0])
    with pytest.raises(sinew.PropertyError, match="shape"):
        batch.set(mass, [1.0, 2.0])
    with pytest.raises(IndexError, match="no instance 3"):
        batch.reset([3])
    with pytest.raises(ValueError, match="twice"):
        batch.reset([1, 1])
    with pytest.raises(ValueError, match="shape"):
        batch.reset([True, False])
    with pytest.raises(sinew.PathError, match="no tissue"):
        batch.node_positions("/models/arm/particles/hand")
    with pytest.raises(sinew.PathError, match="nobody"):
        batch.get("/models/arm/nobody:mass")


def test_an_instance_that_fails_keeps_its_state_and_the_others_go_on():
    model = sinew.Model.load("beam")
    tissue = model.components("fem_model")[0]
    batch = sinew.Batch(model, 3, step=0.01)
    gravity = next(it.path for it in model.components("mech_model")) + ":gravity"
    batch.set(gravity, [0.0, 0.0, -1e9], [1])
    failed = batch.run(0.05, strict=False)
    assert list(failed) == [1] and batch.times[1] < 0.05
    np.testing.assert_allclose(batch.times[[0, 2]], 0.05)
    assert np.isfinite(batch.node_positions(tissue)).all()
    with pytest.raises(sinew.SimulationError, match="instance 1"):
        batch.run(0.01)


def test_other_threads_run_while_a_batch_steps(jaw):
    batch = sinew.Batch(jaw, 2, step=0.01)
    counts, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counts[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counts[0]
        batch.step(2)
        assert counts[0] > before
    finally:
        done.set()
        thread.join()


def test_environments_are_stepped_together_and_begin_anew_one_by_one(arm):
    gymnasium = pytest.importorskip("gymnasium")
    from sinew.gym import VectorEnvironment

    arm.set("/models/arm/axial_springs/elastic:material", "simple_muscle")
    arm.set("/models/arm/axial_springs/elastic:material.max_force", 20.0)
    hand = "/models/arm/particles/hand"
    begun = []

    def start(batch, instances, generator):
        begun.append(list(instances))
        places = np.tile([0.0, 0.0, -0.3], (len(instances), 1))
        places[:, 2] += 0.05 * generator.uniform(-1, 1, len(instances))
        batch.set(f"{hand}:position", places, instances)

    environment = VectorEnvironment(
        arm, 4, [f"{hand}:position", f"{hand}:velocity"], ["/models/arm/axial_springs/elastic:excitation"],
        reward=lambda batch: -np.abs(batch.get(f"{hand}:position")[:, 2] + 0.25),
        is_over=lambda batch: batch.get(f"{hand}:position")[:, 2] < -0.5,
        start=start, duration=0.4,
    )
    assert isinstance(environment, gymnasium.vector.VectorEnv)
    first, _ = environment.reset(seed=3)
    assert environment.observation_space.contains(first) and first.shape == (4, 6) and begun == [[0, 1, 2, 3]]
    actions = np.array([[0.0], [1.0], [0.0], [0.6]])
    over = np.zeros(4, bool)
    for _ in range(30):
        observations, rewards, ended, cut, notes = environment.step(actions)
        over |= ended
        assert rewards.shape == (4,) and notes == {}
    # Those that fall end by it, those that are held are cut by the time; all have begun again alone or together.
    assert over[0] and over[2] and not over[1]
    assert len(begun) > 2 and all(instances for instances in begun)
    again, _ = environment.reset(seed=3)
    np.testing.assert_array_equal(again, first)
    # A step after the end is the begin of another episode: its reward is none.
    environment.batch.set(f"{hand}:position", [0.0, 0.0, -0.6], [2])
    assert environment.step(actions)[2].tolist() == [False, False, True, False]
    observations, rewards, ended, *_ = environment.step(actions)
    assert rewards[2] == 0.0 and not ended.any() and observations[2, 2] > -0.36


def test_instances_on_a_device_move_as_on_the_processor():
    tongue = sinew.Model.load("tongue", resolution=0, task="rest")
    muscles = [f"{it.path}:excitation" for it in tongue.components("muscle_bundle")]
    excitations = np.linspace(0.0, 0.1, 3 * len(muscles)).reshape(3, -1)
    tissue = tongue.components("fem_model")[0]
    found = []
    for device in [None, "software"]:
        batch = sinew.Batch(tongue, 3, step=0.01, device=device, cg_tolerance=1e-9)
        batch.select(muscles).values = excitations
        batch.step(2)
        batch.run(0.01)
        np.testing.assert_allclose(batch.times, 0.03)
        found.append(batch.node_positions(tissue))
    motion = np.abs(found[0] - found[0][0]).max()
    assert motion > 1e-5
    np.testing.assert_allclose(found[1], found[0], atol=1e-4 * motion, rtol=0.0)


def test_what_no_device_takes_is_refused_in_words(jaw):
    with pytest.raises(sinew.SimulationError, match="nowhere"):
        sinew.Batch(jaw, 2, device="nowhere")
    with pytest.raises(sinew.SimulationError, match="pairs that may touch"):
        sinew.Batch(sinew.Model.load("bowl"), 2, device="software")
