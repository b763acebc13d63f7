"""Learners of CapyMOA that take tensors."""

from __future__ import annotations

from typing import Any

import capymoa.base
import torch

from online_forests.capymoa import Classifier, Regressor


class BatchClassifier(Classifier, capymoa.base.BatchClassifier):
    """A :class:`online_forests.capymoa.Classifier` that also takes batches, which mean their rows one after another."""

    def batch_train(self, x: torch.Tensor, y: torch.Tensor) -> None:
        """Learn the rows, one after another."""
        self._core.learn(x.numpy(), y.numpy())

    def batch_predict_proba(self, x: torch.Tensor) -> torch.Tensor:
        """Predict the probability of each class, a row for each row."""
        return torch.from_numpy(self._core.predict(x.numpy()))


class BatchRegressor(Regressor, capymoa.base.BatchRegressor):
    """A :class:`online_forests.capymoa.Regressor` that also takes batches, which mean their rows one after another."""

    y_dtype: Any = torch.float64

    def batch_train(self, x: torch.Tensor, y: torch.Tensor) -> None:
        """Learn the rows, one after another."""
        self._core.learn(x.numpy(), y.numpy())

    def batch_predict(self, x: torch.Tensor) -> torch.Tensor:
        """Predict the mean of the targets at each row."""
        return torch.from_numpy(self._core.predict(x.numpy())[:, 0])
