"""Progress on standard error, and the alarm of the time limit."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Any

# The bar is drawn at most this often.
OFTEN = 0.2
# The alarm follows the limit by this many seconds, so that the limit has been exceeded when it is checked, and then
# comes again.
LATER = 0.1
AGAIN = 1.0


class TimeLimit(BaseException):
    """Raised inside a learner whose run takes too long. It is not an `Exception`, so that learners do not catch it."""

    of_time_limit = True


class Follow:
    """Follows the runs of a comparison, which calls it on the thread that started it."""

    def __init__(self, *, shown: bool, time_limit: float | None) -> None:
        self._shown = shown
        self._bar = shown and sys.stderr.isatty()
        self._limit = (
            time_limit
            if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
            else None
        )
        self._runs = self._finished = 0
        self._rows = self._finished_rows = self._current_rows = 0
        self._name = ""
        self._begin = self._drawn = time.monotonic()
        self._before: Any = None

    def __enter__(self) -> None:
        if self._limit is not None:
            self._before = signal.signal(signal.SIGALRM, _raise)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._limit is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        self._clear()

    def plan(self, runs: int, rows: int) -> None:
        """Takes note of what is to be done."""
        self._runs, self._rows = runs, rows
        self._begin = time.monotonic()

    def remark(self, text: str) -> None:
        """Shows a remark."""
        self._line(text)

    def start(self, name: str) -> None:
        """Begins a run."""
        self._name = name
        self._current_rows = 0
        self._draw()
        if self._limit is not None:
            signal.setitimer(signal.ITIMER_REAL, self._limit + LATER, AGAIN)

    def advance(self, rows: int) -> None:
        """Takes note of rows that were learned or predicted."""
        self._current_rows += rows
        if time.monotonic() - self._drawn > OFTEN:
            self._draw()

    def finish(self, rows: int, record: str) -> None:
        """Ends a run."""
        if self._limit is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self._finished += 1
        self._finished_rows += rows
        self._current_rows = 0
        run = json.loads(record)
        if not self._bar or "error" in run:
            self._line(f"[{self._finished}/{self._runs}] {_in_words(run)}")
        self._draw()

    def _line(self, text: str) -> None:
        if self._shown:
            self._clear()
            print(text, file=sys.stderr)

    def _draw(self) -> None:
        if not self._bar:
            return
        self._drawn = time.monotonic()
        share = min((self._finished_rows + self._current_rows) / max(self._rows, 1), 1.0)
        left = (time.monotonic() - self._begin) * (1 / share - 1) if share > 0 else 0.0
        bar = "█" * round(30 * share)
        sys.stderr.write(f"\r\033[K{bar:30} {share:4.0%} · {left:.0f} s left · {self._name}")
        sys.stderr.flush()

    def _clear(self) -> None:
        if self._bar:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _raise(number: int, frame: FrameType | None) -> None:
    raise TimeLimit("the run takes longer than the time limit")


def _in_words(run: dict[str, Any]) -> str:
    outcome = f"failed: {run['error']}" if "error" in run else f"{run['metric']} {run['value']:.4f}"
    return f"{run['dataset']} {run['protocol']} · {run['label']} · seed {run['seed']}: {outcome}"
