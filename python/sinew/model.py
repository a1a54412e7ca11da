"""Models."""

from __future__ import annotations

import atexit
import os
import pathlib
import subprocess
import tempfile
import warnings
from collections.abc import Sequence
from typing import Any

from . import _sinew
from ._editable import Editable
from .component import Component
from .mesh import Mesh


class Model(Editable):
    """A model: a tree of components.

    ``Model("arm")`` is an empty one, :meth:`load` reads one. Every change can be undone.
    """

    def __init__(self, name: str) -> None:
        self._raw = _sinew.Model(name)

    @classmethod
    def _of(cls, raw: Any) -> Model:
        model = cls.__new__(cls)
        model._raw = raw
        return model

    @classmethod
    def load(cls, source: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None, **parameters: Any) -> Model:
        """Loads a model file (``.toml``, ``.json``), or a built-in model by its name.

        Parameters of the model are given by their names: ``Model.load("beam", nx=8)``;
        :func:`builtins` lists them. ``root`` is the folder that no file which a model file names may lead out of,
        that of the model file where it is not given. Raises :class:`FileError` with everything that is wrong.
        """
        pairs = [(name, _written(value)) for name, value in parameters.items()]
        return cls._of(_sinew.Model.load(os.fspath(source), pairs, root))

    def save(self, path: str | os.PathLike[str]) -> list[str]:
        """Writes the model: JSON where the path ends in ``.json``, TOML otherwise; returns the files.

        What is loaded again is the same model, to the bit.
        """
        return [str(file) for file in self._raw.save(os.fspath(path))]

    def export_osim(self, path: str | os.PathLike[str]) -> list[str]:
        """Writes the model as a document of OpenSim 4, its surfaces as ``.obj`` beside it; returns the files.

        What the document does not have of the model is a warning each.
        """
        files, notes = self._raw.export_osim(os.fspath(path))
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return [str(file) for file in files]

    def to_json(self) -> str:
        """The model as the text of a model file."""
        return self._raw.to_json()

    def copy(self) -> Model:
        """A copy, with all that can be undone."""
        return Model._of(self._raw.copy())

    def __copy__(self) -> Model:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # As it would be saved: edits that could be undone stay behind.
        return _read, (self.to_json(),)

    def view(self, *options: str, wait: bool = True) -> subprocess.Popen[bytes]:
        """Opens a copy of the model in the window of the command ``sinew``, and returns its process.

        It waits until the window is closed, or goes on beside it without ``wait``; the copy is there as long as Python
        runs. ``options`` are those of ``sinew view``, such as ``"--param"``. The environment variable ``SINEW_COMMAND``
        names the command where it is not found by its name. Raises :class:`FileError` where there is none, or where no
        window can be opened.
        """
        folder = tempfile.TemporaryDirectory(prefix="sinew-")
        atexit.register(folder.cleanup)
        path = pathlib.Path(folder.name) / "model.json"
        self.save(path)
        program = os.environ.get("SINEW_COMMAND") or "sinew"
        try:
            process = subprocess.Popen([program, "view", os.fspath(path), *options])
        except OSError as error:
            raise _sinew.FileError(
                f"cannot start '{program}': {error}; install it from a checkout with cargo install --path cli, "
                "or name it in the environment variable SINEW_COMMAND"
            ) from error
        if wait and process.wait() != 0:
            raise _sinew.FileError(f"'{program} view' ended with code {process.returncode}; it has said why on stderr")
        return process

    def set(self, path: str, value: Any) -> None:
        """Sets a property, which can be undone; ``None`` lets it be inherited."""
        if value is None:
            self.inherit(path)
            return
        from ._editable import _text

        self.edit({"command": "set", "property": path, "value": _text(value)})

    def mesh(self, path: str | Component) -> Mesh:
        """The mesh of a tissue, or the surface of a body or of what is only drawn, at rest [m]."""
        return Mesh._of(self._raw.mesh(str(path)))

    def add_tissue(
        self,
        name: str,
        mesh: Mesh,
        *,
        material: str = "corotated",
        density: float = 1000.0,
        fixed: Sequence[int] = (),
        **properties: Any,
    ) -> Component:
        """Adds a soft tissue of a mesh of elements, and returns it.

        ``material`` is the name of a law, with its default constants, ``density`` in kg/m³, ``fixed`` the nodes that
        stay where they are. Properties are set afterwards.
        """
        path = self._raw.add_tissue(name, mesh._raw, material, density, [int(node) for node in fixed])
        return self._with(path, properties)

    def add_body(self, name: str, mesh: Mesh, *, density: float = 1000.0, **properties: Any) -> Component:
        """Adds a rigid body of a closed surface and a density [kg/m³], and returns it."""
        return self._with(self._raw.add_body(name, mesh._raw, density), properties)

    def _with(self, path: str, properties: dict[str, Any]) -> Component:
        component = Component(self, path)
        for name, value in properties.items():
            component[name] = value
        return component

    def __repr__(self) -> str:
        return f"<Model {self.get('/:name')}>"


def _read(text: str) -> Model:
    """The model of the text of a model file."""
    with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
        path = pathlib.Path(folder) / "model.json"
        path.write_text(text, encoding="utf-8")
        return Model.load(path)


def _written(value: Any) -> str:
    """A parameter as the command line takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
