//! The laws on point sets of all kinds, in all orders: what every measure's tests run.
//!
//! Twelve points are enough to distinguish wrong trees from right ones and few enough for tens of thousands
//! of trees a comparison. They are generic, collinear, or four positions three times each, and
//! arrive as drawn, backwards, or sorted.

use crate::conformance::Broken;
use forest_core::TreeRng;
use tessellation_tree::{Budget, CutDistribution, TessellationSettings, Update};

use super::faults::WrongRate;
use super::{
    Experiment, Refining, compare_laws, cuts_are_their_inequalities,
    learning_exposes_to_the_budget, online_is_batch, pairs_separate_in_time, removal_keeps_the_law,
    subsets_are_consistent, subsets_are_first_cut_in_time, units_do_not_matter,
    widening_keeps_the_law,
};

/// Trees of a comparison, unless the environment variable `FOREST_LAW_TREES` states another number.
const TREES: usize = 10_000;

/// Trees of a comparison that is to detect a wrong distribution.
const TREES_TO_TELL: usize = 40_000;

fn trees() -> usize {
    let stated = std::env::var("FOREST_LAW_TREES").ok();
    stated.map_or(TREES, |stated| stated.parse().expect("a number of trees"))
}

/// Named sets of points.
type Sets = Vec<(&'static str, Vec<Vec<f32>>)>;

/// Generic, collinear and duplicated points in `d` dimensions.
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
fn orders(points: &[Vec<f32>]) -> Sets {
    let backwards = points.iter().rev().cloned().collect();
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    vec![
        ("as drawn", points.to_vec()),
        ("backwards", backwards),
        ("sorted", sorted),
    ]
}

/// Trees with these settings on these points.
fn experiment<'a, D: CutDistribution>(
    points: &'a [Vec<f32>],
    settings: &TessellationSettings<D::Settings, ()>,
) -> Experiment<'a, D> {
    let settings = settings.clone();
    Experiment {
        points,
        settings,
        trees: trees(),
        seed: 12,
    }
}

/// All laws in `d` dimensions, for a distribution in which a set of points has this `mass`; `unlimited` has a fixed budget and no limit
/// on cutting. And a mass that is a tenth too large is detected.
///
/// # Errors
/// The first comparison that fails.
pub fn every_law<D: CutDistribution>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
    unlimited: &TessellationSettings<D::Settings, ()>,
    mass: impl Fn(&[&[f32]]) -> f64,
) -> Result<(), Broken> {
    online_is_batch_everywhere::<D>(d, settings, Refining::AtTheEnd)?;
    removal_keeps_the_law_everywhere::<D>(d, settings)?;
    units_do_not_matter_anywhere::<D>(d, settings)?;
    closed_forms_hold_everywhere::<D>(d, unlimited, |a, b| mass(&[a, b]))?;
    neighbouring_floats_separate_in_time::<D>(d, unlimited, |a, b| mass(&[a, b]))?;
    subsets_are_first_cut_everywhere::<D>(d, &unlimited.cuts, &mass)?;
    cuts_are_their_inequalities::<D>(d, &unlimited.cuts)?;
    let pairs = closed_forms_hold_everywhere::<D>(d, unlimited, |a, b| 1.1 * mass(&[a, b]));
    let off = |set: &[&[f32]]| 1.1 * mass(set);
    let subsets = subsets_are_first_cut_everywhere::<D>(d, &unlimited.cuts, off);
    if pairs.is_err() && subsets.is_err() {
        return Ok(());
    }
    Err(Broken {
        check: "every_law",
        how: format!("a mass that is a tenth too large is not detected in {d} dimensions"),
    })
}

/// Returns what says of which points and settings a comparison was.
fn of(what: String) -> impl FnOnce(Broken) -> Broken {
    move |Broken { check, how }| Broken {
        check,
        how: format!("{what}: {how}"),
    }
}

/// Those of `settings` whose number is even, or odd: a set of points meets some where `d` is even and the others where it
/// is odd.
fn every_other<S>(settings: &[S], first: usize) -> impl Iterator<Item = &S> {
    settings.iter().skip(first % 2).step_by(2)
}

/// [`online_is_batch`] for every set of points in `d` dimensions and every other one of `settings`, those that
/// [`removal_keeps_the_law`] passes over, in varying orders of arrival; and [`learning_exposes_to_the_budget`]
/// on the way.
///
/// # Errors
/// The first comparison that fails, with what was compared.
pub fn online_is_batch_everywhere<D: CutDistribution>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
    refining: Refining,
) -> Result<(), Broken> {
    for (i, (set, points)) in point_sets(d).into_iter().enumerate() {
        for (j, settings) in every_other(settings, i + d).enumerate() {
            // Each set of points meets several orders, and so do each settings.
            for (order, points) in orders(&points).into_iter().skip((i + j) % 3).take(1) {
                let experiment = experiment::<D>(&points, settings);
                let few = Experiment {
                    trees: 50,
                    ..experiment.clone()
                };
                let kept = learning_exposes_to_the_budget(&few)
                    .and_then(|()| online_is_batch(&experiment, refining));
                kept.map_err(of(format!(
                    "{set} points in {d} dimensions, {order}, {settings:?}"
                )))?;
            }
        }
    }
    Ok(())
}

/// Trees with distributions `A` and `B` have the same distribution on generic points in `d` dimensions.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn same_law<A: CutDistribution, B: CutDistribution>(
    d: usize,
    a: &TessellationSettings<A::Settings, ()>,
    b: &TessellationSettings<B::Settings, ()>,
) -> Result<(), Broken> {
    let points = generic_points(d);
    let (a, b) = (experiment::<A>(&points, a), experiment::<B>(&points, b));
    compare_laws(&a, &b)
}

/// Returns whether [`online_is_batch`] detects a distribution whose candidates come at `PERCENT` percent
/// of their rate, with each of `settings`: the proof that it sees wrong rates.
pub fn wrong_rate_is_detected<D: CutDistribution, const PERCENT: u32>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
) -> bool {
    let points = generic_points(d);
    settings.iter().all(|settings| {
        let experiment = Experiment {
            trees: TREES_TO_TELL,
            ..experiment::<WrongRate<D, PERCENT>>(&points, settings)
        };
        online_is_batch(&experiment, Refining::AtTheEnd).is_err()
    })
}

/// Returns whether [`online_is_batch`] detects the redrawing update, with each of `settings`: the proof
/// that it can fail.
pub fn redrawing_is_detected<D: CutDistribution>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
) -> bool {
    let points = generic_points(d);
    settings.iter().all(|settings| {
        let update = Update::Redraw;
        let redrawn = TessellationSettings {
            update,
            ..settings.clone()
        };
        let experiment = experiment::<D>(&points, &redrawn);
        online_is_batch(&experiment, Refining::AtTheEnd).is_err()
    })
}

/// [`pairs_separate_in_time`] and [`subsets_are_consistent`] for every set of points, with settings
/// that put no limit on splitting and a fixed budget.
///
/// # Errors
/// The first comparison that fails.
pub fn closed_forms_hold_everywhere<D: CutDistribution>(
    d: usize,
    settings: &TessellationSettings<D::Settings, ()>,
    pair_mass: impl Fn(&[f32], &[f32]) -> f64,
) -> Result<(), Broken> {
    for (_, points) in point_sets(d) {
        let experiment = experiment::<D>(&points, settings);
        pairs_separate_in_time(&experiment, &pair_mass)?;
        subsets_are_consistent(&experiment)?;
    }
    Ok(())
}

/// [`units_do_not_matter`] for every set of points in `d` dimensions and all of `settings`, with units far smaller
/// and larger.
fn units_do_not_matter_anywhere<D: CutDistribution>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
) -> Result<(), Broken> {
    for (_, points) in point_sets(d) {
        for settings in settings {
            let few = Experiment {
                trees: 50,
                ..experiment::<D>(&points, settings)
            };
            units_do_not_matter(&few, 1024.0)?;
            units_do_not_matter(&few, 1.0 / 1024.0)?;
        }
    }
    Ok(())
}

/// [`removal_keeps_the_law`] for every set of points in `d` dimensions and every other one of `settings`.
fn removal_keeps_the_law_everywhere<D: CutDistribution>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
) -> Result<(), Broken> {
    for (i, (set, points)) in point_sets(d).into_iter().enumerate() {
        for settings in every_other(settings, i + d + 1) {
            let experiment = experiment::<D>(&points[..10], settings);
            removal_keeps_the_law(&experiment)
                .map_err(of(format!("{set} points in {d} dimensions, {settings:?}")))?;
        }
    }
    Ok(())
}

/// Points that are learned before there is a last feature.
const NARROW: usize = 6;

/// [`widening_keeps_the_law`] for every set of points in `d` dimensions, two or more, and every other one of `settings`.
///
/// # Errors
/// The first comparison that fails, with what was compared.
pub fn widening_keeps_the_law_everywhere<D: CutDistribution>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
) -> Result<(), Broken> {
    for (i, (set, points)) in point_sets(d).into_iter().enumerate() {
        let points = first_end_with(&points, 0.0);
        for settings in every_other(settings, i + d) {
            let experiment = experiment::<D>(&points, settings);
            widening_keeps_the_law(&experiment, NARROW, &experiment)
                .map_err(of(format!("{set} points in {d} dimensions, {settings:?}")))?;
        }
    }
    Ok(())
}

/// Returns whether [`widening_keeps_the_law`] detects that the first points have another number than 0 for the last feature, for generic
/// points in `d` dimensions and all of `settings`.
pub fn other_numbers_than_0_are_detected<D: CutDistribution>(
    d: usize,
    settings: &[TessellationSettings<D::Settings, ()>],
) -> bool {
    let points = generic_points(d);
    let [zeros, halves] = [0.0, 0.5].map(|last| first_end_with(&points, last));
    settings.iter().all(|settings| {
        let [zeros, halves] = [&zeros, &halves].map(|points| experiment::<D>(points, settings));
        widening_keeps_the_law(&zeros, NARROW, &halves).is_err()
    })
}

/// Returns the points, of which the first have `last` for their last feature.
fn first_end_with(points: &[Vec<f32>], last: f32) -> Vec<Vec<f32>> {
    let mut points = points.to_vec();
    for point in &mut points[..NARROW] {
        let feature = point.last_mut().expect("points have features");
        *feature = last;
    }
    points
}

/// [`subsets_are_first_cut_in_time`] for six generic points in `d` dimensions.
fn subsets_are_first_cut_everywhere<D: CutDistribution>(
    d: usize,
    cuts: &D::Settings,
    mass: impl Fn(&[&[f32]]) -> f64,
) -> Result<(), Broken> {
    let points = generic_points(d);
    let settings = TessellationSettings {
        cuts: cuts.clone(),
        ..TessellationSettings::default()
    };
    subsets_are_first_cut_in_time(&experiment::<D>(&points[..6], &settings), mass)
}

/// Points at neighbouring floats near a million, where a threshold has one place between two of
/// them: each pair still separates with the probability that its mass says.
fn neighbouring_floats_separate_in_time<D: CutDistribution>(
    d: usize,
    settings: &TessellationSettings<D::Settings, ()>,
    pair_mass: impl Fn(&[f32], &[f32]) -> f64,
) -> Result<(), Broken> {
    let ulp = 1e6f32.next_up() - 1e6;
    // The outer two first: then a cut between them has two places, and rounding could favour one.
    let at = |k: u8| vec![1e6 + f32::from(k) * ulp; d];
    let points = [at(0), at(2), at(1)];
    let budget = Budget::Fixed(0.5 / pair_mass(&at(0), &at(1)));
    let settings = TessellationSettings {
        budget,
        ..settings.clone()
    };
    pairs_separate_in_time(&experiment::<D>(&points, &settings), &pair_mass)
}
