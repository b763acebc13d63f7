"""Error at each budget scale, relative to the best of them, over all sets: mean (geometric) and worst."""

import collections
import json
import math
import pathlib

SCALES = [1, 2, 4, 8]

errors = collections.defaultdict(list)
for table in sorted(pathlib.Path(__file__).parent.glob("*.jsonl")):
    for line in table.read_text().splitlines():
        run = json.loads(line)
        error = 1 - run["value"] if run["metric"] == "accuracy" else run["value"]
        errors[run["algorithm"], run["dataset"], run["params"]["budget_scale"]].append(error)
mean = {key: sum(values) / len(values) for key, values in errors.items()}

print("| algorithm | scale | mean | worst |\n|---|---:|---:|---:|")
for algorithm in sorted({key[0] for key in mean}):
    sets = sorted({key[1] for key in mean if key[0] == algorithm})
    best = {name: min(mean[algorithm, name, scale] for scale in SCALES) for name in sets}
    for scale in SCALES:
        ratios = [mean[algorithm, name, scale] / best[name] for name in sets]
        average = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"| {algorithm} | {scale} | {average:.3f} | {max(ratios):.3f} |")
