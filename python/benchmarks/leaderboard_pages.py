"""The pages of the leaderboard, from its records.

    python python/benchmarks/leaderboard_pages.py --records results/leaderboard    # keeps what was measured in docs/results/peers
    python python/benchmarks/leaderboard_pages.py                                  # writes the pages again from what is kept

A record keeps everything but its curve along the stream.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from pathlib import Path

from online_forests import _core

PAGES = Path(__file__).parents[2] / "docs" / "results" / "peers"
TITLES = {
    "streams": "Streams, tested then learned",
    "tables": "Tables, of which a part is held out",
    "first-page": "Friedman's function, 16,000 rows learned",
    "algorithms": "All algorithms on two tables",
}
COMMAND = "python python/benchmarks/leaderboard.py --out results/leaderboard"


def keep(runs: Path, kept: Path) -> None:
    """Writes the records of a part without their curves, in an order that does not depend on when they were made but for that of the learners."""
    records = [json.loads(line) for line in runs.read_text(encoding="utf-8").splitlines()]
    places = {label: place for place, label in enumerate(dict.fromkeys(record["label"] for record in records))}
    records.sort(key=lambda record: (record["dataset"], places[record["label"]], record["seed"]))
    for record in records:
        record["curve"] = None
        record["around_changes"] = []
    lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records]
    # Without the time of day, the same records are the same bytes.
    with kept.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write("".join(f"{line}\n" for line in lines).encode())


def page(kept: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "runs.jsonl").write_bytes(gzip.decompress(kept.read_bytes()))
        _core.write_report(Path(folder), [], COMMAND)
        summary = Path(folder, "summary.md").read_text(encoding="utf-8")
    name = kept.name.removesuffix(".jsonl.gz")
    tables = summary[summary.index("## ") :]
    written = f"Written by `python python/benchmarks/leaderboard_pages.py` from [the records]({kept.name}) of `{COMMAND}`; [what they show](README.md)."
    return f"# {TITLES[name]}\n\n{written}\n\n{tables}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--records", type=Path, help="folder of new records")
    given = arguments.parse_args()
    for name in TITLES:
        kept = PAGES / f"{name}.jsonl.gz"
        if given.records:
            keep(given.records / name / "runs.jsonl", kept)
        (PAGES / f"{name}.md").write_text(page(kept), encoding="utf-8")


if __name__ == "__main__":
    main()
