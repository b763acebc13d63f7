//! What only some algorithms can do is reached from a learner held by name.

use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::preprocessing::Step;
use online_forests::{
    Ability, Algorithm, AnyRegressor, Classification, FeatureValues, ForestSettings, OnlineLearner,
    Pipeline, Refused, Regression, Schema, snapshot,
};

use crate::common::{every, learned, prediction_bits};

/// Algorithms, and what they can do.
const TABLE: &[(&str, &str)] = &[
    ("adaptive", "members"),
    ("amf", "explain partition shards widen"),
    ("boundary-forest", ""),
    ("conformal", "explain intervals"),
    ("conformal:base=boundary-forest", "intervals"),
    (
        "dynamic-extra-trees",
        "at-once explain forget missing shards weights widen",
    ),
    ("mondrian", "explain forget partition shards weights widen"),
    (
        "mondrian:labels=aggregated",
        "explain partition shards widen",
    ),
    (
        "mondrian:max_nodes=201",
        "explain partition shards weights widen",
    ),
    ("mondrian-2014", "explain forget partition shards widen"),
    (
        "mondrian-2016",
        "explain forget intervals partition shards widen",
    ),
    (
        "mondrian-increasing",
        "explain forget partition shards weights widen",
    ),
    ("mrtf", "explain forget partition shards weights widen"),
    ("obsp", "explain forget partition shards weights"),
    ("obsp-redraw", "explain forget partition shards weights"),
    ("residual-forest", "explain forget missing weights widen"),
    ("saffari", "shards"),
    ("stream-rf", "shards"),
    ("urtf", "explain forget partition shards weights"),
    ("wmrtf", "explain forget partition shards weights widen"),
    (
        "wmrtf:weights=1/2",
        "explain forget partition shards weights",
    ),
    ("wurtf", "explain forget partition shards weights"),
];

/// Returns what a learner can do, and checks that the methods agree.
fn abilities<T: ConformanceTask>(algorithm: &Algorithm) -> String {
    let mut learner = learned::<T>(algorithm, 30);
    let rows = Stream::<T>::uniform(5, 2, 13).features;
    let takes_missing = learner.feature_values() == FeatureValues::NumbersAndCategories;
    let forgets = learner.check_forgetting().is_ok();
    assert!(learner.can(Ability::Forget) || !forgets, "{algorithm}");
    for (ability, methods) in [
        (Ability::Explain, vec![learner.export(0).is_ok()]),
        (
            Ability::Partition,
            vec![
                learner.refine().is_ok(),
                learner.share_a_leaf(&[0.5, 0.5], &[0.1, 0.1]).is_ok(),
                learner.nodes_of(0, &[[0.0; 2]; 3]).is_ok(),
            ],
        ),
        (
            Ability::Intervals,
            vec![
                learner.means_and_variances(rows.view()).is_ok(),
                learner.central_intervals(rows.view(), 0.5).is_ok(),
            ],
        ),
    ] {
        let can = learner.can(ability);
        let agree = methods.iter().all(|does| *does == can);
        assert!(agree, "{algorithm}: {ability:?}");
    }
    let words = [
        ("at-once", learner.can(Ability::AtOnce)),
        ("explain", learner.can(Ability::Explain)),
        ("forget", forgets),
        ("intervals", learner.can(Ability::Intervals)),
        ("members", !learner.members().is_empty()),
        ("missing", takes_missing),
        ("partition", learner.can(Ability::Partition)),
        ("shards", learner.part().is_some()),
        ("weights", learner.can(Ability::Weights)),
        ("widen", learner.widen(2).is_ok()),
    ];
    let can = words.into_iter().filter(|(_, can)| *can);
    can.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}

/// The columns of docs/algorithms.md.
#[test]
fn the_table_for_readers_is_this_one() {
    let columns = "missing weights forget widen intervals explain shards".split(' ');
    let guide = include_str!("../../../docs/algorithms.md");
    let section = guide.split("## What each supports").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut rows = 0;
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let mut table = TABLE.iter();
        let row = table.find(|(name, _)| cells[1] == format!("`{name}`"));
        let (_, can) = row.unwrap();
        for (column, cell) in columns.clone().zip(&cells[2..]) {
            let expected = can.split(' ').any(|word| word == column);
            assert_eq!(*cell == "yes", expected, "{line}: {column}");
        }
        rows += 1;
    }
    assert_eq!(rows, TABLE.len());
}

#[test]
fn exactly_these_algorithms_can_do_these_things() {
    for algorithm in Algorithm::all().filter(|algorithm| !algorithm.is_baseline()) {
        let is_listed = TABLE.iter().any(|(name, _)| *name == algorithm.name());
        // The toy that this program submits.
        assert!(is_listed || algorithm.name() == "histogram", "{algorithm}");
    }
    for (text, expected) in TABLE {
        let algorithm: Algorithm = text.parse().unwrap();
        if algorithm.supports::<Classification>() {
            assert_eq!(abilities::<Classification>(&algorithm), *expected, "{text}");
        }
        if algorithm.supports::<Regression>() {
            assert_eq!(abilities::<Regression>(&algorithm), *expected, "{text}");
        }
    }
}

#[test]
fn intervals_are_nested_and_as_wide_as_variances_say() {
    let rows = Stream::<Regression>::uniform(20, 2, 13).features;
    for algorithm in every::<Regression>() {
        let forest = learned::<Regression>(&algorithm, 60);
        if !forest.can(Ability::Intervals) {
            continue;
        }
        let moments = forest.means_and_variances(rows.view()).unwrap();
        let [half, most] =
            [0.5, 0.9].map(|level| forest.central_intervals(rows.view(), level).unwrap());
        let predictions = forest.predict(rows.view()).unwrap();
        for row in 0..20 {
            let mean = moments[[row, 0]];
            let variance = moments[[row, 1]];
            assert!((mean - predictions[[row, 0]]).abs() < 1e-9, "{algorithm}");
            let [lower, upper] = [[row, 0], [row, 1]];
            let bounds = [most[lower], half[lower], half[upper], most[upper]];
            let nested = bounds.is_sorted() && variance > 0.0;
            assert!(nested, "{algorithm}: {bounds:?}");
            // Chebyshev: 90 % lie within four standard deviations.
            assert!((mean - bounds[0]).powi(2) < 16.0 * variance, "{algorithm}");
        }
        for level in [0.0, 1.0, f64::NAN, -0.5] {
            let refused = forest.central_intervals(rows.view(), level);
            assert!(matches!(refused, Err(Refused::Argument(_))), "{level}");
        }
    }
    let unlearned = learned::<Regression>(&"mondrian-2016".parse().unwrap(), 0);
    let prediction = unlearned.central_intervals(rows.view(), 0.9).unwrap();
    let bounds = [prediction[[0, 0]], prediction[[0, 1]]];
    assert_eq!(bounds, [f64::NEG_INFINITY, f64::INFINITY]);
}

/// Predictions, in bits, of a learner that has forgotten all rows, and of one that never learned any.
fn forgotten_is_fresh<T: ConformanceTask>() {
    for algorithm in every::<T>() {
        let mut learner = learned::<T>(&algorithm, 60);
        if learner.check_forgetting().is_err() {
            continue;
        }
        let forgotten = (0..60).filter(|&row| learner.forget(row).is_ok());
        assert!(forgotten.count() > 0, "{algorithm}");
        assert_eq!(learner.footprint().stored_samples, 0, "{algorithm}");
        assert_eq!(learner.check_invariants(), Ok(()), "{algorithm}");
        let forest = ForestSettings::default().with_trees(3).with_seed(11);
        let fresh = algorithm.build::<T>(*learner.schema(), forest).unwrap();
        let [own, fresh] = [&learner, &fresh].map(prediction_bits);
        assert_eq!(own, fresh, "{algorithm}");
        assert!(!learner.has_learned(), "{algorithm}");
        let row = Stream::<T>::uniform(1, 2, 3);
        row.teach(&mut learner, 0, 1).unwrap();
        assert!(learner.has_learned(), "{algorithm}");
    }
}

#[test]
fn a_forest_that_has_forgotten_everything_predicts_as_a_fresh_one() {
    forgotten_is_fresh::<Classification>();
    forgotten_is_fresh::<Regression>();
    let mut forest = learned::<Classification>(&"mondrian".parse().unwrap(), 2);
    assert!(forest.predict_label(&[0.5, 0.5]).unwrap().is_some());
    forest.forget(0).unwrap();
    forest.forget(1).unwrap();
    assert_eq!(forest.predict_label(&[0.5, 0.5]), Ok(None));
    let steps: [Step; 0] = [];
    let pipeline = Pipeline::new(steps, forest).unwrap();
    assert_eq!(pipeline.predict_label(&[0.5, 0.5]), Ok(None));
}

/// What is refused leaves the snapshot unchanged: keeping no samples, a sample that is not held, fewer features,
/// another shard.
fn refusals_change_nothing<T: ConformanceTask>() {
    for algorithm in every::<T>() {
        let mut learner = learned::<T>(&algorithm, 60);
        let before = snapshot::to_bytes(&learner).unwrap();
        if learner.check_forgetting().is_ok() {
            let refused = learner.keep_latest(0).unwrap_err().to_string();
            assert_eq!(refused, "n must be at least 1, but is 0", "{algorithm}");
            assert!(learner.forget(60).is_err(), "{algorithm}");
        }
        assert!(learner.widen(1).is_err(), "{algorithm}");
        let other = learned::<T>(&algorithm, 59);
        assert!(learner.join(other).is_err(), "{algorithm}");
        let after = snapshot::to_bytes(&learner).unwrap();
        assert!(after == before, "{algorithm}");
    }
}

#[test]
fn a_refused_change_leaves_the_same_bytes() {
    refusals_change_nothing::<Classification>();
    refusals_change_nothing::<Regression>();
}

/// The algorithm, and the parameter where it is one.
#[test]
fn why_a_learner_cannot_forget_is_said() {
    let never = "a sample that was learned cannot be taken out of this learner again";
    let bounded = "max_nodes must be unlimited where samples are forgotten";
    for (text, reason) in [
        ("amf", never),
        ("boundary-forest", never),
        ("mondrian:max_nodes=201", bounded),
    ] {
        let mut learner = learned::<Regression>(&text.parse().unwrap(), 5);
        let said = learner.forget(0).unwrap_err().to_string();
        let name = text.split(':').next().unwrap();
        let expected = format!("{name}: no sample can be forgotten: {reason}");
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn a_partition_held_by_name_is_seen_and_refined() {
    let text = "mondrian-increasing:budget_scale=1";
    let mut forest = learned::<Regression>(&text.parse().unwrap(), 400);
    let stale = forest.footprint().nodes;
    forest.refine().unwrap();
    assert!(forest.footprint().nodes > stale);
    assert_eq!(forest.share_a_leaf(&[0.5, 0.5], &[0.5, 0.5]), Ok(1.0));
    assert_eq!(forest.share_a_leaf(&[0.0, 0.0], &[1.0, 1.0]), Ok(0.0));
    assert!(forest.share_a_leaf(&[0.5, 0.5], &[0.5]).is_err());
}

#[test]
fn only_forests_over_two_features_lie_in_the_plane() {
    let window = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let obsp: Algorithm = "obsp".parse().unwrap();
    let forest = learned::<Regression>(&obsp, 100);
    let nodes = forest.nodes_of(0, &window).unwrap();
    assert!(nodes.iter().any(|node| node.is_leaf && node.cut.is_none()));
    assert!(nodes.iter().any(|node| node.cut.is_some()));
    assert_eq!(forest.nodes_of(3, &window), Ok(Vec::new()));
    let line = Schema::<Regression>::new(1).unwrap();
    let line = obsp.build(line, ForestSettings::default());
    assert!(line.unwrap().nodes_of(0, &window).is_err());
}

#[test]
fn a_mixture_has_intervals_inside_conformal_and_not_the_other_way_round() {
    let algorithm: Algorithm = "conformal:base=adaptive,scores=30".parse().unwrap();
    let learner = learned::<Regression>(&algorithm, 60);
    assert_eq!(learner.algorithm().name(), "conformal");
    let members = learner.members().len();
    assert!(members > 1);
    let read =
        snapshot::from_bytes::<AnyRegressor>(&snapshot::to_bytes(&learner).unwrap()).unwrap();
    let rows = Stream::<Regression>::uniform(5, 2, 13).features;
    let [before, after] =
        [&learner, &read].map(|learner| learner.central_intervals(rows.view(), 0.9).unwrap());
    assert!(before == after && before.iter().all(|bound| bound.is_finite()));
    let other: Algorithm = "adaptive:members=conformal@50@none".parse().unwrap();
    let refused = other.build::<Regression>(Schema::new(2).unwrap(), ForestSettings::default());
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("algorithm that this one can hold"), "{said}");
}
