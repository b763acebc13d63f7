//! Learners of every type are written as JSON and read back.

use crate::common::{every, learned};
use boundary_forest::{BoundaryForest, Cosine, Euclidean, Manhattan, SquaredEuclidean};
use dynamic_forest::{DynamicClassifier, DynamicRegressor};
use forest_core::{Forest, MovingMean, NoChange, Prior};
use forest_testing::conformance::ConformanceTask;
use histogram_forest::Histogram;
use label_models::{
    AggregatedClasses, AggregatedMeans, Boxes, BranchOff, ClassFrequencies, Draws,
    GaussianHierarchy, KneserNey, LeafMeans,
};
use mondrian::AxisCuts;
use obsp::PairCuts;
use online_forests::{
    Adaptive, AnyLearner, Classification, Conformal, NamedTask, Regression, RowParts, snapshot,
};
use random_tessellation::LinearCuts;
use registry::{Declared, Named};
use residual_forest::{ResidualClassifier, ResidualForest};
use stream_rf::{SaffariClassifier, SaffariRegressor, StreamClassifier, StreamRegressor};
use tessellation_tree::{NamedCuts, TessellationTree};

/// Returns whether the learner is of type `L`; its JSON is read back as the same learner then.
fn is_read_back<L: Named>(learner: &AnyLearner<L::Task>) -> bool
where
    L::Task: NamedTask,
{
    let Some(typed) = learner.downcast_ref::<L>() else {
        return false;
    };
    let name = learner.algorithm();
    let json = serde_json::to_string(typed).unwrap();
    let read = serde_json::from_str::<L>(&json).map_err(|error| format!("{name}: {error}"));
    let read = read.unwrap();
    // The bytes of a snapshot hold all that it will ever predict.
    let [before, after] = [typed, &read].map(|learner| snapshot::to_bytes(learner).unwrap());
    assert_eq!(before, after, "{name}");
    true
}

fn is_classifier<D: NamedCuts, B: BranchOff<Settings: Declared>>(
    learner: &AnyLearner<Classification>,
) -> bool {
    is_read_back::<Forest<TessellationTree<D, ClassFrequencies>>>(learner)
        || is_read_back::<Forest<TessellationTree<D, AggregatedClasses>>>(learner)
        || is_read_back::<Forest<TessellationTree<D, KneserNey<B>>>>(learner)
}

fn is_regressor<D: NamedCuts, B: BranchOff<Settings: Declared>>(
    learner: &AnyLearner<Regression>,
) -> bool {
    is_read_back::<Forest<TessellationTree<D, LeafMeans>>>(learner)
        || is_read_back::<Forest<TessellationTree<D, AggregatedMeans>>>(learner)
        || is_read_back::<Forest<TessellationTree<D, GaussianHierarchy<B>>>>(learner)
}

fn every_learner_is_read_back<T: NamedTask + ConformanceTask>(
    types: &[fn(&AnyLearner<T>) -> bool],
) {
    for algorithm in every::<T>() {
        for rows in [0, 1, 60] {
            let learner = learned::<T>(&algorithm, rows);
            let known = types.iter().any(|is_read_back| is_read_back(&learner));
            assert!(known, "add the type of {algorithm} to those that are tried");
        }
    }
}

/// The types of learners of a task: those that each task has, and its own.
macro_rules! types {
    ($task:ty, $is_tessellation:ident, $($own:ty),*) => {
        &[
            is_read_back::<Prior<$task>>,
            is_read_back::<NoChange<$task>>,
            $is_tessellation::<AxisCuts, Boxes>,
            $is_tessellation::<PairCuts, Draws>,
            $is_tessellation::<LinearCuts, Draws>,
            is_read_back::<BoundaryForest<$task, Euclidean>>,
            is_read_back::<BoundaryForest<$task, SquaredEuclidean>>,
            is_read_back::<BoundaryForest<$task, Manhattan>>,
            is_read_back::<BoundaryForest<$task, Cosine>>,
            is_read_back::<Adaptive<$task>>,
            is_read_back::<RowParts<$task>>,
            $(is_read_back::<$own>),*
        ]
    };
}

#[test]
fn json_of_every_classifier_is_read_back() {
    let types = types!(
        Classification,
        is_classifier,
        DynamicClassifier,
        ResidualClassifier,
        StreamClassifier,
        SaffariClassifier
    );
    every_learner_is_read_back::<Classification>(types);
}

#[test]
fn json_of_every_regressor_is_read_back() {
    let types = types!(
        Regression,
        is_regressor,
        MovingMean,
        Conformal,
        DynamicRegressor,
        ResidualForest,
        StreamRegressor,
        SaffariRegressor,
        Forest<Histogram>
    );
    every_learner_is_read_back::<Regression>(types);
}
