//! The contributions that a forest reports add up to its predictions.

use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::{Array2, Axis, s};
use online_forests::{
    Ability, Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression,
    Schema, Task,
};

use super::common::{every, learned};

const ROWS: usize = 80;

/// With hierarchical labels a new point may leave its leaf by a cut of its own: exported trees predict for those that
/// stay, as all that were learned do.
fn is_hierarchical(algorithm: &Algorithm) -> bool {
    let named = ["mondrian-2014", "mondrian-2016"];
    let mut given = algorithm.explicit_values();
    let is_conformal = algorithm.name() == "conformal";
    named.contains(&algorithm.name())
        || (is_conformal && given.all(|(name, base)| name != "base" || named.contains(&base)))
        || algorithm
            .explicit_values()
            .any(|given| given == ("labels", "hierarchical"))
}

/// Beside its trees it has a ridge regression and means of targets.
fn has_more_than_trees(algorithm: &Algorithm) -> bool {
    let mut given = algorithm.explicit_values();
    algorithm.name() == "residual-forest" || given.any(|one| one == ("base", "residual-forest"))
}

/// Returns whether predictions are a softmax of what trees predict, among others: its rest depends on the point.
fn is_softmax<T: Task>(algorithm: &Algorithm) -> bool {
    T::NAME == "classification" && algorithm.name() == "residual-forest"
}

/// Returns points that were not learned, or the latest of those that were: a window holds them.
fn points<T: ConformanceTask>(algorithm: &Algorithm) -> Array2<f32> {
    if is_hierarchical(algorithm) {
        let learned = Stream::<T>::uniform(ROWS, 2, 12).features;
        learned.slice(s![ROWS - 20.., ..]).to_owned()
    } else {
        Stream::<T>::uniform(20, 2, 13).features
    }
}

/// Returns the sum of what the exported trees, read from JSON, predict.
fn of_exported<T: Task>(learner: &AnyLearner<T>, points: &Array2<f32>) -> Array2<f64> {
    let mut sums = Array2::zeros((points.nrows(), learner.schema().width()));
    let exported = learner.exported().unwrap().into_iter();
    for tree in exported.map(|tree| serde_json::from_str(&tree.to_json()).unwrap()) {
        let tree: online_forests::ExportedTree = tree;
        for (x, mut sum) in points.rows().into_iter().zip(sums.rows_mut()) {
            let leaf = tree.leaf(x.to_slice().unwrap()).unwrap();
            let cells = sum.iter_mut().zip(&leaf.prediction);
            cells.for_each(|(sum, value)| *sum += tree.share * value);
        }
    }
    sums
}

fn assert_close(own: &Array2<f64>, expected: &Array2<f64>, of: &Algorithm) {
    assert_eq!(own.dim(), expected.dim());
    for (own, expected) in own.iter().zip(expected) {
        let near = (own - expected).abs() < 1e-9 * (1.0 + expected.abs());
        assert!(near, "{of}: {own}, {expected}");
    }
}

fn exported_trees_predict<T: ConformanceTask>() -> usize {
    let mut count = 0;
    for algorithm in every::<T>() {
        let learner = learned::<T>(&algorithm, ROWS);
        if !learner.can(Ability::Explain) || has_more_than_trees(&algorithm) {
            continue;
        }
        count += 1;
        let points = points::<T>(&algorithm);
        let predictions = learner.predict(points.view()).unwrap();
        assert_close(&of_exported(&learner, &points), &predictions, &algorithm);
    }
    count
}

#[test]
fn exported_trees_have_all_that_a_prediction_needs() {
    assert!(exported_trees_predict::<Classification>() > 30);
    assert!(exported_trees_predict::<Regression>() > 30);
}

/// What is missing is the ridge regression: a function that is linear, up to where it is at an end of the range of the
/// targets.
#[test]
fn trees_of_all_stages_have_their_shares() {
    let algorithm: Algorithm = "residual-forest".parse().unwrap();
    let settings = ForestSettings::default().with_trees(12);
    let schema = Schema::<Regression>::new(2).unwrap();
    let mut learner = algorithm.build(schema, settings).unwrap();
    let stream = Stream::<Regression>::uniform(300, 2, 12);
    stream.teach(&mut learner, 0, 300).unwrap();
    let line = |at: f32| [0.3 + 0.4 * at, 0.6 - 0.3 * at];
    let points = Array2::from_shape_fn((21, 2), |(row, feature)| line(row as f32 / 20.0)[feature]);
    let rest = learner.predict(points.view()).unwrap() - of_exported(&learner, &points);
    let [first, last] = [rest[[0, 0]], rest[[20, 0]]];
    for (row, rest) in rest.iter().enumerate() {
        let expected = first + (last - first) * row as f64 / 20.0;
        assert!((rest - expected).abs() < 1e-6, "{row}: {rest} {expected}");
    }
}

fn contributions_add_up<T: ConformanceTask>() {
    for algorithm in every::<T>() {
        let learner = learned::<T>(&algorithm, ROWS);
        if !learner.can(Ability::Explain) {
            let point = Array2::zeros((1, 2));
            assert!(learner.contributions(point.view()).is_err(), "{algorithm}");
            continue;
        }
        let points = Stream::<T>::uniform(20, 2, 13).features;
        let contributions = learner.contributions(points.view()).unwrap();
        let predictions = learner.predict(points.view()).unwrap();
        assert_eq!(contributions.dim(), (20, 3, predictions.ncols()));
        assert_close(&contributions.sum_axis(Axis(1)), &predictions, &algorithm);
        if !is_hierarchical(&algorithm) && !is_softmax::<T>(&algorithm) {
            // Where no feature is known, all points are one.
            let base = contributions.slice(s![.., 2, ..]).to_owned();
            let first = base.row(0).broadcast(base.dim()).unwrap().to_owned();
            assert_close(&base, &first, &algorithm);
        }
        let narrow = points.slice(s![.., ..1]);
        assert!(learner.contributions(narrow).is_err(), "{algorithm}");
        let nothing = learned::<T>(&algorithm, 0);
        let contributions = nothing.contributions(points.view()).unwrap();
        let predictions = nothing.predict(points.view()).unwrap();
        assert_close(&contributions.sum_axis(Axis(1)), &predictions, &algorithm);
    }
}

#[test]
fn contributions_of_features_add_up_to_predictions() {
    contributions_add_up::<Classification>();
    contributions_add_up::<Regression>();
}
