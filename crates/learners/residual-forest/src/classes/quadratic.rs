//! Quadratic discriminant analysis of a stream.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use super::discriminant::{Rounds, add_relative};
use crate::deviation::deviation;
use crate::solve::{
    Symmetric, factorise_scaled, inverse_diagonal, inverse_root, substitute_forwards,
};

/// A normal distribution of each class, and the scores that follow from them.
///
/// The score of class k at x is ln πₖ − ½ ln det Σₖ − ½ (x − μₖ)ᵀ Σₖ⁻¹ (x − μₖ). Σₖ is the class's own covariance, drawn to the pooled one as if by 2d rows of d features;
/// the off-diagonal cells of the latter are multiplied by n / (n + 2d) for n rows. A row's part in the moments of its class shrinks by the discount with each later row of that class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Quadratic {
    features: usize,
    rounds: Rounds,
    classes: Vec<Moments>,
    solved: Vec<Normal>,
}

/// Discounted moments of the rows of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Moments {
    mass: f64,
    mean: Vec<f64>,
    scatter: Symmetric,
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

impl Moments {
    fn new(features: usize) -> Self {
        Self {
            mass: 0.0,
            mean: vec![0.0; features],
            scatter: Symmetric::zero(features),
        }
    }

    fn learn(&mut self, x: &[f32], discount: f64, difference: &mut Vec<f64>) {
        let before = discount * self.mass;
        self.mass = before + 1.0;
        difference.clear();
        let pairs = x.iter().zip(&self.mean);
        difference.extend(pairs.map(|(&value, &mean)| deviation(value, mean)));
        let pairs = self.mean.iter_mut().zip(&*difference);
        pairs.for_each(|(mean, difference)| *mean += difference / self.mass);
        self.scatter
            .update(discount, before / self.mass, difference);
    }

    fn is_sound(&self, features: usize) -> bool {
        let is_mass = self.mass.is_finite() && self.mass >= 0.0;
        is_mass
            && self.mean.len() == features
            && self.mean.iter().all(|mean| mean.is_finite())
            && self.scatter.is_sound(features)
    }
}

impl Normal {
    fn score(&self, x: &[f32], standardised: &mut Vec<f64>) -> f64 {
        standardised.clear();
        let values = x.iter().zip(&self.mean).zip(&self.scales);
        standardised.extend(values.map(|((&value, &mean), scale)| deviation(value, mean) * scale));
        substitute_forwards(&self.factor, standardised);
        let square: f64 = standardised.iter().map(|value| value * value).sum();
        self.offset - 0.5 * square
    }

    fn is_sound(&self, features: usize) -> bool {
        let is_shaped = self.mean.len() == features
            && self.scales.len() == features
            && self.factor.len() == features * (features + 1) / 2;
        is_shaped && !self.offset.is_nan()
    }
}

impl Quadratic {
    /// Most features of which all products of each class are kept: a query takes d² / 2 multiplications a class.
    pub(super) const MOST_FEATURES: usize = 64;

    pub(super) fn new(features: usize) -> Self {
        Self {
            features,
            rounds: Rounds::default(),
            classes: Vec::new(),
            solved: Vec::new(),
        }
    }

    /// Appends the scores of the classes, relative to the best.
    pub(super) fn add_scores(
        &self,
        x: &[f32],
        classes: usize,
        scores: &mut Vec<f64>,
        memory: &mut Vec<f64>,
    ) {
        let score = |class: usize| self.solved.get(class).map(|normal| normal.score(x, memory));
        add_relative(classes, score, scores);
    }

    pub(super) fn learn(&mut self, x: &[f32], class: u32, discount: f64, memory: &mut Vec<f64>) {
        let (class, features) = (class as usize, self.features);
        while self.classes.len() <= class {
            self.classes.push(Moments::new(features));
        }
        self.classes[class].learn(x, discount, memory);
        if self.rounds.is_due(features) {
            self.solve();
        }
    }

    fn solve(&mut self) {
        let masses = self.classes.iter().map(|class| class.mass);
        let mass: f64 = masses.sum();
        let shrink = mass / (mass + 2.0 * self.features as f64);
        let pooled = |row: usize, column: usize| {
            let cells = self
                .classes
                .iter()
                .map(|class| class.scatter.get(row, column));
            let mean = cells.sum::<f64>() / mass;
            if row == column { mean } else { shrink * mean }
        };
        let mut cells = Symmetric::zero(self.features);
        cells.fill(pooled);
        let normal = |class: &Moments| self.normal(class, &cells, class.mass / mass);
        self.solved = self.classes.iter().map(normal).collect();
    }

    fn normal(&self, class: &Moments, pooled: &Symmetric, share: f64) -> Normal {
        let prior = 2.0 * self.features as f64;
        let cell = |row: usize, column: usize| {
            let own = class.scatter.get(row, column) + prior * pooled.get(row, column);
            own / (class.mass + prior)
        };
        let variance = |row: usize| cell(row, row) + RIDGE * pooled.get(row, row);
        let scales: Vec<f64> = (0..self.features)
            .map(|row| inverse_root(variance(row)))
            .collect();
        let mut factor = Vec::new();
        factorise_scaled(self.features, cell, |row| scales[row], &mut factor);
        // Features that are constant in all classes take no part.
        let roots = inverse_diagonal(&factor, self.features).zip(&scales);
        let logarithms = roots.filter(|(_, scale)| **scale > 0.0);
        let logarithms = logarithms.map(|(root, scale)| libm::log(root) + libm::log(*scale));
        Normal {
            offset: libm::log(share) + logarithms.sum::<f64>(),
            mean: class.mean.clone(),
            scales,
            factor,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let of_class =
            |class: &Moments| class.mean.len() * size_of::<f64>() + class.scatter.bytes();
        let of_normal = |normal: &Normal| {
            (normal.mean.len() + normal.scales.len() + normal.factor.len()) * size_of::<f64>()
        };
        let classes: usize = self.classes.iter().map(of_class).sum();
        classes + self.solved.iter().map(of_normal).sum::<usize>()
    }

    pub(super) fn check(&self, features: usize, classes: usize) -> Result<(), InvariantError> {
        let is_shaped = self.features == features
            && self.classes.len() <= classes
            && self.solved.len() <= self.classes.len()
            && self.rounds.is_sound();
        let sound = is_shaped
            && self.classes.iter().all(|class| class.is_sound(features))
            && self.solved.iter().all(|normal| normal.is_sound(features));
        InvariantError::require(
            sound,
            "quadratic function",
            "its moments are not those of rows",
        )
    }
}
