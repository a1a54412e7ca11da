"""What CI asks of an installed wheel: `python -I installed.py VERSION`, in an environment that has nothing else of Sinew."""

import importlib.metadata
import pathlib
import sys

import sinew


def main():
    (version,) = sys.argv[1:]
    assert importlib.metadata.version("sinew") == version
    folder = pathlib.Path(sinew.__file__).parent
    assert folder.is_relative_to(sys.prefix), f"{folder} is not of this environment"
    assert (folder / "py.typed").exists() and (folder / "_sinew.pyi").exists()
    installed = {str(file) for file in importlib.metadata.files("sinew")}
    assert "sinew/batch.py" in installed and any(name.startswith("sinew/_sinew.") for name in installed)
    simulation = sinew.Simulation(sinew.Model.load("chain"))
    simulation.run(0.1)
    assert abs(simulation.time - 0.1) < 1e-9
    batch = sinew.Batch(sinew.Model.load("chain"), 2)
    batch.run(0.1)
    body = simulation.components("rigid_body")[-1]
    assert (batch.get(f"{body}:position") == body.position).all()
    print(f"sinew {version} works from {folder}")


if __name__ == "__main__":
    main()
