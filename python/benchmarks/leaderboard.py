"""Our learners beside those of River, scikit-learn, LightGBM, XGBoost, CatBoost and CapyMOA, at their defaults: streams that are tested
then learned, and tables of which a part is held out.

    python python/benchmarks/leaderboard.py --out results/leaderboard             # hours; started again, it continues
    python python/benchmarks/leaderboard.py --out results/leaderboard --only streams --rows 2000 --seeds 2

It writes `streams` and `tables` in the folder, each with runs, tables and a page. Ours and the forests of others have 10 trees along streams
and 100 where rows are held out, boosting as many rounds as its library's default. A library that is not installed is left out, with a
message; named sets that are not in the data folder too.
"""

from __future__ import annotations

import argparse
import importlib.util
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

# Ours: one of each family.
OURS = ["mondrian", "amf", "stream-rf", "dynamic-extra-trees", "residual-forest", "adaptive", "boundary-forest"]


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
    yield "River leveraging bagging", lambda seed: ensemble.LeveragingBaggingClassifier(tree.HoeffdingTreeClassifier(), seed=seed)
    yield "River Hoeffding tree", tree.HoeffdingTreeClassifier()
    yield "River naive Bayes", naive_bayes.GaussianNB()
    yield "River k-NN", neighbors.KNNClassifier()
    yield "River ARF (numbers)", lambda seed: forest.ARFRegressor(seed=seed)
    yield "River AMF (numbers)", lambda seed: forest.AMFRegressor(seed=seed)


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

        yield "LightGBM", lambda seed: lightgbm.LGBMClassifier(random_state=seed, verbose=-1)
        yield "LightGBM (numbers)", lambda seed: lightgbm.LGBMRegressor(random_state=seed, verbose=-1)
    if has("xgboost"):
        import xgboost

        yield "XGBoost", lambda seed: Numbered(xgboost.XGBClassifier(random_state=seed))
        yield "XGBoost (numbers)", lambda seed: xgboost.XGBRegressor(random_state=seed)
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
    """Twelve streams and those that River ships; elec2 if it is in the data folder."""
    part = rows // 2
    made = [
        f"sea:n={rows}",
        f"led:n={rows}",
        f"stagger:n={rows}",
        f"sine:n={rows}",
        f"mixed:n={rows}",
        f"hyperplane:n={rows}",
        f"random-rbf:n={rows}",
        f"agrawal:n={rows},test=0,function=5",
        f"random-tree:n={rows},test=0",
        f"waveform:n={rows},test=0",
        f"drift(agrawal:n={rows},test=0,function=1; agrawal:n={rows},test=0,function=4; at={part}; width={rows // 10})",
        f"recur(random-tree:n={rows},test=0; random-tree:n={rows},test=0,seed=2; every={rows // 4})",
        f"friedman:n={rows},test=0",
        f"planes-2d:n={rows},test=0",
        f"mv:n={rows},test=0",
    ]
    return [*made, *named(["elec2", "airline"]), *(of_rivers_sets() if has("river") else [])]


def of_rivers_sets() -> list[Any]:
    from river import datasets

    return [datasets.Phishing(), datasets.ImageSegments(), datasets.Bananas()]


def tables(rows: int) -> list[Any]:
    """Twelve tables; those with a name if they are in the data folder."""
    from sklearn import datasets

    bundled = [(name, getattr(datasets, f"load_{name}")(return_X_y=True)) for name in ("breast_cancer", "wine", "digits", "diabetes")]
    made = [f"gaussian-mixture:n={rows}", f"friedman:n={rows}", f"mondrian-cube:n={rows}", f"agrawal:n={rows},function=8", f"mv:n={rows}"]
    files = named(["letter", "satimage", "dna", "usps", "pendigits", "california_housing", "king_county_housing"])
    return [*files, *((name, *pair) for name, pair in bundled), *made]


def named(names: list[str]) -> list[str]:
    folder = Path(os.environ.get("FOREST_DATA", "data"))
    found = [name for name in names if (folder / name).is_dir()]
    for name in set(names) - set(found):
        print(f"{name} is not in {folder}; it is left out", file=sys.stderr)
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, required=True, help="folder of the records; one that has some is continued")
    arguments.add_argument("--only", choices=["streams", "tables"], help="leave out the other half")
    arguments.add_argument("--rows", type=int, default=20_000, help="of generated data")
    arguments.add_argument("--seeds", type=int, default=5)
    arguments.add_argument("--time-limit", type=float, help="seconds of a run")
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    shared = {"seeds": given.seeds, "resume": True, "time_limit": given.time_limit}
    online = dict([*((name, name) for name in OURS), *(of_river() if has("river") else []), *(of_capymoa() if has("capymoa") else [])])
    if given.only != "tables":
        compare(online, streams(given.rows), protocol="prequential", out=given.out / "streams", **shared)
    if given.only != "streams":
        at_once = dict([*((name, name) for name in OURS), *offline()])
        compare(at_once, tables(given.rows), protocol="holdout", trees=100, out=given.out / "tables", **shared)


if __name__ == "__main__":
    main()
