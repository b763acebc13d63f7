"""What an actor does with its trees."""

from __future__ import annotations

from typing import Any

from online_forests._core import Checkpoints, Votes
from online_forests._notes import load
from online_forests.ray._trees import Learner


class Behind(Exception):
    """An actor has not learned the rows before a call: it was started again, or an earlier call was lost."""


class Shard:
    """The actor: some of the trees, and how many rows they have learned."""

    def __init__(self, folder: str | None, shard: int, of: int, threads: int) -> None:
        self._place = None if folder is None else Checkpoints(folder, shard, of)
        self._is_last = shard == of - 1
        self._threads = threads
        self._learner: Any = None
        self._rows: int | None = None

    def begin(self, learner: Learner, rows: int) -> None:
        self._learner, self._rows = learner, rows

    def resume(self, rows: int) -> None:
        if self._place is not None:
            self._learner, self._rows = load(self._place.path(rows), self._threads), rows

    def rows(self) -> int | None:
        return self._rows

    def check(self, start: int, x: Any, y: Any) -> None:
        self._at(start).check(x, y)

    def learn(self, start: int, x: Any, y: Any) -> None:
        self._at(start).learn(x, y)
        self._rows = start + len(x)

    def test(self, start: int, x: Any, y: Any, votes: Votes) -> Any:
        self._at(start).add_votes_then_learn(x, y, votes)
        self._rows = start + len(x)
        return self._handed_on(votes)

    def ask(self, start: int, x: Any, votes: Votes) -> Any:
        self._at(start).add_votes(x, votes)
        return self._handed_on(votes)

    def save(self, start: int, keep_from: int) -> None:
        learner = self._at(start)
        if self._place is not None:
            learner.save(self._place.path(start))
            self._place.remove_before(keep_from)

    def learner(self, start: int) -> Any:
        return self._at(start)

    def _at(self, start: int) -> Any:
        if self._rows != start:
            raise Behind(f"the shard has learned {self._rows} rows, not {start}")
        return self._learner

    def _handed_on(self, votes: Votes) -> Any:
        return self._learner.finish(votes) if self._is_last else votes
