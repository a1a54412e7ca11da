"""Fixtures of several tests."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def sinew_command():
    """Runs the command `sinew`, which stands beside the library that is tested."""
    program = os.environ.get("SINEW_COMMAND")
    if not program:
        pytest.skip("SINEW_COMMAND names no binary")

    def run(*arguments, folder):
        done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def arm():
    """Two particles, one of them fixed, and a spring between them."""
    import sinew

    model = sinew.Model("arm")
    root = model.add("particle", "root", dynamic=False)
    hand = model.add("particle", "hand", mass=0.5, position=[0.0, 0.0, -0.3])
    model.add("axial_spring", "elastic", first=root, second=hand, material="linear")
    return model
