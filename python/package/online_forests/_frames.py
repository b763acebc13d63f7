"""Frames of pandas, polars and Arrow as rows for the core, through narwhals if it is not pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Frame:
    """A frame with one column a feature."""

    def __init__(self, native: Any) -> None:
        self.native = native
        self.is_pandas = type(native).__module__.split(".")[0] == "pandas"
        if self.is_pandas:
            self.names = list(native.columns)
        else:
            import narwhals as nw

            self._frame = nw.from_native(native, eager_only=True)
            self.names = list(self._frame.columns)
        if len(set(self.names)) < len(self.names):
            raise ValueError(f"two columns of the frame have the same name: {self.names}")

    def __len__(self) -> int:
        return len(self.native) if self.is_pandas else len(self._frame)

    def rows(self, core: Any, names: Sequence[Any], width: int) -> Any:
        """Returns rows of `width` numbers for a learner: the columns of these names.

        A column that the frame lacks is missing if the learner takes missing values, else 0.
        """
        if list(names) == self.names and len(names) == width:
            numbers = self.native.to_numpy() if self.is_pandas else self._frame.to_numpy()
            if numbers.dtype.kind in "biuf":
                return numbers
        rows = np.zeros((len(self), width), dtype=np.float64)
        if core.takes_missing_values:
            rows[:, : len(names)] = np.nan
        there = set(self.names)
        for column, name in enumerate(names):
            if name in there:
                rows[:, column] = self._column(core, name)
        return rows

    def _column(self, core: Any, name: Any) -> Any:
        values = self.native[name].to_numpy() if self.is_pandas else self._frame[name].to_numpy()
        return values if values.dtype.kind in "biuf" else core.column(name, values.tolist())

    def series(self, values: Any) -> Any:
        """Returns a series of the same library, with the same index."""
        if self.is_pandas:
            import pandas as pd

            return pd.Series(values, index=self.native.index if len(values) else None)
        import narwhals as nw

        return nw.new_series("prediction", values, backend=self._frame.implementation).to_native()

    def frame(self, columns: dict[Any, Any]) -> Any:
        """Returns a frame of the same library, with the same index."""
        if self.is_pandas:
            import pandas as pd

            return pd.DataFrame(columns, index=self.native.index)
        import narwhals as nw

        named = {str(name): values for name, values in columns.items()}
        return nw.from_dict(named, backend=self._frame.implementation).to_native()
