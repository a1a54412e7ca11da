"""Simulations: steps, waypoints, probes, controllers, threads."""

import json
import threading
import time

import numpy as np
import pytest

import sinew

HAND = "/models/arm/particles/hand"


def test_a_stone_falls_as_backward_euler_has_it(arm):
    arm.delete("/models/arm/axial_springs/elastic")
    simulation = sinew.Simulation(arm, step=0.001)
    assert simulation.run(0.5)
    assert simulation.steps == 500 and simulation.time == pytest.approx(0.5)
    stone = simulation[HAND]
    # Velocities are exact, positions a sum: -g h² n (n + 1) / 2.
    assert stone.velocity[2] == pytest.approx(-9.8 * 0.5, rel=1e-12)
    assert stone.position[2] == pytest.approx(-0.3 - 9.8 * 1e-6 * 500 * 501 / 2, rel=1e-12)


def test_the_same_bits_come_of_python_and_of_the_command(sinew_command, tmp_path):
    paths = [f"/models/jaw-tongue-hyoid/frame_markers/{end}_incisor:position" for end in ("lower", "upper")]
    probes = [f"--probe={path}=p{k}.csv" for k, path in enumerate(paths)]
    sinew_command(
        "run", "jaw-tongue-hyoid", "--time", "0.05", "--backend", "cpu", "--frames", "none", "--every", "0.01",
        *probes, "--out", tmp_path / "out", folder=tmp_path,
    )
    simulation = sinew.Simulation(sinew.Model.load("jaw-tongue-hyoid"))
    probe = simulation.record(paths)
    simulation.run(0.05)
    for k in range(2):
        table = np.loadtxt(tmp_path / "out" / f"p{k}.csv", delimiter=",", skiprows=1)
        assert len(table) == 6
        np.testing.assert_array_equal(table, np.column_stack([probe.times, probe.values[:, 3 * k : 3 * k + 3]]))


def test_probes_of_a_model_are_components_that_record_into_memory(arm, tmp_path):
    arm.add("output_probe", "way", properties=f"{HAND}:position", every=0.01)
    arm.add("input_probe", "pull", properties="/models/arm:gravity", data=[0, 0, 0, -9.8, 1, 5, 0, -9.8])
    way, pull = "/models/arm/probes/way", "/models/arm/probes/pull"
    simulation = sinew.Simulation(arm, step=0.01)
    recorded = simulation.recorded(way)
    simulation.run(0.1)
    assert len(recorded) == 11 and simulation.get("/models/arm:gravity")[0] == pytest.approx(0.5)
    simulation.set(f"{way}:enabled", False)
    simulation.run(0.1)
    assert len(recorded) == 11
    simulation.rename(HAND, "fist")
    (copy,) = simulation.duplicate(way)
    assert copy.path == f"{way}_2"
    assert simulation.get(f"{copy.path}:properties") == ["/models/arm/particles/fist:position"]
    simulation.delete(pull)
    simulation.undo()
    with pytest.raises(sinew.SinewError, match="none.csv"):
        simulation.edit(f"set {pull}:file none.csv")
    simulation.model.save(tmp_path / "saved.toml")
    again = sinew.Model.load(tmp_path / "saved.toml")
    probes = [it.path for kind in ("input_probe", "output_probe") for it in again.components(kind)]
    assert probes == [pull, way, copy.path]


def test_a_run_goes_back_and_comes_the_same_way_again(arm):
    simulation = sinew.Simulation(arm)
    probe = simulation.record([f"{HAND}:position"], every=0.01, height=f"{{{HAND}:position.z}} + 0.3")
    simulation.add_waypoint(0.1)
    simulation.add_waypoint(0.2, halts=True)
    assert not simulation.run(1.0) and simulation.time == pytest.approx(0.2)
    first = probe.values
    assert len(probe) == 21 and probe.columns[-1] == "height"
    np.testing.assert_allclose(probe["height"], probe.values[:, 2] + 0.3, rtol=0, atol=1e-15)
    assert [it.saved for it in simulation.waypoints] == [True, True]
    assert simulation.rewind(0.15) == pytest.approx(0.1) and len(probe) == 11
    simulation.run_until(0.2)
    np.testing.assert_array_equal(probe.values, first)
    state = simulation.save_state()
    simulation.run(0.1)
    end = simulation[HAND].position
    simulation.restore_state(state)
    assert simulation.time == state.time == pytest.approx(0.2)
    simulation.run(0.1)
    np.testing.assert_array_equal(simulation[HAND].position, end)
    simulation.reset()
    assert simulation.time == 0.0 and len(probe) == 0
    simulation.step()
    np.testing.assert_array_equal(probe.values, first[:2])
    with pytest.raises(KeyError, match="there is no column 'depth'; there are .*height"):
        probe["depth"]


def test_a_controller_holds_a_pole_upright():
    """A pole of mass m at the end of a massless rod of length l, by its force: PD on the angle."""
    model = sinew.Model("pole")
    model.add("particle", "tip", mass=2.0, position=[0.02, 0.0, 0.5])
    tip = "/models/pole/particles/tip"
    push = model.add("point_load", "push", target=tip)
    simulation = sinew.Simulation(model, step=0.001, integrator="trapezoidal")
    stiffness, damping = 50.0, 20.0
    calls = []

    @simulation.add_controller
    def control(now):
        x, v = now[tip].position, now[tip].velocity
        force = [-stiffness * x[0] - damping * v[0], 0.0, 2.0 * 9.8]
        now[f"{push}:force"] = force
        calls.append(now.time)

    probe = simulation.record([f"{tip}:position"])
    simulation.run(1.0)
    assert len(calls) == 1000
    # m x'' + c x' + k x = 0 at critical damping, c² = 4 k m; the force is that of the start of each step, O(h).
    rate = damping / (2 * 2.0)
    expected = 0.02 * (1 + rate * probe.times) * np.exp(-rate * probe.times)
    np.testing.assert_allclose(probe.values[:, 0], expected, rtol=0, atol=0.02 * 5e-3)
    np.testing.assert_allclose(probe.values[:, 2], 0.5, rtol=0, atol=1e-9)
    simulation.remove_controller(control)
    simulation.rewind()
    np.testing.assert_array_equal(simulation[f"{push}:force"], [0, 0, 0])


def test_what_a_controller_raises_ends_the_run_before_the_step(arm):
    simulation = sinew.Simulation(arm)

    @simulation.add_controller
    def fail(now):
        if now.steps == 3:
            raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        simulation.run(1.0)
    assert simulation.steps == 3


def test_times_and_counts_that_are_none_are_refused(arm):
    with pytest.raises(ValueError, match="step must be a finite number, got nan"):
        sinew.Simulation(arm, step=float("nan"))
    simulation = sinew.Simulation(arm)
    for wrong in (lambda: simulation.run(float("nan")), lambda: simulation.run_until(float("nan"))):
        with pytest.raises(ValueError, match="nan"):
            wrong()
    for wrong in (lambda: simulation.run(-0.1), lambda: simulation.step(-1)):
        with pytest.raises(ValueError, match="must be 0"):
            wrong()
    simulation.add_controller(lambda now: now.step())
    with pytest.raises(sinew.SimulationError, match="cannot take steps themselves"):
        simulation.step()
    assert simulation.steps == 0


def test_a_monitor_sees_the_end_of_every_step(arm):
    simulation, times = sinew.Simulation(arm), []
    simulation.add_monitor(lambda now: times.append(now.time))
    simulation.step(5)
    np.testing.assert_allclose(times, [0.01, 0.02, 0.03, 0.04, 0.05])


def test_values_over_time_are_fed(arm):
    simulation = sinew.Simulation(arm)
    simulation.feed([f"{HAND}:mass"], [0.0, 0.1], [1.0, 3.0])
    simulation.run(0.05)
    assert simulation[HAND].mass == pytest.approx(2.0)
    with pytest.raises(sinew.ProbeError, match="2"):
        simulation.feed([f"{HAND}:mass"], [0.0, 0.1], [[1.0, 2.0], [3.0, 4.0]])


def test_a_thousand_properties_are_read_and_set_in_one_call():
    model = sinew.Model("many")
    names = [f"p{k}" for k in range(1000)]
    for k, name in enumerate(names):
        model.add("particle", name, mass=1.0 + k, position=[0.1 * k, 0.0, 0.0])
    simulation = sinew.Simulation(model)
    masses = simulation.select([f"/models/many/particles/{name}:mass" for name in names])
    np.testing.assert_array_equal(masses.values, 1.0 + np.arange(1000))
    masses.values = np.full(1000, 2.0)
    assert simulation["/models/many/particles/p999:mass"] == 2.0
    places = simulation.select([f"/models/many/particles/{name}:position" for name in names])
    assert places.size == 3000 and places.places[:3] == [0, 3, 6]
    np.testing.assert_allclose(places.values.reshape(-1, 3)[:, 0], 0.1 * np.arange(1000))
    with pytest.raises(sinew.PropertyError, match="1000 numbers, not 3"):
        masses.values = [1, 2, 3]


def test_an_edit_while_it_runs_leaves_the_rest_where_it_is(arm):
    simulation = sinew.Simulation(arm)
    simulation.run(0.1)
    where = simulation[HAND].position
    simulation.add("particle", "other", position=[1, 0, 0])
    np.testing.assert_array_equal(simulation[HAND].position, where)
    simulation.step()
    assert simulation["/models/arm/particles/other"].velocity[2] == pytest.approx(-0.098)
    simulation.undo()
    assert "/models/arm/particles/other" not in simulation
    assert "/models/arm/particles/other" not in simulation.model
    with pytest.raises(sinew.SimulationError):
        sinew.Simulation(sinew.Model("empty"), step=-1.0)
    with pytest.raises(sinew.SimulationError, match="integrator"):
        sinew.Simulation(arm, integrator="simpson")


def test_a_failed_step_is_an_exception_and_the_state_the_last_good_one(arm):
    arm.set("/models/arm/axial_springs/elastic:material.stiffness", 1e9)
    simulation = sinew.Simulation(arm, step=0.1, integrator="symplectic_euler")
    with pytest.raises(sinew.SimulationError):
        simulation.run(1e3)
    assert np.isfinite(simulation[HAND].position).all()


def test_positions_of_nodes_are_views_that_are_shared_until_the_next_step_and_stay_what_they_are():
    simulation = sinew.Simulation(sinew.Model.load("beam"))
    beam = simulation.components("fem_model")[0]
    simulation.step()
    first, again = simulation.node_positions(beam), simulation.node_positions(beam.path)
    assert np.shares_memory(first, again) and not first.flags.writeable and not first.flags.owndata
    kept = first.copy()
    simulation.step()
    moved = simulation.node_positions(beam)
    np.testing.assert_array_equal(first, kept)
    assert not np.shares_memory(first, moved) and np.abs(moved - first).max() > 0.0
    last = len(first) - 1
    np.testing.assert_array_equal(moved[last], simulation[f"{beam}/nodes/{last}:position"])
    np.testing.assert_array_equal(simulation.node_velocities(beam)[last], simulation[f"{beam}/nodes/{last}:velocity"])
    with pytest.raises(sinew.PathError, match="is no tissue"):
        simulation.node_positions("/models")


def test_threads_run_beside_each_other_and_compute_the_same():
    model = sinew.Model.load("beam")

    def positions(results, at):
        simulation = sinew.Simulation(model)
        simulation.run(0.05)
        results[at] = simulation.node_positions(simulation.components("fem_model")[0])

    results = [None] * 4
    threads = [threading.Thread(target=positions, args=(results, at)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])


def test_other_threads_run_while_it_steps():
    simulation = sinew.Simulation(sinew.Model.load("jaw-tongue-hyoid"))
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    begun = time.perf_counter()
    simulation.step()
    while time.perf_counter() - begun < 0.2:
        simulation.step()
    seen, took = counted[0], time.perf_counter() - begun
    stop.set()
    thread.join()
    # One that waits for the interpreter gets it once in 5 ms, and steps take longer than that.
    assert seen > 20 * took, f"{seen} in {took} s"


def test_one_simulation_may_be_used_by_several_threads(arm):
    simulation = sinew.Simulation(arm)

    def read():
        for _ in range(200):
            assert np.isfinite(simulation[HAND].position).all()

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    simulation.step(200)
    for thread in threads:
        thread.join()
    assert simulation.steps == 200


def test_a_snapshot_has_everything_by_its_path():
    simulation = sinew.Simulation(sinew.Model.load("chain", n=2))
    simulation.run(0.02)
    snapshot = simulation.snapshot()
    assert snapshot["/models/chain/rigid_bodies/link1"].shape == (7,)
    np.testing.assert_array_equal(
        snapshot["/models/chain/rigid_bodies/link1"], simulation["/models/chain/rigid_bodies/link1:pose"]
    )


def test_a_picture_is_an_array_or_says_how_to_get_one(arm):
    simulation = sinew.Simulation(arm)
    if not sinew.HAS_RENDER:
        with pytest.raises(sinew.SinewError, match="--features render"):
            simulation.render()
        return
    picture = simulation.render((160, 120), camera="+x", view={"options": {"background": "white", "grid": False}})
    assert picture.shape == (120, 160, 4) and picture.dtype == np.uint8
    assert (picture[..., 3] == 255).all() and 0 < (picture[..., :3] < 200).any(axis=-1).mean() < 0.5
    with pytest.raises(sinew.SinewError, match="no camera 'aside'.*iso"):
        simulation.render(camera="aside")


def test_nodes_that_a_schedule_moves_feel_friction(tmp_path):
    """A block of tissue of 1 kg, all nodes moved along x over a plane, and back: Coulomb's force is mu m g against it."""
    side, friction = 0.1, 0.3
    corners = np.array([[x, y, z] for z in (0, side) for y in (0, side) for x in (0, side)], float)
    model = sinew.Model("m")
    block = model.add_tissue("block", sinew.Mesh(corners, {"hex8": [[0, 1, 3, 2, 4, 5, 7, 6]]}), density=1000.0)
    block["material.youngs_modulus"] = 1e6
    ground = model.add("collider", "ground", shape="half_space")
    model.add("collision_behavior", "contact", a=block, b=ground, friction=friction)
    document = json.loads(model.to_json())
    document["fem_model"][0]["support"] = [{
        "nodes": list(range(8)), "axes": {"y": False, "z": False},
        "displacement": [0.05, 0, 0], "schedule": [0, 0, 0.2, 0, 0.7, 1, 1.2, 0],
    }]
    (tmp_path / "block.json").write_text(json.dumps(document))
    simulation = sinew.Simulation(sinew.Model.load(tmp_path / "block.json"), step=0.005)
    probe = simulation.record(["/models/m/collision_behaviors/contact:force"], every=0.1)
    for until, speed in [(0.65, 0.1), (1.15, -0.1)]:
        simulation.run_until(until)
        np.testing.assert_allclose(simulation.node_velocities(block.path)[:, 0], speed, rtol=1e-9)
        force = probe.values[-1]
        # The weight bounces a little at the start, and the contact solver ends at 1e-8 of it.
        np.testing.assert_allclose(force, [-np.sign(speed) * friction * 9.8, 0.0, 9.8], rtol=0, atol=1e-6)


def test_the_reaction_of_a_driven_slider_is_its_inertia_and_weight():
    mass, acceleration = 2.0, 1.5
    model = sinew.Model("m")
    path = model.add("particle", "slider", mass=mass, dynamic=False).path
    simulation = sinew.Simulation(model, step=0.01)
    times = np.arange(0.0, 0.31, 0.01)
    places = np.column_stack([0.5 * acceleration * times**2, 0.0 * times, 0.0 * times])
    simulation.feed([f"{path}:position"], times, places)
    for k in range(1, 31):
        simulation.step()
        # It begins with the mean velocity of the first step, in which nothing changes it.
        share = 0.0 if k == 1 else 1.0
        expected = [share * mass * acceleration, 0.0, mass * 9.8]
        np.testing.assert_allclose(simulation.get(f"{path}:reaction"), expected, atol=1e-9, err_msg=f"step {k}")
