"""The pages of the leaderboard are those of its records, and what others quote of them is there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "python" / "benchmarks"))
import leaderboard_pages  # noqa: E402


@pytest.mark.parametrize("part", leaderboard_pages.TITLES)
def test_a_page_is_that_of_its_records(part: str) -> None:
    kept = leaderboard_pages.PAGES / f"{part}.jsonl.gz"
    assert kept.with_name(f"{part}.md").read_text(encoding="utf-8") == leaderboard_pages.page(kept)


def test_ranks_on_the_first_page_are_those_of_the_pages() -> None:
    pages = "".join((leaderboard_pages.PAGES / f"{part}.md").read_text(encoding="utf-8") for part in leaderboard_pages.TITLES)
    readme = (leaderboard_pages.PAGES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:.*\d.*) \|$", readme, re.MULTILINE)
    assert len(rows) > 20
    assert [row for row in rows if row not in pages] == []
