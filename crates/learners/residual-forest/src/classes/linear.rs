//! Linear discriminant analysis.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use super::moments::{Moments, Own, add_relative};
use crate::deviation::deviation;
use crate::solve::{factorise_scaled, inverse_root, substitute};

/// The linear functions that follow from moments.
///
/// The score of class k at x is ln πₖ + μₖᵀ Σ⁻¹ x − ½ μₖᵀ Σ⁻¹ μₖ, with x and the class means μ taken from the mean of all rows, and the pooled covariance Σ of the
/// classes, whose off-diagonal cells are multiplied by n / (n + 2d) for n rows of d features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Linear {
    centre: Vec<f64>,
    /// Class after class, the factors of the features: Σ⁻¹ μₖ.
    factors: Vec<f64>,
    offsets: Vec<f64>,
}

/// The inverse of the pooled covariance, which takes rows out of the functions.
#[derive(Debug, Default)]
pub(super) struct Inverse {
    /// The number of rows minus that of the classes.
    freedom: f64,
    /// What off-diagonal cells are multiplied by.
    shrunk: f64,
    scales: Vec<f64>,
    /// Empty if squares alone are kept.
    factor: Vec<f64>,
    solution: Vec<f64>,
}

impl Inverse {
    fn new(moments: &Moments) -> Self {
        let (features, mass) = (moments.features(), moments.mass());
        let seen = moments.masses().iter().filter(|mass| **mass > 0.0).count() as f64;
        let shrunk = mass / (mass + 2.0 * features as f64);
        let scale = |row| inverse_root(moments.pooled(row, row));
        let scales: Vec<f64> = (0..features).map(scale).collect();
        let mut factor = Vec::new();
        if moments.has_products() {
            let cell = |row, column| shrunk * moments.pooled(row, column);
            factorise_scaled(features, cell, |row| scales[row], &mut factor);
        }
        Self {
            freedom: (mass - seen).max(1.0),
            shrunk,
            scales,
            factor,
            solution: Vec::new(),
        }
    }

    /// Replaces a vector b by Σ⁻¹ b.
    fn solve(&self, b: &mut [f64]) {
        let scale = |b: &mut [f64], by: f64| {
            let pairs = b.iter_mut().zip(&self.scales);
            pairs.for_each(|(cell, scale)| *cell *= scale * by);
        };
        scale(b, self.freedom);
        if !self.factor.is_empty() {
            substitute(&self.factor, b);
        }
        scale(b, 1.0);
    }
}

fn dot(a: &[f64], b: impl Iterator<Item = f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Linear {
    /// Solves for the functions; returns what rows are taken out by.
    pub(super) fn solve(moments: &Moments) -> (Self, Inverse) {
        let inverse = Inverse::new(moments);
        let (mass, classes) = (moments.mass(), moments.masses().len());
        let mut centre = vec![0.0; moments.features()];
        for (class, own) in moments.masses().iter().enumerate() {
            let pairs = centre.iter_mut().zip(moments.mean(class));
            pairs.for_each(|(centre, mean)| *centre += own / mass * mean);
        }
        let (mut factors, mut offsets) = (Vec::new(), Vec::new());
        for class in 0..classes {
            let apart = || moments.mean(class).iter().zip(&centre).map(|(m, c)| m - c);
            let start = factors.len();
            factors.extend(apart());
            inverse.solve(&mut factors[start..]);
            let square = dot(&factors[start..], apart());
            offsets.push(libm::log(moments.masses()[class] / mass) - 0.5 * square);
        }
        let solved = Self {
            centre,
            factors,
            offsets,
        };
        (solved, inverse)
    }

    fn factors(&self, class: usize) -> &[f64] {
        &self.factors[class * self.centre.len()..][..self.centre.len()]
    }

    /// Returns the product of the factors of a class with what x differs from the centre by.
    fn product(&self, class: usize, x: &[f32]) -> f64 {
        let pairs = x.iter().zip(&self.centre);
        let apart = pairs.map(|(&value, &centre)| deviation(value, centre));
        dot(self.factors(class), apart)
    }

    /// Appends the scores of the classes, relative to the best; those of classes without rows are lowest.
    pub(super) fn add_scores(&self, x: &[f32], classes: usize, scores: &mut Vec<f64>) {
        let of_class = |class: usize| Some(self.offsets.get(class)? + self.product(class, x));
        add_relative(classes, of_class, scores);
    }

    /// Appends what they would be had this row, which is in the moments that were solved for, not been learned.
    ///
    /// Without it Σ⁻¹ b is (ν − w)/ν [Σ⁻¹ b + t u (uᵀb)], where u = Σ⁻¹(x − μ), t = φ/(1 − φh), h = (x − μ)ᵀu, φ = s w m/(m − w)/ν, for a row of weight w in a class of mean μ and mass m;
    /// ν are the degrees of freedom, s what off-diagonal cells are multiplied by. The diagonal, of which (1 − s) φ more goes, is exact where squares alone are kept.
    pub(super) fn add_scores_without(
        &self,
        (moments, inverse): (&Moments, &mut Inverse),
        (x, own): (&[f32], Own),
        classes: usize,
        scores: &mut Vec<f64>,
    ) {
        let (mean, mass) = (moments.mean(own.class), moments.masses()[own.class]);
        let (rest, freedom) = (mass - own.weight, inverse.freedom);
        if freedom <= own.weight || rest <= 0.0 {
            return self.add_scores(x, classes, scores);
        }
        let apart = || {
            let pairs = x.iter().zip(mean);
            pairs.map(|(&value, &mean)| deviation(value, mean))
        };
        if inverse.factor.is_empty() {
            let of_class = |class| self.score_without(moments, inverse, (x, own), class);
            return add_relative(classes, of_class, scores);
        }
        let mut u = std::mem::take(&mut inverse.solution);
        u.clear();
        u.extend(apart());
        inverse.solve(&mut u);
        let square = dot(&u, apart());
        let phi = inverse.shrunk * own.weight * mass / rest / freedom;
        let turn = phi / (1.0 - phi * square).max(LEAST);
        let fewer = (freedom - own.weight) / freedom;
        let total = moments.mass();
        let share = |class: usize| {
            libm::log((moments.masses()[class] - own.of(class)) / (total - own.weight))
        };
        let log_share = |class: usize| libm::log(moments.masses()[class] / total);
        // The distance of x from a class is that from the centre plus −2 (offset − ln π + product).
        let relative =
            |class: usize| -2.0 * (self.offsets[class] - log_share(class) + self.product(class, x));
        let from_centre = square - relative(own.class);
        let u_x = dot(
            &u,
            x.iter().zip(&self.centre).map(|(&x, &c)| deviation(x, c)),
        );
        let of_class = |class: usize| {
            self.offsets.get(class)?;
            let distance = if class == own.class {
                (mass / rest).powi(2) * (square + turn * square * square)
            } else {
                let mean = moments.mean(class).iter().zip(&self.centre);
                let cross = u_x - dot(&u, mean.map(|(mean, centre)| mean - centre));
                from_centre + relative(class) + turn * cross * cross
            };
            Some(share(class) - 0.5 * fewer * distance)
        };
        add_relative(classes, of_class, scores);
        inverse.solution = u;
    }

    /// Returns the score of a class without a row, from squares alone.
    fn score_without(
        &self,
        moments: &Moments,
        inverse: &Inverse,
        (x, own): (&[f32], Own),
        class: usize,
    ) -> Option<f64> {
        self.offsets.get(class)?;
        let (mean, mass) = (moments.mean(own.class), moments.masses()[own.class]);
        let moved = mass / (mass - own.weight);
        let feature = |feature: usize| {
            let apart = deviation(x[feature], mean[feature]);
            let from_class = if class == own.class {
                moved * apart
            } else {
                let centre = self.centre[feature];
                deviation(x[feature], centre) - (moments.mean(class)[feature] - centre)
            };
            let square = inverse.scales[feature].powi(-2);
            let left = (square - own.weight * moved * apart * apart).max(LEAST * square);
            from_class * from_class / left
        };
        let varied = (0..x.len()).filter(|&feature| inverse.scales[feature] > 0.0);
        let distance: f64 = varied.map(feature).sum();
        let rows = moments.masses()[class] - own.of(class);
        Some(libm::log(rows) - 0.5 * (inverse.freedom - own.weight) * distance)
    }

    pub(super) fn bytes(&self) -> usize {
        let vectors = [&self.centre, &self.factors, &self.offsets];
        vectors.map(Vec::capacity).iter().sum::<usize>() * size_of::<f64>()
    }

    /// Checks the shapes.
    pub(super) fn check(&self, features: usize, classes: usize) -> Result<(), InvariantError> {
        let known = self.offsets.len();
        let is_shaped = known <= classes
            && (known == 0 || self.centre.len() == features)
            && self.factors.len() == known * features;
        let what = "its shape does not match the stream";
        InvariantError::require(is_shaped, "linear function", what)
    }
}

/// The least share of a variance that is left without a row.
pub(super) const LEAST: f64 = 1e-6;
