#!/usr/bin/env python3
"""Runs items of docs/results again and compares their metrics with the committed records, to the last bit.

    docs/results/again.py [PAPER[/ITEM] ...]

Without arguments, items that need no downloads and about a minute. Times and bytes are not compared, nor are runs and metrics that either
side lacks. Ends with status 1 if a metric differs.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ITEMS = [
    "boundary-forest/figure-3-dimensions",
    "mondrian/regression-2016",
    "obsp/figure-5-rows",
    "random-tessellation/figure-3-baselines",
    "stream-rf/figure-2",
]
IDENTITY = ("item", "scale", "x", "seed", "call")


def identity(record):
    return json.dumps([record.get(key) for key in IDENTITY], sort_keys=True)


def metrics(record):
    def kept(values):
        return {name: value for name, value in values.items() if "seconds" not in name and "bytes" not in name}

    return [{**row, "values": kept(row["values"])} for row in record["rows"]]


def agree(now, before):
    """Whether rows have the same values, of the metrics that both sides know."""
    if len(now) != len(before):
        return False
    values = [(a["values"], b["values"]) for a, b in zip(now, before)]
    return all(a[name] == b[name] for a, b in values for name in a.keys() & b.keys())


def committed(items):
    records = {}
    for paper in {item.split("/")[0] for item in items}:
        with gzip.open(HERE / paper / "runs.jsonl.gz", "rt") as lines:
            records.update((identity(record), metrics(record)) for record in map(json.loads, lines))
    return records


def main():
    items = sys.argv[1:] or ITEMS
    expected = committed(items)
    same = 0
    different = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cargo", "xtask-all", "reproduce", *items, "--out", folder], cwd=HERE, check=True)
        for path in Path(folder).rglob("*.jsonl"):
            for record in map(json.loads, path.read_text().splitlines()):
                key = identity(record)
                if key not in expected:
                    print("not committed:", key)
                elif agree(metrics(record), expected[key]):
                    same += 1
                else:
                    different.append(key)
    print(f"{same} runs have the metrics of their records, {len(different)} do not", *different, sep="\n")
    sys.exit(1 if different or not same else 0)


if __name__ == "__main__":
    main()
