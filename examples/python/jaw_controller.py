"""A jaw that is held open: a muscle of one's own between the incisors gives way by a proportional rule.

The muscle closes the jaw the more, the farther it is open beyond what is wanted.
"""

import sys

import numpy as np

import sinew

MARKERS = "/models/jaw-tongue-hyoid/frame_markers"


def opening(simulation: sinew.Simulation) -> float:
    """Distance of the incisors [m]."""
    lower, upper = (simulation[f"{MARKERS}/{end}_incisor:position"] for end in ("lower", "upper"))
    return float(np.linalg.norm(lower - upper))


def main(duration: float = 0.5, wanted: float = 0.012) -> tuple[float, float]:
    """Widest opening [m] without and with the rule."""
    widest = []
    for gain in (0.0, 500.0):
        model = sinew.Model.load("jaw-tongue-hyoid")
        muscle = model.add(
            "axial_spring", "helper",
            first=f"{MARKERS}/lower_incisor", second=f"{MARKERS}/upper_incisor",
            material="simple_muscle", properties={"material.max_force": 60.0},
        )
        simulation = sinew.Simulation(model)
        excitation = f"{muscle}:excitation"
        openings = []

        @simulation.add_controller
        def close(now, gain=gain, excitation=excitation, openings=openings):
            openings.append(opening(now))
            now[excitation] = float(np.clip(gain * (openings[-1] - wanted), 0.0, 1.0))

        simulation.run(duration)
        widest.append(max(openings))
        print(f"gain {gain:g}/m: {1e3 * widest[-1]:.1f} mm")
    return widest[0], widest[1]


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
