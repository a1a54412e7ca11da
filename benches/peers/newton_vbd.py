"""Newton's VBD solver on the CPU, f32, on the beam: `newton_vbd.py N [ITERATIONS]` (10 by default).

Ten iterations a step are what its examples use; the tip then falls twice as far as it should
(0.229 m at n = 5), and 500 iterations do not mend that (0.140 m).
"""

import sys

import numpy as np
import warp as wp

wp.config.quiet = True
wp.init()
wp.set_device("cpu")

import newton  # noqa: E402  (the device is chosen first)

from beam import DENSITY, GRAVITY, LAMBDA, MU, STEP, beam, report, time_steps  # noqa: E402


def main():
    nodes, tets, held, tip = beam(int(sys.argv[1]))
    iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    builder = newton.ModelBuilder(gravity=(0.0, 0.0, -GRAVITY))
    builder.add_soft_mesh(
        pos=wp.vec3(0, 0, 0), rot=wp.quat_identity(), scale=1.0, vel=wp.vec3(0, 0, 0),
        vertices=[wp.vec3(*map(float, p)) for p in nodes], indices=tets.ravel().tolist(),
        density=DENSITY, k_mu=MU, k_lambda=LAMBDA, k_damp=0.0,
    )
    for node in held:
        builder.particle_mass[int(node)] = 0.0
    builder.color()
    model = builder.finalize(device="cpu")
    solver = newton.solvers.SolverVBD(
        model=model, iterations=iterations,
        particle_enable_self_contact=False, particle_enable_tile_solve=False,
    )
    states = [model.state(), model.state()]
    control = model.control()

    def step():
        states[0].clear_forces()
        solver.step(states[0], states[1], control, None, STEP)
        states.reverse()

    # Kernels are compiled when they are first used.
    step()
    states[0], states[1] = model.state(), model.state()
    times = time_steps(step)
    tip_dz = states[0].particle_q.numpy()[tip, 2].mean() - nodes[tip, 2].mean()
    report("newton", newton.__version__, tets, times, tip_dz, iterations=iterations)


main()
