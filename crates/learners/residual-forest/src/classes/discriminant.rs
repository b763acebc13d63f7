//! Linear and quadratic discriminant analysis, of all rows and without one of them.

use forest_core::threads;
use serde::{Deserialize, Serialize};

use super::fit::MANY_CLASSES;
use crate::algebra::{
    self, Few, Means, Symmetric, deviations, factorise_scaled, inverse_root, start, substitute,
    substitute_forwards,
};

/// Counts, means and scatter of the classes: sums over the rows that are held, in any order up to rounding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Moments {
    features: usize,
    classes: Vec<Means>,
    /// Of what rows differ from the means of their classes by: that of each class, or, of many features, one of all.
    scatter: Vec<Symmetric>,
}

/// Most features for which the scatter of each class is kept: a query takes d² / 2 multiplications a class.
const MOST: usize = 64;

/// The class of a row, and how much the row counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) class: usize,
    pub(super) weight: f64,
}

/// A row that is in the moments, to be left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftOut<'a> {
    pub(super) moments: &'a Moments,
    pub(super) x: &'a [f32],
    pub(super) own: Own,
    /// The number of classes that are scored.
    pub(super) classes: usize,
}

impl<'a> LeftOut<'a> {
    /// Returns the class of the row, and the weight of its other rows.
    fn class(&self) -> (&'a Means, f64) {
        let class = &self.moments.classes[self.own.class];
        (class, class.mass - self.own.weight)
    }

    /// Returns the weight of a class without the row.
    fn mass(&self, class: usize) -> f64 {
        let is_own = f64::from(u8::from(class == self.own.class));
        self.moments.classes[class].mass - is_own * self.own.weight
    }
}

impl Moments {
    pub(super) fn new(features: usize) -> Self {
        let one = usize::from(features > MOST);
        Self {
            features,
            classes: Vec::new(),
            scatter: vec![Symmetric::scatter(features); one],
        }
    }

    fn mass(&self) -> f64 {
        self.classes.iter().map(|class| class.mass).sum()
    }

    /// Returns a cell of the scatter of all classes; off the diagonal only if there are products.
    fn pooled(&self, row: usize, column: usize) -> f64 {
        let cells = self.scatter.iter().map(|scatter| scatter.get(row, column));
        cells.sum()
    }

    /// Overwrites the shares of the classes among the rows, without one row; each class counts half a row more than it has.
    pub(super) fn shares(&self, classes: usize, without: Option<Own>, shares: &mut Vec<f64>) {
        let weight = without.map_or(0.0, |own| own.weight);
        let mass = self.mass() - weight + 0.5 * classes as f64;
        shares.clear();
        shares.extend(self.classes.iter().map(|class| class.mass));
        shares.resize(classes, 0.0);
        if let Some(own) = without {
            shares[own.class] -= weight;
        }
        shares
            .iter_mut()
            .for_each(|share| *share = (*share + 0.5) / mass);
    }

    /// Adds a row with its weight; takes one out if the weight is negative.
    pub(super) fn add(&mut self, x: &[f32], Own { class, weight }: Own) {
        let (features, of_classes) = (self.features, self.features <= MOST);
        if class >= self.classes.len() {
            self.classes.resize(class + 1, Means::new(features));
            if of_classes {
                self.scatter.resize(class + 1, Symmetric::scatter(features));
            }
        }
        let scatter = &mut self.scatter[if of_classes { class } else { 0 }];
        match self.classes[class].add(x, weight) {
            Some((weight, deviations)) => scatter.add(weight, &deviations),
            None if of_classes => *scatter = Symmetric::scatter(features),
            None => {}
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let scatter: usize = self.scatter.iter().map(Symmetric::bytes).sum();
        let means = self.classes.len() * self.features * size_of::<f64>();
        scatter + means + size_of_val(&self.scatter[..]) + size_of_val(&self.classes[..])
    }

    pub(super) fn is_shaped(&self, features: usize, classes: usize) -> bool {
        let (known, new) = (self.classes.len(), Symmetric::scatter(features));
        self.features == features
            && known <= classes
            && self.classes.iter().all(|own| own.means.len() == features)
            && self.scatter.len() == if features <= MOST { known } else { 1 }
            && self.scatter.iter().all(|scatter| scatter.is_like(&new))
    }
}

/// Scores are at most this much below the best: a linear function is never sure.
const FLOOR: f64 = 12.0;

/// The least share of a variance that is left without a row.
const LEAST: f64 = 1e-6;

/// Appends the scores of classes relative to the best; that of a class without one is lowest, and all are 0 if none has one, or it overflows, which says nothing.
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

/// Returns how many rows of the pooled covariance shrink another.
fn prior(features: usize) -> f64 {
    2.0 * features as f64
}

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
#[derive(Debug)]
pub(super) struct Inverse {
    /// The number of rows minus that of the classes.
    freedom: f64,
    /// What off-diagonal cells are multiplied by.
    shrunk: f64,
    scales: Vec<f64>,
    /// Empty if squares alone are kept.
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
    /// Solves for the functions; returns what rows are taken out by.
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

    /// Returns what the means of a class differ from the centre by.
    fn apart<'a>(&'a self, class: &'a Means) -> impl Iterator<Item = f64> + 'a {
        let pairs = class.means.iter().zip(&self.centre);
        pairs.map(|(mean, centre)| mean - centre)
    }

    /// Returns the product of the factors of a class with what x differs from the centre by.
    fn product(&self, class: usize, x: &[f32]) -> f64 {
        let factors = &self.factors[class * self.centre.len()..];
        dot(factors, deviations(x, &self.centre))
    }

    /// Appends the scores of the classes, relative to the best; those of classes without rows are lowest.
    pub(super) fn add_scores(&self, x: &[f32], classes: usize, scores: &mut Vec<f64>) {
        let score = |class: usize| Some(self.offsets.get(class)? + self.product(class, x));
        add_relative(classes, score, scores);
    }

    /// Appends what they would be had this row, which is in the moments that were solved for, not been learned.
    ///
    /// Without it Σ⁻¹ b is (ν − w)/ν [Σ⁻¹ b + t u (uᵀb)], where u = Σ⁻¹(x − μ), t = φ/(1 − φh), h = (x − μ)ᵀu, φ = s w m/(m − w)/ν, for a row of weight w in a class of mean μ and mass m;
    /// ν are the degrees of freedom, s what off-diagonal cells are multiplied by. The diagonal, of which (1 − s) φ more goes, is exact where squares alone are kept.
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

    /// Returns the score of a class without a row, from squares alone.
    fn score_without(&self, row: LeftOut<'_>, inverse: &Inverse, class: usize) -> Option<f64> {
        self.offsets.get(class)?;
        let (own, (of_row, rest)) = (row.own, row.class());
        let (moved, mut distance) = (of_row.mass / rest, 0.0);
        let class_apart = self.apart(&row.moments.classes[class]);
        let from_centre = deviations(row.x, &self.centre).zip(class_apart);
        let apart = deviations(row.x, &of_row.means).zip(from_centre);
        for ((apart, (from_centre, of_class)), scale) in apart.zip(&inverse.scales) {
            if *scale > 0.0 {
                let from_others = from_centre - of_class;
                let from_class = [from_others, moved * apart][usize::from(class == own.class)];
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

/// A normal distribution of each class, if the scatter of each is kept, and the scores that follow from them.
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
            // Features that are constant in all classes take no part.
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

    /// Overwrites `standardised` with what x differs from a mean by, in units in which the covariance is that of independent features of variance 1.
    fn standardise(&self, x: &[f32], mean: &[f64], standardised: &mut Vec<f64>) {
        standardised.clear();
        let values = deviations(x, mean).zip(&self.scales);
        standardised.extend(values.map(|(x, scale)| x * scale));
        substitute_forwards(&self.factor, standardised);
    }
}

impl Quadratic {
    /// Solves for the distributions; without any, it has no preference.
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

    /// Appends what they would be had this row, which is in the moments that were solved for, not been learned: its class loses it, and all classes lose its part in the pooled
    /// covariance. Determinants follow from the lemma det(Σ − g vvᵀ) = det Σ (1 − g vᵀΣ⁻¹v); as for the [linear](Linear) functions, the diagonal of the pooled covariance is treated as its other
    /// cells.
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
            // What the divisor of the covariance becomes.
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
