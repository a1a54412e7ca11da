"""The notebooks of examples/notebooks run, and what they find is what they say."""

import json
import pathlib

import numpy as np
import pytest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"


def names_of(notebook):
    """Names that the cells of a notebook make."""
    names = {}
    for cell in json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "notebooks are kept without outputs"
            exec(compile("".join(cell["source"]), f"{notebook}: {cell['id']}", "exec"), names)
    return names


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a notebook in a folder of its own, with pictures that nobody sees."""
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    return names_of


def test_first_steps(run):
    curves = run("first_steps")["curves"]
    (_, relaxed), (_, excited) = curves[0.0], curves[1.0]
    assert relaxed[0] == excited[0] and excited[-1] < relaxed[-1]


def test_a_stiffer_tongue_reaches_less_far(run):
    names = run("tongue_stiffness")
    assert (np.diff(names["reached"]) < 0.0).all() and -1.5 < names["sensitivity"] < -0.3


def test_the_rule_holds_the_jaw(run):
    names = run("jaw_controller")
    assert names["with_rule"].max() < names["without"].max()


def test_a_beam_of_arrays_swings_about_the_line_of_beam_theory(run):
    names = run("own_mesh")
    # Three layers of linear hexahedra are stiffer than the beam by some tenth.
    assert 0.8 < names["middle"] / names["at_rest"] < 1.0


def test_a_fit_finds_the_spring(run):
    pytest.importorskip("cmaes")
    names = run("fit")
    np.testing.assert_allclose(names["found"], names["truth"], rtol=0.05)


def test_excitations_of_a_motion_are_found_and_replayed(run):
    names = run("inverse")
    assert names["found"].errors.max() < 2e-3 and names["difference"] < 1e-9
    strength, fitted = names["strength"], names["fitted"]
    assert abs(fitted.values[strength] - 20.0) < 4.0 * fitted.standard_errors[strength] < 1.0


def test_every_notebook_is_run():
    tested = {"first_steps", "tongue_stiffness", "jaw_controller", "own_mesh", "fit", "inverse"}
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == tested
