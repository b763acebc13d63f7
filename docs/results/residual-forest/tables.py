"""The tables of README.md, from the files beside it: python3 docs/results/residual-forest/tables.py

A table of tables.csv starts with a line `# name`; runs.jsonl.gz has the runs of hold-out.md.
"""

import csv
import gzip
import json
import pathlib
import statistics

FOLDER = pathlib.Path(__file__).parent
# Address, and panel of hold-out.md.
SETS = [
    ("friedman:d=5,n=16000,test=4000", "Friedman, d = 5"),
    ("friedman:d=10,n=16000,test=4000", "Friedman, d = 10"),
    ("friedman:d=20,noise=3,n=16000,test=4000", "Friedman, d = 20, noise 3"),
    ("friedman:d=5,noise=0.1,n=16000,test=4000", "Friedman, d = 5, little noise"),
    ("sine-product:n=16000,test=4000", "sine product"),
    ("sine-product:noise=3,n=16000,test=4000", "sine product, noise 3"),
    ("california_housing", "california housing"),
    ("king_county_sales", "king county"),
    ("airline", "flights"),
]
RESTARTING = "adaptive:members=residual-forest@change@none+residual-forest@100@none"
LEARNERS = [
    *("residual-forest", "dynamic-extra-trees", "amf", "adaptive"),
    *("extra trees", "random forest", "HistGradientBoosting", "HistGradientBoosting, tuned"),
]


def read(name):
    tables = (FOLDER / "tables.csv").read_text(encoding="utf-8").split("# ")
    return list(csv.reader(next(table.splitlines()[1:] for table in tables if table.startswith(name + "\n"))))


def held_out():
    """Errors by panel and learner."""
    errors = {}
    with gzip.open(FOLDER / "runs.jsonl.gz", "rt", encoding="utf-8") as file:
        runs = [run for run in map(json.loads, file) if run["item"] == "residual-forest/hold-out"]
        for row in (row for run in runs for row in run["rows"]):
            errors.setdefault((row["panel"], row["series"]), []).append(row["values"]["rmse"])
    return errors


def row(cells):
    print("| " + " | ".join(cells) + " |")


def short(number):
    return f"{number:.0f}" if number >= 1000 else f"{number:.4g}"


def mean(values):
    return short(statistics.mean(values)) if values else ""


def hold_out():
    errors, costs = held_out(), read("cost")
    row(["data", *LEARNERS, "µs to learn", "µs to predict", "bytes"])
    row(["---"] + ["---:"] * 11)
    for address, panel in SETS:
        cells = [mean(errors.get((panel, learner), [])) for learner in LEARNERS]
        runs = [run for run in costs if run[1] == address]
        cells += [f"{statistics.median(float(run[cell]) for run in runs):.2f}" for cell in (5, 6)]
        cells.append(f"{statistics.median(float(run[7]) for run in runs):.0f}")
        row([f"`{address}`", *cells])


def parts():
    runs = read("parts")
    chains = list(dict.fromkeys(run[0] for run in runs))
    addresses = list(dict.fromkeys(run[1] for run in runs))
    row(["chains", *(f"`{address}`" for address in addresses)])
    row(["---"] + ["---:"] * len(addresses))
    for one in chains:
        cells = [mean([float(run[4]) for run in runs if run[:2] == [one, address]]) for address in addresses]
        row([f"`{one}`", *cells])


def curves():
    runs = read("curves")
    lines = list(dict.fromkeys((run[0], run[1], run[2]) for run in runs))
    row(["chains", "data", "window", *(f"{part} %" for part in (5, 10, 20, 40, 60, 80, 100))])
    row(["---", "---", "---:"] + ["---:"] * 7)
    for line in lines:
        errors = [float(run[4]) for run in runs if tuple(run[:3]) == line]
        cells = [short(errors[part - 1]) for part in (1, 2, 4, 8, 12, 16, 20)]
        row([f"`{line[0]}`", f"`{line[1]}`", line[2], *cells])


def by_name(name):
    """Lines of crates/comparison/evaluation/examples/recovery.rs, by algorithm, data and trees."""
    lines = {}
    for run in read(name):
        lines.setdefault(tuple(run[:3]), []).append(run)
    return lines


def label(algorithm, trees):
    """What the tables call an algorithm."""
    return f"`{algorithm}`" if algorithm != RESTARTING else f"restarting, {trees} trees per copy"


def recovery():
    lines, change = by_name("recovery"), 10_000
    parts = (500, 1000, 2000, 2500, 3000, 4000, 5000, 6000)
    row(["learner", "data", "trees", *(f"{part - 499:,}–{part:,}" for part in parts), "ratio", "µs"])
    row(["---", "---", "---:"] + ["---:"] * 10)
    for (algorithm, data, trees), runs in lines.items():
        starts = "+from=" in data
        after = {int(run[4]) - (0 if starts else change): float(run[5]) for run in runs}
        micros = short(statistics.mean(float(run[7]) for run in runs))
        fresh = lines[("residual-forest", data.replace("+from=10000", "") + "+from=10000", "50")]
        errors = {int(run[4]): float(run[5]) for run in fresh}
        late = [part for part in errors if part > 2000]
        ratio = (sum(after[part] ** 2 for part in late) / sum(errors[part] ** 2 for part in late)) ** 0.5
        place = "starts there" if starts else "flipped"
        name = data.split(",")[0] if data.startswith("friedman") else data.split(":")[0]
        cells = [short(after[part]) for part in parts]
        row([label(algorithm, trees), f"{name}, {place}", trees, *cells, f"{ratio:.3f}", micros])


def curves_by_name():
    row(["learner", "data", *(f"{part} %" for part in (5, 10, 20, 40, 60, 80, 100)), "µs"])
    row(["---", "---"] + ["---:"] * 8)
    for (algorithm, data, trees), runs in by_name("by-name").items():
        places = [round(len(runs) * part / 100) - 1 for part in (5, 10, 20, 40, 60, 80, 100)]
        errors = [short(float(runs[max(place, 0)][5])) for place in places]
        row([label(algorithm, trees), f"`{data}`", *errors, short(statistics.mean(float(run[7]) for run in runs))])


for table in (hold_out, parts, curves, recovery, curves_by_name):
    table()
    print()
