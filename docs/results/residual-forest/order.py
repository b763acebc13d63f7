"""Tables learned in random order, sorted by their target, and downwards, by ours and others: what docs/papers/residual-forest.md says of others.

pip install './python[sklearn,river]' catboost
python docs/results/residual-forest/order.py results/order > order.md    # started again, it continues
"""

import os
import sys
import warnings
from pathlib import Path
from statistics import mean

os.environ.setdefault("OMP_NUM_THREADS", "1")

from catboost import CatBoostClassifier, CatBoostRegressor
from river import forest
from sklearn import datasets, ensemble

from online_forests.compare import compare

SEEDS = 3
ORDERS = {"shuffled": "random", "sorted": "sorted", "sorted-descending": "downwards"}
QUIET = {"verbose": 0, "thread_count": 1, "allow_writing_files": False}
LEARNERS = {
    "residual-forest": "residual-forest",
    "dynamic-extra-trees": "dynamic-extra-trees",
    "amf": "amf",
    "River AMF": lambda seed: forest.AMFClassifier(seed=seed),
    "River ARF": lambda seed: forest.ARFClassifier(seed=seed),
    "River AMF (numbers)": lambda seed: forest.AMFRegressor(seed=seed),
    "River ARF (numbers)": lambda seed: forest.ARFRegressor(seed=seed),
    "HistGradientBoosting": lambda seed: ensemble.HistGradientBoostingClassifier(random_state=seed),
    "HistGradientBoosting (numbers)": lambda seed: ensemble.HistGradientBoostingRegressor(random_state=seed),
    "CatBoost": lambda seed: CatBoostClassifier(random_seed=seed, **QUIET),
    "CatBoost (numbers)": lambda seed: CatBoostRegressor(random_seed=seed, **QUIET),
}


def tables():
    bundled = [(name, *getattr(datasets, f"load_{name}")(return_X_y=True)) for name in ("breast_cancer", "digits", "diabetes")]
    return [*bundled, "friedman:n=2000,test=500"]


def main(folder):
    warnings.simplefilter("ignore")
    errors = {}
    for order in ORDERS:
        found = compare(LEARNERS, tables(), protocol="holdout", seeds=SEEDS, trees=100, order=order, scale="none", out=folder / order, resume=True)
        for record in found.records:
            measured = record.get("metrics")
            if measured:
                is_classes = record["task"] == "classification"
                value = [measured["accuracy"], measured["log_loss"]] if is_classes else [measured["rmse"]]
                name = record["algorithm"].removesuffix(" (numbers)")
                errors.setdefault((record["dataset"], name), {}).setdefault(order, []).append(value)
    print("| table | learner | " + " | ".join(ORDERS.values()) + " |\n|---|---|" + "---|" * len(ORDERS))
    for (table, learner), by_order in errors.items():
        cells = [" / ".join(f"{mean(column):.4g}" for column in zip(*by_order[order], strict=True)) for order in ORDERS]
        print(f"| {table} | {learner} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
