"""What goes through all actors."""

from __future__ import annotations

from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray

from online_forests._core import Votes

# Rows that go together: enough for a call to cost little beside them, few enough for all actors to be at work.
ROWS_OF_A_PIECE = 1000


class Piece:
    """What every actor does one after another, from a row on: what each of them makes of it."""

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.results: dict[int, Any] = {}

    def send(self, actors: list[Any], shard: int) -> None:
        self.results[shard] = self._sent(actors[shard], shard)

    def _sent(self, actor: Any, shard: int) -> Any:
        raise NotImplementedError

    def result(self) -> Any:
        return ray.get(list(self.results.values()))

    def is_done(self, shard: int) -> bool:
        try:
            ray.get(self.results[shard])
        except Exception:
            return False
        return True


class Learned(Piece):
    """Rows to learn."""

    def __init__(self, start: int, x: Any, y: Any) -> None:
        super().__init__(start)
        self.x, self.y = x, y
        self.end = start + len(x)

    def _sent(self, actor: Any, shard: int) -> Any:
        return actor.learn.remote(self.start, self.x, self.y)


class Tested(Learned):
    """Rows to predict and then to learn."""

    def _sent(self, actor: Any, shard: int) -> Any:
        return actor.test.remote(self.start, self.x, self.y, _votes_before(self, shard))

    def result(self) -> Any:
        return _last_result(self)


class Asked(Piece):
    """Rows to predict."""

    def __init__(self, start: int, x: Any) -> None:
        super().__init__(start)
        self.x = x

    def _sent(self, actor: Any, shard: int) -> Any:
        return actor.ask.remote(self.start, self.x, _votes_before(self, shard))

    def result(self) -> Any:
        return _last_result(self)


class Checked(Piece):
    """Rows that may be refused. All shards would refuse the same, so the first is asked."""

    def __init__(self, start: int, x: Any, y: Any) -> None:
        super().__init__(start)
        self.x, self.y = x, y

    def _sent(self, actor: Any, shard: int) -> Any:
        return actor.check.remote(self.start, self.x, self.y) if shard == 0 else actor.rows.remote()


class Saved(Piece):
    """The time for a snapshot; those before `keep_from` rows are not needed any more."""

    def __init__(self, start: int, keep_from: int) -> None:
        super().__init__(start)
        self.keep_from = keep_from

    def _sent(self, actor: Any, shard: int) -> Any:
        return actor.save.remote(self.start, self.keep_from)


class Fetched(Piece):
    """The trees."""

    def _sent(self, actor: Any, shard: int) -> Any:
        return actor.learner.remote(self.start)


def _last_result(piece: Piece) -> Any:
    """What the last actor has made of the votes of all: it is there only if all others have done their part."""
    return ray.get(piece.results[len(piece.results) - 1])


def _votes_before(piece: Piece, shard: int) -> Any:
    return Votes() if shard == 0 else piece.results[shard - 1]


def parts_of(x: Any) -> list[slice]:
    """Rows in pieces; a single piece if it is empty, which is checked like any other."""
    rows = len(x) if x.ndim else 0
    return [slice(start, start + ROWS_OF_A_PIECE) for start in range(0, max(rows, 1), ROWS_OF_A_PIECE)]


def table(pieces: list[Any]) -> NDArray[np.float64]:
    """Predictions of all pieces. A class that was not known at a piece has probability 0 there."""
    width = pieces[-1].shape[1]
    filled = [np.pad(piece, ((0, 0), (0, width - piece.shape[1]))) for piece in pieces]
    return np.concatenate(filled)
