"""The walk of a newcomer, from a model that is there to a muscle of one's own; and the blocks of the tutorial."""

import contextlib
import io
import pathlib
import re

import numpy as np

import sinew

JAW = "/models/jaw-tongue-hyoid"


def gape(simulation):
    """Distance of the incisors less that at rest [m]."""
    lower, upper = (simulation[f"{JAW}/frame_markers/{end}_incisor:position"] for end in ("lower", "upper"))
    return np.linalg.norm(lower - upper)


def test_a_newcomer_adds_a_muscle_scales_the_skull_runs_undoes_saves_and_loads(tmp_path):
    model = sinew.Model.load("jaw-tongue-hyoid")
    before = model.to_json()
    chin, brow = (f"{JAW}/frame_markers/{end}_incisor" for end in ("lower", "upper"))
    muscle = model.add(
        "axial_spring", "helper", first=chin, second=brow, material="simple_muscle", excitation=1.0,
        properties={"material.max_force": 20.0},
    )
    assert muscle.path == f"{JAW}/axial_springs/helper"
    mass = model[f"{JAW}/rigid_bodies/cranium:mass"]
    model.transform(f"{JAW}/rigid_bodies/cranium", scale=1.05)
    assert np.isclose(model[f"{JAW}/rigid_bodies/cranium:mass"], 1.05**3 * mass, rtol=1e-12, atol=0)
    plain, helped = sinew.Simulation(sinew.Model.load("jaw-tongue-hyoid")), sinew.Simulation(model)
    curves = []
    for simulation in (plain, helped):
        probe = simulation.record([f"{chin}:position", f"{brow}:position"], every=0.01)
        simulation.run(0.1)
        curves.append(np.linalg.norm(probe.values[:, :3] - probe.values[:, 3:], axis=1))
        assert curves[-1].shape == (11,) and np.isclose(curves[-1][-1], gape(simulation), rtol=0, atol=1e-15)
    # It pulls the chin up: 20 N close the jaw by more than rounding.
    assert curves[0][0] == curves[1][0] and curves[1][-1] < curves[0][-1] - 1e-5
    assert helped[muscle.path].tension >= 20.0
    model.undo()
    model.undo()
    assert model.to_json() == before and muscle.path not in model
    model.redo()
    model.redo()
    model.save(tmp_path / "helped.toml")
    again = sinew.Model.load(tmp_path / "helped.toml")
    assert again[f"{muscle.path}:material.max_force"] == 20.0
    assert again.to_json() == model.to_json()
    simulation = sinew.Simulation(again)
    simulation.run(0.1)
    assert gape(simulation) == curves[1][-1]


def test_the_tutorial_does_what_stands_there(tmp_path, monkeypatch):
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "python.md"
    blocks = re.findall(r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", page.read_text(), re.DOTALL)
    assert len(blocks) >= 6
    monkeypatch.chdir(tmp_path)
    names = {}
    for code, expected in blocks:
        if "matplotlib" in code:
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, str(page), "exec"), names)
        assert said.getvalue() == expected, code
