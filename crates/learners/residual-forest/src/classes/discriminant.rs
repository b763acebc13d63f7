//! Linear discriminant analysis of a stream.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::deviation::deviation;
use crate::solve::{Symmetric, solve};

/// Discounted counts, means and scatter of the classes, and the linear functions that follow from them.
///
/// The score of class k at x is ln πₖ + μₖᵀ Σ⁻¹ x − ½ μₖᵀ Σ⁻¹ μₖ, with x and the class means μ taken from the mean of all rows, and the pooled covariance Σ of the
/// classes, whose off-diagonal cells are multiplied by n / (n + 2d) for n rows of d features. It is solved again every min(4d, n/8) rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Discriminant {
    features: usize,
    rounds: Rounds,
    /// The discounted count of each class.
    masses: Vec<f64>,
    /// Class after class, the discounted means of the features.
    means: Vec<f64>,
    scatter: Scatter,
    centre: Vec<f64>,
    /// Class after class, the factors of the features.
    factors: Vec<f64>,
    offsets: Vec<f64>,
}

/// Sums of the products of what rows differ from the means of their classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Scatter {
    Full(Symmetric),
    /// The squares alone, where all products would take too long.
    Diagonal(Vec<f64>),
}

/// Most features for which all products are kept: d² / 2 multiplications a row.
const MOST_FULL: usize = 256;

/// Scores are at most this much below the best: a linear function is never sure.
const FLOOR: f64 = 12.0;

/// Counts rows until functions are solved again: every min(4d, n/8) rows, for n rows of d features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Rounds {
    rows: u64,
    wait: u64,
}

impl Default for Rounds {
    fn default() -> Self {
        Self { rows: 0, wait: 1 }
    }
}

impl Rounds {
    /// Counts a row; returns whether functions are to be solved again.
    pub(super) fn is_due(&mut self, features: usize) -> bool {
        self.rows += 1;
        self.wait -= 1;
        if self.wait > 0 {
            return false;
        }
        self.wait = (4 * features as u64).min(self.rows / 8).max(1);
        true
    }

    pub(super) fn is_sound(&self) -> bool {
        self.wait > 0
    }
}

/// Appends the scores of classes relative to the best; that of a class without one is lowest, and all are 0 if none has one.
pub(super) fn add_relative(
    classes: usize,
    score: impl FnMut(usize) -> Option<f64>,
    scores: &mut Vec<f64>,
) {
    let start = scores.len();
    let known = (0..classes)
        .map(score)
        .map(|score| score.unwrap_or(f64::NEG_INFINITY));
    scores.extend(known);
    let own = &mut scores[start..];
    let best = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // What overflows says nothing.
    let is_known = best.is_finite();
    for score in own {
        *score = if is_known {
            (*score - best).max(-FLOOR)
        } else {
            0.0
        };
    }
}

impl Scatter {
    fn new(features: usize) -> Self {
        if features <= MOST_FULL {
            Self::Full(Symmetric::zero(features))
        } else {
            Self::Diagonal(vec![0.0; features])
        }
    }

    fn update(&mut self, discount: f64, weight: f64, difference: &[f64]) {
        match self {
            Self::Full(matrix) => matrix.update(discount, weight, difference),
            Self::Diagonal(squares) => {
                for (square, value) in squares.iter_mut().zip(difference) {
                    *square = discount * *square + weight * value * value;
                }
            }
        }
    }

    /// Overwrites a right side by the solution, with the off-diagonal cells multiplied by 1 / (1 + `shrink`).
    fn solve(&self, shrink: f64, factor: &mut Vec<f64>, solution: &mut [f64]) {
        match self {
            // (S + shrink · diag S) / (1 + shrink) has the diagonal of S.
            Self::Full(matrix) => {
                solve(
                    matrix,
                    |row| shrink * matrix.get(row, row),
                    factor,
                    solution,
                );
                solution.iter_mut().for_each(|cell| *cell *= 1.0 + shrink);
            }
            Self::Diagonal(squares) => {
                for (cell, &square) in solution.iter_mut().zip(squares) {
                    *cell = if square > 0.0 { *cell / square } else { 0.0 };
                }
            }
        }
    }

    fn is_sound(&self, features: usize) -> bool {
        match self {
            Self::Full(matrix) => features <= MOST_FULL && matrix.is_sound(features),
            Self::Diagonal(squares) => {
                let is_square = |square: &f64| square.is_finite() && *square >= 0.0;
                features > MOST_FULL && squares.len() == features && squares.iter().all(is_square)
            }
        }
    }
}

impl Discriminant {
    pub(super) fn new(features: usize) -> Self {
        Self {
            features,
            rounds: Rounds::default(),
            masses: Vec::new(),
            means: Vec::new(),
            scatter: Scatter::new(features),
            centre: vec![0.0; features],
            factors: Vec::new(),
            offsets: Vec::new(),
        }
    }

    /// Returns the discounted number of rows.
    pub(super) fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// Returns the share of a class among `mass` rows of this number of classes; each counts half a row more than it has.
    pub(super) fn share(&self, class: usize, mass: f64, classes: usize) -> f64 {
        let own = self.masses.get(class).copied().unwrap_or(0.0);
        (own + 0.5) / (mass + 0.5 * classes as f64)
    }

    /// Appends the scores of the classes, relative to the best; those of classes without rows are lowest.
    pub(super) fn add_scores(&self, x: &[f32], classes: usize, scores: &mut Vec<f64>) {
        let of_class = |class: usize| {
            let factors = self
                .factors
                .get(class * self.features..)?
                .get(..self.features)?;
            let pairs = factors.iter().zip(x).zip(&self.centre);
            let sum: f64 = pairs
                .map(|((factor, &value), &centre)| factor * deviation(value, centre))
                .sum();
            Some(self.offsets.get(class)? + sum)
        };
        add_relative(classes, of_class, scores);
    }

    /// Learns a row.
    pub(super) fn learn(&mut self, x: &[f32], class: u32, discount: f64, memory: &mut Vec<f64>) {
        let (class, features) = (class as usize, self.features);
        if class >= self.masses.len() {
            self.masses.resize(class + 1, 0.0);
            self.means.resize((class + 1) * features, 0.0);
        }
        self.masses.iter_mut().for_each(|mass| *mass *= discount);
        let before = self.masses[class];
        self.masses[class] += 1.0;
        let mean = &mut self.means[class * features..][..features];
        memory.clear();
        memory.extend(
            x.iter()
                .zip(&*mean)
                .map(|(&value, &mean)| deviation(value, mean)),
        );
        let mass = self.masses[class];
        let pairs = mean.iter_mut().zip(&*memory);
        pairs.for_each(|(mean, difference)| *mean += difference / mass);
        self.scatter.update(discount, before / mass, memory);
        if self.rounds.is_due(features) {
            self.solve(memory);
        }
    }

    fn solve(&mut self, memory: &mut Vec<f64>) {
        let (features, classes) = (self.features, self.masses.len());
        let mass = self.mass();
        self.centre.fill(0.0);
        for (own, mean) in self
            .masses
            .iter()
            .zip(self.means.chunks_exact(features.max(1)))
        {
            let pairs = self.centre.iter_mut().zip(mean);
            pairs.for_each(|(centre, mean)| *centre += own / mass * mean);
        }
        let seen = self.masses.iter().filter(|mass| **mass > 0.0).count() as f64;
        let freedom = (mass - seen).max(1.0);
        let shrink = 2.0 * features as f64 / mass;
        self.factors.clear();
        self.offsets.clear();
        for class in 0..classes {
            let mean = &self.means[class * features..][..features];
            let start = self.factors.len();
            self.factors.extend(
                mean.iter()
                    .zip(&self.centre)
                    .map(|(mean, centre)| (mean - centre) * freedom),
            );
            let factors = &mut self.factors[start..];
            self.scatter.solve(shrink, memory, factors);
            let pairs = factors.iter().zip(mean).zip(&self.centre);
            let square: f64 = pairs
                .map(|((factor, mean), centre)| factor * (mean - centre))
                .sum();
            let offset = libm::log(self.masses[class] / mass) - 0.5 * square;
            self.offsets.push(offset);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let scatter = match &self.scatter {
            Scatter::Full(matrix) => matrix.bytes(),
            Scatter::Diagonal(squares) => squares.capacity() * size_of::<f64>(),
        };
        let vectors = [
            &self.masses,
            &self.means,
            &self.centre,
            &self.factors,
            &self.offsets,
        ];
        let cells: usize = vectors.iter().map(|vector| vector.capacity()).sum();
        scatter + cells * size_of::<f64>()
    }

    /// Checks the shapes, and that sums are finite.
    pub(super) fn check(&self, features: usize, classes: usize) -> Result<(), InvariantError> {
        let known = self.masses.len();
        let is_shaped = self.features == features
            && known <= classes
            && self.means.len() == known * features
            && self.centre.len() == features
            && self.offsets.len() <= known
            && self.factors.len() == self.offsets.len() * features
            && self.rounds.is_sound();
        InvariantError::require(
            is_shaped,
            "linear function",
            "its shape does not match the stream",
        )?;
        let is_mass = |mass: &f64| mass.is_finite() && *mass >= 0.0;
        let are_sums = self.masses.iter().all(is_mass)
            && self.means.iter().all(|mean| mean.is_finite())
            && self.scatter.is_sound(features);
        InvariantError::require(
            are_sums,
            "linear function",
            "its sums are not those of rows",
        )
    }
}
