"""Protrusion of a tongue, by the stiffness of its tissue.

All moduli of the tissue [Pa] are multiplied by a factor, and the tongue is run through the begin of a protrusion.
"""

import sys

import numpy as np

import sinew


def reach(factor: float, duration: float) -> float:
    """Largest displacement of a node forwards [m]."""
    model = sinew.Model.load("tongue", task="protrusion")
    tissue = model.components("fem_model")[0]
    for info in tissue.properties.values():
        is_modulus = info.name.startswith("material.") and info.unit == "Pa" and not info.read_only
        try:
            modulus = tissue[info.name] if is_modulus else None
        except sinew.PropertyError:
            # A constant of another law.
            continue
        if modulus is not None:
            tissue[info.name] = factor * modulus
    simulation = sinew.Simulation(model)
    simulation.run(duration)
    moved = simulation.node_positions(tissue.path) - model.mesh(tissue).nodes
    return float(np.abs(moved[:, 0]).max())


def main(duration: float = 0.3) -> dict[float, float]:
    """Prints a line a factor."""
    reached = {factor: reach(factor, duration) for factor in (0.5, 1.0, 2.0)}
    for factor, distance in reached.items():
        print(f"moduli times {factor}: {1e3 * distance:.2f} mm")
    return reached


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
