"""Recordings over time: files, probes, arrays by names of columns, tables of pandas."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Recorded(Protocol):
    """Columns over time, as a :class:`Probe` and results of inverse problems have them."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""

    @property
    def times(self) -> NDArray[np.float64]:
        """Times [s]: shape (n,)."""

    @property
    def values(self) -> NDArray[np.float64]:
        """Numbers: shape (n, columns)."""


#: The path of a file (.csv, .trc, .mot, .sto), a probe, a table of pandas with times as its index, or arrays by names.
Recording = Union[str, "os.PathLike[str]", Recorded, Mapping[str, ArrayLike], Any]


def raw_recording(data: Recording, times: ArrayLike | None) -> str | tuple[list[str], NDArray[np.float64]]:
    """A recording as the library takes it: a path, or names of columns and a table with times in front."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    if isinstance(data, Mapping):
        if times is None:
            raise TypeError("arrays by names need their `times`, of shape (n,)")
        return _of_arrays(data, np.asarray(times, float))
    if hasattr(data, "to_numpy") and hasattr(data, "index"):
        columns, values, known = [str(name) for name in data.columns], data.to_numpy(float), data.index.to_numpy(float)
    else:
        columns, values, known = list(data.columns), np.asarray(data.values, float), data.times
    times = np.asarray(known if times is None else times, float)
    return columns, np.ascontiguousarray(np.column_stack([times, values]))


def _of_arrays(arrays: Mapping[str, ArrayLike], times: NDArray[np.float64]) -> tuple[list[str], NDArray[np.float64]]:
    columns: list[str] = []
    blocks = [times]
    for name, array in arrays.items():
        array = np.asarray(array, float)
        if len(array) != len(times) or array.ndim > 2 or (array.ndim == 2 and array.shape[1] not in (1, 3)):
            expected = f"shape ({len(times)},) or ({len(times)}, 3) is expected"
            raise ValueError(f"'{name}': {expected}, got {array.shape}")
        is_vector = array.ndim == 2 and array.shape[1] == 3
        columns += [f"{name}.{axis}" for axis in "xyz"] if is_vector else [str(name)]
        blocks.append(array)
    return columns, np.ascontiguousarray(np.column_stack(blocks))
