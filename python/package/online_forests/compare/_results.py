"""What a comparison returns: records, tables and the page."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from html import escape
from typing import Any

from online_forests import _core
from online_forests.compare._command import command
from online_forests.compare._frames import Backend, frame


class Results:
    """The runs of a folder, each a record.

    Parameters
    ----------
    folder : path
        With a file ``runs.jsonl``, of :func:`compare` or of ``cargo xtask compare``.
    metrics : sequence of str, default=()
        Columns of the tables; the first one ranks.
    """

    def __init__(self, folder: str | os.PathLike[str], metrics: Sequence[str] = ()) -> None:
        self.folder = pathlib.Path(folder)
        self.metrics = list(metrics)
        lines = (self.folder / "runs.jsonl").read_text(encoding="utf-8").splitlines()
        #: One dictionary a run, as in ``runs.jsonl``: what was measured, or ``error``.
        self.records: list[dict[str, Any]] = [json.loads(line) for line in lines]

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return a frame with a row for each run.

        Parameters
        ----------
        backend : str, optional
            The library of the frame, by its name in narwhals: ``"pandas"``, ``"polars"``, ``"pyarrow"``; by default the
            first of these that is installed.
        """
        return frame(self.records, backend)

    def report(self) -> Report:
        """Write the page again, from the records, and return it: a notebook shows it."""
        _core.write_report(self.folder, self.metrics, command())
        return Report(self.folder / "report.html")

    def __repr__(self) -> str:
        return f"{_core.tables_of_runs(self.folder, self.metrics)}\n{self.folder}"

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()


class Report:
    """The page of a comparison, which a notebook shows."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"Report({str(self.path)!r})"

    def _repr_html_(self) -> str:
        page = escape(self.path.read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 60em; border: 0"></iframe>'
