"""Drake's deformable body (corotated linear, discrete steps) on the beam: `drake_deform.py N`."""

import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from pydrake.all import (
    AddMultibodyPlantSceneGraph, DeformableBodyConfig, DiagramBuilder, GeometryInstance,
    MaterialModel, Mesh, ProximityProperties, RigidTransform, Simulator,
)

from beam import DENSITY, POISSONS_RATIO, STEP, YOUNGS_MODULUS, beam, report, time_steps


def write_vtk(path, nodes, tets):
    """Legacy VTK, the format that Drake reads volume meshes from."""
    with open(path, "w") as file:
        file.write("# vtk DataFile Version 3.0\nbeam\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        file.write(f"POINTS {len(nodes)} double\n")
        np.savetxt(file, nodes, fmt="%.17g")
        file.write(f"\nCELLS {len(tets)} {5 * len(tets)}\n")
        np.savetxt(file, np.c_[np.full(len(tets), 4), tets], fmt="%d")
        file.write(f"\nCELL_TYPES {len(tets)}\n")
        np.savetxt(file, np.full(len(tets), 10), fmt="%d")


def config():
    """The material."""
    config = DeformableBodyConfig()
    config.set_youngs_modulus(YOUNGS_MODULUS)
    config.set_poissons_ratio(POISSONS_RATIO)
    config.set_mass_density(DENSITY)
    config.set_stiffness_damping_coefficient(0.0)
    config.set_mass_damping_coefficient(0.0)
    config.set_material_model(MaterialModel.kLinearCorotated)
    return config


def main():
    nodes, tets, _, tip = beam(int(sys.argv[1]))
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "beam.vtk"
    write_vtk(path, nodes, tets)
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=STEP)
    bodies = plant.mutable_deformable_model()
    geometry = GeometryInstance(RigidTransform(), Mesh(str(path)), "beam")
    geometry.set_proximity_properties(ProximityProperties())
    body = bodies.RegisterDeformableBody(geometry, config(), 1.0)
    # Holds the nodes behind a plane just off the face x = 0.
    bodies.SetWallBoundaryCondition(body, np.array([1e-6, 0, 0]), np.array([1.0, 0, 0]))
    plant.Finalize()
    simulator = Simulator(builder.Build())
    simulator.Initialize()
    context = simulator.get_context()
    done = [0]

    def step():
        done[0] += 1
        simulator.AdvanceTo(done[0] * STEP)

    times = time_steps(step)
    positions = np.asarray(bodies.GetPositions(plant.GetMyContextFromRoot(context), body))
    positions = positions if positions.shape[0] != 3 else positions.T
    tip_dz = (positions[tip, 2] - nodes[tip, 2]).mean()
    report("drake", version("drake"), tets, times, tip_dz)


main()
