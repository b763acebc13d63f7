//! Quadratic discriminant analysis.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use super::linear::LEAST;
use super::moments::{Moments, Own, add_relative};
use crate::deviation::deviation;
use crate::solve::{
    Symmetric, factorise_scaled, inverse_diagonal, inverse_root, substitute_forwards,
};

/// A normal distribution of each class, and the scores that follow from them.
///
/// The score of class k at x is ln πₖ − ½ ln det Σₖ − ½ (x − μₖ)ᵀ Σₖ⁻¹ (x − μₖ). Σₖ is the class's own covariance, drawn to the pooled one as if by 2d rows of d features;
/// the off-diagonal cells of the latter are multiplied by n / (n + 2d) for n rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Quadratic {
    classes: Vec<Normal>,
}

/// A normal distribution, ready to be evaluated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Normal {
    mean: Vec<f64>,
    /// Makes the diagonal of the covariance 1.
    scales: Vec<f64>,
    factor: Vec<f64>,
    /// ln πₖ − ½ ln det Σₖ.
    offset: f64,
}

/// The pooled variance's share in each variance besides, so that a class that hardly varies is not taken for certain.
const RIDGE: f64 = 1e-3;

impl Normal {
    fn new(
        (mean, mass, scatter): (&[f64], f64, &Symmetric),
        pooled: &Symmetric,
        share: f64,
    ) -> Self {
        let (features, prior) = (mean.len(), prior(mean.len()));
        let cell = |row: usize, column: usize| {
            (scatter.get(row, column) + prior * pooled.get(row, column)) / (mass + prior)
        };
        let variance = |row: usize| cell(row, row) + RIDGE * pooled.get(row, row);
        let scale = |row: usize| inverse_root(variance(row));
        let scales: Vec<f64> = (0..features).map(scale).collect();
        let mut factor = Vec::new();
        factorise_scaled(features, cell, |row| scales[row], &mut factor);
        // Features that are constant in all classes take no part.
        let roots = inverse_diagonal(&factor, features).zip(&scales);
        let logarithms = roots.filter(|(_, scale)| **scale > 0.0);
        let logarithms = logarithms.map(|(root, scale)| libm::log(root) + libm::log(*scale));
        Self {
            offset: libm::log(share) + logarithms.sum::<f64>(),
            mean: mean.to_vec(),
            scales,
            factor,
        }
    }

    /// Overwrites `standardised` with what x differs from a mean by, in units in which the covariance is that of independent features of variance 1.
    fn standardise(&self, x: &[f32], mean: &[f64], standardised: &mut Vec<f64>) {
        standardised.clear();
        let values = x.iter().zip(mean).zip(&self.scales);
        standardised.extend(values.map(|((&value, &mean), scale)| deviation(value, mean) * scale));
        substitute_forwards(&self.factor, standardised);
    }

    fn is_shaped(&self, features: usize) -> bool {
        self.mean.len() == features
            && self.scales.len() == features
            && self.factor.len() == features * (features + 1) / 2
    }
}

/// How many rows of the pooled covariance each class gets.
fn prior(features: usize) -> f64 {
    2.0 * features as f64
}

/// Working memory of scores.
#[derive(Debug, Default)]
pub(super) struct Standardised {
    own: Vec<f64>,
    other: Vec<f64>,
}

impl Standardised {
    pub(super) fn bytes(&self) -> usize {
        (self.own.capacity() + self.other.capacity()) * size_of::<f64>()
    }
}

impl Quadratic {
    /// Solves for the distributions, if the scatter of each class is kept.
    pub(super) fn solve(moments: &Moments) -> Option<Self> {
        let scatter = moments.of_classes()?;
        let (features, mass) = (moments.features(), moments.mass());
        let shrunk = mass / (mass + prior(features));
        let mut pooled = Symmetric::zero(features);
        pooled.fill(|row, column| {
            let mean = moments.pooled(row, column) / mass;
            if row == column { mean } else { shrunk * mean }
        });
        let masses = moments.masses().iter().zip(scatter).enumerate();
        let normal = |(class, (&own, scatter))| {
            Normal::new((moments.mean(class), own, scatter), &pooled, own / mass)
        };
        let classes = masses.map(normal).collect();
        Some(Self { classes })
    }

    /// Appends the scores of the classes, relative to the best.
    pub(super) fn add_scores(
        &self,
        x: &[f32],
        classes: usize,
        scores: &mut Vec<f64>,
        memory: &mut Standardised,
    ) {
        let score = |class: usize| {
            let normal = self.classes.get(class)?;
            normal.standardise(x, &normal.mean, &mut memory.own);
            Some(normal.offset - 0.5 * squares(&memory.own))
        };
        add_relative(classes, score, scores);
    }

    /// Appends what they would be had this row, which is in the moments that were solved for, not been learned: its class loses it, and all classes lose its part in the pooled
    /// covariance. Determinants follow from the lemma det(Σ − g vvᵀ) = det Σ (1 − g vᵀΣ⁻¹v); as for the [linear](super::linear) functions, the diagonal of the pooled covariance is treated as its other
    /// cells.
    pub(super) fn add_scores_without(
        &self,
        moments: &Moments,
        (x, own): (&[f32], Own),
        classes: usize,
        scores: &mut Vec<f64>,
        memory: &mut Standardised,
    ) {
        let (features, total) = (moments.features(), moments.mass());
        let mass = moments.masses()[own.class];
        let rest = mass - own.weight;
        if rest <= 0.0 {
            return self.add_scores(x, classes, scores, memory);
        }
        let prior = prior(features);
        let (gone, shrunk) = (own.weight * mass / rest, total / (total + prior));
        let of_pooled = prior * shrunk / total;
        let mean = moments.mean(own.class);
        let log = |share: f64| libm::log(share.max(LEAST));
        let score = |class: usize| {
            let normal = self.classes.get(class)?;
            let Standardised { own: v, other } = &mut *memory;
            normal.standardise(x, mean, v);
            let (of_class, square) = (moments.masses()[class], squares(v));
            let is_own = class == own.class;
            let lost = if is_own { 1.0 + of_pooled } else { of_pooled };
            let turn = gone * lost / (of_class + prior);
            let left = (1.0 - turn * square).max(LEAST);
            // What the divisor of the covariance becomes.
            let fewer = (of_class - own.of(class) + prior) / (of_class + prior);
            let (cross, distance) = if is_own {
                let moved = mass / rest;
                (moved * square, moved * moved * square)
            } else {
                normal.standardise(x, &normal.mean, other);
                let cross: f64 = v.iter().zip(&*other).map(|(a, b)| a * b).sum();
                (cross, squares(other))
            };
            let distance = fewer * (distance + turn * cross * cross / left);
            let varied = normal.scales.iter().filter(|scale| **scale > 0.0).count() as f64;
            let determinant = log(left) - varied * libm::log(fewer);
            let share = log((of_class - own.of(class)) / of_class);
            Some(normal.offset + share - 0.5 * determinant - 0.5 * distance)
        };
        add_relative(classes, score, scores);
    }

    pub(super) fn bytes(&self) -> usize {
        let of_normal = |normal: &Normal| {
            (normal.mean.len() + normal.scales.len() + normal.factor.len()) * size_of::<f64>()
        };
        self.classes.iter().map(of_normal).sum::<usize>()
    }

    pub(super) fn check(&self, features: usize, classes: usize) -> Result<(), InvariantError> {
        let sound = self.classes.len() <= classes
            && self.classes.iter().all(|class| class.is_shaped(features));
        let what = "its shape does not match the stream";
        InvariantError::require(sound, "quadratic function", what)
    }
}

fn squares(cells: &[f64]) -> f64 {
    cells.iter().map(|cell| cell * cell).sum()
}
