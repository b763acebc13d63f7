"""The first picture of README.md, from the records of the leaderboard along streams:

    python python/benchmarks/first_picture.py

writes docs/results/peers/streams.svg. Across: microseconds to test and learn a row, the median of the classification
streams; upwards: the accuracy of predictions just before each row is learned, the mean of the streams. Colours are
readable on white and on black.
"""

import gzip
import json
import math
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median

PEERS = Path(__file__).parents[2] / "docs" / "results" / "peers"
WIDTH, HEIGHT = 640, 344
LEFT, RIGHT, TOP, BOTTOM = 50, 500, 48, 300
SLOWEST, FASTEST, LEAST, MOST = 4000, 1.5, 0.69, 0.905
INK, LINE = "#727c86", "#727c8640"
COLOURS = {"online-forests": "#1f7fd6", "CapyMOA": "#c2571a", "River": "#8a6bc1"}
# Labels that would cover others: how far from their marks (negative: to the left), and by how many pixels lower.
BESIDE = {
    "boundary-forest": (-1, 0),
    "stream-rf": (1, -4),
    "amf": (1, -1),
    "mondrian": (1, 6),
    "CapyMOA ARF": (1, -6),
    "CapyMOA SRP": (1, 1),
    "CapyMOA SGBT": (1, 4),
    "River k-NN": (-1, 4),
    "River ARF": (-1, -2),
    "River leveraging bagging": (1.8, -3),
    "River SRP": (1, 10),
}


def main() -> None:
    (PEERS / "streams.svg").write_text(picture(places()), encoding="utf-8")


def places() -> dict[str, tuple[float, float]]:
    """Returns the microseconds and the accuracy of each learner at its defaults, and of `recent`."""
    runs = defaultdict(lambda: defaultdict(list))
    with gzip.open(PEERS / "streams.jsonl.gz", "rt", encoding="utf-8") as records:
        for run in map(json.loads, records):
            if run["task"] == "classification" and "value" in run and not run["label"].startswith("amf:"):
                runs[run["label"]][run["dataset"]].append((1e6 * run["learn_seconds"] / run["n_test"], run["value"]))
    means = {
        name: [tuple(map(fmean, zip(*seeds, strict=True))) for seeds in sets.values()] for name, sets in runs.items()
    }
    return {name: (median(time for time, _ in sets), fmean(right for _, right in sets)) for name, sets in means.items()}


def picture(found: dict[str, tuple[float, float]]) -> str:
    parts = []
    for micros in (3, 10, 30, 100, 300, 1000, 3000):
        parts += [
            line(across(micros), TOP, across(micros), BOTTOM),
            text(across(micros), BOTTOM + 17, f"{micros:,}", "middle"),
        ]
    for percent in (70, 75, 80, 85, 90):
        parts += [
            line(LEFT, upwards(percent / 100), RIGHT, upwards(percent / 100)),
            text(LEFT - 8, upwards(percent / 100) + 4, f"{percent} %", "end"),
        ]
    parts.append(
        text((LEFT + RIGHT) / 2, BOTTOM + 36, "microseconds to test and learn a row (left is better)", "middle")
    )
    parts.append(
        text(8, 16, "mean accuracy on 12 streams, each row predicted before it is learned (higher is better)", "start")
    )
    at = 8
    for library, colour in COLOURS.items():
        parts += [mark(library, at + 5, 31, colour), text(at + 15, 35, library, "start", colour)]
        at += 40 + 7 * len(library)
    for name, (micros, right) in found.items():
        library = next((library for library in COLOURS if name.startswith(library)), "online-forests")
        side, down = BESIDE.get(name, (1, 0))
        x, y = across(micros), upwards(right)
        anchor = "start" if side > 0 else "end"
        label = name.removeprefix(f"{library} ")
        parts += [
            mark(library, x, y, COLOURS[library]),
            text(x + 9 * side, y + 4 + down, label, anchor, COLOURS[library], library == "online-forests"),
        ]
    body = "\n".join(parts)
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    font = 'font-family="sans-serif" font-size="13"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>\n{body}\n</svg>\n'


def across(micros: float) -> float:
    return LEFT + (RIGHT - LEFT) * math.log(micros / FASTEST) / math.log(SLOWEST / FASTEST)


def upwards(right: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * (right - LEAST) / (MOST - LEAST)


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{LINE}"/>'


def text(x: float, y: float, words: str, anchor: str, colour: str = INK, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{words}</text>'


def mark(library: str, x: float, y: float, colour: str) -> str:
    if library == "online-forests":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{colour}"/>'
    if library == "River":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{colour}"/>'
    return f'<path d="M{x - 5:.1f} {y + 4:.1f}h10l-5-9z" fill="{colour}"/>'


if __name__ == "__main__":
    main()
