"""Sweeps that are handed to Ray, and their tables in pandas."""

import os
import subprocess
import sys

import pytest

SWEEP = """
model = "beam"
options = ["--time", "0.02", "--frames", "none"]
[[factor]]
name = "E"
values = [2e3, 5e5, -1]
[[factor]]
name = "--step"
values = [0.01, 0.005]
"""


def test_ray_runs_the_cases_on_this_machine(sinew_command, tmp_path):
    pytest.importorskip("ray")
    (tmp_path / "beams.toml").write_text(SWEEP)
    said = sinew_command("sweep", "beams.toml", "--engine", "ray", folder=tmp_path)
    script = said.split(None, 1)[1].strip()
    # One of this machine's, whatever cluster there may be.
    environment = {**os.environ, "RAY_ADDRESS": "local", "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True)
    assert done.returncode == 4, done.stderr
    assert "case 5 failed" in done.stderr
    table = table_of(tmp_path / "results" / "beams" / "table.csv")
    assert [row["status"] for row in table] == ["done"] * 4 + ["failed"] * 2
    assert [row["steps"] for row in table[:4]] == ["2", "4"] * 2


def table_of(path):
    import csv

    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_a_table_of_a_sweep_is_one_of_pandas(sinew_command, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    (tmp_path / "beams.toml").write_text(SWEEP.replace(", -1", ""))
    sinew_command("sweep", "beams.toml", folder=tmp_path)
    folder = tmp_path / "results" / "beams"
    parquet, text = pandas.read_parquet(folder / "table.parquet"), pandas.read_csv(folder / "table.csv")
    assert list(parquet.columns) == list(text.columns) and len(parquet) == 4
    assert (parquet["E"] == [2e3, 2e3, 5e5, 5e5]).all() and parquet["reason"].isna().all()
    numbers = parquet.select_dtypes("number").columns
    assert len(numbers) > 5
    for name in numbers:
        assert (parquet[name] == text[name]).all(), name


def test_a_probe_is_a_table_of_pandas(arm):
    pandas = pytest.importorskip("pandas")
    import sinew

    simulation = sinew.Simulation(arm)
    probe = simulation.record(["/models/arm/particles/hand:position"], every=0.01)
    simulation.run(0.05)
    table = probe.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "time" and table.shape == (6, 3)
    assert (table.to_numpy() == probe.values).all() and list(table.columns) == probe.columns
