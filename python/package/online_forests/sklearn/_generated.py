"""Estimators of scikit-learn, one for each algorithm.

Written by `python tools/generate.py` from what the algorithms declare in Rust; not to be edited.
"""

from __future__ import annotations

from math import inf
from typing import Any, Literal

import numpy as np

from online_forests.sklearn._base import (
    OnlineForestClassifier,
    OnlineForestRegressor,
    WeightedForestClassifier,
    WeightedForestRegressor,
)

__all__ = [
    "MondrianClassifier",
    "MondrianRegressor",
    "MondrianIncreasingClassifier",
    "MondrianIncreasingRegressor",
    "Mondrian2014Classifier",
    "Mondrian2016Regressor",
    "AMFClassifier",
    "AMFRegressor",
    "ObspClassifier",
    "ObspRegressor",
    "ObspFixedClassifier",
    "ObspFixedRegressor",
    "ObspRedrawClassifier",
    "ObspRedrawRegressor",
    "ObspHierarchicalClassifier",
    "ObspHierarchicalRegressor",
    "URTFClassifier",
    "URTFRegressor",
    "WURTFClassifier",
    "WURTFRegressor",
    "SparseClassifier",
    "SparseRegressor",
    "DirectionsClassifier",
    "DirectionsRegressor",
    "MRTFClassifier",
    "MRTFRegressor",
    "WMRTFClassifier",
    "WMRTFRegressor",
    "URTFIncreasingClassifier",
    "URTFIncreasingRegressor",
    "WURTFIncreasingClassifier",
    "WURTFIncreasingRegressor",
    "MRTFIncreasingClassifier",
    "MRTFIncreasingRegressor",
    "WMRTFIncreasingClassifier",
    "WMRTFIncreasingRegressor",
    "SparseIncreasingClassifier",
    "SparseIncreasingRegressor",
    "DirectionsIncreasingClassifier",
    "DirectionsIncreasingRegressor",
    "AggregatedObspClassifier",
    "AggregatedObspRegressor",
    "AggregatedURTFClassifier",
    "AggregatedURTFRegressor",
    "AggregatedDirectionsClassifier",
    "AggregatedDirectionsRegressor",
    "DynamicExtraTreesClassifier",
    "DynamicExtraTreesRegressor",
    "ResidualForestRegressor",
    "BoundaryForestClassifier",
    "BoundaryForestRegressor",
    "StreamRFClassifier",
    "StreamRFRegressor",
    "SaffariClassifier",
    "SaffariRegressor",
    "AdaptiveClassifier",
    "AdaptiveRegressor",
    "ConformalRegressor",
    "RowPartsClassifier",
    "RowPartsRegressor",
    "MajorityClassifier",
    "MeanRegressor",
    "MovingMeanRegressor",
    "NoChangeClassifier",
    "NoChangeRegressor",
]


class MondrianClassifier(WeightedForestClassifier):
    """Axis-aligned cuts up to a fixed budget; the online tree has the batch law.

    Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, NIPS 2014.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="pure"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import MondrianClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> MondrianClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "mondrian"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "pure",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "pure",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class MondrianRegressor(WeightedForestRegressor):
    """Axis-aligned cuts up to a fixed budget; the online tree has the batch law.

    Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, NIPS 2014.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="pure"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import MondrianRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> MondrianRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "mondrian"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "pure",
        "update": "conditional",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "pure",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MondrianIncreasingClassifier(WeightedForestClassifier):
    """Axis-aligned cuts up to a budget that grows with the number of samples.

    Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online Mondrian Forests, NIPS 2017.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import MondrianIncreasingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> MondrianIncreasingClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "mondrian-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class MondrianIncreasingRegressor(WeightedForestRegressor):
    """Axis-aligned cuts up to a budget that grows with the number of samples.

    Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online Mondrian Forests, NIPS 2017.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import MondrianIncreasingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> MondrianIncreasingRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "mondrian-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Mondrian2014Classifier(OnlineForestClassifier):
    """Axis-aligned cuts; class probabilities smoothed along the path, and points branch off.

    Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, NIPS 2014.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="pure"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    discount : float, default=10.0
        How fast a node forgets its parent's class probabilities (γ), as a multiple of the number of features. A
        finite number of at least 0.
    branch_counts : {"tables", "customers"}, default="tables"
        What a branch counts of the node it is put above: its classes, or, as the authors' code, its customers. One
        of tables, customers.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import Mondrian2014Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> Mondrian2014Classifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "mondrian-2014"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "pure",
        "vote": "frequencies",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "discount": 10.0,
        "branch_counts": "tables",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "pure",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        discount: float = 10.0,
        branch_counts: Literal["tables", "customers"] = "tables",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.vote = vote
        self.window = window
        self.max_nodes = max_nodes
        self.discount = discount
        self.branch_counts = branch_counts
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class Mondrian2016Regressor(OnlineForestRegressor):
    """Axis-aligned cuts; means smoothed along the path, with variances and intervals.

    Lakshminarayanan, Roy, Teh: Mondrian Forests for Large-Scale Regression when Uncertainty Matters, AISTATS 2016.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    hyperparameters : {"leave-one-out", "evidence", "paper"}, default="leave-one-out"
        Noise and slope: as in the paper; of most evidence; or these, with variances scaled to leave-one-out errors.
        One of leave-one-out, evidence, paper.
    variance : {"of-mean", "mixture"}, default="of-mean"
        Of an answer: the expected square error of the mean of the trees, or that of the paper's mixture of trees.
        One of of-mean, mixture.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import Mondrian2016Regressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> Mondrian2016Regressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "mondrian-2016"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "hyperparameters": "leave-one-out",
        "variance": "of-mean",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        hyperparameters: Literal["leave-one-out", "evidence", "paper"] = "leave-one-out",
        variance: Literal["of-mean", "mixture"] = "of-mean",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.window = window
        self.max_nodes = max_nodes
        self.hyperparameters = hyperparameters
        self.variance = variance
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AMFClassifier(WeightedForestClassifier):
    """Axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses.

    Mourtada, Gaïffas, Scornet: AMF: Aggregated Mondrian Forests for Online Learning, JRSS B 2021.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="pure"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    dirichlet : float or {"by-classes"}, default="by-classes"
        Added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more. A finite number of at least
        0, or by-classes.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import AMFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AMFClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "amf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "pure",
        "update": "conditional",
        "vote": "frequencies",
        "max_nodes": "unlimited",
        "step": None,
        "first_loss": "by-features",
        "dirichlet": "by-classes",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "pure",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.max_nodes = max_nodes
        self.step = step
        self.first_loss = first_loss
        self.dirichlet = dirichlet
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class AMFRegressor(WeightedForestRegressor):
    """Axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses.

    Mourtada, Gaïffas, Scornet: AMF: Aggregated Mondrian Forests for Online Learning, JRSS B 2021.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="pure"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import AMFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> AMFRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "amf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "pure",
        "update": "conditional",
        "max_nodes": "unlimited",
        "step": None,
        "first_loss": "by-features",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "pure",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.max_nodes = max_nodes
        self.step = step
        self.first_loss = first_loss
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspClassifier(WeightedForestClassifier):
    """Cuts oblique in two axes, a growing budget; the online tree has the batch law.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import ObspClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObspClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "obsp"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 3,
        "pause": "never",
        "vote": "frequencies",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        vote: Literal["frequencies", "majority"] = "frequencies",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.vote = vote
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspRegressor(WeightedForestRegressor):
    """Cuts oblique in two axes, a growing budget; the online tree has the batch law.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import ObspRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ObspRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "obsp"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 3,
        "pause": "never",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspFixedClassifier(WeightedForestClassifier):
    """Cuts oblique in two axes up to a fixed budget.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import ObspFixedClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObspFixedClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "obsp-fixed"
    _defaults = {
        "budget": inf,
        "min_points": 3,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspFixedRegressor(WeightedForestRegressor):
    """Cuts oblique in two axes up to a fixed budget.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import ObspFixedRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ObspFixedRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "obsp-fixed"
    _defaults = {
        "budget": inf,
        "min_points": 3,
        "pause": "never",
        "update": "conditional",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspRedrawClassifier(WeightedForestClassifier):
    """The paper's Algorithm 4 as printed: leaves drawn anew at every arrival.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget_scale : float, default=1.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    vote : {"frequencies", "majority"}, default="majority"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import ObspRedrawClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObspRedrawClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "obsp-redraw"
    _defaults = {
        "budget_scale": 1.0,
        "budget_power": None,
        "min_points": 3,
        "pause": "never",
        "vote": "majority",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 1.0,
        budget_power: float | None = None,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        vote: Literal["frequencies", "majority"] = "majority",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.vote = vote
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspRedrawRegressor(WeightedForestRegressor):
    """The paper's Algorithm 4 as printed: leaves drawn anew at every arrival.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget_scale : float, default=1.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import ObspRedrawRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ObspRedrawRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "obsp-redraw"
    _defaults = {
        "budget_scale": 1.0,
        "budget_power": None,
        "min_points": 3,
        "pause": "never",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 1.0,
        budget_power: float | None = None,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspHierarchicalClassifier(OnlineForestClassifier):
    """Cuts oblique in two axes; predictions smoothed along the path, and points branch off.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    discount : float, default=10.0
        How fast a node forgets its parent's class probabilities (γ), as a multiple of the number of features. A
        finite number of at least 0.
    branch_counts : {"tables", "customers"}, default="tables"
        What a branch counts of the node it is put above: its classes, or, as the authors' code, its customers. One
        of tables, customers.
    draws : int, default=16
        Simulated insertions that tell where a point may leave its path, for each prediction of a tree. A whole
        number of at least 1.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import ObspHierarchicalClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObspHierarchicalClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "obsp-hierarchical"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 3,
        "pause": "never",
        "vote": "frequencies",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "discount": 10.0,
        "branch_counts": "tables",
        "draws": 16,
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        vote: Literal["frequencies", "majority"] = "frequencies",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        discount: float = 10.0,
        branch_counts: Literal["tables", "customers"] = "tables",
        draws: int = 16,
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.vote = vote
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.discount = discount
        self.branch_counts = branch_counts
        self.draws = draws
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class ObspHierarchicalRegressor(OnlineForestRegressor):
    """Cuts oblique in two axes; predictions smoothed along the path, and points branch off.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=3
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    draws : int, default=16
        Simulated insertions that tell where a point may leave its path, for each prediction of a tree. A whole
        number of at least 1.
    hyperparameters : {"leave-one-out", "evidence", "paper"}, default="leave-one-out"
        Noise and slope: as in the paper; of most evidence; or these, with variances scaled to leave-one-out errors.
        One of leave-one-out, evidence, paper.
    variance : {"of-mean", "mixture"}, default="of-mean"
        Of an answer: the expected square error of the mean of the trees, or that of the paper's mixture of trees.
        One of of-mean, mixture.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import ObspHierarchicalRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ObspHierarchicalRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "obsp-hierarchical"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 3,
        "pause": "never",
        "rate": 0.5,
        "window": "unlimited",
        "max_nodes": "unlimited",
        "draws": 16,
        "hyperparameters": "leave-one-out",
        "variance": "of-mean",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 3,
        pause: Literal["pure", "never"] = "never",
        rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        draws: int = 16,
        hyperparameters: Literal["leave-one-out", "evidence", "paper"] = "leave-one-out",
        variance: Literal["of-mean", "mixture"] = "of-mean",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.rate = rate
        self.window = window
        self.max_nodes = max_nodes
        self.draws = draws
        self.hyperparameters = hyperparameters
        self.variance = variance
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class URTFClassifier(WeightedForestClassifier):
    """Cuts of every direction alike, up to a fixed budget; the online tree has the batch law.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import URTFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> URTFClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "urtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class URTFRegressor(WeightedForestRegressor):
    """Cuts of every direction alike, up to a fixed budget; the online tree has the batch law.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import URTFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> URTFRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "urtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class WURTFClassifier(WeightedForestClassifier):
    """Cuts whose normals are weighted by feature, up to a fixed budget.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the standard deviation of a normal's entry. Numbers of at least 0,
        separated by /, or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import WURTFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> WURTFClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "wurtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class WURTFRegressor(WeightedForestRegressor):
    """Cuts whose normals are weighted by feature, up to a fixed budget.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the standard deviation of a normal's entry. Numbers of at least 0,
        separated by /, or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import WURTFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> WURTFRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "wurtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SparseClassifier(WeightedForestClassifier):
    """Cuts of every direction alike among a few random features.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    features : int, default=3
        Features that a cut reads; 1: axis-aligned, 2: pairs of axes. A whole number of at least 1.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import SparseClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SparseClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "sparse"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "features": 3,
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        features: int = 3,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class SparseRegressor(WeightedForestRegressor):
    """Cuts of every direction alike among a few random features.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    features : int, default=3
        Features that a cut reads; 1: axis-aligned, 2: pairs of axes. A whole number of at least 1.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import SparseRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> SparseRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "sparse"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "features": 3,
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        features: int = 3,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class DirectionsClassifier(WeightedForestClassifier):
    """Cuts along a finite set of directions that each tree draws for itself.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    directions : int, default=50
        Directions of a tree. A whole number of at least 1.
    features : int or {"all"}, default="all"
        Features that a direction reads, chosen at random. A whole number of at least 1, or all.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import DirectionsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> DirectionsClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "directions"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "directions": 50,
        "features": "all",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        directions: int = 50,
        features: int | Literal["all"] = "all",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.directions = directions
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class DirectionsRegressor(WeightedForestRegressor):
    """Cuts along a finite set of directions that each tree draws for itself.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    directions : int, default=50
        Directions of a tree. A whole number of at least 1.
    features : int or {"all"}, default="all"
        Features that a direction reads, chosen at random. A whole number of at least 1, or all.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import DirectionsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> DirectionsRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "directions"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "directions": 50,
        "features": "all",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        directions: int = 50,
        features: int | Literal["all"] = "all",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.directions = directions
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MRTFClassifier(WeightedForestClassifier):
    """The Mondrian process as a tessellation: axis-aligned cuts, up to a fixed budget.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import MRTFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> MRTFClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "mrtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class MRTFRegressor(WeightedForestRegressor):
    """The Mondrian process as a tessellation: axis-aligned cuts, up to a fixed budget.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import MRTFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> MRTFRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "mrtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class WMRTFClassifier(WeightedForestClassifier):
    """Axis-aligned cuts whose features have weights, up to a fixed budget.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the rate of cuts across it. Numbers of at least 0, separated by /,
        or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import WMRTFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> WMRTFClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "wmrtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class WMRTFRegressor(WeightedForestRegressor):
    """Axis-aligned cuts whose features have weights, up to a fixed budget.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the rate of cuts across it. Numbers of at least 0, separated by /,
        or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import WMRTFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> WMRTFRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "wmrtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class URTFIncreasingClassifier(WeightedForestClassifier):
    """As urtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float or None, default=None
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0; by default
        8/c_d.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import URTFIncreasingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> URTFIncreasingClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "urtf-increasing"
    _defaults = {
        "budget_scale": None,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float | None = None,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class URTFIncreasingRegressor(WeightedForestRegressor):
    """As urtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float or None, default=None
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0; by default
        8/c_d.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import URTFIncreasingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> URTFIncreasingRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "urtf-increasing"
    _defaults = {
        "budget_scale": None,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float | None = None,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class WURTFIncreasingClassifier(WeightedForestClassifier):
    """As wurtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float or None, default=None
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0; by default
        8/c_d.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the standard deviation of a normal's entry. Numbers of at least 0,
        separated by /, or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import WURTFIncreasingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> WURTFIncreasingClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "wurtf-increasing"
    _defaults = {
        "budget_scale": None,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float | None = None,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class WURTFIncreasingRegressor(WeightedForestRegressor):
    """As wurtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float or None, default=None
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0; by default
        8/c_d.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the standard deviation of a normal's entry. Numbers of at least 0,
        separated by /, or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import WURTFIncreasingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> WURTFIncreasingRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "wurtf-increasing"
    _defaults = {
        "budget_scale": None,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float | None = None,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MRTFIncreasingClassifier(WeightedForestClassifier):
    """As mrtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import MRTFIncreasingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> MRTFIncreasingClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "mrtf-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class MRTFIncreasingRegressor(WeightedForestRegressor):
    """As mrtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import MRTFIncreasingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> MRTFIncreasingRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "mrtf-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class WMRTFIncreasingClassifier(WeightedForestClassifier):
    """As wmrtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the rate of cuts across it. Numbers of at least 0, separated by /,
        or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import WMRTFIncreasingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> WMRTFIncreasingClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "wmrtf-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class WMRTFIncreasingRegressor(WeightedForestRegressor):
    """As wmrtf, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    weights : str, default="equal"
        Weight of each feature, separated by `/`: the rate of cuts across it. Numbers of at least 0, separated by /,
        or equal.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import WMRTFIncreasingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> WMRTFIncreasingRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "wmrtf-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "weights": "equal",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        weights: str = "equal",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.weights = weights
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SparseIncreasingClassifier(WeightedForestClassifier):
    """As sparse, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    features : int, default=3
        Features that a cut reads; 1: axis-aligned, 2: pairs of axes. A whole number of at least 1.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import SparseIncreasingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SparseIncreasingClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "sparse-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "features": 3,
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        features: int = 3,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class SparseIncreasingRegressor(WeightedForestRegressor):
    """As sparse, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float, default=8.0
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    features : int, default=3
        Features that a cut reads; 1: axis-aligned, 2: pairs of axes. A whole number of at least 1.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import SparseIncreasingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> SparseIncreasingRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "sparse-increasing"
    _defaults = {
        "budget_scale": 8.0,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "features": 3,
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float = 8.0,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        features: int = 3,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class DirectionsIncreasingClassifier(WeightedForestClassifier):
    """As directions, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float or None, default=None
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0; by default
        8/c_d.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    directions : int, default=50
        Directions of a tree. A whole number of at least 1.
    features : int or {"all"}, default="all"
        Features that a direction reads, chosen at random. A whole number of at least 1, or all.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import DirectionsIncreasingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> DirectionsIncreasingClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "directions-increasing"
    _defaults = {
        "budget_scale": None,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "vote": "frequencies",
        "window": "unlimited",
        "directions": 50,
        "features": "all",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float | None = None,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies",
        window: int | Literal["unlimited"] = "unlimited",
        directions: int = 50,
        features: int | Literal["all"] = "all",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.vote = vote
        self.window = window
        self.directions = directions
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class DirectionsIncreasingRegressor(WeightedForestRegressor):
    """As directions, up to a budget that grows with the number of samples.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget_scale : float or None, default=None
        The budget after n samples is budget_scale · n^budget_power. A finite number of at least 0; by default
        8/c_d.
    budget_power : float or None, default=None
        How the budget grows; the default is the minimax rate in d dimensions. A finite number of at least 0; by
        default 1/(d+2).
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    update : {"conditional", "redraw", "new-point-only"}, default="conditional"
        How a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the
        points it has, never between them (AMF, the authors' code). One of conditional, redraw, new-point-only.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    directions : int, default=50
        Directions of a tree. A whole number of at least 1.
    features : int or {"all"}, default="all"
        Features that a direction reads, chosen at random. A whole number of at least 1, or all.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    labels : {"empirical", "aggregated", "hierarchical"}, default="empirical"
        How a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path.
        One of empirical, aggregated, hierarchical.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import DirectionsIncreasingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> DirectionsIncreasingRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "directions-increasing"
    _defaults = {
        "budget_scale": None,
        "budget_power": None,
        "min_points": 1,
        "pause": "never",
        "update": "conditional",
        "window": "unlimited",
        "directions": 50,
        "features": "all",
        "max_nodes": "unlimited",
        "labels": "empirical",
    }

    def __init__(
        self,
        *,
        budget_scale: float | None = None,
        budget_power: float | None = None,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited",
        directions: int = 50,
        features: int | Literal["all"] = "all",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget_scale = budget_scale
        self.budget_power = budget_power
        self.min_points = min_points
        self.pause = pause
        self.update = update
        self.window = window
        self.directions = directions
        self.features = features
        self.max_nodes = max_nodes
        self.labels = labels
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AggregatedObspClassifier(WeightedForestClassifier):
    """Cuts oblique in two axes; predicts by all prunings of its trees, as amf does.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    dirichlet : float or {"by-classes"}, default="by-classes"
        Added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more. A finite number of at least
        0, or by-classes.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import AggregatedObspClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AggregatedObspClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "aggregated-obsp"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "vote": "frequencies",
        "rate": 0.5,
        "max_nodes": "unlimited",
        "step": None,
        "first_loss": "by-features",
        "dirichlet": "by-classes",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        vote: Literal["frequencies", "majority"] = "frequencies",
        rate: float = 0.5,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.vote = vote
        self.rate = rate
        self.max_nodes = max_nodes
        self.step = step
        self.first_loss = first_loss
        self.dirichlet = dirichlet
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class AggregatedObspRegressor(WeightedForestRegressor):
    """Cuts oblique in two axes; predicts by all prunings of its trees, as amf does.

    Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020.

    Limit: few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d
    dimensions, so with hundreds of features a forest takes gigabytes; reduce them first.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    rate : float, default=0.5
        Mass of cuts per unit of a hull's perimeter (s). A finite number of at least 0.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import AggregatedObspRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> AggregatedObspRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "aggregated-obsp"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "rate": 0.5,
        "max_nodes": "unlimited",
        "step": None,
        "first_loss": "by-features",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        rate: float = 0.5,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.rate = rate
        self.max_nodes = max_nodes
        self.step = step
        self.first_loss = first_loss
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AggregatedURTFClassifier(WeightedForestClassifier):
    """Cuts of every direction alike; predicts by all prunings of its trees, as amf does.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    dirichlet : float or {"by-classes"}, default="by-classes"
        Added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more. A finite number of at least
        0, or by-classes.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import AggregatedURTFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AggregatedURTFClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "aggregated-urtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "max_nodes": "unlimited",
        "vote": "frequencies",
        "step": None,
        "first_loss": "by-features",
        "dirichlet": "by-classes",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        vote: Literal["frequencies", "majority"] = "frequencies",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.max_nodes = max_nodes
        self.vote = vote
        self.step = step
        self.first_loss = first_loss
        self.dirichlet = dirichlet
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class AggregatedURTFRegressor(WeightedForestRegressor):
    """Cuts of every direction alike; predicts by all prunings of its trees, as amf does.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import AggregatedURTFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> AggregatedURTFRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "aggregated-urtf"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "max_nodes": "unlimited",
        "step": None,
        "first_loss": "by-features",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.max_nodes = max_nodes
        self.step = step
        self.first_loss = first_loss
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AggregatedDirectionsClassifier(WeightedForestClassifier):
    """A finite set of directions a tree; predicts by all prunings of its trees, as amf does.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    directions : int, default=50
        Directions of a tree. A whole number of at least 1.
    features : int or {"all"}, default="all"
        Features that a direction reads, chosen at random. A whole number of at least 1, or all.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    dirichlet : float or {"by-classes"}, default="by-classes"
        Added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more. A finite number of at least
        0, or by-classes.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import AggregatedDirectionsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AggregatedDirectionsClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "aggregated-directions"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "max_nodes": "unlimited",
        "vote": "frequencies",
        "directions": 50,
        "features": "all",
        "step": None,
        "first_loss": "by-features",
        "dirichlet": "by-classes",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        vote: Literal["frequencies", "majority"] = "frequencies",
        directions: int = 50,
        features: int | Literal["all"] = "all",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.max_nodes = max_nodes
        self.vote = vote
        self.directions = directions
        self.features = features
        self.step = step
        self.first_loss = first_loss
        self.dirichlet = dirichlet
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class AggregatedDirectionsRegressor(WeightedForestRegressor):
    """A finite set of directions a tree; predicts by all prunings of its trees, as amf does.

    Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019.

    Parameters
    ----------
    budget : float, default=inf
        Time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]. A number of at least 0, or
        inf.
    min_points : int, default=1
        Only nodes with more points than this are cut. A whole number of at least 1.
    pause : {"pure", "never"}, default="never"
        Pure: a leaf is not cut while all its labels are equal. One of pure, never.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    directions : int, default=50
        Directions of a tree. A whole number of at least 1.
    features : int or {"all"}, default="all"
        Features that a direction reads, chosen at random. A whole number of at least 1, or all.
    step : float or {"by-errors"} or None, default=None
        Step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the
        targets, for numbers alone; 1 is the default for classes. A finite number of at least 0, or by-errors; by
        default 1 or by-errors.
    first_loss : float or {"by-features"}, default="by-features"
        Share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features:
        1/d for d features. A finite number of at least 0, or by-features.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import AggregatedDirectionsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> AggregatedDirectionsRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "aggregated-directions"
    _defaults = {
        "budget": inf,
        "min_points": 1,
        "pause": "never",
        "max_nodes": "unlimited",
        "directions": 50,
        "features": "all",
        "step": None,
        "first_loss": "by-features",
    }

    def __init__(
        self,
        *,
        budget: float = inf,
        min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        directions: int = 50,
        features: int | Literal["all"] = "all",
        step: float | Literal["by-errors"] | None = None,
        first_loss: float | Literal["by-features"] = "by-features",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.budget = budget
        self.min_points = min_points
        self.pause = pause
        self.max_nodes = max_nodes
        self.directions = directions
        self.features = features
        self.step = step
        self.first_loss = first_loss
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class DynamicExtraTreesClassifier(WeightedForestClassifier):
    """Extra trees whose cuts follow the samples that come and go: the trees that are built at once, or nearly.

    Ours, after Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006.

    Parameters
    ----------
    max_features : int or {"by-task"}, default="by-task"
        Candidates of a node (K); by task: the root of the number of features for classes, all for numbers. A whole
        number of at least 1, or by-task.
    min_samples_split : int, default=2
        Nodes with fewer samples are not cut. A whole number of at least 2.
    min_samples_leaf : int, default=1
        A cut leaves at least this many samples on each side. A whole number of at least 1.
    thresholds : int, default=1
        Thresholds of each of the K features, the best of which is taken. A whole number of at least 1.
    recheck : float, default=0.5
        Share of a node's samples that come or go until its cut is chosen again (ε); 0: it is always that of a tree
        built at once. A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_weight : dict[Any, float] or {"balanced"} or None, default=None
        By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so
        that all labels weigh the same in a fit if balanced.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import DynamicExtraTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> DynamicExtraTreesClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "dynamic-extra-trees"
    _defaults = {
        "max_features": "by-task",
        "min_samples_split": 2,
        "min_samples_leaf": 1,
        "thresholds": 1,
        "recheck": 0.5,
        "window": "unlimited",
    }

    def __init__(
        self,
        *,
        max_features: int | Literal["by-task"] = "by-task",
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        thresholds: int = 1,
        recheck: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_features = max_features
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.thresholds = thresholds
        self.recheck = recheck
        self.window = window
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_weight = class_weight
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class DynamicExtraTreesRegressor(WeightedForestRegressor):
    """Extra trees whose cuts follow the samples that come and go: the trees that are built at once, or nearly.

    Ours, after Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006.

    Parameters
    ----------
    max_features : int or {"by-task"}, default="by-task"
        Candidates of a node (K); by task: the root of the number of features for classes, all for numbers. A whole
        number of at least 1, or by-task.
    min_samples_split : int, default=2
        Nodes with fewer samples are not cut. A whole number of at least 2.
    min_samples_leaf : int, default=1
        A cut leaves at least this many samples on each side. A whole number of at least 1.
    thresholds : int, default=1
        Thresholds of each of the K features, the best of which is taken. A whole number of at least 1.
    recheck : float, default=0.5
        Share of a node's samples that come or go until its cut is chosen again (ε); 0: it is always that of a tree
        built at once. A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import DynamicExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> DynamicExtraTreesRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "dynamic-extra-trees"
    _defaults = {
        "max_features": "by-task",
        "min_samples_split": 2,
        "min_samples_leaf": 1,
        "thresholds": 1,
        "recheck": 0.5,
        "window": "unlimited",
    }

    def __init__(
        self,
        *,
        max_features: int | Literal["by-task"] = "by-task",
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        thresholds: int = 1,
        recheck: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_features = max_features
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.thresholds = thresholds
        self.recheck = recheck
        self.window = window
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ResidualForestRegressor(OnlineForestRegressor):
    """Boosting row by row: stages of dynamic trees learn what those before have missed, weighted by least squares and blended.

    Ours, after Friedman: Greedy Function Approximation, Annals of Statistics 29, 2001.

    Limit: numbers only.

    Parameters
    ----------
    chains : str, default="20x1/1+40x4/10/3/3+ridge/40x2/10/3/3"
        Chains joined by +: share of the trees x thresholds a feature / samples a side of each stage; ridge/ before
        it: from a ridge regression. A text.
    max_features : int or {"all"}, default="all"
        Features that a node looks at (K). A whole number of at least 1, or all.
    recheck : float, default=0.5
        Share of a node's samples that come or go until its cut is chosen again (ε). A finite number of at least 0.
    discount : float, default=0.9998
        What an error counts a row later, where stages and chains are weighed. A finite number of at least 0.
    window : int or {"unlimited"}, default="unlimited"
        Samples remembered: older ones are forgotten as if they had never been learned. A whole number of at least
        1, or unlimited.
    reservoir : int or None, default=None
        Samples held, a uniform random sample of all so far: at least 1; all of them by default.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import ResidualForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ResidualForestRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "residual-forest"
    _defaults = {
        "chains": "20x1/1+40x4/10/3/3+ridge/40x2/10/3/3",
        "max_features": "all",
        "recheck": 0.5,
        "discount": 0.9998,
        "window": "unlimited",
    }

    def __init__(
        self,
        *,
        chains: str = "20x1/1+40x4/10/3/3+ridge/40x2/10/3/3",
        max_features: int | Literal["all"] = "all",
        recheck: float = 0.5,
        discount: float = 0.9998,
        window: int | Literal["unlimited"] = "unlimited",
        reservoir: int | None = None,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.chains = chains
        self.max_features = max_features
        self.recheck = recheck
        self.discount = discount
        self.window = window
        self.reservoir = reservoir
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class BoundaryForestClassifier(OnlineForestClassifier):
    """Trees of samples that their trees got wrong; answers by the nearest found.

    Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online Supervised and Unsupervised
    Learning, AAAI 2015.

    Limit: sorted or time-ordered data take a time that is quadratic in the rows: shuffle them, or give `shuffle_block`
    (docs/results/boundary-forest/sorted.md).

    Limit: at most 2³⁰ samples.

    Parameters
    ----------
    max_children : int or {"unlimited"}, default=50
        Children a node may have (k). A whole number of at least 2, or unlimited.
    shuffle_block : int or {"none"}, default="none"
        Samples that wait and are then learned in a random order, for sorted streams, on which walks are long
        otherwise (ours). A whole number of at least 2, or none.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    metric : {"euclidean", "squared-euclidean", "manhattan", "cosine"}, default="euclidean"
        Distance between points (d). One of euclidean, squared-euclidean, manhattan, cosine.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import BoundaryForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> BoundaryForestClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "boundary-forest"
    _defaults = {
        "max_children": 50,
        "shuffle_block": "none",
        "max_nodes": "unlimited",
        "metric": "euclidean",
    }

    def __init__(
        self,
        *,
        max_children: int | Literal["unlimited"] = 50,
        shuffle_block: int | Literal["none"] = "none",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        metric: Literal["euclidean", "squared-euclidean", "manhattan", "cosine"] = "euclidean",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_children = max_children
        self.shuffle_block = shuffle_block
        self.max_nodes = max_nodes
        self.metric = metric
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class BoundaryForestRegressor(OnlineForestRegressor):
    """Trees of samples that their trees got wrong; answers by the nearest found.

    Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online Supervised and Unsupervised
    Learning, AAAI 2015.

    Limit: sorted or time-ordered data take a time that is quadratic in the rows: shuffle them, or give `shuffle_block`
    (docs/results/boundary-forest/sorted.md).

    Limit: at most 2³⁰ samples.

    Parameters
    ----------
    max_children : int or {"unlimited"}, default=50
        Children a node may have (k). A whole number of at least 2, or unlimited.
    shuffle_block : int or {"none"}, default="none"
        Samples that wait and are then learned in a random order, for sorted streams, on which walks are long
        otherwise (ours). A whole number of at least 2, or none.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    epsilon : float, default=0.0
        Error of the target up to which a sample is not kept (ε). A finite number of at least 0.
    metric : {"euclidean", "squared-euclidean", "manhattan", "cosine"}, default="euclidean"
        Distance between points (d). One of euclidean, squared-euclidean, manhattan, cosine.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import BoundaryForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> BoundaryForestRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "boundary-forest"
    _defaults = {
        "max_children": 50,
        "shuffle_block": "none",
        "max_nodes": "unlimited",
        "epsilon": 0.0,
        "metric": "euclidean",
    }

    def __init__(
        self,
        *,
        max_children: int | Literal["unlimited"] = 50,
        shuffle_block: int | Literal["none"] = "none",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        epsilon: float = 0.0,
        metric: Literal["euclidean", "squared-euclidean", "manhattan", "cosine"] = "euclidean",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_children = max_children
        self.shuffle_block = shuffle_block
        self.max_nodes = max_nodes
        self.epsilon = epsilon
        self.metric = metric
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class StreamRFClassifier(OnlineForestClassifier):
    """Splits by gain on one part of the stream, votes from the other: consistent.

    Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013.

    Parameters
    ----------
    lambda_ : float, default=20.0
        Expected number of candidate dimensions beyond the first (λ). A finite number of at least 0.
    m : int, default=5
        Candidate splits in each of them, 255 at most (m). A whole number of at least 1.
    tau : float, default=0.3
        Gain that a split must exceed, unless its leaf must be split (τ); for classes in bits. A finite number of at
        least 0.
    alpha : float, default=1.0
        Estimation points that each side of a split needs at the root. A finite number of at least 0.
    alpha_base : float, default=1.05
        What alpha grows by from one level to the next. A finite number of at least 0.
    beta : float, default=100.0
        Estimation points from which the root must be split. A finite number of at least 0.
    beta_base : float, default=1.05
        What beta grows by from one level to the next. A finite number of at least 0.
    structure : float, default=0.5
        Probability that a point shapes the partition. A finite number of at least 0.
    estimation : float, default=0.5
        Probability that a point votes; the rest is ignored. A finite number of at least 0.
    stream_choice : {"per-arrival", "per-row"}, default="per-arrival"
        What a stream is drawn for; per-row: equal rows share it, in every pass. One of per-arrival, per-row.
    fringe : int or {"unlimited"}, default="unlimited"
        Leaves of a tree that may be active at a time (F). A whole number of at least 1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import StreamRFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> StreamRFClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "stream-rf"
    _defaults = {
        "lambda_": 20.0,
        "m": 5,
        "tau": 0.3,
        "alpha": 1.0,
        "alpha_base": 1.05,
        "beta": 100.0,
        "beta_base": 1.05,
        "structure": 0.5,
        "estimation": 0.5,
        "stream_choice": "per-arrival",
        "fringe": "unlimited",
        "max_nodes": "unlimited",
        "vote": "frequencies",
    }

    def __init__(
        self,
        *,
        lambda_: float = 20.0,
        m: int = 5,
        tau: float = 0.3,
        alpha: float = 1.0,
        alpha_base: float = 1.05,
        beta: float = 100.0,
        beta_base: float = 1.05,
        structure: float = 0.5,
        estimation: float = 0.5,
        stream_choice: Literal["per-arrival", "per-row"] = "per-arrival",
        fringe: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        vote: Literal["frequencies", "majority"] = "frequencies",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.lambda_ = lambda_
        self.m = m
        self.tau = tau
        self.alpha = alpha
        self.alpha_base = alpha_base
        self.beta = beta
        self.beta_base = beta_base
        self.structure = structure
        self.estimation = estimation
        self.stream_choice = stream_choice
        self.fringe = fringe
        self.max_nodes = max_nodes
        self.vote = vote
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class StreamRFRegressor(OnlineForestRegressor):
    """Splits by gain on one part of the stream, votes from the other: consistent.

    Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013.

    Parameters
    ----------
    lambda_ : float, default=20.0
        Expected number of candidate dimensions beyond the first (λ). A finite number of at least 0.
    m : int, default=5
        Candidate splits in each of them, 255 at most (m). A whole number of at least 1.
    tau : float, default=0.3
        Gain that a split must exceed, unless its leaf must be split (τ); for classes in bits. A finite number of at
        least 0.
    alpha : float, default=1.0
        Estimation points that each side of a split needs at the root. A finite number of at least 0.
    alpha_base : float, default=1.05
        What alpha grows by from one level to the next. A finite number of at least 0.
    beta : float, default=100.0
        Estimation points from which the root must be split. A finite number of at least 0.
    beta_base : float, default=1.05
        What beta grows by from one level to the next. A finite number of at least 0.
    structure : float, default=0.5
        Probability that a point shapes the partition. A finite number of at least 0.
    estimation : float, default=0.5
        Probability that a point votes; the rest is ignored. A finite number of at least 0.
    stream_choice : {"per-arrival", "per-row"}, default="per-arrival"
        What a stream is drawn for; per-row: equal rows share it, in every pass. One of per-arrival, per-row.
    fringe : int or {"unlimited"}, default="unlimited"
        Leaves of a tree that may be active at a time (F). A whole number of at least 1, or unlimited.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import StreamRFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> StreamRFRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "stream-rf"
    _defaults = {
        "lambda_": 20.0,
        "m": 5,
        "tau": 0.3,
        "alpha": 1.0,
        "alpha_base": 1.05,
        "beta": 100.0,
        "beta_base": 1.05,
        "structure": 0.5,
        "estimation": 0.5,
        "stream_choice": "per-arrival",
        "fringe": "unlimited",
        "max_nodes": "unlimited",
    }

    def __init__(
        self,
        *,
        lambda_: float = 20.0,
        m: int = 5,
        tau: float = 0.3,
        alpha: float = 1.0,
        alpha_base: float = 1.05,
        beta: float = 100.0,
        beta_base: float = 1.05,
        structure: float = 0.5,
        estimation: float = 0.5,
        stream_choice: Literal["per-arrival", "per-row"] = "per-arrival",
        fringe: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.lambda_ = lambda_
        self.m = m
        self.tau = tau
        self.alpha = alpha
        self.alpha_base = alpha_base
        self.beta = beta
        self.beta_base = beta_base
        self.structure = structure
        self.estimation = estimation
        self.stream_choice = stream_choice
        self.fringe = fringe
        self.max_nodes = max_nodes
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SaffariClassifier(OnlineForestClassifier):
    """Online bagging, random tests, splits by gain once a leaf has enough points.

    Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009.

    Parameters
    ----------
    tests : int, default=10
        Features that a leaf draws for its tests. A whole number of at least 1.
    m : int, default=10
        Thresholds for each of them, 255 at most. A whole number of at least 1.
    min_samples : int, default=50
        Points that a leaf needs before it may be split. A whole number of at least 0.
    min_gain : float, default=0.1
        Gain that a split must exceed; for classes in bits. A finite number of at least 0.
    max_depth : int, default=50
        Depth at which leaves are split no more. A whole number of at least 0.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    vote : {"frequencies", "majority"}, default="frequencies"
        What a tree votes with: the class frequencies of its leaf, or their majority alone. One of frequencies,
        majority.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import SaffariClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SaffariClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "saffari"
    _defaults = {
        "tests": 10,
        "m": 10,
        "min_samples": 50,
        "min_gain": 0.1,
        "max_depth": 50,
        "max_nodes": "unlimited",
        "vote": "frequencies",
    }

    def __init__(
        self,
        *,
        tests: int = 10,
        m: int = 10,
        min_samples: int = 50,
        min_gain: float = 0.1,
        max_depth: int = 50,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        vote: Literal["frequencies", "majority"] = "frequencies",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.tests = tests
        self.m = m
        self.min_samples = min_samples
        self.min_gain = min_gain
        self.max_depth = max_depth
        self.max_nodes = max_nodes
        self.vote = vote
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class SaffariRegressor(OnlineForestRegressor):
    """Online bagging, random tests, splits by gain once a leaf has enough points.

    Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009.

    Parameters
    ----------
    tests : int, default=10
        Features that a leaf draws for its tests. A whole number of at least 1.
    m : int, default=10
        Thresholds for each of them, 255 at most. A whole number of at least 1.
    min_samples : int, default=50
        Points that a leaf needs before it may be split. A whole number of at least 0.
    min_gain : float, default=0.1
        Gain that a split must exceed; for classes in bits. A finite number of at least 0.
    max_depth : int, default=50
        Depth at which leaves are split no more. A whole number of at least 0.
    max_nodes : int or {"unlimited"}, default="unlimited"
        Most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on
        counting. A whole number of at least 1, or unlimited.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import SaffariRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> SaffariRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "saffari"
    _defaults = {
        "tests": 10,
        "m": 10,
        "min_samples": 50,
        "min_gain": 0.1,
        "max_depth": 50,
        "max_nodes": "unlimited",
    }

    def __init__(
        self,
        *,
        tests: int = 10,
        m: int = 10,
        min_samples: int = 50,
        min_gain: float = 0.1,
        max_depth: int = 50,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.tests = tests
        self.m = m
        self.min_samples = min_samples
        self.min_gain = min_gain
        self.max_depth = max_depth
        self.max_nodes = max_nodes
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AdaptiveClassifier(OnlineForestClassifier):
    """For streams that change: learners on windows of several lengths, weighed by what they have just lost.

    Herbster, Warmuth: Tracking the Best Expert, Machine Learning 1998; Chernov, Zhdanov: Prediction with Expert Advice
    under Discounted Loss, ALT 2010.

    Limit: holds two copies of every member: time and memory are those of twice as many forests.

    Parameters
    ----------
    base : str, default="mondrian"
        Base learners, separated by +; their parameters by ; instead of ,. A text; or several of these, separated by
        +.
    windows : str, default="250/1000/4000/all"
        The latest rows that members follow, all, or change: all since the last change that was found. A whole
        number of at least 2, or all, or change; or several of these, separated by /.
    scaling : str, default="quantile/none"
        Scalings of members, each fitted on the rows it is built from. One of none, minmax, quantile; or several of
        these, separated by /.
    weights : str, default="labels"
        Weights of features behind the scaling: equal, or by the labels. One of equal, labels; or several of these,
        separated by /.
    members : str, default="standard"
        Members as base@window@scaling[@labels], separated by +; standard; or combinations of base, windows, scaling
        and weights, which naming one of these means, too. A text; or several of these, separated by +.
    update : {"turns", "forget"}, default="turns"
        How windows follow the stream between rebuilds: by turns, or forget where learners can. One of turns,
        forget.
    rebuild : int, default=1
        Windows between two rebuilds of one copy. A whole number of at least 1.
    history : int, default=16384
        Rows kept for rebuilding members without a window. A whole number of at least 1.
    loss : {"log", "brier", "linear"}, default="log"
        What a prediction loses: log, Brier score, or linear (1 − p). One of log, brier, linear.
    eta : str, default="0.02/0.1"
        How fast weights follow losses (η); of several, those count whose answers err least. A finite number of at
        least 0; or several of these, separated by /.
    discount : str, default="0.98/0.998"
        What a loss counts one row later (γ); each with each η. A finite number of at least 0; or several of these,
        separated by /.
    share : float, default=0.0
        Part of all weight that is shared out equally after each row (α). A finite number of at least 0.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import AdaptiveClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AdaptiveClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "adaptive"
    _defaults = {
        "base": "mondrian",
        "windows": "250/1000/4000/all",
        "scaling": "quantile/none",
        "weights": "labels",
        "members": "standard",
        "update": "turns",
        "rebuild": 1,
        "history": 16384,
        "loss": "log",
        "eta": "0.02/0.1",
        "discount": "0.98/0.998",
        "share": 0.0,
    }

    def __init__(
        self,
        *,
        base: str = "mondrian",
        windows: str = "250/1000/4000/all",
        scaling: str = "quantile/none",
        weights: str = "labels",
        members: str = "standard",
        update: Literal["turns", "forget"] = "turns",
        rebuild: int = 1,
        history: int = 16384,
        loss: Literal["log", "brier", "linear"] = "log",
        eta: str = "0.02/0.1",
        discount: str = "0.98/0.998",
        share: float = 0.0,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.base = base
        self.windows = windows
        self.scaling = scaling
        self.weights = weights
        self.members = members
        self.update = update
        self.rebuild = rebuild
        self.history = history
        self.loss = loss
        self.eta = eta
        self.discount = discount
        self.share = share
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class AdaptiveRegressor(OnlineForestRegressor):
    """For streams that change: learners on windows of several lengths, weighed by what they have just lost.

    Herbster, Warmuth: Tracking the Best Expert, Machine Learning 1998; Chernov, Zhdanov: Prediction with Expert Advice
    under Discounted Loss, ALT 2010.

    Limit: holds two copies of every member: time and memory are those of twice as many forests.

    Parameters
    ----------
    base : str, default="mondrian"
        Base learners, separated by +; their parameters by ; instead of ,. A text; or several of these, separated by
        +.
    windows : str, default="250/1000/4000/all"
        The latest rows that members follow, all, or change: all since the last change that was found. A whole
        number of at least 2, or all, or change; or several of these, separated by /.
    scaling : str, default="quantile/none"
        Scalings of members, each fitted on the rows it is built from. One of none, minmax, quantile; or several of
        these, separated by /.
    weights : str, default="labels"
        Weights of features behind the scaling: equal, or by the labels. One of equal, labels; or several of these,
        separated by /.
    members : str, default="standard"
        Members as base@window@scaling[@labels], separated by +; standard; or combinations of base, windows, scaling
        and weights, which naming one of these means, too. A text; or several of these, separated by +.
    update : {"turns", "forget"}, default="turns"
        How windows follow the stream between rebuilds: by turns, or forget where learners can. One of turns,
        forget.
    rebuild : int, default=1
        Windows between two rebuilds of one copy. A whole number of at least 1.
    history : int, default=16384
        Rows kept for rebuilding members without a window. A whole number of at least 1.
    eta : str, default="0.02/0.1"
        How fast weights follow losses (η); of several, those count whose answers err least. A finite number of at
        least 0; or several of these, separated by /.
    discount : str, default="0.98/0.998"
        What a loss counts one row later (γ); each with each η. A finite number of at least 0; or several of these,
        separated by /.
    share : float, default=0.0
        Part of all weight that is shared out equally after each row (α). A finite number of at least 0.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import AdaptiveRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> AdaptiveRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "adaptive"
    _defaults = {
        "base": "mondrian",
        "windows": "250/1000/4000/all",
        "scaling": "quantile/none",
        "weights": "labels",
        "members": "standard",
        "update": "turns",
        "rebuild": 1,
        "history": 16384,
        "eta": "0.02/0.1",
        "discount": "0.98/0.998",
        "share": 0.0,
    }

    def __init__(
        self,
        *,
        base: str = "mondrian",
        windows: str = "250/1000/4000/all",
        scaling: str = "quantile/none",
        weights: str = "labels",
        members: str = "standard",
        update: Literal["turns", "forget"] = "turns",
        rebuild: int = 1,
        history: int = 16384,
        eta: str = "0.02/0.1",
        discount: str = "0.98/0.998",
        share: float = 0.0,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.base = base
        self.windows = windows
        self.scaling = scaling
        self.weights = weights
        self.members = members
        self.update = update
        self.rebuild = rebuild
        self.history = history
        self.eta = eta
        self.discount = discount
        self.share = share
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ConformalRegressor(OnlineForestRegressor):
    """Another regressor with intervals that cover as often as they say, from its latest errors.

    Vovk, Gammerman, Shafer: Algorithmic Learning in a Random World, 2005; Lei et al.: Distribution-Free Predictive
    Inference for Regression, JASA 2018.

    Limit: intervals cover as often as they say over all rows, not in every region.

    Parameters
    ----------
    base : str, default="mondrian-2016"
        The regressor inside; its parameters by ; instead of ,. A text.
    scores : int, default=1000
        The latest errors, in deviations, that intervals follow. A whole number of at least 1.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import ConformalRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ConformalRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "conformal"
    _defaults = {
        "base": "mondrian-2016",
        "scores": 1000,
    }

    def __init__(
        self,
        *,
        base: str = "mondrian-2016",
        scores: int = 1000,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.base = base
        self.scores = scores
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class RowPartsClassifier(OnlineForestClassifier):
    """For streams too fast for every tree to see every row: each part learns some of the rows, and answers are the mean of all parts.

    Basilico, Munson, Kolda, Dixon, Kegelmeyer: COMET: A Recipe for Learning and Using Large Ensembles on Massive Data,
    ICDM 2011.

    Limit: less accurate than its base on all rows: trees before parts, where trees can be shared out.

    Parameters
    ----------
    base : str, default="mondrian"
        The learner of each part; its parameters by ; instead of ,. A text.
    parts : int, default=4
        Parts that rows are dealt out to in turn, whatever the number of processes. A whole number of at least 1.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import RowPartsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> RowPartsClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "row-parts"
    _defaults = {
        "base": "mondrian",
        "parts": 4,
    }

    def __init__(
        self,
        *,
        base: str = "mondrian",
        parts: int = 4,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.base = base
        self.parts = parts
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class RowPartsRegressor(OnlineForestRegressor):
    """For streams too fast for every tree to see every row: each part learns some of the rows, and answers are the mean of all parts.

    Basilico, Munson, Kolda, Dixon, Kegelmeyer: COMET: A Recipe for Learning and Using Large Ensembles on Massive Data,
    ICDM 2011.

    Limit: less accurate than its base on all rows: trees before parts, where trees can be shared out.

    Parameters
    ----------
    base : str, default="mondrian"
        The learner of each part; its parameters by ; instead of ,. A text.
    parts : int, default=4
        Parts that rows are dealt out to in turn, whatever the number of processes. A whole number of at least 1.
    n_estimators : int, default=10
        Number of trees, at least 1. Time and memory are proportional to it.
    random_state : int or np.random.RandomState or None, default=None
        Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by
        numpy's global generator.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import RowPartsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> RowPartsRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "row-parts"
    _defaults = {
        "base": "mondrian",
        "parts": 4,
    }

    def __init__(
        self,
        *,
        base: str = "mondrian",
        parts: int = 4,
        n_estimators: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.base = base
        self.parts = parts
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MajorityClassifier(OnlineForestClassifier):
    """Class frequencies so far, whatever the features.

    None: the trivial baseline.

    Parameters
    ----------
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import MajorityClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> MajorityClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "majority"
    _is_baseline = True
    _defaults = {}

    def __init__(
        self,
        *,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class MeanRegressor(OnlineForestRegressor):
    """Mean of the targets so far, whatever the features.

    None: the trivial baseline.

    Parameters
    ----------
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import MeanRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> MeanRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "mean"
    _is_baseline = True
    _defaults = {}

    def __init__(
        self,
        *,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose


class MovingMeanRegressor(OnlineForestRegressor):
    """Mean of the latest targets, whatever the features.

    None: the baseline of streams whose level drifts.

    Parameters
    ----------
    window : int, default=100
        How many of the latest targets count. A whole number of at least 1.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import MovingMeanRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> MovingMeanRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "moving-mean"
    _is_baseline = True
    _defaults = {
        "window": 100,
    }

    def __init__(
        self,
        *,
        window: int = 100,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.window = window
        self.n_jobs = n_jobs
        self.verbose = verbose


class NoChangeClassifier(OnlineForestClassifier):
    """The latest target, whatever the features.

    Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013.

    Parameters
    ----------
    class_cap : int or None, default=None
        Number of classes there may be, at most; 4096 by default. A label beyond is refused.
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from online_forests.sklearn import NoChangeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> NoChangeClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    _algorithm = "no-change"
    _is_baseline = True
    _defaults = {}

    def __init__(
        self,
        *,
        class_cap: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.class_cap = class_cap
        self.n_jobs = n_jobs
        self.verbose = verbose


class NoChangeRegressor(OnlineForestRegressor):
    """The latest target, whatever the features.

    Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013.

    Parameters
    ----------
    n_jobs : int or None, default=None
        Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.
    verbose : int, default=0
        If not 0, a long fit writes to standard error, once in a second, how many rows are learned.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the rows had any.
    samples_seen_ : int
        Number of samples learned: after an interrupt, those of whole blocks of the batch.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from online_forests.sklearn import NoChangeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> NoChangeRegressor().fit(X, y).predict(X).shape
    (442,)
    """

    _algorithm = "no-change"
    _is_baseline = True
    _defaults = {}

    def __init__(
        self,
        *,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
