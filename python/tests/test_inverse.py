"""Inverse problems: excitations, joints, moments and numbers that made a motion are found again from it."""

import numpy as np
import pytest

import sinew

G, MASS, ARM = 9.8, 1.5, 0.13

ELBOW = """
version = 1
name = "elbow"
gravity = [0, 0, -9.8]

[[rigid_body]]
name = "humerus"
shape = { capsule = [0.015, 0.24] }
density = 1900
pose = { position = [0, 0, 0.15] }
dynamic = false

[[rigid_body]]
name = "forearm"
shape = { capsule = [0.012, 0.22], axis = [1, 0, 0] }
mass = 1.5
pose = { position = [0.13, 0, 0] }

[[joint]]
name = "elbow"
kind = "hinge"
body_c = "rigid_bodies/forearm"
body_d = "rigid_bodies/humerus"
position = [0, 0, 0]
axis = [0, -1, 0]

[defaults.frame_marker]
body = "rigid_bodies/forearm"

[[frame_marker]]
name = "front"
body = "rigid_bodies/humerus"
location = [0.02, 0, 0.10]

[[frame_marker]]
name = "back"
body = "rigid_bodies/humerus"
location = [-0.02, 0, 0.10]

[[frame_marker]]
name = "insertion"
location = [-0.09, 0, 0.012]

[[frame_marker]]
name = "olecranon"
location = [-0.15, 0, 0.0]

[[frame_marker]]
name = "wrist"
location = [0.11, 0, 0]

[[axial_spring]]
name = "biceps"
first = "frame_markers/front"
second = "frame_markers/insertion"
material = { type = "simple_muscle", max_force = 250.0, damping = 40.0 }

[[axial_spring]]
name = "triceps"
first = "frame_markers/back"
second = "frame_markers/olecranon"
material = { type = "simple_muscle", max_force = 200.0, damping = 40.0 }
"""

AT = "/models/elbow"
MUSCLES = [f"{AT}/axial_springs/{name}:excitation" for name in ("biceps", "triceps")]
WRIST = f"{AT}/frame_markers/wrist:position"
ANGLE = f"{AT}/connectors/elbow:coordinate.theta.value"


@pytest.fixture
def elbow(tmp_path):
    (tmp_path / "elbow.toml").write_text(ELBOW)
    return sinew.Model.load(tmp_path / "elbow.toml")


@pytest.fixture
def motion(elbow):
    """Excitations, and the places of the wrist that they lead to."""
    times = np.linspace(0.0, 0.3, 31)
    excitations = np.column_stack([0.45 + 0.15 * np.sin(12 * times), 0.1 * (1 - np.cos(9 * times))])
    simulation = sinew.Simulation(elbow, step=0.01)
    simulation.feed(MUSCLES, times, excitations)
    wrist = simulation.record([WRIST], every=0.01)
    simulation.run(0.3)
    return excitations, wrist


def test_excitations_are_found_that_make_a_motion_again_and_play_forward(elbow, motion):
    made, wrist = motion
    found = sinew.track(elbow, wrist, regularization=1e-6, step=0.01)
    assert found.names == MUSCLES and found.columns == [f"{WRIST}.{axis}" for axis in "xyz"]
    assert found.excitations.shape == (30, 2) and found.errors.shape == (30, 1)
    way = np.linalg.norm(wrist.values - wrist.values[0], axis=1).max()
    assert way > 0.02 and found.errors.max() < 0.01 * way and found.rms[WRIST] <= found.errors.max()
    np.testing.assert_allclose(found.desired, wrist.values[1:], atol=1e-9)
    assert not found.out_of_reach.any() and not found.missed.any() and found.left_out == []
    # Flexor and extensor do not work against each other more than those that made the motion.
    assert np.sum(found.excitations**2) < np.sum(made**2)
    again = found.replay()
    record = again.record([WRIST], every=0.01)
    again.run(0.3)
    np.testing.assert_allclose(record.values[1:], found.reached, rtol=0, atol=1e-9)


def test_weights_bounds_and_terms_are_those_of_the_section(elbow, motion, tmp_path):
    _, wrist = motion
    places = {WRIST: wrist.values}
    bounded = sinew.track(
        elbow, places, times=wrist.times, step=0.01, bounds={MUSCLES[0]: (0.0, 0.2)}, time=0.2,
        weights={WRIST: {"weight": 2.0, "directions": [1, 0, 1], "factors": [[0, 1], [0.2, 0.5]]}},
    )
    assert bounded.excitations[:, 0].max() <= 0.2 + 1e-9 and bounded.out_of_reach.any()
    assert bounded.times[-1] == pytest.approx(0.2)
    biceps = elbow[f"{AT}/axial_springs/biceps"]
    tied = sinew.track(elbow, places, times=wrist.times, step=0.01, ratios=[(MUSCLES[1], 0.25, biceps)], time=0.1)
    np.testing.assert_allclose(tied.excitations[:, 1], 0.25 * tied.excitations[:, 0], atol=1e-8)
    # The same from a section of the model file.
    np.savetxt(
        tmp_path / "reach.csv", np.column_stack([wrist.times, wrist.values]), delimiter=",", comments="", fmt="%.17g",
        header="time," + ",".join(wrist.columns),
    )
    section = '\n[inverse]\ntargets = "reach.csv"\nregularization = 1e-6\n'
    (tmp_path / "told.toml").write_text(ELBOW + section)
    told = sinew.track(sinew.Model.load(tmp_path / "told.toml"), step=0.01, time=0.1)
    asked = sinew.track(elbow, tmp_path / "reach.csv", regularization=1e-6, step=0.01, time=0.1)
    np.testing.assert_array_equal(told.excitations, asked.excitations)


def test_a_direction_without_weight_is_not_followed(elbow, motion):
    """The wrist is asked aside along y, where no muscle leads it: with a weight that is out of reach, without it is not seen."""
    _, wrist = motion
    aside = wrist.values + [0.0, 0.01, 0.0]
    found = sinew.track(
        elbow, {WRIST: aside}, times=wrist.times, step=0.01, regularization=1e-6, weights={WRIST: {"directions": [1, 0, 1]}}
    )
    plain = sinew.track(elbow, wrist, step=0.01, regularization=1e-6)
    np.testing.assert_allclose(found.reached, plain.reached, atol=1e-9)
    assert not found.missed.any()
    # Aside, and in millimetres: no bound keeps the wrist, and no muscle leads it there.
    for asked in (wrist.values + [0.0, 0.05, 0.0], 1e3 * wrist.values):
        far = sinew.track(elbow, {WRIST: asked}, times=wrist.times, step=0.01)
        assert far.missed.all()


def test_what_cannot_be_followed_is_refused_by_name(elbow, motion):
    _, wrist = motion
    with pytest.raises(sinew.PropertyError, match="nothing to follow"):
        sinew.track(elbow)
    with pytest.raises(sinew.PathError, match="is no target|the file follows"):
        sinew.track(elbow, wrist, weights={"/nothing:position": 1.0})
    with pytest.raises(sinew.PropertyError, match="has no excitation"):
        sinew.track(elbow, wrist, excite=[elbow[f"{AT}/rigid_bodies/forearm"]])
    with pytest.raises(sinew.PropertyError, match="kd"):
        sinew.track(elbow, wrist, kp=1.0)
    with pytest.raises(sinew.PropertyError, match="backward Euler"):
        sinew.track(elbow, wrist, integrator="trapezoidal")
    with pytest.raises(sinew.PropertyError, match="'weights' of sinew.track has a number that is not finite"):
        sinew.track(elbow, wrist, weights={WRIST: float("nan")})
    with pytest.raises(sinew.PropertyError, match="'ratios'"):
        sinew.track(elbow, wrist, ratios=[(MUSCLES[0], float("nan"), MUSCLES[1])])
    with pytest.raises(sinew.PropertyError, match="`time` must be finite and more than half a step"):
        sinew.track(elbow, wrist, time=-1.0, step=0.01)
    with pytest.raises(sinew.SimulationError, match="at most 1e9"):
        sinew.track(elbow, {ANGLE: [0.0, 1e300]}, times=[0.0, 1.0], step=0.01)
    with pytest.raises(sinew.ProbeError, match="none of its columns"):
        sinew.track(elbow, {"nobody": np.zeros((2, 3))}, times=[0.0, 1.0])
    with pytest.raises(TypeError, match="times"):
        sinew.track(elbow, {WRIST: np.zeros((2, 3))})
    with pytest.raises(ValueError, match="shape"):
        sinew.track(elbow, {WRIST: np.zeros((3, 3))}, times=[0.0, 1.0])


def test_a_rigid_model_goes_from_markers_to_angles_moments_and_muscles(elbow):
    times = np.linspace(0.0, 2.0, 81)
    angle = 0.3 + 0.2 * np.sin(2.0 * times)
    along = np.column_stack([np.cos(angle), 0.0 * angle, np.sin(angle)])
    markers = {"wrist": 0.24 * along, "olecranon": -0.02 * along}
    markers["wrist"][5] = np.nan
    posed = sinew.inverse_kinematics(elbow, markers, times=times, weights={WRIST: 2.0})
    assert posed.columns == [ANGLE] and posed.errors.max() < 1e-6
    np.testing.assert_allclose(posed.values[:, 0], angle, atol=1e-6)
    inner = slice(10, -10)
    # The forearm swings about the elbow: I angle'' + m g r cos(angle), I of the forearm about its middle and m r^2.
    own = forearm_inertia(elbow)
    expected = (own + MASS * ARM**2) * (-0.8 * np.sin(2.0 * times)) + MASS * G * ARM * np.cos(angle)
    moments = sinew.inverse_dynamics(elbow, posed)
    assert moments.values.shape == (81, 1)
    np.testing.assert_allclose(moments.values[inner, 0], expected[inner], rtol=2e-3)
    # A weight in the hand adds its own.
    hand = {f"{AT}/rigid_bodies/forearm:force": [[0, 0, -10.0]] * 2, f"{AT}/rigid_bodies/forearm:point": [[0.2, 0, 0]] * 2}
    loaded = sinew.inverse_dynamics(elbow, posed, loads=hand, load_times=[0.0, 2.0])
    np.testing.assert_allclose(loaded.values - moments.values, 2.0, atol=1e-9)
    shares = sinew.static_optimization(elbow, posed, loads=hand, load_times=[0.0, 2.0])
    np.testing.assert_array_equal(shares.moments.values, loaded.values)
    assert shares.muscles == [path.split(":")[0] for path in MUSCLES]
    # The flexor alone lifts, below its most.
    assert (shares.activations[:, 0] > 0.0).all() and shares.tensions.max() < 250.0
    assert np.abs(shares.activations[:, 1]).max() < 1e-6 and np.abs(shares.missing).max() == 0.0
    with pytest.raises(sinew.PropertyError, match="power"):
        sinew.static_optimization(elbow, posed, power=1.0)


def forearm_inertia(model):
    """Moment of inertia of the forearm about the axis of the elbow through its centre of mass [kg m²], by a swing."""
    simulation = sinew.Simulation(model.copy(), step=1e-3)
    body = f"{AT}/rigid_bodies/forearm"
    simulation.set(f"{body}:angular_velocity", [0.0, -1.0, 0.0])
    return abs(simulation.get(f"{body}:angular_momentum")[1] / simulation.get(f"{body}:angular_velocity")[1])


def test_a_number_is_found_from_the_motion_that_it_made(arm):
    stiffness, hand = "/models/arm/axial_springs/elastic:material.stiffness", "/models/arm/particles/hand"
    arm.set("/models/arm/axial_springs/elastic:rest_length", 0.3)
    arm.set(stiffness, 60.0)
    simulation = sinew.Simulation(arm, step=0.01, newton=True)
    record = simulation.record([f"{hand}:position"], every=0.01)
    simulation.run(0.3)
    arm.set(stiffness, 40.0)
    told = []
    found = sinew.fit(arm, record, {stiffness: (10.0, 200.0)}, step=0.01, progress=lambda *at: told.append(at))
    assert found.converged and found.values[stiffness] == pytest.approx(60.0, rel=1e-4)
    assert found.standard_errors[stiffness] < 0.1 and not found.at_bound[stiffness]
    assert found.model.get(stiffness) == found.values[stiffness] and arm.get(stiffness) == 40.0
    assert told[0][0] == 0 and told[-1][2] < told[0][2] and len(told) == found.iterations + 1
    gravity = "/models/arm:gravity.z"
    fallen = sinew.fit(found.model, record, [gravity], step=0.01)
    assert fallen.values[gravity] == pytest.approx(-9.8, rel=1e-4)
    assert fallen.model.get("/models/arm:gravity")[2] == fallen.values[gravity]
    with pytest.raises(sinew.PropertyError, match="lower bound"):
        sinew.fit(arm, record, {stiffness: (2.0, 1.0)})

    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sinew.fit(arm, record, [stiffness], step=0.01, progress=stop)


def test_sensitivities_are_those_that_gradients_have(arm):
    parameters = ["/models/arm/axial_springs/elastic:material.stiffness", "/models/arm/particles/hand:mass"]
    trajectory = sinew.Trajectory(arm, parameters, ["/models/arm/particles/hand:position"], steps=5, step=0.01)
    values = [40.0, 0.5]
    motion, by_values = trajectory.sensitivities(values)
    np.testing.assert_allclose(motion, trajectory.forward(values), atol=1e-14)
    assert by_values.shape == (6, 3, 2)
    factors = np.cos(np.arange(motion.size)).reshape(motion.shape)
    for k, gradient in enumerate(trajectory.backward(values, factors)):
        assert np.sum(factors * by_values[:, :, k]) == pytest.approx(float(gradient), rel=1e-8, abs=1e-15)
