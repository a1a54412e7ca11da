#!/usr/bin/env python3
"""Times steps of Sinew on whole models and meshes, in turns, each in a process of its own.

    cargo build --release
    python3 benches/peers/steps.py --rounds 2 --mesh ../shared/datasets/large/femur_253k.vtu

prints a table in Markdown: solver, iterations of a step, and its median and least time [ms] on one
and on two threads. A row that ends in a solver's name is made by that solver, the others by the
automatic choice.
"""

import argparse
from pathlib import Path

from compare import run_sinew, target_folder

PASSIVE = "tongue=passive"


def scenes(meshes):
    """Name, arguments of `sinew run`, and steps of each row."""
    rows = []
    for r in (1, 2, 3):
        rows.append((f"tongue, resolution {r}", ["tongue", "--param", f"resolution={r},nu=0.49"]))
        jaw = ["jaw-tongue-hyoid", "--param", f"resolution={r},{PASSIVE}"]
        rows.append((f"jaw-tongue-hyoid, resolution {r}", jaw))
    for n in (5, 8, 13):
        beam = ["beam", "--param", f"mesh=kuhn6,n={n}"]
        rows.append((f"Kuhn beam, {24 * n**3:,} tets", beam))
        for solver in ("direct", "hybrid", "cg"):
            rows.append((f"Kuhn beam, {24 * n**3:,} tets, {solver}", [*beam, "--solver", solver]))
    for cells in ("nx=40,ny=10,nz=10", "nx=64,ny=16,nz=16"):
        beam = ["beam", "--param", f"elem=hex,{cells},lx=1,ly=0.25,lz=0.25"]
        rows.append((f"hexahedra, {cells}", beam))
    for n in (8, 16):
        # On the plate from the start, so that all steps have contacts.
        rows.append((f"plate, n = {n}", ["plate", "--param", f"n={n},gap=0"]))
    for mesh in meshes:
        rows.append((mesh.stem, [str(mesh), "--param", "unit=mm"]))
    return rows


def measure(binary, arguments, options):
    """Best median and least step of the rounds on each number of threads, and the last line."""
    cells, line = [], None
    for threads in options.threads:
        runs = [run_sinew(binary, arguments, threads, options.limit) for _ in range(options.rounds)]
        runs = [run for run in runs if run is not None]
        if not runs:
            cells.append("…")
            continue
        line = runs[-1]
        times = [run["step_ms"] for run in runs]
        median, least = min(t["median"] for t in times), min(t["min"] for t in times)
        cells.append(f"{median:,.3g}, {least:,.3g}")
    return cells, line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinew", default=target_folder() / "release" / "sinew", help="the binary")
    parser.add_argument("--rounds", type=int, default=2, help="runs of each; the best one counts")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--limit", type=float, default=180.0, help="seconds that a run may take")
    parser.add_argument("--mesh", type=Path, action="append", default=[], help="may be repeated")
    parser.add_argument("--only", default="", help="scenes with this in their names")
    options = parser.parse_args()
    threads = " | ".join(f"{count} threads [ms]" for count in options.threads)
    print(f"| scene | solver | {threads} |")
    print("|---|---|" + "--:|" * len(options.threads))
    for name, arguments in scenes(options.mesh):
        if options.only not in name:
            continue
        cells, line = measure(options.sinew, arguments, options)
        solver = line.get("solver", "") if line else ""
        print(f"| {name} | {solver} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
