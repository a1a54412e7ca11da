"""Models: components, properties, edits, files."""

import copy
import pickle
import random
import sys

import numpy as np
import pytest

import sinew


def test_a_component_has_its_properties_as_items_and_attributes(arm):
    hand = arm["/models/arm/particles/hand"]
    assert hand.kind == "Particle" and str(hand) == "/models/arm/particles/hand"
    assert hand.mass == 0.5 and hand["mass"] == 0.5
    np.testing.assert_array_equal(hand.position, [0.0, 0.0, -0.3])
    hand.mass = 0.7
    hand["position"] = np.array([0.1, 0.2, 0.3])
    assert arm.get("/models/arm/particles/hand:mass") == 0.7
    np.testing.assert_array_equal(arm["/models/arm/particles/hand:position"], [0.1, 0.2, 0.3])
    spring = arm.components("axial_spring")[0]
    assert spring.first == "/models/arm/particles/root"
    assert hand.properties["mass"].unit == "kg" and "mass" in dir(hand)
    assert [it.path for it in hand._owner.find("/models/arm/particles").children][1] == hand.path


def test_errors_are_exceptions_with_the_message_of_the_library(arm):
    with pytest.raises(sinew.PathError, match="has no 'particle'.*particles"):
        arm.find("/models/arm/particle/hand")
    with pytest.raises(sinew.PropertyError, match="mass must be > 0, got -1"):
        arm.set("/models/arm/particles/hand:mass", -1.0)
    with pytest.raises(sinew.PropertyError, match="no property 'mas'.*mass"):
        arm.get("/models/arm/particles/hand:mas")
    with pytest.raises(sinew.EditError, match="needs 'first'"):
        arm.add("axial_spring", "half")
    with pytest.raises(sinew.EditError, match="nothing to redo"):
        arm.redo()
    with pytest.raises(sinew.EditError, match="delete takes PATH"):
        arm.edit("delete")
    with pytest.raises(sinew.EditError, match="unknown variant"):
        arm.edit({"command": "explode"})
    with pytest.raises(sinew.FileError, match="did you mean 'chain'"):
        sinew.Model.load("chian")
    with pytest.raises(sinew.FileError, match="links"):
        sinew.Model.load("chain", links=3)
    with pytest.raises(AttributeError, match="no property 'weight'; it has .*mass"):
        arm.find("/models/arm/particles/hand").weight
    assert issubclass(sinew.EditError, sinew.SinewError)


def test_copies_of_any_sort_are_models_of_their_own(arm):
    for other in (copy.copy(arm), copy.deepcopy(arm), pickle.loads(pickle.dumps(arm))):
        assert other.to_json() == arm.to_json()
        other.rename("/models/arm/particles/hand", "fist")
        assert "/models/arm/particles/hand" in arm and "/models/arm/particles/fist" in other
    assert sinew.__version__.count(".") == 2


def test_a_kind_may_be_a_property_too(arm):
    bone = arm.add("rigid_body", "bone", mass=1.0)
    arm.add("joint", "elbow", kind="hinge", body_c=bone)
    assert arm["/models/arm/connectors/elbow:kind"] == "hinge"


def test_the_window_gets_a_copy_and_its_command_may_be_named(arm, tmp_path, monkeypatch):
    window = tmp_path / "window"
    window.write_text(f"#!{sys.executable}\nimport shutil, sys\nshutil.copy(sys.argv[2], {str(tmp_path / 'seen.json')!r})\n")
    window.chmod(0o755)
    monkeypatch.setenv("SINEW_COMMAND", str(window))
    assert arm.view().returncode == 0
    assert sinew.Model.load(tmp_path / "seen.json").to_json() == arm.to_json()
    monkeypatch.setenv("SINEW_COMMAND", str(tmp_path / "nowhere"))
    with pytest.raises(sinew.FileError, match="cannot start .*SINEW_COMMAND"):
        arm.view()


def test_nodes_of_a_tissue_are_fixed_by_a_support_more(arm):
    arm.add("fem_model", "block", box="1 1 1", cells="1 1 1")
    block = "/models/arm/fem_models/block"
    support = arm.add_support(block, [0, 1, 2, 3])
    assert support.path == f"{block}/supports/0" and arm[f"{block}/nodes/3:fixed.x"]
    support["axes.x"] = False
    assert not arm[f"{block}/nodes/3:fixed.x"] and arm[f"{block}/nodes/3:fixed.y"]
    support["nodes"] = []
    assert not arm[f"{block}/nodes/3:fixed.y"]
    with pytest.raises(sinew.EditError, match="no node 8: there are 8"):
        arm.add_support(block, [8])


def test_every_edit_is_undone(arm):
    def paths():
        return sorted(it.path for kind in ("particle", "axial_spring") for it in arm.components(kind))

    start, text = paths(), arm.to_json()
    copy = arm.duplicate("/models/arm/axial_springs/elastic")[0]
    assert copy["second"] == "/models/arm/particles/hand"
    assert len(arm.duplicate(copy, with_references=True)) == 3
    assert arm.rename(copy, "twin").path == "/models/arm/axial_springs/twin"
    arm.translate("/models/arm/particles/hand", by=[1, 2, 3])
    np.testing.assert_allclose(arm["/models/arm/particles/hand:position"], [1, 2, 2.7], rtol=0, atol=1e-15)
    arm.scale("/models/arm/particles/hand", factors=-1)
    np.testing.assert_allclose(arm["/models/arm/particles/hand:position"], [-1, -2, -2.7], rtol=0, atol=1e-15)
    report = arm.delete("/models/arm/particles/hand")
    assert "/models/arm/axial_springs/twin" in report.deleted
    for _ in range(6):
        arm.undo()
    assert paths() == start and arm.to_json() == text
    assert "/models/arm/axial_springs/twin" not in arm
    for _ in range(6):
        arm.redo()
    assert sorted(arm.edit("undo").added) == sorted(arm.redo().deleted)


def commands(generator, model):
    """A random command; many are refused."""
    kinds = ["particle", "axial_spring", "rigid_body", "frame_marker", "component_list"]
    everything = [it.path for kind in kinds for it in model.components(kind)] or ["/models/arm"]
    path, other = generator.choice(everything), generator.choice(everything)
    return generator.choice(
        [
            {"command": "add", "kind": generator.choice(kinds), "path": f"n{generator.randrange(30)}"},
            {"command": "add", "kind": "particle", "path": f"p {generator.randrange(99)}", "properties": {"mass": 2.5}},
            {"command": "duplicate", "paths": [path, other], "scope": generator.choice(["alone", "with_references"])},
            {"command": "delete", "paths": [path]},
            {"command": "rename", "path": path, "name": f"r{generator.randrange(30)}"},
            {"command": "set", "property": f"{path}:mass", "value": generator.uniform(-1, 3)},
            {"command": "translate", "paths": [path], "by": [generator.uniform(-1, 1) for _ in range(3)]},
            {"command": "undo"},
            {"command": "redo"},
        ]
    )


def test_the_same_model_comes_of_the_same_edits_and_of_their_files(arm, tmp_path):
    generator, other, done = random.Random(7), arm.copy(), 0
    for _ in range(300):
        command = commands(generator, arm)
        try:
            report = arm.edit(command)
        except sinew.SinewError as refused:
            with pytest.raises(type(refused)):
                other.edit(command)
            continue
        assert other.edit(command) == report
        done += 1
    assert done > 100
    assert arm.to_json() == other.to_json()
    arm.save(tmp_path / "arm.json")
    assert sinew.Model.load(tmp_path / "arm.json").to_json() == arm.to_json()


def test_builtins_are_listed_with_parameters_that_load_takes():
    beam = sinew.builtins()["beam"]
    assert beam.summary and {it.name for it in beam.parameters} >= {"E", "nu"}
    model = sinew.Model.load("beam", E=1e5)
    tissue = model.components("fem_model")[0]
    assert tissue["material.youngs_modulus"] == 1e5
    assert "AxialSpring" in sinew.kinds()


def test_a_mesh_of_arrays_becomes_a_tissue_and_comes_back():
    x = np.array([0.0, 0.1])
    nodes = np.array([[a, b, c] for c in x for b in x for a in x])
    cube = [[0, 1, 3, 2, 4, 5, 7, 6]]
    mesh = sinew.Mesh(nodes, {"hex8": cube})
    np.testing.assert_array_equal(mesh.elements["hex8"], cube)
    model = sinew.Model("block")
    tissue = model.add_tissue("cube", mesh, material="neohook", density=1050.0, fixed=range(4), mass_damping=5.0)
    assert tissue.mass_damping == 5.0
    np.testing.assert_array_equal(model.mesh(tissue).nodes, nodes)
    np.testing.assert_array_equal(model.mesh(tissue).elements["hex8"], cube)
    simulation = sinew.Simulation(model)
    assert simulation[f"{tissue}:mass"] == pytest.approx(1.05)
    simulation.run(0.1)
    moved = simulation.node_positions(tissue)
    np.testing.assert_array_equal(moved[:4], nodes[:4])
    assert (moved[4:, 2] < nodes[4:, 2]).all() and (simulation.node_velocities(tissue)[4:, 2] != 0).any()
    # A cube with its nodes in Sinew's own order is inside out in VTK's.
    with pytest.raises(sinew.SinewError):
        flipped = [[4, 5, 7, 6, 0, 1, 3, 2]]
        sinew.Simulation(_with_tissue(sinew.Mesh(nodes, {"hex8": flipped})))
    with pytest.raises(sinew.FileError, match="no element 'hex9'.*hex8"):
        sinew.Mesh(nodes, {"hex9": cube})
    with pytest.raises(sinew.FileError, match="node 3 has a coordinate that is no number"):
        sinew.Mesh(np.vstack([nodes[:3], [0, np.nan, 0], nodes[4:]]), {"hex8": cube})
    with pytest.raises(sinew.FileError, match="-1"):
        sinew.Mesh(nodes, {"tet4": [[0, 1, 2, -1]]})


def _with_tissue(mesh):
    model = sinew.Model("block")
    model.add_tissue("cube", mesh)
    return model


def test_a_surface_of_arrays_becomes_a_body():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * 0.1
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    model = sinew.Model("bones")
    bone = model.add_body("bone", sinew.Mesh(corners, {"triangle": faces}), density=2000.0)
    # A sixth of a cube.
    assert bone["mass"] == pytest.approx(2000.0 * 1e-3 / 6, rel=1e-12)
    np.testing.assert_array_equal(model.mesh(bone).elements["triangle"], faces)


def test_meshes_go_to_meshio_and_back():
    meshio = pytest.importorskip("meshio")
    mesh = sinew.Model.load("beam").mesh(sinew.Model.load("beam").components("fem_model")[0])
    there = mesh.to_meshio()
    assert isinstance(there, meshio.Mesh)
    back = sinew.Mesh.from_meshio(there)
    for kind, nodes in mesh.elements.items():
        np.testing.assert_array_equal(back.elements[kind], nodes)


def test_a_model_is_transformed_as_a_whole_and_points_are_attached():
    model = sinew.Model.load("chain", n=2)
    start = model.to_json()
    body = model.components("rigid_body")[1]
    mass, position = body.mass, np.array(body.position)
    report = model.transform(scale=0.5)
    assert body.path in report.changed
    np.testing.assert_allclose(body.mass, mass / 8, rtol=1e-12)
    np.testing.assert_allclose(body.position, position / 2, rtol=0, atol=1e-15)
    model.undo()
    assert model.to_json() == start
    model.transform(mirror=[0, 1, 0], about=[0, 0.1, 0])
    np.testing.assert_allclose(body.position, [position[0], 0.2 - position[1], position[2]], rtol=0, atol=1e-15)
    model.undo()
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    model.transform(landmarks=(corners, corners * 1.1 + [0, 0, 0.2]), masses="mass")
    np.testing.assert_allclose(body.position, position * 1.1 + [0, 0, 0.2], rtol=0, atol=1e-12)
    np.testing.assert_allclose(body.mass, mass, rtol=1e-12)
    model.undo()
    points = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3, indexing="ij"), axis=-1)
    field = (np.full(3, -1.0), np.full(3, 0.5), 0.1 * points + [0, 0, 0.2])
    model.transform(field=field)
    # Cubics keep linear fields.
    np.testing.assert_allclose(body.position, position * 1.1 + [0, 0, 0.2], rtol=0, atol=1e-12)
    np.testing.assert_allclose(body.mass, mass * 1.1**3, rtol=1e-6)
    with pytest.raises(sinew.EditError, match="spacing > 0"):
        model.transform(field=(field[0], np.zeros(3), field[2]))
    with pytest.raises(TypeError, match="one of scale"):
        model.transform()
    with pytest.raises(sinew.EditError, match="flat"):
        model.transform(scale=0.0)
    point = model.add("particle", "point", position=[0, 0, 1])
    model.attach(point, to=body)
    with pytest.raises(sinew.EditError, match="follows .* already"):
        model.attach(point, to=body)
    model.detach(point)
    with pytest.raises(sinew.EditError, match="nobody"):
        model.detach(point)


def test_a_model_is_written_for_opensim_and_tells_what_that_does_not_hold(arm, tmp_path):
    with pytest.warns(UserWarning, match="Particle: left out"):
        files = arm.export_osim(tmp_path / "arm.osim")
    assert files == [str(tmp_path / "arm.osim")]
    text = (tmp_path / "arm.osim").read_text()
    assert text.startswith("<?xml") and "<Model name=\"arm\">" in text
    with pytest.raises(sinew.FileError, match="does not hold all of a model"):
        arm.save(tmp_path / "arm.osim")
