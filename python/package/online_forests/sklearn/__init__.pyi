"""Types of the classes of online_forests.sklearn. Written by `python tools/generate.py`; not to be edited."""

from typing import Any, Literal

import numpy as np

from online_forests.sklearn._classifier import OnlineForestClassifier
from online_forests.sklearn._classifier import WeightedForestClassifier
from online_forests.sklearn._regressor import OnlineForestRegressor
from online_forests.sklearn._regressor import WeightedForestRegressor
from online_forests.sklearn._neighbors import BoundaryNeighbors as BoundaryNeighbors

__all__ = [
    "ResidualForestClassifier", "ResidualForestRegressor", "DynamicExtraTreesClassifier", "DynamicExtraTreesRegressor",
    "AdaptiveClassifier", "AdaptiveRegressor", "AMFClassifier", "AMFRegressor", "BoundaryForestClassifier",
    "BoundaryForestRegressor", "ConformalRegressor", "MondrianClassifier", "MondrianRegressor",
    "MondrianIncreasingClassifier", "MondrianIncreasingRegressor", "Mondrian2014Classifier", "Mondrian2016Regressor",
    "MRTFClassifier", "MRTFRegressor", "WMRTFClassifier", "WMRTFRegressor", "ObspClassifier", "ObspRegressor",
    "ObspRedrawClassifier", "ObspRedrawRegressor", "SaffariClassifier", "SaffariRegressor", "StreamRFClassifier",
    "StreamRFRegressor", "URTFClassifier", "URTFRegressor", "WURTFClassifier", "WURTFRegressor", "MajorityClassifier",
    "MeanRegressor", "MovingMeanRegressor", "NoChangeClassifier", "NoChangeRegressor", "BoundaryNeighbors",
]

class ResidualForestClassifier(WeightedForestClassifier):
    """Residual forest classifier. Extra trees kept up to date row by row: boosted for numbers; for classes, read at
    nodes of several sizes and weighted with a linear and a quadratic function."""

    max_features: int | Literal["by-task"]
    recheck: float
    recent: str
    window: int | Literal["unlimited"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    class_weight: dict[Any, float] | Literal["balanced"] | None
    categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, max_features: int | Literal["by-task"] = "by-task", recheck: float = 0.7, recent: str = "none",
        window: int | Literal["unlimited"] = "unlimited", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None = None,
        verbose: int = 0, class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class ResidualForestRegressor(WeightedForestRegressor):
    """Residual forest regressor. Extra trees kept up to date row by row: boosted for numbers; for classes, read at
    nodes of several sizes and weighted with a linear and a quadratic function."""

    max_features: int | Literal["by-task"]
    recheck: float
    window: int | Literal["unlimited"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, max_features: int | Literal["by-task"] = "by-task", recheck: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None,
        categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None = None,
        verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class DynamicExtraTreesClassifier(WeightedForestClassifier):
    """Dynamic extra trees classifier. Extra trees kept up to date as samples arrive and leave: exactly the trees that a
    batch build would give, or nearly."""

    max_features: int | Literal["by-task"]
    min_samples_split: int
    min_samples_leaf: int
    thresholds: int
    recheck: float
    window: int | Literal["unlimited"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    class_weight: dict[Any, float] | Literal["balanced"] | None
    categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, max_features: int | Literal["by-task"] = "by-task", min_samples_split: int = 2,
        min_samples_leaf: int = 1, thresholds: int = 1, recheck: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None = None,
        verbose: int = 0, class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class DynamicExtraTreesRegressor(WeightedForestRegressor):
    """Dynamic extra trees regressor. Extra trees kept up to date as samples arrive and leave: exactly the trees that a
    batch build would give, or nearly."""

    max_features: int | Literal["by-task"]
    min_samples_split: int
    min_samples_leaf: int
    thresholds: int
    recheck: float
    window: int | Literal["unlimited"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, max_features: int | Literal["by-task"] = "by-task", min_samples_split: int = 2,
        min_samples_leaf: int = 1, thresholds: int = 1, recheck: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None,
        categorical_features: list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None = None,
        verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class AdaptiveClassifier(OnlineForestClassifier):
    """Adaptive classifier. For concept drift: learners on windows of several lengths, weighted by their recent loss."""

    members: str
    eta: str
    discount: str
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, members: str = "standard", eta: str = "0.02/0.1", discount: str = "0.98/0.998",
        n_estimators: int = 100, random_state: int | np.random.RandomState | None = None, verbose: int = 0,
        class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class AdaptiveRegressor(OnlineForestRegressor):
    """Adaptive regressor. For concept drift: learners on windows of several lengths, weighted by their recent loss."""

    members: str
    eta: str
    discount: str
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, members: str = "standard", eta: str = "0.02/0.1", discount: str = "0.98/0.998",
        n_estimators: int = 100, random_state: int | np.random.RandomState | None = None, verbose: int = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class AMFClassifier(OnlineForestClassifier):
    """AMF classifier. Axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses."""

    budget: float
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    vote: Literal["frequencies", "majority"]
    max_nodes: int | Literal["unlimited"]
    step: float
    first_loss: float | Literal["by-features"]
    dirichlet: float | Literal["by-classes"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, budget: float = float("inf"), min_points: int = 1, pause: Literal["pure", "never"] = "pure",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies", max_nodes: int | Literal["unlimited"] = "unlimited",
        step: float = 1.0, first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, class_cap: int | None = None,
        n_jobs: int | None = None,
    ) -> None: ...

class AMFRegressor(OnlineForestRegressor):
    """AMF regressor. Axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses."""

    budget: float
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    max_nodes: int | Literal["unlimited"]
    step: float | Literal["by-errors"]
    first_loss: float | Literal["by-features"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, budget: float = float("inf"), min_points: int = 1, pause: Literal["pure", "never"] = "pure",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        max_nodes: int | Literal["unlimited"] = "unlimited", step: float | Literal["by-errors"] = "by-errors",
        first_loss: float | Literal["by-features"] = "by-features", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class BoundaryForestClassifier(OnlineForestClassifier):
    """Boundary forest classifier. Trees of the samples that they predicted wrong; predicts from the nearest samples
    found."""

    max_children: int | Literal["unlimited"]
    max_nodes: int | Literal["unlimited"]
    metric: Literal["euclidean", "squared-euclidean", "manhattan", "cosine"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, max_children: int | Literal["unlimited"] = 50, max_nodes: int | Literal["unlimited"] = "unlimited",
        metric: Literal["euclidean", "squared-euclidean", "manhattan", "cosine"] = "euclidean", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, class_cap: int | None = None,
        n_jobs: int | None = None,
    ) -> None: ...

class BoundaryForestRegressor(OnlineForestRegressor):
    """Boundary forest regressor. Trees of the samples that they predicted wrong; predicts from the nearest samples
    found."""

    max_children: int | Literal["unlimited"]
    max_nodes: int | Literal["unlimited"]
    epsilon: float
    metric: Literal["euclidean", "squared-euclidean", "manhattan", "cosine"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, max_children: int | Literal["unlimited"] = 50, max_nodes: int | Literal["unlimited"] = "unlimited",
        epsilon: float = 0.0, metric: Literal["euclidean", "squared-euclidean", "manhattan", "cosine"] = "euclidean",
        n_estimators: int = 100, random_state: int | np.random.RandomState | None = None, verbose: int = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class ConformalRegressor(OnlineForestRegressor):
    """Conformal regressor. Any regressor, with intervals of nominal coverage from its latest errors."""

    base: str
    scores: int
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, base: str = "mondrian-2016", scores: int = 1000, n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class MondrianClassifier(WeightedForestClassifier):
    """Mondrian classifier. Axis-aligned cuts up to a fixed budget; online and batch trees have one distribution."""

    budget: float | Literal["increasing"]
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    vote: Literal["frequencies", "majority"]
    window: int | Literal["unlimited"]
    weights: str
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated", "hierarchical"]
    budget_scale: float
    step: float
    first_loss: float | Literal["by-features"]
    dirichlet: float | Literal["by-classes"]
    discount: float
    branch_counts: Literal["tables", "customers"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    class_weight: dict[Any, float] | Literal["balanced"] | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = ..., min_points: int = 1,
        pause: Literal["pure", "never"] = ...,
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies", window: int | Literal["unlimited"] = "unlimited",
        weights: str = ..., max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical", budget_scale: float = 8.0,
        step: float = 1.0, first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes", discount: float = 10.0,
        branch_counts: Literal["tables", "customers"] = "tables", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None, verbose: int = 0,
        class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class MondrianRegressor(WeightedForestRegressor):
    """Mondrian regressor. Axis-aligned cuts up to a fixed budget; online and batch trees have one distribution."""

    budget: float | Literal["increasing"]
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    window: int | Literal["unlimited"]
    weights: str
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated", "hierarchical"]
    budget_scale: float
    step: float | Literal["by-errors"]
    first_loss: float | Literal["by-features"]
    hyperparameters: Literal["leave-one-out", "evidence", "paper"]
    variance: Literal["of-mean", "mixture"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = ..., min_points: int = 1,
        pause: Literal["pure", "never"] = ...,
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited", weights: str = ...,
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "empirical", budget_scale: float = 8.0,
        step: float | Literal["by-errors"] = "by-errors", first_loss: float | Literal["by-features"] = "by-features",
        hyperparameters: Literal["leave-one-out", "evidence", "paper"] = "leave-one-out",
        variance: Literal["of-mean", "mixture"] = "of-mean", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class MondrianIncreasingClassifier(MondrianClassifier):
    """Mondrian increasing classifier. Axis-aligned cuts up to a budget that grows with the number of samples."""

class MondrianIncreasingRegressor(MondrianRegressor):
    """Mondrian increasing regressor. Axis-aligned cuts up to a budget that grows with the number of samples."""

class Mondrian2014Classifier(OnlineForestClassifier):
    """Mondrian 2014 classifier. Axis-aligned cuts; class probabilities smoothed along the path, and points branch
    off."""

    budget: float | Literal["increasing"]
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    vote: Literal["frequencies", "majority"]
    window: int | Literal["unlimited"]
    weights: str
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated", "hierarchical"]
    budget_scale: float
    step: float
    first_loss: float | Literal["by-features"]
    dirichlet: float | Literal["by-classes"]
    discount: float
    branch_counts: Literal["tables", "customers"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = float("inf"), min_points: int = 1,
        pause: Literal["pure", "never"] = "pure",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies", window: int | Literal["unlimited"] = "unlimited",
        weights: str = "none", max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "hierarchical", budget_scale: float = 8.0,
        step: float = 1.0, first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes", discount: float = 10.0,
        branch_counts: Literal["tables", "customers"] = "tables", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, class_cap: int | None = None,
        n_jobs: int | None = None,
    ) -> None: ...

class Mondrian2016Regressor(OnlineForestRegressor):
    """Mondrian 2016 regressor. Axis-aligned cuts; means smoothed along the path, with variances and intervals."""

    budget: float | Literal["increasing"]
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    window: int | Literal["unlimited"]
    weights: str
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated", "hierarchical"]
    budget_scale: float
    step: float | Literal["by-errors"]
    first_loss: float | Literal["by-features"]
    hyperparameters: Literal["leave-one-out", "evidence", "paper"]
    variance: Literal["of-mean", "mixture"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = float("inf"), min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited", weights: str = "none",
        max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated", "hierarchical"] = "hierarchical", budget_scale: float = 8.0,
        step: float | Literal["by-errors"] = "by-errors", first_loss: float | Literal["by-features"] = "by-features",
        hyperparameters: Literal["leave-one-out", "evidence", "paper"] = "leave-one-out",
        variance: Literal["of-mean", "mixture"] = "of-mean", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class MRTFClassifier(MondrianClassifier):
    """MRTF classifier. The Mondrian process as a tessellation: axis-aligned cuts, up to a fixed budget."""

class MRTFRegressor(MondrianRegressor):
    """MRTF regressor. The Mondrian process as a tessellation: axis-aligned cuts, up to a fixed budget."""

class WMRTFClassifier(MondrianClassifier):
    """WMRTF classifier. Axis-aligned cuts whose features have weights, up to a fixed budget."""

class WMRTFRegressor(MondrianRegressor):
    """WMRTF regressor. Axis-aligned cuts whose features have weights, up to a fixed budget."""

class ObspClassifier(WeightedForestClassifier):
    """Obsp classifier. Cuts oblique in two axes, a growing budget; online and batch trees have one distribution."""

    budget: float | Literal["increasing"]
    budget_scale: float
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    vote: Literal["frequencies", "majority"]
    rate: float
    window: int | Literal["unlimited"]
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated"]
    step: float
    first_loss: float | Literal["by-features"]
    dirichlet: float | Literal["by-classes"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    class_weight: dict[Any, float] | Literal["balanced"] | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = "increasing", budget_scale: float = ..., min_points: int = 3,
        pause: Literal["pure", "never"] = "never", update: Literal["conditional", "redraw", "new-point-only"] = ...,
        vote: Literal["frequencies", "majority"] = ..., rate: float = 0.5,
        window: int | Literal["unlimited"] = "unlimited", max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated"] = "empirical", step: float = 1.0,
        first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None, verbose: int = 0,
        class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class ObspRegressor(WeightedForestRegressor):
    """Obsp regressor. Cuts oblique in two axes, a growing budget; online and batch trees have one distribution."""

    budget: float | Literal["increasing"]
    budget_scale: float
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    rate: float
    window: int | Literal["unlimited"]
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated"]
    step: float | Literal["by-errors"]
    first_loss: float | Literal["by-features"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = "increasing", budget_scale: float = ..., min_points: int = 3,
        pause: Literal["pure", "never"] = "never", update: Literal["conditional", "redraw", "new-point-only"] = ...,
        rate: float = 0.5, window: int | Literal["unlimited"] = "unlimited",
        max_nodes: int | Literal["unlimited"] = "unlimited", labels: Literal["empirical", "aggregated"] = "empirical",
        step: float | Literal["by-errors"] = "by-errors", first_loss: float | Literal["by-features"] = "by-features",
        n_estimators: int = 100, random_state: int | np.random.RandomState | None = None, verbose: int = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class ObspRedrawClassifier(ObspClassifier):
    """Obsp redraw classifier. The paper's Algorithm 4 as printed: leaves drawn again at every arrival."""

class ObspRedrawRegressor(ObspRegressor):
    """Obsp redraw regressor. The paper's Algorithm 4 as printed: leaves drawn again at every arrival."""

class SaffariClassifier(OnlineForestClassifier):
    """Saffari classifier. Online bagging, random tests, splits by gain once a leaf has enough points."""

    tests: int
    m: int
    min_samples: int
    min_gain: float
    max_depth: int
    max_nodes: int | Literal["unlimited"]
    vote: Literal["frequencies", "majority"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, tests: int = 10, m: int = 10, min_samples: int = 50, min_gain: float = 0.1, max_depth: int = 50,
        max_nodes: int | Literal["unlimited"] = "unlimited", vote: Literal["frequencies", "majority"] = "frequencies",
        n_estimators: int = 100, random_state: int | np.random.RandomState | None = None, verbose: int = 0,
        class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class SaffariRegressor(OnlineForestRegressor):
    """Saffari regressor. Online bagging, random tests, splits by gain once a leaf has enough points."""

    tests: int
    m: int
    min_samples: int
    min_gain: float
    max_depth: int
    max_nodes: int | Literal["unlimited"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, tests: int = 10, m: int = 10, min_samples: int = 50, min_gain: float = 0.1, max_depth: int = 50,
        max_nodes: int | Literal["unlimited"] = "unlimited", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class StreamRFClassifier(OnlineForestClassifier):
    """Stream RF classifier. Splits by gain on one part of the stream, votes from the other: consistent."""

    lambda_: float
    m: int
    tau: float
    alpha: float
    alpha_base: float
    beta: float
    beta_base: float
    structure: float
    fringe: int | Literal["unlimited"]
    max_nodes: int | Literal["unlimited"]
    vote: Literal["frequencies", "majority"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, lambda_: float = 20.0, m: int = 5, tau: float = 0.3, alpha: float = 1.0, alpha_base: float = 1.05,
        beta: float = 100.0, beta_base: float = 1.05, structure: float = 0.5,
        fringe: int | Literal["unlimited"] = "unlimited", max_nodes: int | Literal["unlimited"] = "unlimited",
        vote: Literal["frequencies", "majority"] = "frequencies", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, class_cap: int | None = None,
        n_jobs: int | None = None,
    ) -> None: ...

class StreamRFRegressor(OnlineForestRegressor):
    """Stream RF regressor. Splits by gain on one part of the stream, votes from the other: consistent."""

    lambda_: float
    m: int
    tau: float
    alpha: float
    alpha_base: float
    beta: float
    beta_base: float
    structure: float
    fringe: int | Literal["unlimited"]
    max_nodes: int | Literal["unlimited"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, lambda_: float = 20.0, m: int = 5, tau: float = 0.3, alpha: float = 1.0, alpha_base: float = 1.05,
        beta: float = 100.0, beta_base: float = 1.05, structure: float = 0.5,
        fringe: int | Literal["unlimited"] = "unlimited", max_nodes: int | Literal["unlimited"] = "unlimited",
        n_estimators: int = 100, random_state: int | np.random.RandomState | None = None, verbose: int = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class URTFClassifier(WeightedForestClassifier):
    """URTF classifier. Cuts in uniform directions, up to a fixed budget; online and batch trees have one
    distribution."""

    budget: float | Literal["increasing"]
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    vote: Literal["frequencies", "majority"]
    window: int | Literal["unlimited"]
    weights: str
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated"]
    budget_scale: float | None
    step: float
    first_loss: float | Literal["by-features"]
    dirichlet: float | Literal["by-classes"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    class_weight: dict[Any, float] | Literal["balanced"] | None
    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = float("inf"), min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        vote: Literal["frequencies", "majority"] = "frequencies", window: int | Literal["unlimited"] = "unlimited",
        weights: str = ..., max_nodes: int | Literal["unlimited"] = "unlimited",
        labels: Literal["empirical", "aggregated"] = "empirical", budget_scale: float | None = None, step: float = 1.0,
        first_loss: float | Literal["by-features"] = "by-features",
        dirichlet: float | Literal["by-classes"] = "by-classes", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None, verbose: int = 0,
        class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class URTFRegressor(WeightedForestRegressor):
    """URTF regressor. Cuts in uniform directions, up to a fixed budget; online and batch trees have one
    distribution."""

    budget: float | Literal["increasing"]
    min_points: int
    pause: Literal["pure", "never"]
    update: Literal["conditional", "redraw", "new-point-only"]
    window: int | Literal["unlimited"]
    weights: str
    max_nodes: int | Literal["unlimited"]
    labels: Literal["empirical", "aggregated"]
    budget_scale: float | None
    step: float | Literal["by-errors"]
    first_loss: float | Literal["by-features"]
    n_estimators: int
    random_state: int | np.random.RandomState | None
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, budget: float | Literal["increasing"] = float("inf"), min_points: int = 1,
        pause: Literal["pure", "never"] = "never",
        update: Literal["conditional", "redraw", "new-point-only"] = "conditional",
        window: int | Literal["unlimited"] = "unlimited", weights: str = ...,
        max_nodes: int | Literal["unlimited"] = "unlimited", labels: Literal["empirical", "aggregated"] = "empirical",
        budget_scale: float | None = None, step: float | Literal["by-errors"] = "by-errors",
        first_loss: float | Literal["by-features"] = "by-features", n_estimators: int = 100,
        random_state: int | np.random.RandomState | None = None, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class WURTFClassifier(URTFClassifier):
    """WURTF classifier. Cuts whose normals are weighted by feature, up to a fixed budget."""

class WURTFRegressor(URTFRegressor):
    """WURTF regressor. Cuts whose normals are weighted by feature, up to a fixed budget."""

class MajorityClassifier(OnlineForestClassifier):
    """Majority classifier. Class frequencies so far, whatever the features."""

    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, verbose: int = 0, class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class MeanRegressor(OnlineForestRegressor):
    """Mean regressor. Mean of the targets so far, whatever the features."""

    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class MovingMeanRegressor(OnlineForestRegressor):
    """Moving mean regressor. Mean of the latest targets, whatever the features."""

    window: int
    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, window: int = 100, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...

class NoChangeClassifier(OnlineForestClassifier):
    """No change classifier. The latest target, whatever the features."""

    verbose: int
    class_cap: int | None
    n_jobs: int | None

    def __init__(
        self, *, verbose: int = 0, class_cap: int | None = None, n_jobs: int | None = None,
    ) -> None: ...

class NoChangeRegressor(OnlineForestRegressor):
    """No change regressor. The latest target, whatever the features."""

    verbose: int
    n_jobs: int | None

    def __init__(
        self, *, verbose: int = 0, n_jobs: int | None = None,
    ) -> None: ...
