//! The laws on point sets of all kinds, in all orders: what every measure's tests run.
//!
//! Twelve points are enough to distinguish wrong trees from right ones and few enough for tens of thousands of trees.
//! They are generic, collinear, or four positions three times each, and arrive as drawn, backwards, or sorted.

use std::fmt::Debug;
use std::marker::PhantomData;

use forest_core::{Inequality, InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{
    Budget, CutDistribution, CutSettings, Pause, Side, TessellationSettings, Update,
};

use super::Experiment;
use super::online::{
    Refining, compare_laws, learning_exposes_to_the_budget, online_is_batch, removal_keeps_the_law,
    units_do_not_matter, widening_keeps_the_law,
};
use super::pairs::{
    cuts_are_their_inequalities, pairs_separate_in_time, subsets_are_consistent,
    subsets_are_first_cut_in_time,
};
use crate::conformance::Broken;

/// Trees of a comparison, unless the environment variable `FOREST_LAW_TREES` states another number.
const TREES: usize = 10_000;

/// Trees of a comparison that is to detect a wrong distribution.
const TREES_TO_DETECT: usize = 40_000;

fn trees() -> usize {
    let stated = std::env::var("FOREST_LAW_TREES").ok();
    stated.map_or(TREES, |stated| stated.parse().expect("a number of trees"))
}

/// Named sets of points.
type Sets = Vec<(&'static str, Vec<Vec<f32>>)>;

/// Returns generic, collinear and duplicated points in `d` dimensions.
fn point_sets(d: usize) -> Sets {
    let generic = generic_points(d);
    let collinear = (0..12).map(|i| (0..d).map(|j| (i * (j + 1)) as f32 / 24.0).collect());
    let duplicated = (0..12).map(|i| generic[i % 4].clone());
    vec![
        ("collinear", collinear.collect()),
        ("duplicated", duplicated.collect()),
        ("generic", generic),
    ]
}

fn generic_points(d: usize) -> Vec<Vec<f32>> {
    let mut rng = TreeRng::new(d as u64, 1);
    let mut point = || (0..d).map(|_| rng.uniform() as f32).collect();
    (0..12).map(|_| point()).collect()
}

/// Returns the points as they are, backwards, and sorted by their first coordinate.
fn orders(points: &[Vec<f32>]) -> [Vec<Vec<f32>>; 3] {
    let backwards = points.iter().rev().cloned().collect();
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    [points.to_vec(), backwards, sorted]
}

/// The settings of trees.
type Settings = TessellationSettings;

/// Returns an experiment with trees of these settings on these points.
fn experiment<'a, D: CutDistribution>(
    points: &'a [Vec<f32>],
    settings: &Settings,
) -> Experiment<'a, D> {
    Experiment {
        points,
        settings: settings.clone(),
        trees: trees(),
        seed: 12,
        cuts: PhantomData,
    }
}

/// Returns such an experiment with few trees.
fn few<'a, D: CutDistribution>(points: &'a [Vec<f32>], settings: &Settings) -> Experiment<'a, D> {
    let mut few = experiment::<D>(points, settings);
    few.trees = 50;
    few
}

/// Checks all laws in `d` dimensions, for a distribution in which a set of points has this `mass`, and that a mass that
/// is a tenth too large is detected. `unlimited` has a fixed budget and no limit on cutting.
///
/// # Errors
/// Returns the first comparison that fails.
pub fn every_law<D: CutDistribution>(
    d: usize,
    settings: &[Settings],
    unlimited: &Settings,
    mass: impl Fn(&[&[f32]]) -> f64,
) -> Result<(), Broken> {
    online_is_batch_everywhere::<D>(d, settings, Refining::AtTheEnd)?;
    everywhere(d, settings, d + 1, |_, points, settings| {
        removal_keeps_the_law(&experiment::<D>(&points[..10], settings));
    })?;
    // Units far smaller and larger.
    for first in [0, 1] {
        everywhere(d, settings, first, |_, points, settings| {
            let few = few::<D>(points, settings);
            units_do_not_matter(&few, 1024.0);
            units_do_not_matter(&few, 1.0 / 1024.0);
        })?;
    }
    closed_forms_hold_everywhere::<D>(d, unlimited, |a, b| mass(&[a, b]))?;
    Broken::catch("neighbouring floats separate in time", || {
        neighbouring_floats::<D>(d, unlimited, |a, b| mass(&[a, b]));
    })?;
    let subsets = |factor: f64| {
        let points = generic_points(d);
        let settings = Settings {
            cuts: unlimited.cuts.clone(),
            ..Settings::default()
        };
        let experiment = experiment::<D>(&points[..6], &settings);
        Broken::catch("subsets_are_first_cut_in_time", || {
            subsets_are_first_cut_in_time(&experiment, |set| factor * mass(set));
        })
    };
    subsets(1.0)?;
    Broken::catch("cuts_are_their_inequalities", || {
        cuts_are_their_inequalities::<D>(d, &unlimited.cuts);
    })?;
    let pairs = closed_forms_hold_everywhere::<D>(d, unlimited, |a, b| 1.1 * mass(&[a, b]));
    Broken::catch("a mass that is a tenth too large is detected", || {
        assert!(pairs.is_err() && subsets(1.1).is_err(), "{d} dimensions");
    })
}

/// Runs a law for every set of points in `d` dimensions and every other one of `settings`: a set of points meets some
/// where `first` is even and the others where it is odd. `law` also gets the number of the pair.
fn everywhere<S: Debug>(
    d: usize,
    settings: &[S],
    first: usize,
    law: impl Fn(usize, &[Vec<f32>], &S),
) -> Result<(), Broken> {
    for (i, (set, points)) in point_sets(d).into_iter().enumerate() {
        for (j, settings) in settings.iter().skip((i + first) % 2).step_by(2).enumerate() {
            let at = format!("{set} points in {d} dimensions, {settings:?}");
            let kept = Broken::catch("a law", || law(i + j, &points, settings));
            kept.map_err(|Broken { check, how }| Broken {
                check,
                how: format!("{at}: {how}"),
            })?;
        }
    }
    Ok(())
}

/// Runs `online_is_batch` for every set of points in `d` dimensions and every other one of `settings`, those that
/// `removal_keeps_the_law` passes over, in varying orders of arrival; and `learning_exposes_to_the_budget` on the way.
fn online_is_batch_everywhere<D: CutDistribution>(
    d: usize,
    settings: &[Settings],
    refining: Refining,
) -> Result<(), Broken> {
    everywhere(d, settings, d, |pair, points, settings| {
        // Each set of points meets several orders, and so do each settings.
        let points = &orders(points)[pair % 3];
        learning_exposes_to_the_budget(&few::<D>(points, settings));
        online_is_batch(&experiment::<D>(points, settings), refining);
    })
}

/// Checks `online_is_batch` in two dimensions with a budget that grows so fast that leaves are cut after every sample.
///
/// # Errors
/// Returns the first comparison that fails, with what was compared.
pub fn refining_keeps_the_law<D: CutDistribution>(
    settings: &Settings,
    reach: f64,
) -> Result<(), Broken> {
    let budget = Budget::Schedule {
        scale: reach / 6.0,
        power: 1.0,
    };
    let settings = [Pause::Never, Pause::WhileLabelsAgree].map(|pause| Settings {
        pause,
        budget,
        ..settings.clone()
    });
    online_is_batch_everywhere::<D>(2, &settings, Refining::AfterEverySample)
}

/// Checks that trees with cuts by `A` and by `B` have the same distribution on generic points in `d` dimensions.
///
/// # Errors
/// Returns the first respect in which they differ, with its p-value.
pub fn same_law<A: CutDistribution, B: CutDistribution>(
    d: usize,
    a: &Settings,
    b: &Settings,
) -> Result<(), Broken> {
    let points = generic_points(d);
    let a = experiment::<A>(&points, a);
    let b = experiment::<B>(&points, b);
    Broken::catch("same_law", || compare_laws(&a, &b))
}

/// Returns whether `online_is_batch` fails.
fn is_detected<D: CutDistribution>(experiment: &Experiment<'_, D>) -> bool {
    let run = || online_is_batch(experiment, Refining::AtTheEnd);
    Broken::catch("online_is_batch", run).is_err()
}

/// Returns whether `online_is_batch` detects a distribution whose candidates come at `PERCENT` percent
/// of their rate, with each of `settings`: the proof that it sees wrong rates.
pub fn wrong_rate_is_detected<D: CutDistribution, const PERCENT: u32>(
    d: usize,
    settings: &[Settings],
) -> bool {
    let points = generic_points(d);
    settings.iter().all(|settings| {
        let mut experiment = experiment::<WrongRate<D, PERCENT>>(&points, settings);
        experiment.trees = TREES_TO_DETECT;
        is_detected(&experiment)
    })
}

/// Returns whether `online_is_batch` detects the redrawing update, with each of `settings`.
pub fn redrawing_is_detected<D: CutDistribution>(d: usize, settings: &[Settings]) -> bool {
    let points = generic_points(d);
    settings.iter().all(|settings| {
        let mut experiment = experiment::<D>(&points, settings);
        experiment.settings.update = Update::Redraw;
        is_detected(&experiment)
    })
}

/// Checks `pairs_separate_in_time` and `subsets_are_consistent` for every set of points; the settings limit nothing.
///
/// # Errors
/// Returns the first comparison that fails.
pub fn closed_forms_hold_everywhere<D: CutDistribution>(
    d: usize,
    settings: &Settings,
    pair_mass: impl Fn(&[f32], &[f32]) -> f64,
) -> Result<(), Broken> {
    for (_, points) in point_sets(d) {
        let experiment = experiment::<D>(&points, settings);
        Broken::catch("closed forms hold", || {
            pairs_separate_in_time(&experiment, &pair_mass);
            subsets_are_consistent(&experiment);
        })?;
    }
    Ok(())
}

/// Points that are learned before there is a last feature.
const NARROW: usize = 6;

/// Checks `widening_keeps_the_law` for every set of points in `d` dimensions, two or more, and every other one of
/// `settings`.
///
/// # Errors
/// Returns the first comparison that fails, with what was compared.
pub fn widening_keeps_the_law_everywhere<D: CutDistribution>(
    d: usize,
    settings: &[Settings],
) -> Result<(), Broken> {
    everywhere(d, settings, d, |_, points, settings| {
        let points = first_end_with(points, 0.0);
        let experiment = experiment::<D>(&points, settings);
        widening_keeps_the_law(&experiment, NARROW, &experiment);
    })
}

/// Returns whether `widening_keeps_the_law` detects another number than 0 for the last feature, with all of `settings`.
pub fn other_numbers_than_0_are_detected<D: CutDistribution>(
    d: usize,
    settings: &[Settings],
) -> bool {
    let points = generic_points(d);
    let [zeros, halves] = [0.0, 0.5].map(|last| first_end_with(&points, last));
    settings.iter().all(|settings| {
        let [zeros, halves] = [&zeros, &halves].map(|points| experiment::<D>(points, settings));
        let run = || widening_keeps_the_law(&zeros, NARROW, &halves);
        Broken::catch("widening_keeps_the_law", run).is_err()
    })
}

/// Returns the points, of which the first have `last` for their last feature.
fn first_end_with(points: &[Vec<f32>], last: f32) -> Vec<Vec<f32>> {
    let mut points = points.to_vec();
    for point in &mut points[..NARROW] {
        *point.last_mut().expect("points have features") = last;
    }
    points
}

/// Points at neighbouring floats near a million still separate with the probabilities that their masses state.
fn neighbouring_floats<D: CutDistribution>(
    d: usize,
    settings: &Settings,
    pair_mass: impl Fn(&[f32], &[f32]) -> f64,
) {
    let ulp = 1e6f32.next_up() - 1e6;
    // The outer two first: then a cut between them has two places, and rounding could favour one.
    let at = |k: u8| vec![1e6 + f32::from(k) * ulp; d];
    let points = [at(0), at(2), at(1)];
    let mut experiment = experiment::<D>(&points, settings);
    experiment.settings.budget = Budget::Fixed(0.5 / pair_mass(&at(0), &at(1)));
    pairs_separate_in_time(&experiment, &pair_mass);
}

/// The distribution `D`, but candidates between two points come at `PERCENT` percent of their rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
struct WrongRate<D: CutDistribution, const PERCENT: u32>(D);

impl<D: CutDistribution, const PERCENT: u32> CutDistribution for WrongRate<D, PERCENT> {
    type Cut = D::Cut;

    fn new(features: usize, settings: &CutSettings) -> Self {
        Self(D::new(features, settings))
    }

    fn side(&self, cut: &D::Cut, x: &[f32]) -> Side {
        self.0.side(cut, x)
    }

    fn inequality(&self, cut: &D::Cut, inequality: &mut Inequality) {
        self.0.inequality(cut, inequality);
    }

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        f64::from(PERCENT) / 100.0 * self.0.rate_between(a, b)
    }

    fn draw_between(&mut self, ab: [&[f32]; 2], _: f64, rng: &mut TreeRng) -> Option<D::Cut> {
        let rate = self.0.rate_between(ab[0], ab[1]);
        self.0.draw_between(ab, rate, rng)
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        self.0.rate_within(lower, upper)
    }

    fn draw_within(&mut self, ends: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<D::Cut> {
        self.0.draw_within(ends, rate, rng)
    }

    fn side_of_all(&self, cut: &D::Cut, other: &D::Cut, side: Side) -> Option<Side> {
        self.0.side_of_all(cut, other, side)
    }

    fn release(&mut self, cut: &D::Cut) {
        self.0.release(cut);
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a D::Cut>,
    ) -> Result<(), InvariantError>
    where
        D::Cut: 'a,
    {
        self.0.check(features, cuts)
    }
}
