"""What are slanted cuts worth, at equal numbers of leaves?

`python3 docs/results/random-tessellation/slanted_cuts.py run` compares distributions of cuts on real sets and
writes the runs to slanted-cuts.jsonl; without `run` it prints the tables from these runs. The data folder is
FOREST_DATA. Times are those of one thread.
"""

import collections
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
RUNS = HERE / "slanted-cuts.jsonl"
SETS = [("pendigits", 16), ("letter", 16), ("satimage", 36), ("dna", 180), ("usps", 256), ("mnist", 784)]
# How often the unit cube is cut at a finite budget.
CUBE_CUTS = [3, 10, 30, 100, 300, 1000]
WEIGHTED = ["--scale", "minmax", "--weights", "variances"]
SCALES = ["minmax", "none", "standard"]


def segment_mass(d):
    return math.exp(math.lgamma(d / 2) - math.lgamma((d + 1) / 2)) / (2 * math.sqrt(math.pi))


def one(d):
    return 1.0


def of_few(k):
    """Λ of a segment of length 1 along an axis, for directions of k features."""
    return lambda d: min(k, d) / d * segment_mass(min(k, d))


# Name, parameters, and Λ of a segment of length 1 along an axis.
FAMILIES = [
    ("mrtf", "", one),
    ("obsp-fixed", "min_points=1", lambda d: float(d - 1)),
    ("urtf", "", segment_mass),
    ("sparse", "features=3", one),
    ("sparse", "features=5", one),
    ("sparse", "features=10", one),
    ("directions", "directions=20", segment_mass),
    ("directions", "directions=100", segment_mass),
    ("directions", "directions=500", segment_mass),
    ("directions", "directions=500,features=5", of_few(5)),
]


def text(name, parameters, budget):
    given = [parameters] if parameters else []
    return ":".join([name, ",".join([*given, f"budget={budget:.6g}"])])


def compare(name, options, algorithms, out):
    with tempfile.TemporaryDirectory() as folder:
        command = ["cargo", "xtask", "compare", "--data", name, "--protocol", "holdout", "--trees", "10"]
        command += ["--seeds", "2", "--train", "4000", "--threads", "1", "--out", folder, *options]
        for algorithm in algorithms:
            command += ["--algorithm", algorithm]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for line in (pathlib.Path(folder) / "runs.jsonl").read_text().splitlines():
            record = json.loads(line)
            record["options"] = " ".join(options)
            out.write(json.dumps(record) + "\n")
        out.flush()


def run():
    with RUNS.open("w") as out:
        for name, d in SETS:
            finite = [text(f, p, cuts / d / mass(d)) for f, p, mass in FAMILIES for cuts in CUBE_CUTS]
            compare(name, ["--scale", "minmax"], finite, out)
            unlimited = [text(f, p, math.inf) for f, p, _ in FAMILIES]
            for scale in SCALES:
                compare(name, ["--scale", scale], unlimited, out)
            compare(name, WEIGHTED, ["wurtf:budget=inf", "wmrtf:budget=inf"], out)


def label(record):
    given = record["label"].split(":")[1].split(",")
    rest = [part for part in given if not part.startswith(("budget", "min_points", "weights"))]
    return record["algorithm"] + (":" + ",".join(rest) if rest else "")


def read():
    runs = collections.defaultdict(list)
    for line in RUNS.read_text().splitlines():
        record = json.loads(line)
        budget = record["params"]["budget"]
        runs[record["dataset"], record["options"], label(record), budget].append(record)
    return runs


def mean(records, value):
    return statistics.mean(value(record) for record in records)


def cell(records, value, digits):
    return f"{mean(records, value):.{digits}f}" if records else "–"


def leaves(record):
    """Of a tree: a binary tree has one leaf more than inner nodes."""
    return (record["nodes"] / record["trees"] + 1) / 2


def table(rows, title, columns):
    print(f"\n{title}\n\n| | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}")
    for name, values in rows:
        print(f"| {name} | {' | '.join(values)} |")


def at_leaves(points, wanted):
    """The value at `wanted` leaves, interpolated in the logarithm of leaves; None outside."""
    points = sorted(points)
    for (a, u), (b, v) in zip(points, points[1:]):
        if a <= wanted <= b:
            share = (math.log(wanted) - math.log(a)) / (math.log(b) - math.log(a)) if b > a else 0.0
            return u + share * (v - u)
    return None


def tables():
    runs = read()
    names = sorted({key[2] for key in runs if "--weights" not in key[1]}, key=[label({"label": text(f, p, 1.0), "algorithm": f}) for f, p, _ in FAMILIES].index)
    sets = [name for name, _ in SETS if any(key[0] == name for key in runs)]
    accuracy = lambda record: 100 * record["value"]
    for scale in SCALES:
        rows = [(n, [cell(runs[s, "--scale " + scale, n, "inf"], accuracy, 2) for s in sets]) for n in names]
        table(rows, f"Accuracy in percent, as many leaves as samples, `--scale {scale}`.", sets)
    options = " ".join(WEIGHTED)
    weighted = [(n, [cell(runs[s, options, n, "inf"], accuracy, 2) for s in sets]) for n in ["wmrtf", "wurtf"]]
    table(weighted, "The same with the variances of the features, before scaling, as weights.", sets)
    for wanted in [50, 200, 800]:
        rows = []
        for n in names:
            cells = []
            for s in sets:
                points = [(mean(records, leaves), mean(records, accuracy)) for key, records in runs.items() if key[:3] == (s, "--scale minmax", n) and records]
                value = at_leaves(points, wanted)
                cells.append("–" if value is None else f"{value:.1f}")
            rows.append((n, cells))
        table(rows, f"Accuracy in percent at {wanted} leaves a tree, interpolated between budgets.", sets)
    for title, value in [
        ("Microseconds to learn a row, per tree", lambda r: 1e6 * r["learn_seconds"] / r["n_train"] / r["trees"]),
        ("Microseconds to predict a row, per tree", lambda r: 1e6 * r["predict_seconds"] / r["n_test"] / r["trees"]),
        ("Bytes per row and tree", lambda r: r["model_bytes"] / r["n_train"] / r["trees"]),
    ]:
        rows = [(n, [cell(runs[s, "--scale minmax", n, "inf"], value, 1) for s in sets]) for n in names]
        table(rows, f"{title}, as many leaves as samples.", sets)


if sys.argv[1:] == ["run"]:
    run()
else:
    tables()
