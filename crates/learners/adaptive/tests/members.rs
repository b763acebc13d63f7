//! What a member has seen, and that it is its base on these rows.

use std::collections::BTreeMap;

use adaptive::{Adaptive, AdaptiveSettings, AdaptiveTask, MemberCopy};
use forest_core::registry::{Algorithm, AnyLearner, snapshot};
use forest_core::{Classification, OnlineLearner, PredictionRows, Regression, Schema, TreeRng};
use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::{Array2, s};

use crate::common::{build_with_members, forest, from_these_rows_alone};

const MEMBERS: &str = "mondrian@20@minmax+mondrian:budget=5;pause=never@50@quantile+\
                       boundary-forest@32@none@labels+mondrian@all@quantile+stream-rf@40@quantile";

const ROWS: usize = 330;

/// After each stretch of rows, every copy that uses turns is bit for bit the learner of its rows.
fn copies_are_learners_of_their_rows<T: AdaptiveTask + ConformanceTask>(schema: Schema<T>) {
    let stream = Stream::<T>::uniform(ROWS, 2, 31);
    let mut learner = build_with_members(MEMBERS, AdaptiveSettings::default(), schema, 32);
    let mut seen = 0;
    for rows in [1, 2, 4, 9, 4, 1, 29, 10, 3, 37, 100, 7, 123] {
        stream.teach(&mut learner, seen, seen + rows).unwrap();
        seen += rows;
        for copy in learner.copies() {
            let alone = from_these_rows_alone(copy, &stream, (schema, seen));
            let [held, alone] = [copy.learner(), &alone].map(|l| snapshot::to_bytes(l).unwrap());
            assert!(held == alone, "{} after {seen} rows", copy.member());
        }
    }
}

#[test]
fn copies_are_the_learners_of_their_rows() {
    // With all classes stated, so that the schema when a copy was built is known here.
    let schema = Schema::<Classification>::new(2).unwrap().with_classes(3);
    copies_are_learners_of_their_rows(schema.unwrap());
    copies_are_learners_of_their_rows(Schema::<Regression>::new(2).unwrap());
}

/// The prediction is the weighted mean of the members'; a member's is the mean of its copies'.
#[test]
fn the_prediction_is_the_weighted_mean() {
    let stream = turning(900);
    let schema = Schema::<Classification>::new(2).unwrap();
    let settings = AdaptiveSettings {
        eta: vec![0.3, 1.0],
        discount: vec![0.95],
        ..AdaptiveSettings::default()
    };
    let mut learner = build_with_members(MEMBERS, settings, schema, 42);
    stream.teach(&mut learner, 0, 460).unwrap();
    let queries = Stream::<Classification>::uniform(40, 2, 43).features;
    let mut expected = Array2::zeros((40, 3));
    for (copies, weight) in learner.copies().chunks(2).zip(learner.weights()) {
        for copy in copies {
            let scaled = copy.scaled(queries.view());
            expected += &(copy.learner().predict(scaled.view()).unwrap() * (weight / 2.0));
        }
    }
    let spread = learner.weights().iter().copied().fold(0.0, f64::max);
    assert!(spread > 0.3, "the weights differ: {:?}", learner.weights());
    let predictions = learner.predict(queries.view()).unwrap();
    let mut differences = (&predictions - &expected).into_iter();
    assert!(differences.all(|off| off.abs() < 1e-12));
}

/// Weights in proportion to exp(−η Σ γ^age · loss) over the rows so far, the latest of age 1.
#[derive(Clone)]
struct Discounted {
    eta: f64,
    discount: f64,
    sums: Vec<f64>,
}

impl Discounted {
    fn update(&mut self, losses: &[f64]) {
        for (sum, loss) in self.sums.iter_mut().zip(losses) {
            *sum = self.discount * (*sum + loss);
        }
    }

    fn shares(&self) -> Vec<f64> {
        let weights: Vec<f64> = self.sums.iter().map(|s| (-self.eta * s).exp()).collect();
        let all: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / all).collect()
    }
}

fn are_near(a: impl IntoIterator<Item = f64>, b: &[f64]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
}

/// Members are weighted by their losses under each rule, and rules by the errors of what they would have predicted,
/// before the row counts; a member weighs what the rules give it.
#[test]
fn members_are_weighted_by_losses_and_rules_by_errors() {
    let stream = turning(400);
    let schema = Schema::<Classification>::new(2).unwrap();
    let rule = |eta, discount, count| Discounted {
        eta,
        discount,
        sums: vec![0.0; count],
    };
    let mut by_rule: Vec<_> = [(0.05, 0.9), (0.05, 0.99), (2.0, 0.9), (2.0, 0.99)]
        .map(|(eta, discount)| rule(eta, discount, 5))
        .into();
    let mut of_rules = rule(1.0, 0.998, 4);
    let mut differ = 0;
    let settings = AdaptiveSettings {
        eta: vec![0.05, 2.0],
        discount: vec![0.9, 0.99],
        ..AdaptiveSettings::default()
    };
    let mut learner = build_with_members(MEMBERS, settings, schema, 46);
    for (row, &class) in stream.targets.iter().enumerate() {
        let x = stream.features.slice(s![row..=row, ..]);
        let of_copy = |copy: &MemberCopy<_>| {
            let scaled = copy.scaled(x);
            copy.learner().predict(scaled.view()).unwrap()
        };
        let mut predictions = Vec::new();
        for copies in learner.copies().chunks(2) {
            predictions.push((of_copy(&copies[0]) + of_copy(&copies[1])) / 2.0);
        }
        let error = |weights: &Discounted| {
            let mut mixed = Array2::<f64>::zeros(predictions[0].dim());
            for (prediction, weight) in predictions.iter().zip(weights.shares()) {
                mixed += &(prediction * weight);
            }
            Classification::error(0.0, &mixed.row(0).to_vec(), class)
        };
        let errors: Vec<f64> = by_rule.iter().map(error).collect();
        differ += usize::from(errors.iter().any(|error| *error != errors[0]));
        let loss = |p: &Array2<f64>| {
            <Classification as AdaptiveTask>::loss(0.0, &p.row(0).to_vec(), class)
        };
        let losses: Vec<f64> = predictions.iter().map(loss).collect();
        for weights in &mut by_rule {
            weights.update(&losses);
        }
        of_rules.update(&errors);
        stream.teach(&mut learner, row, row + 1).unwrap();
        let rules = learner.rules().into_iter().map(|rule| rule.weight);
        assert!(are_near(rules, &of_rules.shares()), "rules after row {row}");
        let mut expected = vec![0.0; 5];
        for (weights, share) in by_rule.iter().zip(of_rules.shares()) {
            for (sum, weight) in expected.iter_mut().zip(weights.shares()) {
                *sum += share * weight;
            }
        }
        assert!(are_near(expected, learner.weights()), "after row {row}");
    }
    assert!(differ > 20, "rules differ on {differ} rows");
}

fn predictions<T: AdaptiveTask + ConformanceTask>(
    stream: &Stream<T>,
    batch: usize,
) -> PredictionRows {
    let schema = Schema::<T>::new(stream.features.ncols()).unwrap();
    let mut learner = build_with_members(MEMBERS, AdaptiveSettings::default(), schema, 38);
    let mut all = PredictionRows::default();
    for start in (0..stream.len()).step_by(batch) {
        let (features, targets) = stream.part(start, stream.len().min(start + batch));
        let predictions = learner.predict_then_learn(features, targets).unwrap();
        for row in predictions.iter() {
            all.push(row.len()).copy_from_slice(row);
        }
    }
    all
}

/// Two streams that diverge at row `same` get equal predictions up to and including that row's features, however they
/// are split into batches.
fn later_rows_do_not_matter<T: AdaptiveTask + ConformanceTask>() {
    let stream = Stream::<T>::uniform(ROWS, 3, 37);
    for same in [1, 17, 64, 150, 301] {
        let mut other = stream.clone();
        let mut rng = TreeRng::new(same as u64, 0);
        let mut garbage = other.features.slice_mut(s![same.., ..]);
        garbage.mapv_inplace(|_| (rng.normal() * 1e6) as f32);
        let targets: Vec<_> = stream.targets.iter().rev().copied().collect();
        other.targets[same - 1..].copy_from_slice(&targets[same - 1..]);
        for batch in [ROWS, 50, 1] {
            let [one, two] = [&stream, &other].map(|stream| predictions(stream, batch));
            for row in 0..same {
                assert_eq!(one.row(row), two.row(row), "row {row} of {same} in {batch}");
            }
            assert_ne!(one, two, "the streams diverge at {same}");
        }
    }
}

#[test]
fn no_mixture_looks_ahead() {
    later_rows_do_not_matter::<Classification>();
    later_rows_do_not_matter::<Regression>();
}

/// Returns a stream whose target flips in the middle.
fn turning(rows: usize) -> Stream<Classification> {
    let mut stream = Stream::<Classification>::uniform(rows, 2, 39);
    for target in &mut stream.targets[rows / 2..] {
        *target = 2 - *target;
    }
    stream
}

/// Long windows win while nothing changes, short ones after a change; weights sum to 1 all the time.
#[test]
fn weight_goes_to_the_windows_that_are_right() {
    let stream = turning(3000);
    let schema = Schema::<Classification>::new(2).unwrap();
    let members = "mondrian@60@none+mondrian@all@none";
    let settings = AdaptiveSettings {
        eta: vec![1.0],
        discount: vec![0.99],
        ..AdaptiveSettings::default()
    };
    let mut learner = build_with_members(members, settings, schema, 40);
    stream.teach(&mut learner, 0, 1500).unwrap();
    let before = learner.weights().to_vec();
    stream.teach(&mut learner, 1500, 1700).unwrap();
    let after = learner.weights().to_vec();
    assert!(before[1] > 0.6 && after[0] > 0.95, "{before:?} {after:?}");
    for weights in [before, after] {
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let mixture = OnlineLearner::members(&learner);
    assert_eq!(mixture[1].name, "mondrian@all@none");
    assert_eq!(mixture[1].weight, learner.weights()[1]);
}

#[test]
fn a_member_that_cannot_be_is_refused() {
    const ETA: &[f64] = &[0.1];
    const DISCOUNT: &[f64] = &[0.9];
    let change = "mondrian@change@none+mondrian@30@quantile";
    let sound = "mondrian@50@none";
    let no_classes = "does not support classification";
    let no_window = "a window of at least 2 rows";
    let too_large = "discount must be a number above 0 and at most 1";
    let not_above_0 = "eta must be a finite number above 0";
    for (members, eta, discount, expected) in [
        ("mondrain@50@none", ETA, DISCOUNT, "did you mean `mondrian`"),
        ("mean@50@none", ETA, DISCOUNT, no_classes),
        ("adaptive@50@none", ETA, DISCOUNT, "that this one can hold"),
        ("mondrian@1@none", ETA, DISCOUNT, no_window),
        ("mondrian@50", ETA, DISCOUNT, "must be base@window@scaling"),
        (change, ETA, DISCOUNT, "a number of rows for the same base"),
        (sound, ETA, &[0.9, 1.5], too_large),
        (sound, &[0.0], DISCOUNT, not_above_0),
        (sound, &[], DISCOUNT, "eta must be at least one number"),
    ] {
        let settings = AdaptiveSettings {
            members: members.split('+').map(str::to_owned).collect(),
            eta: eta.to_vec(),
            discount: discount.to_vec(),
        };
        let schema = Schema::<Classification>::new(2).unwrap();
        let refused = Adaptive::new(schema, settings, forest(1)).unwrap_err();
        assert!(refused.to_string().contains(expected), "{refused}");
    }
}

#[test]
fn a_list_of_members_is_written_and_read_back() {
    // A base of three parameters.
    let base = "mondrian:budget=5;pause=never;min_points=3@50@quantile";
    let text = format!("adaptive:members={base}+boundary-forest@all@none,eta=2");
    let algorithm: Algorithm = text.parse().unwrap();
    assert_eq!(algorithm.to_string(), text);
    let schema = Schema::<Classification>::new(2).unwrap();
    let learner = algorithm.build(schema, forest(3)).unwrap();
    assert_eq!(learner.trees(), 8);
    let stated = learner.algorithm().to_string();
    let again: Algorithm = stated.parse().unwrap();
    let again = again.build(schema, forest(3)).unwrap();
    let [one, two] = [&learner, &again].map(|l| snapshot::to_bytes(l).unwrap());
    assert_eq!(one, two, "{stated}");
    let loaded: AnyLearner<Classification> = snapshot::from_bytes(&one).unwrap();
    assert_eq!(loaded.members().len(), 2);
}

fn the_standard_list_is_what_nothing_said_means<T: AdaptiveTask>() {
    let named = |text: &str| {
        let algorithm: Algorithm = text.parse().unwrap();
        let schema = Schema::<T>::new(2).unwrap();
        let learner = algorithm.build(schema, forest(3)).unwrap();
        let members = learner.members().into_iter();
        let names: Vec<_> = members.map(|member| member.name).collect();
        (names, learner.algorithm().to_string())
    };
    let (standard, label) = named("adaptive");
    assert_eq!(standard, T::STANDARD_MEMBERS);
    assert!(label.contains("members=standard"), "{label}");
    assert_eq!(named(&label).0, T::STANDARD_MEMBERS);
}

#[test]
fn each_task_has_a_standard_list() {
    the_standard_list_is_what_nothing_said_means::<Classification>();
    the_standard_list_is_what_nothing_said_means::<Regression>();
}

/// Neither the copies nor the builds of one copy share random numbers.
#[test]
fn every_build_draws_its_own_random_numbers() {
    let stream = Stream::<Regression>::uniform(200, 2, 44);
    let schema = Schema::<Regression>::new(2).unwrap();
    let members = "mondrian@20@none+mondrian@20@none+mondrian@50@none";
    let mut learner = build_with_members(members, AdaptiveSettings::default(), schema, 45);
    let mut seeds = BTreeMap::new();
    for row in 0..200 {
        stream.teach(&mut learner, row, row + 1).unwrap();
        for (index, copy) in learner.copies().iter().enumerate() {
            let build = (index, copy.built());
            let known = *seeds.entry(copy.forest().seed).or_insert(build);
            assert_eq!(known, build, "two builds have the same seed");
        }
    }
    assert!(seeds.len() > 60, "{}", seeds.len());
}
