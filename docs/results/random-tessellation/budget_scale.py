"""Which scale of an increasing budget is a good default?

`python3 docs/results/random-tessellation/budget_scale.py run` compares scales on every set and appends the
runs to budget-scale.jsonl; without `run` it prints the table from these runs. The data folder is FOREST_DATA.
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
RUNS = HERE / "budget-scale.jsonl"
AXIS_CUTS = [1, 2, 4, 8, 16, 32]
# How often a segment of length 1 along an axis is cut at scale 1, and the parameters of the algorithm.
FAMILIES = {
    "urtf-increasing": (lambda d: segment_mass(d), ""),
    "directions-increasing": (lambda d: segment_mass(d), ""),
    "sparse-increasing": (lambda d: 1.0, ""),
}
PCA = ["--pca", "4"]
FEW = ["--train", "8000"]
# Name, features that learners see, options.
SETS = [
    ("gaussian-mixture", 2, []),
    ("mondrian-cube", 3, []),
    ("friedman", 5, []),
    ("friedman:d=10", 10, []),
    ("sine-product", 2, []),
    ("letter", 4, PCA),
    ("satimage", 4, PCA),
    ("pendigits", 4, PCA),
    ("usps", 4, PCA),
    ("dna", 4, PCA),
    ("california_housing", 8, FEW),
    ("elec2", 6, FEW),
    ("letter", 16, FEW),
    ("satimage", 36, FEW),
]


def segment_mass(d):
    return math.gamma(d / 2) / (2 * math.sqrt(math.pi) * math.gamma((d + 1) / 2))


def run():
    with RUNS.open("w") as out:
        for name, d, options in SETS:
            algorithms = []
            for family, (mass, parameters) in FAMILIES.items():
                for cuts in AXIS_CUTS:
                    scale = cuts / mass(d)
                    algorithms += ["--algorithm", f"{family}:budget_scale={scale:.6g}{parameters}"]
            with tempfile.TemporaryDirectory() as folder:
                command = ["cargo", "xtask", "compare", "--data", name, "--protocol", "holdout", "--trees", "10"]
                command += ["--seeds", "2", "--out", folder, *options, *algorithms]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                for line in (pathlib.Path(folder) / "runs.jsonl").read_text().splitlines():
                    record = json.loads(line)
                    assert record["n_features"] == d, (name, record["n_features"])
                    mass = FAMILIES[record["algorithm"]][0](d)
                    record["axis_cuts"] = round(record["params"]["budget_scale"] * mass, 3)
                    out.write(json.dumps(record) + "\n")


def table():
    errors = collections.defaultdict(list)
    for line in RUNS.read_text().splitlines():
        record = json.loads(line)
        value = record["value"]
        error = 1 - value if record["metric"] == "accuracy" else value
        errors[record["algorithm"], record["dataset"], record["n_features"], record["axis_cuts"]].append(error)
    means = {key: statistics.mean(values) for key, values in errors.items()}
    print("| algorithm | cuts of an axis | mean | worst |\n|---|---:|---:|---:|")
    for family in FAMILIES:
        for cuts in AXIS_CUTS:
            relative = []
            for name, d, _ in SETS:
                best = min(means[family, name, d, other] for other in AXIS_CUTS)
                relative.append(means[family, name, d, cuts] / best)
            print(f"| {family} | {cuts} | {statistics.mean(relative):.3f} | {max(relative):.3f} |")


if sys.argv[1:] == ["run"]:
    run()
else:
    table()
