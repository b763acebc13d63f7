//! Linear and quadratic discriminant analysis, of all rows and without one of them.

use forest_core::threads;
use serde::{Deserialize, Serialize};

use super::moments::{LeftOut, MOST, Moments};
use super::schedule::MANY_CLASSES;
use crate::algebra::{
    self, Few, Means, Symmetric, deviations, factorise_scaled, inverse_root, start, substitute,
    substitute_forwards,
};

/// Scores are at most this much below the best, so that no class is excluded.
const FLOOR: f64 = 12.0;

/// The least share of a variance that remains without a row.
const LEAST: f64 = 1e-6;

/// Appends scores relative to the best, the lowest for classes without one; 0 for all if the best is not finite.
fn add_relative(classes: usize, score: impl FnMut(usize) -> Option<f64>, scores: &mut Vec<f64>) {
    let (start, scored) = (scores.len(), (0..classes).map(score));
    scores.extend(scored.map(|score| score.unwrap_or(f64::NEG_INFINITY)));
    let own = &mut scores[start..];
    let best = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for score in own {
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

fn squares(cells: &[f64]) -> f64 {
    cells.iter().map(|cell| cell * cell).sum()
}

/// Returns the number of rows that the pooled covariance counts as where it shrinks that of a class.
fn prior(features: usize) -> f64 {
    2.0 * features as f64
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

/// The inverse of the pooled covariance, by which rows are left out of the functions.
#[derive(Debug)]
pub(super) struct Inverse {
    /// The number of rows minus that of the classes.
    freedom: f64,
    /// The factor of off-diagonal cells.
    shrunk: f64,
    scales: Vec<f64>,
    /// A Cholesky factor; empty with many features, of whose scatter the diagonal alone is kept.
    factor: Vec<f64>,
}

impl Inverse {
    fn new(moments: &Moments) -> Self {
        let (features, mass) = (moments.features, moments.mass());
        let seen = moments.classes.iter().filter(|class| class.mass > 0.0);
        let freedom = (mass - seen.count() as f64).max(1.0);
        let shrunk = mass / (mass + prior(features));
        let scale = |row| inverse_root(moments.pooled(row, row));
        let scales: Vec<f64> = (0..features).map(scale).collect();
        let mut factor = Vec::new();
        if features <= algebra::MOST {
            let cell = |row, column| shrunk * moments.pooled(row, column);
            factorise_scaled(features, cell, |row| scales[row], &mut factor);
        }
        Self {
            freedom,
            shrunk,
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
        let (inverse, mass) = (Inverse::new(moments), moments.mass());
        let mut linear = Self::default();
        linear.centre.resize(moments.features, 0.0);
        for class in &moments.classes {
            for (centre, mean) in linear.centre.iter_mut().zip(&class.means) {
                *centre += class.mass / mass * mean;
            }
        }
        for class in &moments.classes {
            let start = linear.factors.len();
            let apart: Few = linear.apart(class).collect();
            linear.factors.extend(&apart);
            inverse.solve(&mut linear.factors[start..]);
            let square = dot(&linear.factors[start..], apart);
            let log_share = libm::log(class.mass / mass);
            linear.offsets.push(log_share - 0.5 * square);
        }
        (linear, inverse)
    }

    /// Returns the mean of a class relative to the centre.
    fn apart<'a>(&'a self, class: &'a Means) -> impl Iterator<Item = f64> + 'a {
        let pairs = class.means.iter().zip(&self.centre);
        pairs.map(|(mean, centre)| mean - centre)
    }

    /// Returns the product of the factors of a class with x relative to the centre.
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
    /// off-diagonal cells. This treats the diagonal as the other cells; it is exact if the diagonal alone is kept.
    pub(super) fn add_without(&self, row: LeftOut<'_>, inverse: &Inverse, scores: &mut Vec<f64>) {
        let (moments, x, own) = (row.moments, row.x, row.own);
        let ((Means { mass, means }, rest), freedom) = (row.class(), inverse.freedom);
        if freedom <= own.weight || rest <= 0.0 {
            return self.add_scores(x, row.classes, scores);
        }
        if inverse.factor.is_empty() {
            let score = |class| self.score_without(row, inverse, class);
            return add_relative(row.classes, score, scores);
        }
        let mut u: Few = deviations(x, means).collect();
        inverse.solve(&mut u);
        let square = dot(&u, deviations(x, means));
        let phi = inverse.shrunk * own.weight * mass / rest / freedom;
        let turn = phi / (1.0 - phi * square).max(LEAST);
        let fewer = (freedom - own.weight) / freedom;
        let total = moments.mass();
        // The distance of x from a class is that from the centre plus −2 (offset − ln π + product).
        let relative = |class: usize| {
            let log_share = libm::log(moments.classes[class].mass / total);
            -2.0 * (self.offsets[class] - log_share + self.product(class, x))
        };
        let from_centre = square - relative(own.class);
        let u_x = dot(&u, deviations(x, &self.centre));
        let score = |class: usize| {
            self.offsets.get(class)?;
            let distance = if class == own.class {
                (mass / rest).powi(2) * (square + turn * square * square)
            } else {
                let cross = u_x - dot(&u, self.apart(&moments.classes[class]));
                from_centre + relative(class) + turn * cross * cross
            };
            Some(libm::log(row.mass(class) / (total - own.weight)) - 0.5 * fewer * distance)
        };
        add_relative(row.classes, score, scores);
    }

    /// Returns the score of a class without a row, if the diagonal alone is kept.
    fn score_without(&self, row: LeftOut<'_>, inverse: &Inverse, class: usize) -> Option<f64> {
        self.offsets.get(class)?;
        let (own, (of_row, rest)) = (row.own, row.class());
        let (moved, mut distance) = (of_row.mass / rest, 0.0);
        let class_apart = self.apart(&row.moments.classes[class]);
        let from_centre = deviations(row.x, &self.centre).zip(class_apart);
        let apart = deviations(row.x, &of_row.means).zip(from_centre);
        for ((apart, (from_centre, of_class)), scale) in apart.zip(&inverse.scales) {
            if *scale > 0.0 {
                let from_class = if class == own.class {
                    moved * apart
                } else {
                    from_centre - of_class
                };
                let square = scale.powi(-2);
                let left = (square - own.weight * moved * apart * apart).max(LEAST * square);
                distance += from_class * from_class / left;
            }
        }
        let freedom = inverse.freedom - own.weight;
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
    fn new(class: &Means, scatter: &Symmetric, pooled: &Symmetric, share: f64) -> Self {
        let (features, prior) = (class.means.len(), prior(class.means.len()));
        let cell = |row: usize, column: usize| {
            (scatter.get(row, column) + prior * pooled.get(row, column)) / (class.mass + prior)
        };
        let scale = |row| inverse_root(cell(row, row) + RIDGE * pooled.get(row, row));
        let scales: Vec<f64> = (0..features).map(scale).collect();
        let (mut factor, mut logarithms) = (Vec::new(), 0.0);
        factorise_scaled(features, cell, |row| scales[row], &mut factor);
        for (row, scale) in scales.iter().enumerate() {
            // Features that are constant in all classes are left out.
            if *scale > 0.0 {
                logarithms += libm::log(factor[start(row) + row]) + libm::log(*scale);
            }
        }
        Self {
            mean: class.means.clone(),
            scales,
            factor,
            offset: libm::log(share) + logarithms,
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
    /// Returns the distributions that follow from moments; none with many features or classes.
    pub(super) fn solve(moments: &Moments) -> Self {
        let (features, mass) = (moments.features, moments.mass());
        if features > MOST || moments.classes.len() > MANY_CLASSES {
            return Self::default();
        }
        let shrunk = mass / (mass + prior(features));
        let pooled = Symmetric::of(features, |row, column| {
            let mean = moments.pooled(row, column) / mass;
            if row == column { mean } else { shrunk * mean }
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
                Some(normal.offset - 0.5 * squares(v))
            };
            add_relative(classes, score, scores);
        });
    }

    /// Appends the scores that follow from the moments without this row, which was in the moments: its class loses the
    /// row, and all classes lose its part in the pooled covariance. Determinants follow from the lemma
    /// `det(Σ − g vvᵀ) = det Σ (1 − g vᵀΣ⁻¹v)`. The diagonal of the pooled covariance is treated as for the
    /// [linear](Linear) functions.
    pub(super) fn add_without(&self, row: LeftOut<'_>, scores: &mut Vec<f64>) {
        let (x, own, (Means { mass, means }, rest)) = (row.x, row.own, row.class());
        if rest <= 0.0 {
            return self.add_scores(x, row.classes, scores);
        }
        let (total, prior) = (row.moments.mass(), prior(row.moments.features));
        let (gone, shrunk) = (own.weight * mass / rest, total / (total + prior));
        let of_pooled = prior * shrunk / total;
        let log = |share: f64| libm::log(share.max(LEAST));
        let (mut v, mut other) = (Vec::new(), Vec::new());
        let score = |class: usize| {
            let normal = self.classes.get(class)?;
            normal.standardise(x, means, &mut v);
            let (of_class, square) = (row.moments.classes[class].mass, squares(&v));
            let (cross, distance, lost) = if class == own.class {
                let moved = mass / rest;
                (moved * square, moved * moved * square, 1.0 + of_pooled)
            } else {
                normal.standardise(x, &normal.mean, &mut other);
                (dot(&v, other.iter().copied()), squares(&other), of_pooled)
            };
            let turn = gone * lost / (of_class + prior);
            let left = (1.0 - turn * square).max(LEAST);
            // The change of the divisor of the covariance.
            let fewer = (row.mass(class) + prior) / (of_class + prior);
            let distance = fewer * (distance + turn * cross * cross / left);
            let varied = normal.scales.iter().filter(|scale| **scale > 0.0);
            let determinant = log(left) - varied.count() as f64 * libm::log(fewer);
            let share = log(row.mass(class) / of_class);
            Some(normal.offset + share - 0.5 * determinant - 0.5 * distance)
        };
        add_relative(row.classes, score, scores);
    }

    pub(super) fn bytes(&self) -> usize {
        let factors: usize = self.classes.iter().map(|one| one.factor.capacity()).sum();
        let means: usize = self.classes.iter().map(|one| 2 * one.mean.len()).sum();
        (factors + means) * size_of::<f64>() + size_of_val(&self.classes[..])
    }

    pub(super) fn is_shaped(&self, features: usize, classes: usize) -> bool {
        let cells = features * (features + 1) / 2;
        let shape = |one: &Normal| [one.mean.len(), one.scales.len(), one.factor.len()];
        let mut shapes = self.classes.iter().map(shape);
        self.classes.len() <= classes && shapes.all(|own| own == [features, features, cells])
    }
}
