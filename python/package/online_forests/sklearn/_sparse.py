"""Sparse matrices as dense rows, a block of bounded size at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

# Numbers of a block: 64 MB as float32. Forests that hold samples hold them dense.
BLOCK = 2**24


def blocks(rows: Any) -> Iterator[tuple[slice, Any]]:
    """Where each block is, and its rows as an array. An array is one block."""
    if not issparse(rows):
        yield slice(0, len(rows)), rows
        return
    _check(rows.data)
    step = max(BLOCK // max(rows.shape[1], 1), 1)
    for start in range(0, rows.shape[0], step):
        place = slice(start, min(start + step, rows.shape[0]))
        yield place, rows[place].astype(np.float32).toarray(order="C")


def by_blocks(function: Callable[..., Any], rows: Any, *more: Any) -> Any:
    """What a function returns for the rows of a matrix, an array for each block."""
    return np.concatenate([function(block, *more) for _, block in blocks(rows)])


def _check(values: Any) -> None:
    """Refuse, before the first block, what would not fit in a later one."""
    largest = float(np.abs(values).max(initial=0))
    if largest > np.finfo(np.float32).max:
        raise ValueError(f"features are stored as float32, which {largest!r} does not fit; scale it first")
