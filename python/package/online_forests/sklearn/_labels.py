"""Labels of classes as arrays, and which are refused."""

from __future__ import annotations

from typing import Any

import numpy as np


def label_array(labels: tuple[Any, ...]) -> Any:
    """Returns labels as an array: of their own type if they come from an array of one, else of objects."""
    if all(isinstance(label, np.generic) for label in labels):
        return np.array(labels)
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def check_labels(core: Any, labels: Any) -> None:
    """Refuses labels that are not among the stated classes, and texts among numbers."""
    known = label_array(core.known_labels)
    kinds = {isinstance(label, str) for label in (*known, *labels)}
    if len(kinds) > 1:
        raise ValueError(
            f"labels must be all texts or all numbers, but these are {labels}, and those before {np.sort(known)}"
        )
    if core.is_closed and (new := ~np.isin(labels, known)).any():
        raise ValueError(f"labels {labels[new]} are not among the classes {np.sort(known)} given with the first call")
