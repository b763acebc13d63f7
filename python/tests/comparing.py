"""What tests of comparisons share."""

from __future__ import annotations

import numpy as np

from online_forests.compare import Results, compare


def rows(n: int = 120):
    """Rows of two features whose sum decides between "no" and "yes"."""
    x = np.random.default_rng(5).random((n, 2))
    return x, np.where(x.sum(axis=1) > 1, "yes", "no")


def pairs(n: int = 120):
    x, y = rows(n)
    return [({"a": a, "b": b}, label) for (a, b), label in zip(x.tolist(), y.tolist(), strict=True)]


class Latest:
    """Predicts the class of the row before."""

    label = None

    def learn_one(self, x, y):
        self.label = y

    def predict_one(self, x):
        return self.label


def run(learners, data=None, **options):
    options = {"protocol": "prequential", "seeds": 1, "progress": False} | options
    return compare(learners, [("mine", *rows())] if data is None else data, **options)


def outcome(results: Results) -> dict:
    """The metrics or the error of each learner."""
    return {record["label"]: record.get("error", record.get("metrics")) for record in results.records}
