"""The programs of examples/python do what they say, over short times."""

import pathlib
import runpy

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


def program(name):
    return runpy.run_path(str(EXAMPLES / name))["main"]


def test_a_stiffer_tongue_reaches_less_far(capsys):
    reached = program("tongue_stiffness.py")(0.1)
    assert reached[0.5] > reached[1.0] > reached[2.0] > 0.0
    assert capsys.readouterr().out.count(" mm\n") == 3


def test_the_rule_holds_the_jaw(capsys):
    without, with_rule = program("jaw_controller.py")(0.3)
    assert with_rule < without
