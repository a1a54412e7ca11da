#!/usr/bin/env python3
"""Fills the tables of docs/theory/benchmarks.md with what was measured last.

    python3 benches/peers/table.py            prints the tables
    python3 benches/peers/table.py --write    rewrites the marked sections of the page

It reads what `cargo bench -p sinew-benches` and compare.py left in the target folder. A cell that
was not measured holds an ellipsis.
"""

import argparse
import json
import platform
import re
import sys
from datetime import date
from pathlib import Path

from compare import ROOT, target_folder

PAGE = ROOT / "docs" / "theory" / "benchmarks.md"
NONE = "…"
SCENES = {
    "hex 1k": "hex8, 1,225 nodes", "hex 5k": "hex8, 4,961 nodes", "hex 19k": "hex8, 18,785 nodes",
    "tet 1k": "tet4, 1,225 nodes", "tet 5k": "tet4, 4,961 nodes", "tet 19k": "tet4, 18,785 nodes",
}
KUHN = {n: f"Kuhn, {24 * n**3:,} tets" for n in (5, 8, 13)}
ALL_SCENES = SCENES | {f"kuhn {n}": title for n, title in KUHN.items()}
THREADS = (1, 2)
# Beams whose steps steps.py times, for the table of whole models: no time stands on the page twice.
WHOLE_MODELS = {"hex 5k", "hex 19k"}

# Step times [ms] of ArtiSynth, measured at another time on a machine like this one, one thread.
ARTISYNTH = {"hex 1k": "33", "tet 5k": "242", "hex 5k neohook": "347"}
# Peer: steps for 3,000, 12,288 and 52,728 tets over those of MuJoCo in the same run, and the tip's drop [m] at 3,000.
PEERS = {
    "mujoco": ("MuJoCo 4.0 flex, `discrete`", ["1", "1", "1"], "0.103"),
    "newton": ("Newton 1.8 VBD, 10 iterations, f32", ["2.2", "1.5", "1.5"], "0.229"),
    "drake": ("Drake, corotated", ["5.0", "13", "65"], "0.113"),
    "febio": ("FEBio 4.11, BFGS, Pardiso", ["5.8", "6.7", "10"], "0.119"),
    "genesis": ("Genesis 1.4 FEM, one Newton", ["11", "12", "12"], "0.108"),
    "felupe": ("felupe 11, converged Newton", ["15", "18", "33"], "0.108"),
}

# Elements a second in millions.
DOLFINX = {"tet4 neohook tangent": "0.90 to 1.02", "hex8 neohook tangent": "0.114",
           "tet4 neohook forces": "5.8 to 7.4", "hex8 neohook forces": "2.4"}


def criterion_results():
    """(group, function, threads) -> median time [ms], mean [ms] and the amount of one call."""
    results = {}
    for path in target_folder().glob("criterion/*/*/*/new/benchmark.json"):
        bench = json.loads(path.read_text())
        threads = re.fullmatch(r"threads=(\d+)", bench.get("value_str") or "")
        estimates = path.with_name("estimates.json")
        if threads is None or not estimates.exists():
            continue
        times = json.loads(estimates.read_text())
        amount = next(iter((bench.get("throughput") or {}).values()), None)
        key = (bench["group_id"], bench["function_id"], int(threads[1]))
        results[key] = {
            "ms": times["median"]["point_estimate"] / 1e6,
            "mean": times["mean"]["point_estimate"] / 1e6,
            "amount": amount,
        }
    return results


def read(name, default):
    path = target_folder() / "tmp" / name
    return json.loads(path.read_text()) if path.exists() else default


def number(value):
    """Three digits, thousands parted."""
    if value is None:
        return NONE
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2g}" if value < 1 else f"{value:.2f}"


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def step_table(results, _):
    """Mean times, as a fall of 0.2 s has them, beside ArtiSynth's."""
    head = ["beam", "direct, 1 thread", "direct, 2", "CG, 1", "CG, 2", "ArtiSynth, 1"]
    titles = SCENES | {"hex 5k neohook": "hex8, 4,961 nodes, neo-Hookean"}
    rows = []
    for scene, title in titles.items():
        if scene in WHOLE_MODELS:
            continue
        cells = [
            number(results.get(("step", f"{scene} {solver}", threads), {}).get("mean"))
            for solver in ("direct", "cg") for threads in THREADS
        ]
        rows.append([title, *cells, ARTISYNTH.get(scene, "")])
    return markdown(head, rows)


def ratio(time, other):
    """Two digits, or nothing where one of the two was not measured."""
    if time is None or not other:
        return None
    return f"{time / other:.2g}" if time < 10 * other else f"{time / other:.0f}"


def peers_table(_, peers):
    """Steps over those of MuJoCo in the same run; of an earlier run where this one has none."""
    by_key = {(row["name"], row["n"]): row for row in peers.get("rows", [])}
    head = ["program", *(f"{24 * n**3:,}" for n in KUHN), "tip at 3,000 [m]"]
    drop = by_key.get(("sinew auto", next(iter(KUHN))), {}).get("tip_dz")
    own = ("**Sinew**, automatic choice", [NONE] * len(KUHN), NONE if drop is None else f"{-drop:.3f}")
    rows = []
    for name, (title, then, tip) in {"sinew auto": own, **PEERS}.items():
        now = [ratio(*(by_key.get((key, n), {}).get("step_ms") for key in (name, "mujoco")))
               for n in KUHN]
        rows.append([title, *(new or old for new, old in zip(now, then)), tip])
    return markdown(head, rows)


def assembly_table(results, _):
    head = ["beam", "matrix, 1 thread", "matrix, 2", "forces, 1", "forces, 2"]
    rows = [
        [title, *(number(results.get(("assembly", f"{scene} {what}", threads), {}).get("ms"))
                  for what in ("matrix", "forces") for threads in THREADS)]
        for scene, title in SCENES.items()
    ]
    return markdown(head, rows)


def elements_table(results, _):
    """Millions of elements a second."""
    head = ["elements, material", "1 thread", "2 threads", "DOLFINx, 1 thread"]
    rows = []
    for element in ("tet4", "hex8"):
        for law in ("corot", "neohook"):
            for what in ("tangent", "forces"):
                name = f"{element} {law} {what}"
                cells = []
                for threads in THREADS:
                    result = results.get(("elements", name, threads))
                    cells.append(number(result and result["amount"] / result["ms"] / 1e3))
                rows.append([name, *cells, DOLFINX.get(name, "")])
    return markdown(head, rows)


def factorization_table(results, _):
    head = ["beam", "scalars in L [10⁶]", "factor, 1 thread", "factor, 2", "solve"]
    rows = []
    for scene, title in ALL_SCENES.items():
        factor = [results.get(("factorization", f"{scene} factor", t), {}) for t in THREADS]
        solve = results.get(("factorization", f"{scene} solve", 1), {})
        amount = next((f["amount"] for f in factor if f), None)
        nnz = number(amount and amount / 1e6)
        rows.append([title, nnz, *(number(f.get("ms")) for f in factor), number(solve.get("ms"))])
    return markdown(head, rows)


def conjugate_gradients_table(results, _):
    head = ["beam", "iterations", "solution, 1 thread", "solution, 2", "an iteration, 1 [µs]",
            "an iteration, 2 [µs]", "product, 1 [GB/s]", "product, 2 [GB/s]"]
    rows = []
    for scene, title in ALL_SCENES.items():
        find = lambda what: [  # noqa: E731
            results.get(("conjugate_gradients", f"{scene} {what}", t), {}) for t in THREADS
        ]
        solves, products = find("solve"), find("product")
        count = next((s["amount"] for s in solves if s), NONE)
        times = [number(s.get("ms")) for s in solves]
        each = [number(s and 1e3 * s["ms"] / s["amount"]) if s else NONE for s in solves]
        rates = [number(p["amount"] / p["ms"] / 1e6) if p else NONE for p in products]
        rows.append([title, count, *times, *each, *rates])
    return markdown(head, rows)


def floors_table(_results, _peers):
    head = ["what", "1 thread", "share", "2 threads", "share"]
    names = {"copy": "copy", "triad": "triad", "dense product": "dense product, order 1,024",
             "sparse product": "product with the matrix of a step, hex 19k, of the triad",
             "factorization": "factorization, hex 5k, of the dense product"}
    runs = [read(f"floors_{threads}.json", {"rows": []})["rows"] for threads in THREADS]
    rows = []
    for name, title in names.items():
        row = [title]
        for run in runs:
            case = next((c for c in run if c["name"] == name), None)
            row.append(f"{case['rate']:.1f} {case['unit']}" if case else NONE)
            shared = case and case["share"]
            row.append(f"{shared:.2f}" if shared else "" if case or name in
                       ("copy", "triad", "dense product") else NONE)
        rows.append(row)
    return markdown(head, rows)


def machine_table(_results, _peers):
    """The machine that this script runs on; the benches are to be run there too."""
    cpu, cores = platform.processor() or platform.machine(), set()
    try:
        text = Path("/proc/cpuinfo").read_text()
        cpu = re.search(r"model name\s*: (.*)", text)[1]
        cores = set(re.findall(r"^processor\s*: (\d+)", text, re.MULTILINE))
        memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1])
        memory = f"{memory / 1e6:.0f} GB"
    except (OSError, TypeError):
        memory = NONE
    rows = [["processor", cpu], ["hardware threads", len(cores) or NONE], ["memory", memory],
            ["system", f"{platform.system()} {platform.release().split('-')[0]}"],
            ["day", date.today().isoformat()]]
    return markdown(["machine", ""], rows)


TABLES = {
    "machine": machine_table, "floors": floors_table, "step": step_table, "peers": peers_table,
    "assembly": assembly_table, "elements": elements_table,
    "factorization": factorization_table, "conjugate_gradients": conjugate_gradients_table,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="rewrite docs/theory/benchmarks.md")
    options = parser.parse_args()
    results, peers = criterion_results(), read("peers.json", {})
    page = PAGE.read_text()
    for name, table in TABLES.items():
        text = table(results, peers)
        if not options.write:
            print(f"## {name}\n{text}\n")
            continue
        section = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        page, count = section.subn(lambda m: f"{m[1]}{text}\n{m[2]}", page)
        if count != 1:
            sys.exit(f"{PAGE}: {count} sections <!-- table: {name} -->, one is needed")
    if options.write:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
