"""Meshes to and from arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _sinew

#: What meshio calls the elements.
_MESHIO = {
    "tet4": "tetra",
    "hex8": "hexahedron",
    "wedge6": "wedge",
    "pyramid5": "pyramid",
    "tet10": "tetra10",
    "hex20": "hexahedron20",
    "wedge15": "wedge15",
    "pyramid13": "pyramid13",
}
_ORDERS = {name: np.asarray(order) for name, order in _sinew.element_kinds()}


class Mesh:
    """A mesh of elements, or a surface of triangles.

    ``nodes``: shape (n, 3) [m]. ``elements``: for each kind (``"tet4"``, ``"hex8"``, ``"wedge6"``, ``"pyramid5"`` and
    the quadratic ``"tet10"``, ``"hex20"``, ``"wedge15"``, ``"pyramid13"``) an array of shape (m, k) of nodes, in VTK's
    order; or ``"triangle"`` alone.
    """

    def __init__(self, nodes: ArrayLike, elements: Mapping[str, ArrayLike]) -> None:
        blocks = []
        for kind, array in elements.items():
            array = np.asarray(array, np.int64)
            order = _ORDERS.get(kind)
            if order is not None and array.ndim == 2 and array.shape[1] == len(order):
                array = array[:, order]
            blocks.append((kind, np.ascontiguousarray(array)))
        self._raw = _sinew.Mesh(np.asarray(nodes, float), blocks)

    @classmethod
    def _of(cls, raw: Any) -> Mesh:
        mesh = cls.__new__(cls)
        mesh._raw = raw
        return mesh

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, unit: str = "m") -> Mesh:
        """Reads a mesh of elements from a file of any format that the library knows, with lengths in ``unit``."""
        return cls._of(_sinew.Mesh.read(os.fspath(path), unit))

    @property
    def nodes(self) -> NDArray[np.float64]:
        """Nodes at rest [m]: shape (n, 3)."""
        return self._raw.nodes

    @property
    def elements(self) -> dict[str, NDArray[np.uint32]]:
        """Nodes of the elements of each kind, in VTK's order: shape (m, k)."""
        return {kind: _to_vtk(kind, nodes) for kind, nodes in self._raw.blocks}

    @classmethod
    def from_meshio(cls, mesh: Any) -> Mesh:
        """The volume of a mesh of meshio; its triangles where it has no volume."""
        names = {theirs: ours for ours, theirs in _MESHIO.items()}
        blocks: dict[str, list[Any]] = {}
        for block in mesh.cells:
            if block.type in names:
                blocks.setdefault(names[block.type], []).append(block.data)
        if not blocks:
            blocks["triangle"] = [block.data for block in mesh.cells if block.type == "triangle"]
        return cls(mesh.points, {kind: np.concatenate(parts) for kind, parts in blocks.items()})

    def to_meshio(self) -> Any:
        """As a mesh of meshio, which is to be installed."""
        import meshio

        cells = {_MESHIO.get(kind, kind): nodes for kind, nodes in self.elements.items()}
        return meshio.Mesh(self.nodes, cells)

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(nodes)} {kind}" for kind, nodes in self._raw.blocks)
        return f"<Mesh of {len(self.nodes)} nodes, {counts}>"


def _to_vtk(kind: str, nodes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Sinew's order has at place ``i`` what VTK's has at place ``order[i]``."""
    order = _ORDERS.get(kind)
    if order is None:
        return nodes
    sorted_nodes = np.empty_like(nodes)
    sorted_nodes[:, order] = nodes
    return sorted_nodes
