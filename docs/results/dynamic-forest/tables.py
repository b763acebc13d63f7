"""The tables of README.md, from the CSV files beside it: python3 docs/results/dynamic-forest/tables.py

A table of tables.csv begins with a line `# name`, prequential.csv is one by itself.
"""

import csv
import math
import statistics
from pathlib import Path

FOLDER = Path(__file__).parent
SCIKIT_LEARN_NAMES = {"friedman:d=5,n=16000,test=4000": "friedman5", "friedman:d=10,n=16000,test=4000": "friedman10"}


def lines(name):
    """The lines of a table, its header among them."""
    if name == "prequential":
        return (FOLDER / "prequential.csv").read_text().splitlines()
    tables = (FOLDER / "tables.csv").read_text().split("# ")
    return next(table.splitlines()[1:] for table in tables if table.startswith(name + "\n"))


def runs(name, *columns):
    """Rows of a table by the values of these columns, in its order."""
    groups = {}
    for row in csv.DictReader(lines(name)):
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return groups


def median(rows, column):
    return statistics.median(float(row[column]) for row in rows)


def score(rows):
    values = [float(row["score"]) for row in rows]
    mean = statistics.mean(values)
    digits = 4 if mean < 100 else 0
    spread = f" ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{mean:.{digits}f}{spread}"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---" + "|---:" * (len(head) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def beside_scikit_learn():
    ours, theirs = runs("cost", "data", "learner"), runs("scikit-learn", "data")
    for data in dict.fromkeys(data for data, _ in ours):
        other = theirs[(SCIKIT_LEARN_NAMES.get(data, data),)]
        batch, lazy = ours[data, "dynamic batch"], ours[data, "dynamic 0.5"]
        ratio = median(other, "learn_micros") / median(batch, "learn_micros")
        yield [f"`{data}`", score(other), score(batch), score(lazy), f"{ratio:.1f}"]


def cost():
    for (data, learner), rows in runs("cost", "data", "learner").items():
        columns = [f"{median(rows, 'learn_micros'):.2f}", f"{median(rows, 'predict_micros'):.2f}", f"{median(rows, 'bytes'):.0f}"]
        yield [f"`{data}`", learner.removeprefix("dynamic "), rows[0]["trees"], *columns]


def growth():
    points = {}
    for (data, learner), rows in runs("growth", "data", "learner").items():
        size = int(data.split("n=")[1].split(",")[0])
        points.setdefault((data.split(":")[0], learner), []).append((size, median(rows, "learn_micros")))
    for (data, learner), measured in points.items():
        power = slope([(math.log(math.log(n)), math.log(micros)) for n, micros in measured])
        yield [f"`{data}`", learner.removeprefix("dynamic "), *(f"{micros:.2f}" for _, micros in measured), f"{power:.1f}"]


def slope(points):
    """Least squares."""
    x, y = (statistics.mean(values) for values in zip(*points))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def recheck():
    for (data, learner), rows in runs("recheck", "data", "learner").items():
        yield [f"`{data}`", learner.removeprefix("dynamic "), score(rows), f"{median(rows, 'learn_micros'):.2f}"]


def forgetting():
    for (data, learner), rows in runs("forgetting", "data", "learner").items():
        row = rows[0]
        yield [f"`{data}`", learner.removeprefix("dynamic "), row["samples"], row["forget_micros"], row["build_millis"], row["ratio"]]


def dare():
    """A row for each size; a learner is left out where it was not run."""
    for (samples,), rows in runs("dare", "samples").items():
        of = {row["learner"]: row for row in rows}
        features = rows[0]["data"].split("d=")[1].split(",")[0]
        cells = [of[learner][column] if learner in of else "–" for learner in DELETING for column in ("forget_micros", "ratio")]
        yield [f"{int(samples):,}", features, *cells]


DELETING = ["dare-rf 1.1.4", "dynamic 0.5", "dynamic 0"]


def prequential():
    """At the last row that all learners have reached."""
    groups = {}
    for (data, learner), rows in runs("prequential", "data", "learner").items():
        groups.setdefault(data, {})[learner] = [(int(row["rows"]), float(row["score"])) for row in rows]
    for data, curves in groups.items():
        last = min(points[-1][0] for points in curves.values())
        whole = max(points[-1][0] for points in curves.values())
        at = {learner: min(points, key=lambda point: abs(point[0] - last))[1] for learner, points in curves.items()}
        scores = [[score for learner, score in at.items() if learner.endswith(name)] for name in COLUMNS]
        cells = [short(found[0]) if found else "–" for found in scores]
        yield [data, f"{last:,}" if last == whole else f"{last:,} of {whole:,}", *cells]


COLUMNS = ["no-change", "mondrian", " amf", " arf", "dynamic-extra-trees"]


def short(score):
    return f"{score:.4f}" if score < 10 else f"{score:.4g}" if score > 1e6 else f"{score:.0f}" if score > 1000 else f"{score:.2f}"


def beside_river():
    for row in csv.DictReader(lines("beside-river")):
        yield [row["data"], row["learner"], f"{int(row['rows']):,}", row["learn_micros"], row["predict_micros"] or "–"]


def elec2():
    for (learner, _), rows in runs("elec2", "learner", "trees").items():
        scores = {row["features"]: f"{float(row['score']):.4f}" for row in rows}
        yield [f"`{learner}`" if "," not in learner or ":" in learner else learner, scores["8"], scores["6"]]


def importances():
    for learner, data, trees, *shares in list(csv.reader(lines("importances")))[1:]:
        yield [data, learner, ", ".join(share.removeprefix("0") for share in shares)]


table(["data", "scikit-learn", "built at once", "lazy, ε = ½", "times as fast to build"], beside_scikit_learn())
table(["data", "recheck", "trees", "µs to learn", "µs to predict", "bytes"], cost())
sizes = ["1,000", "4,000", "16,000", "64,000", "256,000", "1,000,000", "power of ln n"]
table(["data", "recheck", *sizes], growth())
table(["data", "recheck", "score", "µs to learn"], recheck())
table(["data", "recheck", "samples", "µs to forget", "ms to build", "ratio"], forgetting())
names = ["dare-rf", "0.5", "0"]
table(["rows", "features", *(f"{name}: {what}" for name in names for what in ("µs", "ratio"))], dare())
table(["data", "rows", "no-change", "mondrian", "River's AMF", "River's ARF", "dynamic-extra-trees"], prequential())
table(["data", "learner", "rows", "µs to learn", "µs to predict"], beside_river())
table(["learner", "8 features", "6 features"], elec2())
table(["data", "learner", "importances"], importances())
