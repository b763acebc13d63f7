"""What the page beside other libraries quotes is in the tables of its records."""

from __future__ import annotations

import gzip
import re
import runpy
from pathlib import Path

from online_forests import _core

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def tables(kept: Path, folder: Path) -> str:
    folder.mkdir()
    (folder / "runs.jsonl").write_bytes(gzip.decompress(kept.read_bytes()))
    _core.write_report(folder, [], "")
    return (folder / "summary.md").read_text(encoding="utf-8")


def test_ranks_on_the_page_are_those_of_the_records(tmp_path: Path) -> None:
    kept = sorted((RESULTS / "peers").glob("*.jsonl.gz"))
    made = "".join(tables(records, tmp_path / records.name) for records in kept)
    page = (RESULTS / "peers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:.*\d.*) \|$", page, re.MULTILINE)
    assert len(rows) > 20
    assert [row for row in rows if row not in made] == []


def test_the_first_picture_is_that_of_the_records() -> None:
    drawn = runpy.run_path(str(RESULTS.parents[1] / "python" / "benchmarks" / "first_picture.py"))
    assert drawn["picture"](drawn["places"]()) == (RESULTS / "peers" / "streams.svg").read_text(encoding="utf-8")
