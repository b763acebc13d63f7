"""Rows in blocks: sparse matrices as dense rows, and predictions that Ctrl-C can stop."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

# Numbers of a block of a sparse matrix: 64 MB as float32. Forests that hold samples hold them dense.
BLOCK = 2**24
# The number of rows of the first block that is predicted; the next block is twice as long if one takes less than this
# many seconds.
FIRST_ROWS, SHORT = 4096, 0.1


def blocks(rows: Any) -> Iterator[tuple[slice, Any]]:
    """Returns where each block is, and its rows as an array. An array is one block."""
    if not issparse(rows):
        yield slice(0, len(rows)), rows
        return
    _check(rows.data)
    step = max(BLOCK // max(rows.shape[1], 1), 1)
    for start in range(0, rows.shape[0], step):
        place = slice(start, min(start + step, rows.shape[0]))
        yield place, rows[place].astype(np.float32).toarray(order="C")


def by_blocks(core: Any, name: str, rows: Any, *more: Any) -> Any:
    """Returns what a method of a learner returns for rows, as the learner is at one moment.

    The method is called for a block of the rows at a time; between two calls Python handles signals. If another thread
    changes the learner meanwhile, a copy predicts all rows again.
    """
    predict = getattr(core, name)
    if not issparse(rows) and len(rows) <= FIRST_ROWS:
        return predict(rows, *more)
    changes = core.changes
    parts = [predict(part, *more) for _, block in blocks(rows) for part in _timed(block)]
    if len(parts) > 1 and core.changes != changes:
        return by_blocks(copy.copy(core), name, rows, *more)
    return np.concatenate(parts)


def _timed(rows: Any) -> Iterator[Any]:
    """Returns parts of an array; how many rows the next one has depends on the time that the caller takes for one."""
    start, count = 0, FIRST_ROWS
    if len(rows) > count:
        # Errors of a part would count its rows.
        _check(rows)
    while start < len(rows):
        begin = time.monotonic()
        yield rows[start : start + count]
        start += count
        if time.monotonic() - begin < SHORT:
            count *= 2


def _check(values: Any) -> None:
    """Refuse, before the first block, what would not fit in a later one."""
    largest = float(np.fmax.reduce(np.abs(values), axis=None, initial=0))
    if largest > np.finfo(np.float32).max:
        raise ValueError(f"features are stored as float32, which {largest!r} does not fit; scale it first")
