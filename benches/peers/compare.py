#!/usr/bin/env python3
"""Times Sinew and the peers that are installed on one beam, in turns, each in a process of its own.

    cargo build --release
    python3 benches/peers/compare.py --python ENV/bin/python

prints a table of milliseconds a step and of how many times longer a peer takes, and writes
target/tmp/peers.json for table.py. `--mesh FILE --params unit=mm` times `sinew run` on a mesh
instead, and adds it to target/tmp/meshes.json.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Peer: the module that tells whether it is installed, and its script.
PEERS = {
    "mujoco": ("mujoco", "mujoco_flex.py"),
    "newton": ("newton", "newton_vbd.py"),
    "drake": ("pydrake", "drake_deform.py"),
}


def target_folder():
    """Folder that cargo builds into."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def last_line_of(command, threads, limit):
    """Runs a command on so many threads; the JSON of its last line, or None with a message."""
    environment = dict(os.environ)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[name] = str(threads)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        print(f"{command[0]}: not done after {limit} s", file=sys.stderr)
        return None
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        print(f"{' '.join(command)}: {done.stderr.strip()[-400:]}", file=sys.stderr)
        return None


def run_sinew(binary, arguments, threads, limit, step=0.01):
    """The line of `sinew run .. --json`, 20 steps."""
    with tempfile.TemporaryDirectory() as out:
        command = [binary, "run", *arguments, "--time", 20 * step, "--step", step, "--frames", "none"]
        command += ["--energies", "frames", "--threads", str(threads)]
        command += ["--json", "--quiet", "--out", out]
        return last_line_of(list(map(str, command)), threads, limit)


def time_sinew(binary, n, solver, threads, limit):
    """A beam by Sinew, as the peers report theirs."""
    arguments = ["beam", "--param", f"mesh=kuhn6,n={n}", "--solver", solver]
    line = run_sinew(binary, arguments, threads, limit)
    if line is None:
        return None
    return {**line, "peer": "sinew", "tip_dz": line["tip_displacement"][2]}


def installed(python):
    """The peers that this interpreter can import."""
    def imports(module):
        find = f"import importlib.util as u, sys; sys.exit(u.find_spec('{module}') is None)"
        return subprocess.run([python, "-c", find], check=False).returncode == 0

    return [peer for peer, (module, _) in PEERS.items() if imports(module)]


def compare(options):
    """Rounds of all programs in turns, so that a disturbance of the machine meets all of them."""
    peers = {peer: python for python in options.python for peer in installed(python)}
    print("peers:", ", ".join(peers) or "none installed", file=sys.stderr)
    runs = {}
    for n in options.sizes:
        for _ in range(options.rounds):
            for solver in options.solvers:
                line = time_sinew(options.sinew, n, solver, options.threads, options.limit)
                runs.setdefault((n, f"sinew {solver}"), []).append(line)
            for peer, python in peers.items():
                # One that did not end in time will not the next time either.
                if None not in runs.get((n, peer), []):
                    command = [python, str(HERE / PEERS[peer][1]), str(n)]
                    line = last_line_of(command, options.threads, options.limit)
                    runs.setdefault((n, peer), []).append(line)
    return [summary(n, name, lines) for (n, name), lines in runs.items()]


def summary(n, name, lines):
    """The best of the rounds by the median step, with what it reports."""
    lines = [line for line in lines if line is not None]
    medians = [line["step_ms"]["median"] for line in lines]
    return {
        "n": n,
        "elements": 24 * n**3,
        "name": name,
        "step_ms": min(medians, default=None),
        "spread": max(medians) / min(medians) if medians else None,
        "tip_dz": lines[0]["tip_dz"] if lines else None,
        "version": lines[0].get("version") if lines else None,
    }


def print_comparison(rows):
    """A line a program, with its time over that of the fastest of Sinew's solvers."""
    for n in sorted({row["n"] for row in rows}):
        of_size = [row for row in rows if row["n"] == n]
        own = [r["step_ms"] for r in of_size if r["name"].startswith("sinew") and r["step_ms"]]
        for row in of_size:
            if row["step_ms"] is None:
                print(f"{24 * n**3:7} tets  {row['name']:14} no result")
                continue
            ratio = f"{row['step_ms'] / min(own):7.2f} x" if own else ""
            tip = "" if row["tip_dz"] is None else f"  tip {row['tip_dz']:.4f} m"
            print(f"{24 * n**3:7} tets  {row['name']:14} {row['step_ms']:9.2f} ms{ratio}{tip}")


def time_mesh(options):
    """A mesh by Sinew: the median of the rounds' steps, the most memory."""
    lines = []
    for _ in range(options.rounds):
        arguments = [options.mesh, "--param", options.params]
        line = run_sinew(options.sinew, arguments, options.threads, options.limit)
        if line is None:
            sys.exit(1)
        lines.append(line)
    keys = ("model", "nodes", "elements", "dofs", "solver", "threads", "peak_memory_mb", "steps")
    result = {key: lines[0].get(key) for key in keys}
    result["step_ms"] = min(line["step_ms"]["median"] for line in lines)
    print(json.dumps(result))
    path = target_folder() / "tmp" / "meshes.json"
    known = json.loads(path.read_text()) if path.exists() else []
    same = ("model", "threads")
    known = [row for row in known if any(row[key] != result[key] for key in same)]
    write(path, known + [result])


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinew", default=target_folder() / "release" / "sinew", help="the binary")
    parser.add_argument("--python", action="append", help="interpreter with peers; may be repeated")
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 8, 13], help="cells across")
    parser.add_argument("--solvers", nargs="+", default=["direct", "hybrid", "cg"], help="Sinew's solvers")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each; the best one counts")
    parser.add_argument("--threads", type=int, default=1, help="for Sinew, OpenMP and BLAS")
    parser.add_argument("--limit", type=float, default=180.0, help="seconds that a run may take")
    parser.add_argument("--mesh", help="a mesh for Sinew alone")
    parser.add_argument("--params", default="unit=m", help="parameters of the mesh")
    options = parser.parse_args()
    options.python = options.python or [sys.executable]
    if options.mesh:
        time_mesh(options)
        return
    rows = compare(options)
    print_comparison(rows)
    machine = {"threads": options.threads, "rounds": options.rounds}
    write(target_folder() / "tmp" / "peers.json", {**machine, "rows": rows})
    own = [row for row in rows if row["name"].startswith("sinew")]
    if any(row["step_ms"] is None for row in own):
        sys.exit(1)


if __name__ == "__main__":
    main()
