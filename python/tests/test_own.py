"""Properties and controllers of one's own: declared, registered, saved and made again."""

import numpy as np
import pytest

import sinew

HAND = "/models/arm/particles/hand"


def test_a_declared_property_is_read_set_recorded_saved_and_undone(arm, tmp_path):
    hand = arm[HAND]
    before = arm.to_json()
    hand.declare("reach", "number", unit="m", default=0.25, doc="Of the arm")
    arm.declare("/models/arm:subject", "text", default="S 07")
    assert hand.reach == 0.25 and hand.properties["reach"].unit == "m" and "reach" in dir(hand)
    hand.reach = 0.5
    assert arm[f"{HAND}:reach"] == 0.5 and arm["/models/arm:subject"] == "S 07"
    with pytest.raises(sinew.PropertyError, match="reach takes a number"):
        hand.reach = "far"
    with pytest.raises(sinew.EditError, match="already"):
        hand.declare("mass", "number")
    with pytest.raises(sinew.EditError, match="there are bool, int, number"):
        hand.declare("other", "real")
    arm.save(tmp_path / "arm.toml")
    assert sinew.Model.load(tmp_path / "arm.toml").to_json() == arm.to_json()
    simulation = sinew.Simulation(arm, step=0.01)
    probe = simulation.record([f"{HAND}:reach"], every=0.01, twice=f"2 * {{{HAND}:reach}}")
    simulation.feed([f"{HAND}:reach"], [0.0, 0.1], [1.0, 2.0])
    simulation.run(0.05)
    np.testing.assert_allclose(probe.values[:, 1], 2.0 * probe.values[:, 0], rtol=0, atol=0)
    assert simulation[f"{HAND}:reach"] == pytest.approx(1.5)
    simulation.rewind()
    assert simulation[f"{HAND}:reach"] == 0.5
    for _ in range(3):
        arm.undo()
    assert arm.to_json() == before and "reach" not in dir(hand)
    arm.redo()
    arm.undeclare(f"{HAND}:reach")
    assert arm.to_json() == before


@sinew.controller("test sum")
class Sum:
    """Sums its input up over time."""

    def __init__(self, factor):
        self.factor, self.sum = factor, 0.0

    def output(self, input, time, step):
        self.sum += input * step
        return self.factor * self.sum

    def save(self):
        return [self.sum]

    def restore(self, numbers):
        self.sum = numbers[0] if numbers else 0.0


def controlled(arm, code):
    arm[HAND].declare("total", "number")
    law = arm.add("property_controller", "sum", law="code", code=code, target=HAND, property="total", input=f"{{{HAND}:position.z}}")
    return law


def test_a_registered_controller_is_saved_and_made_again_and_goes_back_in_time(arm, tmp_path):
    controlled(arm, "test sum").declare("factor", "number", default=2.0)
    arm.save(tmp_path / "arm.toml")
    totals = []
    for model in (arm, sinew.Model.load(tmp_path / "arm.toml")):
        simulation = sinew.Simulation(model, step=0.01)
        expected = 0.0
        simulation.add_waypoint(0.05)
        for _ in range(10):
            expected += simulation[f"{HAND}:position"][2] * 0.01
            simulation.step()
            assert simulation[f"{HAND}:total"] == 2.0 * expected
        simulation.rewind(0.05)
        simulation.run_until(0.1)
        assert simulation[f"{HAND}:total"] == 2.0 * expected
        totals.append(expected)
    assert totals[0] == totals[1] != 0.0


def test_what_is_not_registered_or_fails_is_named(arm, tmp_path):
    law = controlled(arm, "test sum")
    with pytest.raises(sinew.SimulationError, match="factor"):
        sinew.Simulation(arm).step()
    law.declare("factor", "number", default=1.0)
    arm.save(tmp_path / "arm.toml")
    text = (tmp_path / "arm.toml").read_text()
    (tmp_path / "other.toml").write_text(text.replace("test sum", "test sun"))
    with pytest.raises(sinew.FileError, match="'test sun', and no controller of that name is registered.*did you mean 'test sum'"):
        sinew.Model.load(tmp_path / "other.toml")

    @sinew.controller("test failure")
    class Failure:
        def __init__(self, **parameters):
            pass

        def output(self, input, time, step):
            raise ValueError("out of luck")

    law["code"] = "test failure"
    with pytest.raises(sinew.SimulationError, match="controllers/sum.*out of luck"):
        sinew.Simulation(arm).step()

    @sinew.controller("test reader")
    class Reader:
        def __init__(self, **parameters):
            pass

        def output(self, input, time, step):
            return reading.time

    law["code"] = "test reader"
    reading = sinew.Simulation(arm)
    with pytest.raises(sinew.SimulationError, match="reads no simulation"):
        reading.step()
