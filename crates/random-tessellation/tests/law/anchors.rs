//! Distributions that are special cases of each other make the same trees.

use mondrian::{AxisCuts, AxisWeights};
use obsp::{PairCuts, PairSettings};
use random_tessellation::{CutNormals, DirectionSettings, LinearCuts, SparseSettings};
use tessellation_laws::suite::same_law;

use crate::{settings, unlimited};

#[test]
fn one_feature_is_the_axis_aligned_distribution() {
    let cuts = CutNormals::Sparse(SparseSettings { features: 1 });
    for d in [1, 2, 3, 5] {
        let reach = 1.5 / d as f64;
        let sparse = settings::<LinearCuts>(d, &cuts, reach);
        let axes = settings::<AxisCuts>(d, &AxisWeights::Equal, reach);
        for (sparse, axes) in sparse.iter().zip(&axes) {
            same_law::<LinearCuts, AxisCuts>(d, sparse, axes).unwrap();
        }
    }
}

/// Each tree is dealt every axis once: Λ = 1/(2d)·Σᵢ |aᵢ − bᵢ|.
#[test]
fn directions_along_all_axes_are_the_poles() {
    for d in [1, 2, 3, 5] {
        let cuts = CutNormals::Finite(DirectionSettings {
            directions: d,
            features: 1,
        });
        let weights = AxisWeights::Given(vec![0.5 / d as f64; d]);
        let directions = settings::<LinearCuts>(d, &cuts, 3.0);
        let poles = settings::<AxisCuts>(d, &weights, 3.0);
        for (directions, poles) in directions.iter().zip(&poles) {
            same_law::<LinearCuts, AxisCuts>(d, directions, poles).unwrap();
        }
    }
}

#[test]
fn two_features_are_the_pairs() {
    let cuts = CutNormals::Sparse(SparseSettings { features: 2 });
    for d in [2, 3, 5] {
        let reach = 1.5 / d as f64;
        // Λ of pairs is d − 1 times as large at s = ½.
        let rate = 0.5 / (d - 1) as f64;
        let pairs = PairSettings {
            rate,
            ..PairSettings::default()
        };
        let sparse = settings::<LinearCuts>(d, &cuts, reach);
        let pairs = settings::<PairCuts>(d, &pairs, reach);
        for (sparse, pairs) in sparse.iter().zip(&pairs) {
            same_law::<LinearCuts, PairCuts>(d, sparse, pairs).unwrap();
        }
    }
}

/// In the plane Λ of uniform directions is 1/(2π) of the perimeter, and that of pairs is s of it.
#[test]
fn uniform_directions_in_the_plane_are_the_pairs() {
    let pairs = PairSettings {
        rate: 0.5 / std::f64::consts::PI,
        ..PairSettings::default()
    };
    let uniform = settings::<LinearCuts>(2, &CutNormals::Uniform, 3.0);
    let pairs = settings::<PairCuts>(2, &pairs, 3.0);
    for (uniform, pairs) in uniform.iter().zip(&pairs) {
        same_law::<LinearCuts, PairCuts>(2, uniform, pairs).unwrap();
    }
}

#[test]
fn other_distributions_are_distinguished() {
    let uniform = unlimited::<LinearCuts>(&CutNormals::Uniform, 3.0);
    let axes = unlimited::<AxisCuts>(&AxisWeights::Equal, 0.7);
    assert!(same_law::<LinearCuts, AxisCuts>(2, &uniform, &axes).is_err());
}
