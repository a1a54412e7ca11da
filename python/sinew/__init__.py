"""Sinew: anatomy simulated at interactive rates.

A :class:`Model` is a tree of components, each with a path: tissues, bodies, joints, muscles. It is loaded or built,
edited and saved. A :class:`Simulation` steps it through time. Units are SI throughout: m, kg, s, N, Pa, rad.

>>> import sinew
>>> simulation = sinew.Simulation(sinew.Model.load("chain"))
>>> simulation.run(0.1)
>>> round(simulation.time, 6)
0.1
"""

from ._editable import EditReport, PropertyInfo
from ._sinew import (
    HAS_RENDER,
    VERSION as __version__,
    EditError,
    FileError,
    PathError,
    ProbeError,
    PropertyError,
    SimulationError,
    SinewError,
)
from .batch import Batch, BatchProperties
from .component import Component
from .control import controller
from .fitting import FitResult, fit
from .gradient import Trajectory, grad
from .inverse import (
    JointMoments,
    JointMotion,
    MuscleShares,
    Tracking,
    inverse_dynamics,
    inverse_kinematics,
    static_optimization,
    track,
)
from .library import Builtin, Parameter, builtins, kinds
from .mesh import Mesh
from .model import Model
from .probe import Probe
from .simulation import Properties, Simulation, State, Waypoint

__all__ = [
    "HAS_RENDER",
    "Batch",
    "BatchProperties",
    "Builtin",
    "Component",
    "EditError",
    "EditReport",
    "FileError",
    "FitResult",
    "JointMoments",
    "JointMotion",
    "Mesh",
    "Model",
    "MuscleShares",
    "Parameter",
    "PathError",
    "ProbeError",
    "Probe",
    "Properties",
    "PropertyError",
    "PropertyInfo",
    "Simulation",
    "SimulationError",
    "SinewError",
    "State",
    "Tracking",
    "Trajectory",
    "Waypoint",
    "builtins",
    "controller",
    "fit",
    "grad",
    "inverse_dynamics",
    "inverse_kinematics",
    "kinds",
    "static_optimization",
    "track",
]
