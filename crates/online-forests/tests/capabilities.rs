//! What only some algorithms can do is reached from a learner held by name.

use crate::common::{every, learned, prediction_bits};
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::preprocessing::Step;
use online_forests::{
    Ability, Algorithm, AnyRegressor, Classification, ForestSettings, NamedTask, OnlineClassifier,
    OnlineLearner, Pipeline, Refused, Regression, Schema, snapshot,
};

const TESSELLATIONS: [&str; 11] = [
    "mondrian",
    "mondrian-increasing",
    "mondrian-2014",
    "mondrian-2016",
    "obsp",
    "obsp-redraw",
    "urtf",
    "wurtf",
    "mrtf",
    "wmrtf",
    "amf",
];

/// Mixtures of prunings weigh them by losses, which depend on the order of arrival.
fn is_mixture(algorithm: &Algorithm) -> bool {
    let named = ["amf", "aggregated"].iter();
    let by_name = named.clone().any(|name| algorithm.name().starts_with(name));
    by_name
        || algorithm
            .explicit_values()
            .any(|given| given == ("labels", "aggregated"))
}

/// Returns the name of the forest that is shown: `conformal` shows its base.
fn shown(algorithm: &Algorithm) -> &str {
    let base = algorithm
        .explicit_values()
        .find(|(name, _)| *name == "base");
    match (algorithm.name(), base) {
        ("conformal", None) => "mondrian-2016",
        ("conformal", Some((_, base))) => base,
        (name, _) => name,
    }
}

fn tessellation_forests_can<T: NamedTask + ConformanceTask>() {
    for algorithm in every::<T>() {
        let mut learner = learned::<T>(&algorithm, 30);
        let shows = TESSELLATIONS.contains(&shown(&algorithm));
        let changes = shows && algorithm.name() != "conformal";
        let bounded = algorithm
            .explicit_values()
            .any(|(name, _)| name == "max_nodes");
        let is_dynamic = ["dynamic-extra-trees", "residual-forest"].contains(&algorithm.name());
        let forgets = is_dynamic || (changes && !bounded && !is_mixture(&algorithm));
        assert_eq!(learner.check_forgetting().is_ok(), forgets, "{algorithm}");
        assert_eq!(learner.can(Ability::Partition), changes, "{algorithm}");
        assert_eq!(learner.refine().is_ok(), changes, "{algorithm}");
        assert_eq!(
            learner.nodes_of(0, &[[0.0; 2]; 3]).is_ok(),
            changes,
            "{algorithm}"
        );
        let is_read = shows || is_dynamic;
        assert_eq!(learner.can(Ability::Explain), is_read, "{algorithm}");
    }
}

#[test]
fn exactly_tessellation_forests_forget_refine_and_show_their_partition() {
    tessellation_forests_can::<Classification>();
    tessellation_forests_can::<Regression>();
}

#[test]
fn exactly_hierarchical_and_conformal_regressors_have_intervals() {
    for algorithm in every::<Classification>() {
        let forest = learned::<Classification>(&algorithm, 30);
        assert!(!forest.can(Ability::Intervals), "{algorithm}");
    }
    let rows = Stream::<Regression>::uniform(20, 2, 13).features;
    for algorithm in every::<Regression>() {
        let forest = learned::<Regression>(&algorithm, 60);
        let named = ["mondrian-2016", "conformal"].contains(&algorithm.name());
        let mut given = algorithm.explicit_values();
        let expected = named || given.any(|given| given == ("labels", "hierarchical"));
        assert_eq!(forest.can(Ability::Intervals), expected, "{algorithm}");
        if !expected {
            assert!(
                forest.central_intervals(rows.view(), 0.5).is_err(),
                "{algorithm}"
            );
            continue;
        }
        let moments = forest.means_and_variances(rows.view()).unwrap();
        let [half, most] =
            [0.5, 0.9].map(|level| forest.central_intervals(rows.view(), level).unwrap());
        let predictions = forest.predict(rows.view()).unwrap();
        for row in 0..20 {
            let (mean, variance) = (moments[[row, 0]], moments[[row, 1]]);
            assert!((mean - predictions[[row, 0]]).abs() < 1e-9, "{algorithm}");
            let bounds = [
                most[[row, 0]],
                half[[row, 0]],
                half[[row, 1]],
                most[[row, 1]],
            ];
            assert!(
                bounds.is_sorted() && variance > 0.0,
                "{algorithm}: {bounds:?}"
            );
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
    assert_eq!(
        (prediction[[0, 0]], prediction[[0, 1]]),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
}

/// Labels other than those of leaves have no weights, and `conformal` ranks errors of rows.
fn some_forests_take_weights<T: NamedTask + ConformanceTask>() {
    for algorithm in every::<T>() {
        let mut learner = learned::<T>(&algorithm, 30);
        let empirical = algorithm
            .explicit_values()
            .all(|(name, value)| name != "labels" || value == "empirical")
            && !["amf", "mondrian-2014", "mondrian-2016"].contains(&algorithm.name());
        let of_tessellations = TESSELLATIONS.contains(&algorithm.name()) && empirical;
        let is_dynamic = ["dynamic-extra-trees", "residual-forest"].contains(&algorithm.name());
        let expected = of_tessellations || is_dynamic;
        let mut by_row = learner.clone();
        assert_eq!(learner.can(Ability::Weights), expected, "{algorithm}");
        if expected {
            let stream = Stream::<T>::uniform(20, 2, 14);
            let (features, targets) = stream.part(0, 20);
            let weights: Vec<f64> = (0..20).map(|row| 0.5 + f64::from(row % 4) / 2.0).collect();
            learner.learn_weighted(features, targets, &weights).unwrap();
            for row in 0..20 {
                let (features, targets) = stream.part(row, row + 1);
                by_row
                    .learn_weighted(features, targets, &weights[row..=row])
                    .unwrap();
            }
            learner.check_invariants().unwrap();
            assert_eq!(
                prediction_bits::<T>(&learner),
                prediction_bits::<T>(&by_row),
                "{algorithm}"
            );
        }
    }
}

#[test]
fn exactly_tessellation_forests_of_leaves_and_dynamic_trees_learn_with_weights() {
    some_forests_take_weights::<Classification>();
    some_forests_take_weights::<Regression>();
}

/// Saved between two weighted batches and loaded, it continues as the one that was not.
fn weights_are_saved<T: NamedTask + ConformanceTask>(name: &str) {
    let algorithm: Algorithm = name.parse().unwrap();
    let mut learner = learned::<T>(&algorithm, 40);
    let stream = Stream::<T>::uniform(80, 2, 17);
    let weights: Vec<f64> = (0..80).map(|row| 0.1 + f64::from(row % 5)).collect();
    let teach = |learner: &mut online_forests::AnyLearner<T>, rows: std::ops::Range<usize>| {
        let (features, targets) = stream.part(rows.start, rows.end);
        let weights = &weights[rows];
        learner.learn_weighted(features, targets, weights).unwrap();
    };
    teach(&mut learner, 0..40);
    let bytes = snapshot::to_bytes(&learner).unwrap();
    let mut loaded = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(
        prediction_bits::<T>(&loaded),
        prediction_bits::<T>(&learner),
        "{name}"
    );
    teach(&mut learner, 40..80);
    teach(&mut loaded, 40..80);
    assert_eq!(
        prediction_bits::<T>(&loaded),
        prediction_bits::<T>(&learner),
        "{name}"
    );
    assert_eq!(
        snapshot::to_bytes(&loaded).unwrap(),
        snapshot::to_bytes(&learner).unwrap(),
        "{name}"
    );
}

#[test]
fn learners_with_weights_are_saved_and_continue() {
    for name in [
        "mondrian",
        "mondrian:budget=3",
        "mondrian:window=30",
        "mondrian:max_nodes=20",
        "urtf",
        "dynamic-extra-trees",
        "dynamic-extra-trees:recheck=0,window=30",
    ] {
        weights_are_saved::<Classification>(name);
    }
    for name in [
        "mondrian-increasing",
        "mondrian-increasing:window=30",
        "obsp",
        "dynamic-extra-trees",
        "dynamic-extra-trees:recheck=0,window=30",
    ] {
        weights_are_saved::<Regression>(name);
    }
}

#[test]
fn a_forest_held_by_name_forgets() {
    let mondrian: Algorithm = "mondrian".parse().unwrap();
    let mut forest = learned::<Regression>(&mondrian, 40);
    let before = prediction_bits::<Regression>(&forest);
    forest.forget(39).unwrap();
    assert!(forest.forget(39).is_err());
    forest.keep_latest(7).unwrap();
    assert_eq!(forest.footprint().stored_samples, 7);
    assert_ne!(prediction_bits::<Regression>(&forest), before);
}

/// Predictions, in bits, of a learner that has forgotten all rows, and of one that never learned any.
fn forgotten_is_fresh<T: NamedTask + ConformanceTask>() {
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
        assert_eq!(
            prediction_bits(&learner),
            prediction_bits(&fresh),
            "{algorithm}"
        );
        assert!(!learner.has_learned(), "{algorithm}");
        Stream::<T>::uniform(1, 2, 3)
            .teach(&mut learner, 0, 1)
            .unwrap();
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
    assert_eq!(forest.predict_proba(&[0.5, 0.5]), Ok(None));
    let steps: [Step; 0] = [];
    let pipeline = Pipeline::new(steps, forest).unwrap();
    assert_eq!(pipeline.predict_label(&[0.5, 0.5]), Ok(None));
}

/// What is refused leaves the snapshot unchanged: keeping no samples, a sample that is not held, fewer features, another shard.
fn refusals_change_nothing<T: NamedTask + ConformanceTask>() {
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
        assert!(
            snapshot::to_bytes(&learner).unwrap() == before,
            "{algorithm}"
        );
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
    for (text, reason) in [
        (
            "amf",
            "a sample that was learned cannot be taken out of this learner again",
        ),
        (
            "boundary-forest",
            "a sample that was learned cannot be taken out of this learner again",
        ),
        (
            "mondrian:max_nodes=201",
            "max_nodes must be unlimited where samples are forgotten",
        ),
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
    assert!(
        said.contains("an algorithm that this one can hold"),
        "{said}"
    );
}
