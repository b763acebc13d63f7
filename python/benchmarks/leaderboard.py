"""Our learners beside those of River, onelearn, scikit-learn, LightGBM, XGBoost, CatBoost and CapyMOA.

All have their defaults. Rows of streams are tested, then learned; of tables, a part is held out.

    python python/benchmarks/leaderboard.py --out results/leaderboard             # hours; started again, it continues
    python python/benchmarks/leaderboard.py --out results/leaderboard --only streams --rows 2000 --seeds 2
    python python/benchmarks/leaderboard.py --out results/leaderboard --keep docs/results/peers    # runs nothing

It writes `streams`, `tables` and `first-page` (the table of README.md) in the folder, each with runs, tables and a
page. Ours and the forests of others have 10 trees along streams and 100 where rows are held out, boosting as many
rounds as its library's default. A library that is not installed is left out, with a message; named sets that are not in
the data folder too.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

# Before the libraries are loaded, which read it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from online_forests.compare import compare

# Ours: one of each family, and what changes along a stream.
OURS = ["mondrian", "amf", "stream-rf", "dynamic-extra-trees", "residual-forest", "boundary-forest"]
ALONG_STREAMS = ["adaptive", "amf:update=new-point-only", "residual-forest:recent=40/400"]


def has(library: str) -> bool:
    found = importlib.util.find_spec(library) is not None
    if not found:
        print(f"{library} is not installed; its learners are left out", file=sys.stderr)
    return found


def of_river() -> Iterator[tuple[str, Any]]:
    from river import ensemble, forest, naive_bayes, neighbors, tree

    yield "River ARF", lambda seed: forest.ARFClassifier(seed=seed)
    yield "River AMF", lambda seed: forest.AMFClassifier(seed=seed)
    yield "River SRP", lambda seed: ensemble.SRPClassifier(seed=seed)
    yield (
        "River leveraging bagging",
        lambda seed: ensemble.LeveragingBaggingClassifier(tree.HoeffdingTreeClassifier(), seed=seed),
    )
    yield "River Hoeffding tree", tree.HoeffdingTreeClassifier()
    yield "River naive Bayes", naive_bayes.GaussianNB()
    yield "River k-NN", neighbors.KNNClassifier()
    yield "River ARF (numbers)", lambda seed: forest.ARFRegressor(seed=seed)
    yield "River AMF (numbers)", lambda seed: forest.AMFRegressor(seed=seed)


def online() -> dict[str, Any]:
    ours = ((name, name) for name in [*OURS, *ALONG_STREAMS])
    return dict([*ours, *(of_river() if has("river") else []), *(of_capymoa() if has("capymoa") else [])])


def at_once() -> dict[str, Any]:
    return dict([*((name, name) for name in OURS), *offline()])


def of_capymoa() -> Iterator[tuple[str, Any]]:
    from capymoa import classifier, regressor

    for name, made in [
        ("CapyMOA ARF", classifier.AdaptiveRandomForestClassifier),
        ("CapyMOA SRP", classifier.StreamingRandomPatches),
        ("CapyMOA SGBT", classifier.StreamingGradientBoostedTrees),
        ("CapyMOA SOKNL (numbers)", regressor.SOKNL),
    ]:
        yield name, partial(_of_schema, made)


def _of_schema(made: Callable[..., Any], seed: int, schema: Any) -> Any:
    return made(schema=schema, random_seed=seed + 1)


def offline() -> Iterator[tuple[str, Any]]:
    from sklearn import ensemble

    def forests(kind: str) -> tuple[str, Any]:
        return kind, lambda seed: getattr(ensemble, kind)(random_state=seed)

    for kind in ("ExtraTrees", "RandomForest", "HistGradientBoosting"):
        yield from (forests(f"{kind}{task}") for task in ("Classifier", "Regressor"))
    if has("lightgbm"):
        import lightgbm

        yield "LightGBM", lambda seed: lightgbm.LGBMClassifier(random_state=seed, n_jobs=1, verbose=-1)
        yield "LightGBM (numbers)", lambda seed: lightgbm.LGBMRegressor(random_state=seed, n_jobs=1, verbose=-1)
    if has("xgboost"):
        import xgboost

        yield "XGBoost", lambda seed: Numbered(xgboost.XGBClassifier(random_state=seed, n_jobs=1))
        yield "XGBoost (numbers)", lambda seed: xgboost.XGBRegressor(random_state=seed, n_jobs=1)
    if has("catboost"):
        import catboost

        settings = {"verbose": 0, "thread_count": 1, "allow_writing_files": False}
        yield "CatBoost", lambda seed: catboost.CatBoostClassifier(random_seed=seed, **settings)
        yield "CatBoost (numbers)", lambda seed: catboost.CatBoostRegressor(random_seed=seed, **settings)


class Numbered:
    """A classifier that takes classes as numbers only."""

    _estimator_type = "classifier"

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, rows: Any, labels: Any) -> None:
        import numpy as np

        self.classes_, numbers = np.unique(labels, return_inverse=True)
        self.model.fit(rows, numbers)

    def predict(self, rows: Any) -> Any:
        return self.classes_[self.model.predict(rows)]

    def predict_proba(self, rows: Any) -> Any:
        return self.model.predict_proba(rows)


def streams(rows: int) -> list[Any]:
    """Streams without and with changes of the concept, and those that River ships."""
    made = [
        f"sea:n={rows}",
        f"sine:n={rows}",
        f"hyperplane:n={rows}",
        f"random-rbf:n={rows}",
        f"agrawal:n={rows},test=0,function=5",
        f"random-tree:n={rows},test=0",
        f"drift(agrawal:n={rows},test=0,function=1; agrawal:n={rows},test=0,function=4; "
        f"at={rows // 2}; width={rows // 10})",
        f"recur(random-tree:n={rows},test=0; random-tree:n={rows},test=0,seed=2; every={rows // 4})",
        f"friedman:n={rows},test=0",
        f"planes-2d:n={rows},test=0",
        f"mv:n={rows},test=0",
    ]
    return [*made, *(of_rivers_sets() if has("river") else [])]


def of_rivers_sets() -> list[Any]:
    from river import datasets

    return [datasets.Phishing(), datasets.ImageSegments(), datasets.Bananas()]


def tables(rows: int) -> list[Any]:
    """Tables of classes and of numbers; those with a name if they are in the data folder."""
    from sklearn import datasets

    bundled = [
        (name, getattr(datasets, f"load_{name}")(return_X_y=True))
        for name in ("breast_cancer", "wine", "digits", "diabetes")
    ]
    made = [
        f"gaussian-mixture:n={rows}",
        f"friedman:n={rows}",
        f"mondrian-cube:n={rows}",
        f"agrawal:n={rows},function=8",
        f"mv:n={rows}",
    ]
    files = named(["letter", "satimage", "dna", "pendigits", "california_housing", "king_county_housing"])
    return [*files, *((name, *pair) for name, pair in bundled), *made]


def named(names: list[str]) -> list[str]:
    folder = Path(os.environ.get("FOREST_DATA", "data"))
    found = [name for name in names if (folder / name).is_dir()]
    for name in set(names) - set(found):
        print(f"{name} is not in {folder}; it is left out", file=sys.stderr)
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument(
        "--out", type=Path, required=True, help="folder of the records; one that has some is continued"
    )
    arguments.add_argument("--only", choices=list(PARTS), help="leave out the other parts")
    arguments.add_argument("--rows", type=int, default=4_000, help="of generated data")
    arguments.add_argument("--seeds", type=int, default=5)
    arguments.add_argument("--time-limit", type=float, help="seconds of a run")
    arguments.add_argument(
        "--keep", type=Path, help="folder to which the records are packed, without their curves along streams"
    )
    given = arguments.parse_args()
    if given.keep:
        for name in PARTS:
            keep(given.out / name / "runs.jsonl", given.keep / f"{name}.jsonl.gz")
        return
    warnings.simplefilter("ignore")
    shared = {"resume": True, "time_limit": given.time_limit}
    for name, compare_part in PARTS.items():
        if given.only in (None, name):
            compare_part(given.rows, seeds=given.seeds, out=given.out / name, **shared)


def keep(runs: Path, kept: Path) -> None:
    """Writes the records of a part without their curves, in an order that does not depend on when they were made.

    Learners keep the order of their first records.
    """
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


def compare_streams(rows: int, **shared: Any) -> None:
    short = streams(rows)
    # The longest stream comes last.
    for data in (short, [*short, *named(["elec2"])]):
        by_seeds(online(), data, protocol="prequential", **shared)


def compare_tables(rows: int, **shared: Any) -> None:
    by_seeds(at_once(), tables(rows), protocol="holdout", trees=100, **shared)


def compare_first_page(_: int, **shared: Any) -> None:
    """Friedman's function with as many rows as the page says, and its targets as they are."""
    data = ["friedman:n=16000,test=4000"]
    for trees, learners in ((10, ten_trees()), (100, hundred_trees())):
        by_seeds(learners, data, protocol="holdout", trees=trees, scale="none", **shared)


def ten_trees() -> dict[str, Any]:
    learners: dict[str, Any] = {"amf": "amf", "mondrian": "mondrian"}
    if has("river"):
        from river import forest

        learners["River AMF"] = lambda seed: forest.AMFRegressor(seed=seed)
        learners["River ARF"] = lambda seed: forest.ARFRegressor(seed=seed)
    if has("onelearn"):
        learners["onelearn AMF"] = of_onelearn
    return learners


def hundred_trees() -> dict[str, Any]:
    ours = ((name, name) for name in ("dynamic-extra-trees", "residual-forest"))
    return dict([*ours, *offline()])


def of_onelearn(seed: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import numpy as np
        import numpy.core.numeric

        # onelearn 0.3 looks for this where numpy 1 had it.
        numpy.core.numeric.ComplexWarning = np.exceptions.ComplexWarning
        from onelearn import AMFRegressor

    # It compiles what it runs: what a learner costs does not depend on which one is the first.
    first = AMFRegressor(n_estimators=1, verbose=False)
    first.partial_fit(np.eye(5), np.arange(5.0))
    first.predict(np.eye(5))
    return AMFRegressor(n_estimators=10, random_state=seed, verbose=False)


PARTS = {"streams": compare_streams, "tables": compare_tables, "first-page": compare_first_page}


def by_seeds(learners: dict[str, Any], data: list[Any], *, seeds: int, **shared: Any) -> None:
    """Compares seed by seed, so that every learner has as many if it is stopped."""
    for count in range(1, seeds + 1):
        compare(learners, data, seeds=count, **shared)


if __name__ == "__main__":
    main()
