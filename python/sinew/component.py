"""Components by their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._editable import Editable, PropertyInfo


class Component:
    """A component of a model or of a simulation, or a node, element, region or support of a tissue.

    Its properties are items, and those whose names are words are attributes too::

        muscle = model["/models/arm/axial_springs/biceps"]
        muscle["material.max_force"] = 40.0   # [N]
        muscle.enabled = False

    Of a simulation they are those of now. It is known by its path: who renames or moves it finds it anew.
    """

    __slots__ = ("_owner", "kind", "path")

    def __init__(self, owner: Editable, path: str) -> None:
        found, kind = owner._raw.find(str(path))
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "path", found)
        object.__setattr__(self, "kind", kind)

    #: Its path from the root.
    path: str
    #: Its kind, such as "AxialSpring".
    kind: str

    def __getitem__(self, name: str) -> Any:
        return self._owner.get(f"{self.path}:{name}")

    def __setitem__(self, name: str, value: Any) -> None:
        self._owner.set(f"{self.path}:{name}", value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._names():
            raise AttributeError(f"{self.path} ({self.kind}) has no property '{name}'; it has {', '.join(self._names())}")
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names():
            raise AttributeError(f"{self.path} ({self.kind}) has no property '{name}'; it has {', '.join(self._names())}")
        self[name] = value

    def _names(self) -> list[str]:
        return [info.name for info in self._owner.properties(self.path)]

    @property
    def properties(self) -> dict[str, PropertyInfo]:
        """Its properties by their names, with types, units, ranges and docs."""
        return {info.name: info for info in self._owner.properties(self.path)}

    def declare(self, name: str, type: str, *, unit: str = "", default: Any = None, doc: str = "") -> None:
        """Gives this component a property more, see :meth:`Model.declare`."""
        self._owner.declare(f"{self.path}:{name}", type, unit=unit, default=default, doc=doc)

    @property
    def children(self) -> list[Component]:
        """Components below it, in order."""
        return [Component(self._owner, path) for path in self._owner._raw.children(self.path)]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._names() if name.isidentifier())]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.path}>"

    def __str__(self) -> str:
        return self.path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Component) and (self._owner, self.path) == (other._owner, other.path)

    def __hash__(self) -> int:
        return hash(self.path)
