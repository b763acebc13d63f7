//! Linear and quadratic discriminant analysis, of all rows and without one of them.

use forest_core::threads;
use serde::{Deserialize, Serialize};

use super::moments::{LeftOut, MOST_BY_CLASS, Moments};
use super::schedule::MANY_CLASSES;
use crate::algebra::{
    Few, MOST_WITH_PRODUCTS, Means, Symmetric, deviations, factorise_scaled, inverse_root, start,
    substitute, substitute_forwards,
};

/// Scores are at most this much below the best, so that no class is excluded.
const FLOOR: f64 = 12.0;

/// The least share of a variance that remains without a row.
const LEAST: f64 = 1e-6;

/// Appends scores relative to the best, the lowest for classes without one; 0 for all if the best is not finite.
fn add_relative(classes: usize, score: impl FnMut(usize) -> Option<f64>, scores: &mut Vec<f64>) {
    let start = scores.len();
    let scored = (0..classes).map(score);
    scores.extend(scored.map(|score| score.unwrap_or(f64::NEG_INFINITY)));
    let added = &mut scores[start..];
    let best = added.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for score in added {
        *score = if best.is_finite() {
            (*score - best).max(-FLOOR)
        } else {
            0.0
        };
    }
}

fn dot(a: &[f64], b: impl IntoIterator<Item = f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn square(v: &[f64]) -> f64 {
    v.iter().map(|cell| cell * cell).sum()
}

/// Returns 2d, the number of rows that the pooled covariance counts as where it shrinks that of a class.
fn prior(features: usize) -> f64 {
    2.0 * features as f64
}

/// Returns n / (n + 2d), the factor of the off-diagonal cells of the pooled covariance of rows of weight n.
fn shrinkage(mass: f64, features: usize) -> f64 {
    mass / (mass + prior(features))
}

/// Linear discriminant functions.
///
/// The score of class k at x is ln πₖ + μₖᵀ Σ⁻¹ x − ½ μₖᵀ Σ⁻¹ μₖ, where x and the class means μ are relative to the
/// mean of all rows. Σ is the pooled covariance, with off-diagonal cells times n / (n + 2d) for n rows of d features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Linear {
    centre: Vec<f64>,
    /// Class after class, the factors of the features: Σ⁻¹ μₖ.
    factors: Vec<f64>,
    offsets: Vec<f64>,
}

/// Σ⁻¹, the inverse of the pooled covariance, by which rows are left out of the functions.
#[derive(Debug)]
pub(super) struct Inverse {
    /// ν, the degrees of freedom: the weight of all rows minus the number of their classes.
    freedom: f64,
    /// s, the factor of off-diagonal cells.
    shrinkage: f64,
    /// The factors that make the diagonal of the pooled scatter 1.
    scales: Vec<f64>,
    /// The Cholesky factor of the scaled scatter; empty with many features, of whose scatter only the diagonal is kept.
    factor: Vec<f64>,
}

impl Inverse {
    fn new(moments: &Moments) -> Self {
        let features = moments.features;
        let mass = moments.mass();
        let seen = moments.classes.iter().filter(|class| class.mass > 0.0);
        let shrinkage = shrinkage(mass, features);
        let scale = |row| inverse_root(moments.pooled(row, row));
        let scales: Vec<f64> = (0..features).map(scale).collect();
        let mut factor = Vec::new();
        if features <= MOST_WITH_PRODUCTS {
            let cell = |row, column| shrinkage * moments.pooled(row, column);
            factorise_scaled(features, cell, |row| scales[row], &mut factor);
        }
        Self {
            freedom: (mass - seen.count() as f64).max(1.0),
            shrinkage,
            scales,
            factor,
        }
    }

    /// Replaces a vector b by Σ⁻¹ b.
    fn solve(&self, b: &mut [f64]) {
        for (cell, scale) in b.iter_mut().zip(&self.scales) {
            *cell *= scale * self.freedom;
        }
        if !self.factor.is_empty() {
            substitute(&self.factor, b);
        }
        for (cell, scale) in b.iter_mut().zip(&self.scales) {
            *cell *= scale;
        }
    }
}

impl Linear {
    /// Returns the functions that follow from moments, and the inverse by which rows are left out of them.
    pub(super) fn solve(moments: &Moments) -> (Self, Inverse) {
        let inverse = Inverse::new(moments);
        let mass = moments.mass();
        let mut linear = Self::default();
        linear.centre.resize(moments.features, 0.0);
        for class in &moments.classes {
            for (centre, mean) in linear.centre.iter_mut().zip(&class.means) {
                *centre += class.mass / mass * mean;
            }
        }
        for class in &moments.classes {
            let start = linear.factors.len();
            let mean: Few = linear.relative_mean(class).collect();
            linear.factors.extend(&mean);
            inverse.solve(&mut linear.factors[start..]);
            let square = dot(&linear.factors[start..], mean);
            let log_share = libm::log(class.mass / mass);
            linear.offsets.push(log_share - 0.5 * square);
        }
        (linear, inverse)
    }

    /// Returns μₖ, the mean of a class relative to the centre.
    fn relative_mean<'a>(&'a self, class: &'a Means) -> impl Iterator<Item = f64> + 'a {
        let pairs = class.means.iter().zip(&self.centre);
        pairs.map(|(mean, centre)| mean - centre)
    }

    /// Returns μₖᵀ Σ⁻¹ x, with x relative to the centre.
    fn product(&self, class: usize, x: &[f32]) -> f64 {
        let factors = &self.factors[class * self.centre.len()..];
        dot(factors, deviations(x, &self.centre))
    }

    /// Appends the scores of the classes, relative to the best.
    pub(super) fn add_scores(&self, x: &[f32], classes: usize, scores: &mut Vec<f64>) {
        let score = |class: usize| Some(self.offsets.get(class)? + self.product(class, x));
        add_relative(classes, score, scores);
    }

    /// Appends the scores of the functions that follow from the moments without this row, which was in the moments.
    ///
    /// Without it Σ⁻¹ b is (ν − w)/ν [Σ⁻¹ b + t u (uᵀb)], where u = Σ⁻¹(x − μ), t = φ/(1 − φh), h = (x − μ)ᵀu, φ = s w
    /// m/(m − w)/ν, for a row of weight w in a class of mean μ and weight m, ν degrees of freedom, and the factor s of
    /// off-diagonal cells. The class mean moves away from the row: x − μ becomes m/(m − w) (x − μ). This treats the
    /// diagonal as the other cells; where only the diagonal is kept, [`Self::diagonal_without`] is exact.
    pub(super) fn add_without(&self, row: LeftOut<'_>, inverse: &Inverse, scores: &mut Vec<f64>) {
        let LeftOut { moments, x, .. } = row;
        let own = row.label.class;
        let w = row.label.weight;
        let Means { mass: m, means } = &moments.classes[own];
        let rest = row.mass(own);
        if inverse.freedom <= w || rest <= 0.0 {
            return self.add_scores(x, row.classes, scores);
        }
        if inverse.factor.is_empty() {
            let score = |class| self.diagonal_without(row, inverse, class);
            return add_relative(row.classes, score, scores);
        }
        let mut u: Few = deviations(x, means).collect();
        inverse.solve(&mut u);
        let h = dot(&u, deviations(x, means));
        let phi = inverse.shrinkage * w * m / rest / inverse.freedom;
        let t = phi / (1.0 - phi * h).max(LEAST);
        let total = moments.mass();
        // The squared distance of x from a class is that from the centre plus −2 (offset − ln π + product).
        let relative = |class: usize| {
            let log_share = libm::log(moments.classes[class].mass / total);
            -2.0 * (self.offsets[class] - log_share + self.product(class, x))
        };
        let from_centre = h - relative(own);
        let u_x = dot(&u, deviations(x, &self.centre));
        let fewer = (inverse.freedom - w) / inverse.freedom;
        let score = |class: usize| {
            self.offsets.get(class)?;
            let distance = if class == own {
                (m / rest).powi(2) * (h + t * h * h)
            } else {
                let cross = u_x - dot(&u, self.relative_mean(&moments.classes[class]));
                from_centre + relative(class) + t * cross * cross
            };
            Some(libm::log(row.mass(class) / (total - w)) - 0.5 * fewer * distance)
        };
        add_relative(row.classes, score, scores);
    }

    /// Returns the score of a class without a row, if only the diagonal of the pooled scatter is kept.
    fn diagonal_without(&self, row: LeftOut<'_>, inverse: &Inverse, class: usize) -> Option<f64> {
        self.offsets.get(class)?;
        let own = row.label.class;
        let w = row.label.weight;
        let Means { mass: m, means } = &row.moments.classes[own];
        let moved = m / row.mass(own);
        let from_own = deviations(row.x, means);
        let from_centre = deviations(row.x, &self.centre);
        let class_mean = self.relative_mean(&row.moments.classes[class]);
        let from_class = from_centre.zip(class_mean).map(|(x, mean)| x - mean);
        let mut distance = 0.0;
        for ((from_own, from_class), scale) in from_own.zip(from_class).zip(&inverse.scales) {
            if *scale > 0.0 {
                let apart = if class == own {
                    moved * from_own
                } else {
                    from_class
                };
                let scatter = scale.powi(-2);
                let left = (scatter - w * moved * from_own * from_own).max(LEAST * scatter);
                distance += apart * apart / left;
            }
        }
        let freedom = inverse.freedom - w;
        Some(libm::log(row.mass(class)) - 0.5 * freedom * distance)
    }

    pub(super) fn bytes(&self) -> usize {
        let cells = self.centre.len() + self.factors.capacity() + self.offsets.capacity();
        cells * size_of::<f64>()
    }

    pub(super) fn is_shaped(&self, features: usize, classes: usize) -> bool {
        let known = self.offsets.len();
        known <= classes
            && (known == 0 || self.centre.len() == features)
            && self.factors.len() == known * features
    }
}

/// Quadratic discriminant functions: a normal distribution of each class, if the scatter of each is kept.
///
/// The score of class k at x is ln πₖ − ½ ln det Σₖ − ½ (x − μₖ)ᵀ Σₖ⁻¹ (x − μₖ). Σₖ is the covariance of the class,
/// shrunk towards the pooled one (with the same factor of off-diagonal cells), which counts as 2d rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Quadratic {
    classes: Vec<Normal>,
}

/// A normal distribution, ready to be evaluated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Normal {
    mean: Vec<f64>,
    /// The factors that make the diagonal of the covariance 1.
    scales: Vec<f64>,
    factor: Vec<f64>,
    /// ln πₖ − ½ ln det Σₖ.
    offset: f64,
}

/// The share of the pooled variance that is added to each variance: a class that hardly varies has no extreme scores.
const RIDGE: f64 = 1e-3;

impl Normal {
    /// Returns the distribution of a class, whose share of all rows is `share`; `pooled` is the pooled covariance.
    fn new(class: &Means, scatter: &Symmetric, pooled: &Symmetric, share: f64) -> Self {
        let features = class.means.len();
        let prior = prior(features);
        let cell = |row: usize, column: usize| {
            (scatter.get(row, column) + prior * pooled.get(row, column)) / (class.mass + prior)
        };
        let scale = |row| inverse_root(cell(row, row) + RIDGE * pooled.get(row, row));
        let scales: Vec<f64> = (0..features).map(scale).collect();
        let mut factor = Vec::new();
        factorise_scaled(features, cell, |row| scales[row], &mut factor);
        // −½ ln det Σₖ: the diagonals of the factor are inverted, and scales are the inverse roots of variances.
        let mut log_root = 0.0;
        for (row, scale) in scales.iter().enumerate() {
            // Features that are constant in all classes are left out.
            if *scale > 0.0 {
                log_root += libm::log(factor[start(row) + row]) + libm::log(*scale);
            }
        }
        Self {
            mean: class.means.clone(),
            scales,
            factor,
            offset: libm::log(share) + log_root,
        }
    }

    /// Overwrites `standardised` with x relative to a mean, transformed so that the covariance is the unit matrix.
    fn standardise(&self, x: &[f32], mean: &[f64], standardised: &mut Vec<f64>) {
        standardised.clear();
        let values = deviations(x, mean).zip(&self.scales);
        standardised.extend(values.map(|(x, scale)| x * scale));
        substitute_forwards(&self.factor, standardised);
    }
}

impl Quadratic {
    /// Returns the distributions that follow from moments; an empty list with many features or classes.
    pub(super) fn solve(moments: &Moments) -> Self {
        let features = moments.features;
        if features > MOST_BY_CLASS || moments.classes.len() > MANY_CLASSES {
            return Self::default();
        }
        let mass = moments.mass();
        let shrinkage = shrinkage(mass, features);
        let pooled = Symmetric::of(features, |row, column| {
            let factor = if row == column { 1.0 } else { shrinkage };
            factor * (moments.pooled(row, column) / mass)
        });
        let mut classes = Vec::new();
        for (class, scatter) in moments.classes.iter().zip(&moments.scatter) {
            classes.push(Normal::new(class, scatter, &pooled, class.mass / mass));
        }
        Self { classes }
    }

    /// Appends the scores of the classes, relative to the best.
    pub(super) fn add_scores(&self, x: &[f32], classes: usize, scores: &mut Vec<f64>) {
        threads::with_buffer(|v| {
            let score = |class: usize| {
                let normal = self.classes.get(class)?;
                normal.standardise(x, &normal.mean, v);
                Some(normal.offset - 0.5 * square(v))
            };
            add_relative(classes, score, scores);
        });
    }

    /// Appends the scores that follow from the moments without this row, which was in the moments: its class loses the
    /// row, and all classes lose its part in the pooled covariance.
    ///
    /// A class k of weight mₖ loses g vvᵀ of its covariance Σₖ, where v = x − μ for the mean μ of the class of the row.
    /// So det(Σₖ − g vvᵀ) = det Σₖ (1 − g vᵀΣₖ⁻¹v), and the squared distance of a point at z from the mean of class k
    /// becomes zᵀΣₖ⁻¹z + g (vᵀΣₖ⁻¹z)² / (1 − g vᵀΣₖ⁻¹v); then both change with the divisor of Σₖ, mₖ + 2d. The diagonal
    /// of the pooled covariance is treated as for the [linear](Linear) functions.
    pub(super) fn add_without(&self, row: LeftOut<'_>, scores: &mut Vec<f64>) {
        let LeftOut { moments, x, .. } = row;
        let own = row.label.class;
        let Means { mass: m, means } = &moments.classes[own];
        let rest = row.mass(own);
        if rest <= 0.0 {
            return self.add_scores(x, row.classes, scores);
        }
        let prior = prior(moments.features);
        let total = moments.mass();
        let scatter_of_row = row.label.weight * m / rest;
        let share_of_pooled = prior * shrinkage(total, moments.features) / total;
        let log = |share: f64| libm::log(share.max(LEAST));
        // v and z, standardised by the distribution of the class.
        let mut v = Vec::new();
        let mut z = Vec::new();
        let score = |class: usize| {
            let normal = self.classes.get(class)?;
            normal.standardise(x, means, &mut v);
            let v_square = square(&v);
            let (v_z, z_square, share) = if class == own {
                // Without the row the mean of its class moves away from it: z = v m/(m − w).
                let moved = m / rest;
                let share = 1.0 + share_of_pooled;
                (moved * v_square, moved * moved * v_square, share)
            } else {
                normal.standardise(x, &normal.mean, &mut z);
                (dot(&v, z.iter().copied()), square(&z), share_of_pooled)
            };
            let mass = moments.classes[class].mass;
            let g = scatter_of_row * share / (mass + prior);
            let left = (1.0 - g * v_square).max(LEAST);
            let ratio_of_divisors = (row.mass(class) + prior) / (mass + prior);
            let distance = ratio_of_divisors * (z_square + g * v_z * v_z / left);
            let varied = normal.scales.iter().filter(|scale| **scale > 0.0);
            let log_determinant = log(left) - varied.count() as f64 * libm::log(ratio_of_divisors);
            let log_share = log(row.mass(class) / mass);
            Some(normal.offset + log_share - 0.5 * log_determinant - 0.5 * distance)
        };
        add_relative(row.classes, score, scores);
    }

    pub(super) fn bytes(&self) -> usize {
        let factors: usize = self.classes.iter().map(|one| one.factor.capacity()).sum();
        let means: usize = self.classes.iter().map(|one| 2 * one.mean.len()).sum();
        (factors + means) * size_of::<f64>() + size_of_val(&self.classes[..])
    }

    pub(super) fn is_shaped(&self, features: usize, classes: usize) -> bool {
        let expected = [features, features, start(features)];
        let shape = |one: &Normal| [one.mean.len(), one.scales.len(), one.factor.len()];
        self.classes.len() <= classes && self.classes.iter().all(|one| shape(one) == expected)
    }
}
