//! The distributions of cuts have the right distribution, and the tests fail where they have not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod anchors;
mod masses;

use masses::{Directions, SparseDirections};
use mondrian::{AxisCuts, AxisWeights};
use random_tessellation::{
    CutNormals, DirectionSettings, FeatureWeights, LinearCuts, SparseSettings,
};
use tessellation_laws::suite::{
    closed_forms_hold_everywhere, neighbouring_floats_separate_in_time, online_is_batch_everywhere,
    redrawing_is_detected, removal_keeps_the_law_everywhere, subsets_are_first_cut_everywhere,
    units_do_not_matter_anywhere, wrong_rate_is_detected,
};
use tessellation_laws::{Refining, cuts_are_their_inequalities};
use tessellation_tree::{Budget, CutDistribution, Pause, TessellationSettings};

type Settings<D> = TessellationSettings<<D as CutDistribution>::Settings, ()>;

/// Returns a fixed budget without a limit on cutting.
fn unlimited<D: CutDistribution>(cuts: &D::Settings, budget: f64) -> Settings<D> {
    Settings::<D> {
        cuts: cuts.clone(),
        budget: Budget::Fixed(budget),
        ..Settings::<D>::default()
    }
}

/// Fixed and increasing budgets, with and without limits; `reach` is a budget that gives about three
/// leaves of twelve points.
fn settings<D: CutDistribution>(d: usize, cuts: &D::Settings, reach: f64) -> Vec<Settings<D>> {
    let fixed = |budget| unlimited::<D>(cuts, budget);
    vec![
        fixed(reach),
        Settings::<D> {
            pause: Pause::WhileLabelsAgree,
            ..fixed(reach)
        },
        Settings::<D> {
            max_uncut: 3,
            ..fixed(2.0 * reach)
        },
        Settings::<D> {
            max_uncut: 3,
            budget: Budget::minimax(reach, d),
            ..fixed(0.0)
        },
    ]
}

/// Runs every law of the suite in `d` dimensions, for a distribution in which the unit cube's diagonal has
/// this `mass`.
fn keeps_the_law<D: CutDistribution>(
    d: usize,
    cuts: &D::Settings,
    mass: &dyn Fn(&[&[f32]]) -> f64,
) {
    let corners = [vec![0.0f32; d], vec![1.0; d]];
    let reach = 1.5 / mass(&[&corners[0], &corners[1]]);
    let all = settings::<D>(d, cuts, reach);
    online_is_batch_everywhere::<D>(d, &all, Refining::AtTheEnd).unwrap();
    removal_keeps_the_law_everywhere::<D>(d, &all).unwrap();
    units_do_not_matter_anywhere::<D>(d, &all).unwrap();
    let pair_mass = |a: &[f32], b: &[f32]| mass(&[a, b]);
    let unlimited = unlimited::<D>(cuts, reach);
    closed_forms_hold_everywhere::<D>(d, &unlimited, pair_mass).unwrap();
    neighbouring_floats_separate_in_time::<D>(d, &unlimited, pair_mass).unwrap();
    subsets_are_first_cut_everywhere::<D>(d, cuts, mass).unwrap();
    let off = |set: &[&[f32]]| 1.1 * mass(set);
    assert!(
        subsets_are_first_cut_everywhere::<D>(d, cuts, off).is_err(),
        "the test can fail"
    );
}

#[test]
fn uniform_directions_keep_the_law() {
    for d in [1, 2, 3, 5, 10] {
        let directions = Directions::uniform(d);
        keeps_the_law::<LinearCuts>(d, &CutNormals::Uniform, &|set| directions.uniform_mass(set));
    }
}

#[test]
fn pairs_are_separated_at_the_rate_c_d_in_many_dimensions() {
    for d in [2, 3, 10, 50] {
        let corners = [vec![0.0f32; d], vec![1.0; d]];
        let directions = Directions::uniform(d);
        let reach = 1.5 / directions.uniform_mass(&[&corners[0], &corners[1]]);
        let unlimited = unlimited::<LinearCuts>(&CutNormals::Uniform, reach);
        let mass = |a: &[f32], b: &[f32]| directions.uniform_mass(&[a, b]);
        closed_forms_hold_everywhere::<LinearCuts>(d, &unlimited, mass).unwrap();
        let off = |a: &[f32], b: &[f32]| 1.1 * mass(a, b);
        let refused = closed_forms_hold_everywhere::<LinearCuts>(d, &unlimited, off);
        assert!(refused.is_err(), "the test can fail");
    }
}

#[test]
fn weighted_poles_keep_the_law() {
    let weights = [vec![1.0, 3.0], vec![2.0, 1.0, 0.5, 0.0, 1.0]];
    for weights in weights {
        let cuts = AxisWeights::Given(weights.clone());
        let mass = |set: &[&[f32]]| {
            let extents = weights.iter().enumerate();
            extents.map(|(i, w)| w * masses::extent(set, i)).sum()
        };
        keeps_the_law::<AxisCuts>(weights.len(), &cuts, &mass);
    }
}

#[test]
fn weighted_directions_keep_the_law() {
    let weights = [
        vec![1.0],
        vec![1.0, 3.0],
        vec![1.0, 0.01],
        vec![2.0, 1.0, 0.5, 0.0, 1.0],
    ];
    for weights in weights {
        let directions = Directions::weighted(&weights);
        let mass = |set: &[&[f32]]| 0.5 * directions.mean_width(set);
        keeps_the_law::<LinearCuts>(
            weights.len(),
            &CutNormals::Weighted(FeatureWeights(weights)),
            &mass,
        );
    }
}

/// Tests of their own for few and for many dimensions, so that they run side by side.
fn sparse_directions_keep_the_law(features: usize, dimensions: &[usize]) {
    for &d in dimensions {
        let cuts = CutNormals::Sparse(SparseSettings { features });
        let directions = SparseDirections::new(d, features);
        keeps_the_law::<LinearCuts>(d, &cuts, &|set| directions.mass(set));
    }
}

#[test]
fn cuts_of_one_feature_keep_the_law() {
    sparse_directions_keep_the_law(1, &[2, 5]);
}

#[test]
fn cuts_of_two_features_keep_the_law() {
    sparse_directions_keep_the_law(2, &[2, 3]);
}

#[test]
fn cuts_of_two_features_in_ten_keep_the_law() {
    sparse_directions_keep_the_law(2, &[10]);
}

#[test]
fn cuts_of_three_features_keep_the_law() {
    sparse_directions_keep_the_law(3, &[3, 5]);
}

#[test]
fn cuts_of_three_features_in_ten_keep_the_law() {
    sparse_directions_keep_the_law(3, &[10]);
}

/// Trees draw their directions for themselves, so that times have no closed form over all trees; the
/// mean width of a set does.
#[test]
fn finite_directions_keep_the_law() {
    for (d, features) in [(1, 0), (2, 0), (3, 0), (5, 2), (10, 0)] {
        let cuts = CutNormals::Finite(DirectionSettings {
            directions: 5,
            features,
        });
        let reach = 1.5 / Directions::uniform(d).mean_width(&[&vec![0.0; d], &vec![1.0; d]]);
        let all = settings::<LinearCuts>(d, &cuts, reach);
        online_is_batch_everywhere::<LinearCuts>(d, &all, Refining::AtTheEnd).unwrap();
        removal_keeps_the_law_everywhere::<LinearCuts>(d, &all).unwrap();
        units_do_not_matter_anywhere::<LinearCuts>(d, &all).unwrap();
    }
}

#[test]
fn a_single_axis_is_cut_as_by_one_direction() {
    let cuts = CutNormals::Finite(DirectionSettings {
        directions: 1,
        features: 1,
    });
    // In one dimension the only direction is the axis, up to its sign: Λ = ½·extent.
    let half = |set: &[&[f32]]| 0.5 * masses::extent(set, 0);
    subsets_are_first_cut_everywhere::<LinearCuts>(1, &cuts, half).unwrap();
}

#[test]
fn faults_are_detected() {
    let uniform = unlimited::<LinearCuts>(&CutNormals::Uniform, 3.0);
    assert!(wrong_rate_is_detected::<LinearCuts, 90>(2, &[uniform]));
    let cuts = CutNormals::Sparse(SparseSettings { features: 2 });
    let sparse = unlimited::<LinearCuts>(&cuts, 1.0);
    assert!(wrong_rate_is_detected::<LinearCuts, 90>(3, &[sparse]));
    let all = settings::<LinearCuts>(3, &CutNormals::Uniform, 3.0);
    assert!(redrawing_is_detected::<LinearCuts>(3, &all));
}

#[test]
fn cuts_are_read_as_they_are() {
    for d in [1, 2, 5, 9] {
        cuts_are_their_inequalities::<LinearCuts>(d, &CutNormals::Uniform).unwrap();
        cuts_are_their_inequalities::<LinearCuts>(
            d,
            &CutNormals::Weighted(FeatureWeights::default()),
        )
        .unwrap();
        cuts_are_their_inequalities::<AxisCuts>(d, &AxisWeights::Equal).unwrap();
        for features in [1, 3] {
            let sparse = CutNormals::Sparse(SparseSettings { features });
            cuts_are_their_inequalities::<LinearCuts>(d, &sparse).unwrap();
            let directions = CutNormals::Finite(DirectionSettings {
                features,
                ..DirectionSettings::default()
            });
            cuts_are_their_inequalities::<LinearCuts>(d, &directions).unwrap();
        }
        let dense = CutNormals::Finite(DirectionSettings::default());
        cuts_are_their_inequalities::<LinearCuts>(d, &dense).unwrap();
    }
}
