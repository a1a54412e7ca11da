"""Probes: records over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas


class Probe:
    """A table of properties and formulas over time, which grows as the simulation runs and shrinks as it goes back."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    @property
    def columns(self) -> list[str]:
        """Names of the columns: paths of properties, with ``.x`` and so on for parts, and names of formulas."""
        return self._raw.columns

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of the samples [s]: shape (n,)."""
        return self._raw.numbers[:, 0]

    @property
    def values(self) -> NDArray[np.float64]:
        """Samples: shape (n, columns)."""
        return self._raw.numbers[:, 1:]

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        """The samples of a column: shape (n,)."""
        try:
            place = self.columns.index(column)
        except ValueError:
            raise KeyError(f"there is no column '{column}'; there are {', '.join(self.columns)}") from None
        return self._raw.numbers[:, 1 + place]

    def __len__(self) -> int:
        return len(self._raw.numbers)

    def to_pandas(self) -> pandas.DataFrame:
        """As a table of pandas, which is to be installed, with the time [s] as its index."""
        import pandas

        return pandas.DataFrame(self.values, index=pandas.Index(self.times, name="time"), columns=self.columns)
