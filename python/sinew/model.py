"""Models."""

from __future__ import annotations

import os
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


def _written(value: Any) -> str:
    """A parameter as the command line takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
