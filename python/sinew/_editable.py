"""Common part of models and simulations: components, properties, edits that can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .component import Component


class PropertyInfo(NamedTuple):
    """A line of the table of properties."""

    name: str
    #: bool, int, number, vector, matrix, pose, colour, list, text, path, paths, or the words of a choice.
    type: str
    #: "-" for a pure number, "" for what has none.
    unit: str
    #: Numbers that it may hold.
    range: str
    #: As it would be written.
    default: str
    doc: str
    read_only: bool
    #: True if it may be that of an ancestor.
    inheritable: bool
    #: True if only a simulation has it.
    simulated: bool


class EditReport(NamedTuple):
    """Report of an edit: paths of components, and commands of events that would be refused now."""

    added: list[str]
    deleted: list[str]
    changed: list[str]
    warnings: list[str] = []


class Editable:
    """A tree of components with properties, and edits that can be undone."""

    _raw: Any

    def find(self, path: str | Component) -> Component:
        """The component at a path such as ``/models/jaw/rigid_bodies/jaw``; a relative one begins at the root.

        Raises :class:`PathError` where it leads nowhere.
        """
        return Component(self, str(path))

    def __getitem__(self, path: str) -> Any:
        """The component at a path, or the value of the property where it ends in ``:name``."""
        return self.get(path) if _is_property(path) else self.find(path)

    def __setitem__(self, path: str, value: Any) -> None:
        self.set(path, value)

    def __contains__(self, path: str) -> bool:
        from ._sinew import SinewError

        try:
            self._raw.find(str(path))
        except SinewError:
            return False
        return True

    def components(self, kind: str) -> list[Component]:
        """All components of a kind, such as ``"axial_spring"``, in the order of the tree."""
        return [Component(self, path) for path in self._raw.of_kind(kind)]

    def properties(self, path: str | Component) -> list[PropertyInfo]:
        """Properties of the component at a path, with type, unit, range, default and description."""
        return [PropertyInfo(*row) for row in self._raw.properties(str(path))]

    def get(self, path: str) -> Any:
        """The value of a property, ``/models/jaw:gravity``: bool, int, float, str, a list of str, or an array.

        Arrays are copies: a vector has shape (3,), a matrix (3, 3), a pose (7,): position [m], then the quaternion
        i j k w; a colour (3,), red, green and blue from 0 to 1.
        """
        return self._raw.get(path)

    def set(self, path: str, value: Any) -> None:
        """Sets a property; ``None`` lets it be inherited."""
        raise NotImplementedError

    def edit(self, command: str | Mapping[str, Any]) -> EditReport:
        """Does an edit, given as text or as a dictionary; it can be undone.

        ``edit("rename /models/jaw mandible")`` and
        ``edit({"command": "rename", "path": "/models/jaw", "name": "mandible"})`` are the same: the words of
        ``sinew shell``. Raises :class:`EditError` with the reason where it is refused; nothing is changed then.
        """
        if not isinstance(command, str):
            command = dict(command)
        return EditReport(*self._raw.apply(command))

    def add(
        self, kind: str, path: str, /, properties: Mapping[str, Any] | str | Sequence[str] | None = None, **more: Any
    ) -> Component:
        """Adds a component of a kind, such as ``"axial_spring"``, at a path, and returns it.

        A path without a slash is a name in the first mechanical model. Properties are set in the order in which they
        are given: those whose names have a dot in ``properties``, after the others. Components stand for their paths.
        What is no mapping is the property ``properties`` of a probe.

        >>> model = Model("arm")
        >>> ends = [model.add("particle", name, position=[x, 0, 0]) for name, x in [("a", 0.0), ("b", 0.3)]]
        >>> model.add("axial_spring", "biceps", first=ends[0], second=ends[1], material="simple_muscle")
        <AxialSpring /models/arm/axial_springs/biceps>
        """
        if properties is None or isinstance(properties, Mapping):
            given = {**more, **(properties or {})}
        else:
            given = {"properties": properties, **more}
        pairs = {name: _text(value) for name, value in given.items()}
        report = self.edit({"command": "add", "kind": kind, "path": path, "properties": pairs})
        return Component(self, report.added[0])

    def delete(self, *paths: str | Component) -> EditReport:
        """Deletes components, what is below them, and what cannot be without them."""
        return self.edit({"command": "delete", "paths": [str(path) for path in paths]})

    def duplicate(self, *paths: str | Component, with_references: bool = False) -> list[Component]:
        """Copies components; the copies.

        They refer to whom the originals do: a copied muscle has the ends of the first. ``with_references`` copies along
        what they cannot be without.
        """
        scope = "with_references" if with_references else "alone"
        report = self.edit({"command": "duplicate", "paths": [str(path) for path in paths], "scope": scope})
        return [Component(self, path) for path in report.added]

    def rename(self, path: str | Component, name: str) -> Component:
        """Gives a component another name; the component under it."""
        report = self.edit({"command": "rename", "path": str(path), "name": name})
        return Component(self, (report.changed or [str(path)])[0])

    def move(self, path: str | Component, parent: str | Component) -> Component:
        """Puts a component under another; the component there."""
        report = self.edit({"command": "move", "path": str(path), "parent": str(parent)})
        return Component(self, (report.changed or [str(path)])[0])

    def inherit(self, path: str) -> EditReport:
        """Lets a property be inherited."""
        return self.edit({"command": "inherit", "property": path})

    def declare(self, path: str, type: str, *, unit: str = "", default: Any = None, doc: str = "") -> None:
        """Gives one component a property more: ``declare("/models/jaw/rigid_bodies/skull:age", "number", unit="year")``.

        ``type`` is ``bool``, ``int``, ``number``, ``vector``, ``matrix``, ``pose``, ``text``, ``colour`` or ``list``. It is
        read, set, recorded, saved and undone as others are, and formulas see it.
        """
        text = "" if default is None else _text(default)
        self.edit({"command": "declare", "property": path, "type": type, "unit": unit, "default": text, "doc": doc})

    def undeclare(self, path: str) -> None:
        """Takes a declared property away."""
        self.edit({"command": "undeclare", "property": path})

    def translate(self, *paths: str | Component, by: Iterable[float]) -> EditReport:
        """Shifts components and all below them by a vector [m]."""
        return self._map("translate", paths, by=by)

    def rotate(self, *paths: str | Component, turn: Iterable[float], about: Iterable[float] = (0, 0, 0)) -> EditReport:
        """Turns components and all below them: direction of the axis times the angle [rad], a point of it [m]."""
        return self._map("rotate", paths, turn=turn, about=about)

    def scale(
        self, *paths: str | Component, factors: float | Iterable[float], about: Iterable[float] = (0, 0, 0)
    ) -> EditReport:
        """Scales components and all below them along x, y and z; ``about`` [m] stays where it is.

        A negative factor mirrors. See :meth:`transform` for what becomes of bodies, joints and muscles.
        """
        return self._map("scale", paths, factors=np.broadcast_to(np.asarray(factors, float), (3,)), about=about)

    def transform(
        self,
        *paths: str | Component,
        scale: float | Iterable[float] | None = None,
        mirror: Iterable[float] | None = None,
        affine: Any = None,
        landmarks: tuple[Any, Any] | None = None,
        field: tuple[Any, Any, Any] | None = None,
        about: Iterable[float] = (0, 0, 0),
        lengths: str = "all",
        masses: str = "density",
    ) -> EditReport:
        """Deforms components and all below them, the whole model where none is named, by one map of space.

        ``scale`` is a factor or three, along x, y and z; ``mirror`` the direction across a plane through ``about`` [m];
        ``affine`` a matrix of shape (3, 4) or (4, 4), linear part and translation [m]; ``landmarks`` two arrays of shape
        (n, 3) [m], points and their images, that a thin-plate spline takes to each other; ``field`` displacements on a
        regular grid: its first point and its spacing, shape (3,) each, and an array of shape (nx, ny, nz, 3), all in m,
        interpolated smoothly between points and held beyond the grid. Bodies go with surface and
        inertia, and with all that is on them. ``lengths`` says which lengths of springs and muscles change with their
        lines: ``"all"``, ``"rest"`` lengths alone, or ``"keep"``; ``masses`` whether ``"density"`` stays, or ``"mass"``.
        """
        given = [name for name, value in [("scale", scale), ("mirror", mirror), ("affine", affine),
                                          ("landmarks", landmarks), ("field", field)] if value is not None]
        if len(given) != 1:
            raise TypeError(f"transform takes one of scale, mirror, affine, landmarks, field; {len(given)} given")
        point = [float(x) for x in about]
        if scale is not None:
            factors = np.broadcast_to(np.asarray(scale, float), (3,)).tolist()
            description: dict[str, Any] = {"kind": "scale", "factors": factors, "about": point}
        elif mirror is not None:
            description = {"kind": "mirror", "normal": [float(x) for x in mirror], "through": point}
        elif affine is not None:
            matrix = np.asarray(affine, float)
            if matrix.shape not in [(3, 4), (4, 4)]:
                raise ValueError(f"affine must have shape (3, 4) or (4, 4), not {matrix.shape}")
            description = {"kind": "affine", "linear": matrix[:3, :3].tolist(), "translation": matrix[:3, 3].tolist()}
        elif field is not None:
            origin, spacing, displacements = (np.asarray(part, float) for part in field)
            if displacements.ndim != 4 or displacements.shape[3] != 3:
                raise ValueError(f"displacements must have shape (nx, ny, nz, 3), not {displacements.shape}")
            description = {"kind": "field", "origin": origin.tolist(), "spacing": spacing.tolist(),
                           "counts": list(displacements.shape[:3]),
                           "displacements": displacements.reshape(-1, 3).tolist()}
        else:
            before, after = (np.asarray(points, float).reshape(-1, 3).tolist() for points in landmarks or ())
            description = {"kind": "landmarks", "from": before, "to": after}
        names = [str(path) for path in paths] or ["/"]
        options = {"lengths": lengths, "masses": masses}
        return self.edit({"command": "transform", "paths": names, "map": description, "options": options})

    def attach(self, *points: str | Component, to: str | Component) -> EditReport:
        """Lets particles and nodes of tissues follow a body, a particle or a tissue from where they are at the start."""
        return self.edit({"command": "attach", "points": [str(point) for point in points], "to": str(to)})

    def detach(self, *points: str | Component) -> EditReport:
        """Lets points follow nobody."""
        return self.edit({"command": "detach", "points": [str(point) for point in points]})

    def name_faces(self, tissue: str | Component, name: str, faces: Iterable[Sequence[int]]) -> EditReport:
        """Gives faces of a tissue a name by which loads and shells take them: pairs of element and face, from 0.

        They replace those that had the name; without faces the name goes.
        """
        pairs = [[int(element), int(face)] for element, face in faces]
        return self.edit({"command": "name_faces", "path": str(tissue), "name": name, "faces": pairs})

    def add_support(self, tissue: str | Component, nodes: Iterable[int]) -> Component:
        """Fixes nodes of a tissue, indices from 0, in a support more, and returns it.

        ``axes.x`` and the like of the support say where it acts, ``keyframes`` where it leads them, ``nodes`` whom it
        holds: none releases them.
        """
        self.edit({"command": "add_support", "path": str(tissue), "nodes": [int(node) for node in nodes]})
        return Component(self, f"{tissue}/supports/{self.get(f'{tissue}:support_count') - 1}")

    def remove_support(self, support: str | Component) -> EditReport:
        """Takes a support of a tissue away, ``PATH/supports/N``, with probes, controllers and events that name it.

        Those behind it move up by one.
        """
        return self.edit({"command": "remove_support", "path": str(support)})

    def _map(self, command: str, paths: tuple[str | Component, ...], **vectors: Any) -> EditReport:
        lists = {name: [float(x) for x in vector] for name, vector in vectors.items()}
        return self.edit({"command": command, "paths": [str(path) for path in paths], **lists})

    def undo(self) -> EditReport:
        """Takes the last edit back."""
        return self.edit("undo")

    def redo(self) -> EditReport:
        """Makes again what was taken back last."""
        return self.edit("redo")


def _is_property(path: str) -> bool:
    """True if a path ends in the name of a property: there is a colon outside of quotes."""
    return ":" in "".join(path.replace('\\"', "").split('"')[::2])


def _text(value: Any) -> Any:
    """A value as an edit takes it: components by their paths, numbers and sequences of them as they are."""
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Component):
        return value.path
    if isinstance(value, np.ndarray):
        return [float(x) for x in value.ravel()]
    if isinstance(value, np.generic):
        return value.item()
    return [_text(item) for item in value]
