"""The beam that every script here simulates, and the line of JSON that each prints.

0.4 x 0.1 x 0.1 m, 4n x n x n cubes of 6 Kuhn tetrahedra, the face x = 0 held, gravity along -z, no
damping: the same mesh as `sinew run beam --param mesh=kuhn6,n=N`.
"""

import itertools
import json
import os
import time

import numpy as np

YOUNGS_MODULUS = 5e5  # Pa
POISSONS_RATIO = 0.4
MU = YOUNGS_MODULUS / (2 * (1 + POISSONS_RATIO))  # Pa
LAMBDA = YOUNGS_MODULUS * POISSONS_RATIO / ((1 + POISSONS_RATIO) * (1 - 2 * POISSONS_RATIO))  # Pa
DENSITY = 1000.0  # kg/m^3
GRAVITY = 9.81  # m/s^2
STEP = 0.01  # s
STEPS = 20
SIZE = (0.4, 0.1, 0.1)  # m


def beam(n):
    """Nodes [m] (N x 3), tetrahedra (M x 4), and the indices of the held and the tip's nodes."""
    cells = (4 * n, n, n)
    axes = [np.linspace(0, length, count + 1) for length, count in zip(SIZE, cells)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    strides = ((cells[1] + 1) * (cells[2] + 1), cells[2] + 1, 1)
    corner = sum(
        index.ravel() * stride
        for index, stride in zip(np.meshgrid(*map(np.arange, cells), indexing="ij"), strides)
    )
    tets = []
    for path in itertools.permutations(range(3)):
        a = corner
        b = a + strides[path[0]]
        c = b + strides[path[1]]
        d = c + strides[path[2]]
        even = sum(path[j] > path[i] for i in range(3) for j in range(i)) % 2 == 0
        tets.append(np.stack([a, b, c, d] if even else [a, c, b, d], 1))
    tets = np.stack(tets, 1).reshape(-1, 4)
    held = np.flatnonzero(nodes[:, 0] < 1e-12)
    tip = np.flatnonzero(abs(nodes[:, 0] - SIZE[0]) < 1e-12)
    return nodes, tets.astype(np.int32), held, tip


def time_steps(step, limit=120.0):
    """Calls `step` for 0.2 s of simulated time, or until `limit` [s] has gone by; their times [ms]."""
    times = []
    begin = time.perf_counter()
    for _ in range(STEPS):
        start = time.perf_counter()
        step()
        times.append(1e3 * (time.perf_counter() - start))
        if time.perf_counter() - begin > limit:
            break
    return times


def report(name, version, tets, times, tip_dz, **more):
    """Prints the result as one line of JSON; `tip_dz` [m] is the tip's mean way along z."""
    line = {
        "peer": name,
        "version": version,
        "elements": len(tets),
        "steps": len(times),
        "step_ms": {"median": float(np.median(times)), "max": float(np.max(times))},
        "tip_dz": float(tip_dz) if len(times) == STEPS else None,
        "threads": int(os.environ.get("OMP_NUM_THREADS", 0)) or None,
        **more,
    }
    print(json.dumps(line))
