//! Counts, means and scatter of the classes, of which the discriminant functions are made.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::deviation::deviation;
use crate::solve::Symmetric;

/// Sums over the rows that are held, in any order up to rounding. A value that is missing counts as the mean of its feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Moments {
    features: usize,
    /// The sum of the weights of each class.
    masses: Vec<f64>,
    /// Class after class, the means of the features.
    means: Vec<f64>,
    scatter: Scatter,
}

/// Sums of the products of what rows differ from the means of their classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Scatter {
    /// Of each class.
    Classes(Vec<Symmetric>),
    /// Of all classes together.
    Pooled(Symmetric),
    /// The squares alone, where all products would take too long.
    Diagonal(Vec<f64>),
}

/// Most features for which the products of each class are kept: a query takes d² / 2 multiplications a class.
const MOST_OF_CLASSES: usize = 64;

/// Most features for which products are kept: d² / 2 multiplications a row.
const MOST_POOLED: usize = 256;

impl Moments {
    pub(super) fn new(features: usize) -> Self {
        let scatter = if features <= MOST_OF_CLASSES {
            Scatter::Classes(Vec::new())
        } else if features <= MOST_POOLED {
            Scatter::Pooled(Symmetric::zero(features))
        } else {
            Scatter::Diagonal(vec![0.0; features])
        };
        Self {
            features,
            masses: Vec::new(),
            means: Vec::new(),
            scatter,
        }
    }

    pub(super) fn features(&self) -> usize {
        self.features
    }

    pub(super) fn masses(&self) -> &[f64] {
        &self.masses
    }

    pub(super) fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    pub(super) fn mean(&self, class: usize) -> &[f64] {
        &self.means[class * self.features..][..self.features]
    }

    /// Returns whether products of features are kept.
    pub(super) fn has_products(&self) -> bool {
        !matches!(self.scatter, Scatter::Diagonal(_))
    }

    /// Returns the scatter of each class, if it is kept.
    pub(super) fn of_classes(&self) -> Option<&[Symmetric]> {
        match &self.scatter {
            Scatter::Classes(classes) => Some(classes),
            _ => None,
        }
    }

    /// Returns a cell of the scatter of all classes; off the diagonal only if it has [products](Self::has_products).
    pub(super) fn pooled(&self, row: usize, column: usize) -> f64 {
        match &self.scatter {
            Scatter::Classes(classes) => classes.iter().map(|class| class.get(row, column)).sum(),
            Scatter::Pooled(matrix) => matrix.get(row, column),
            Scatter::Diagonal(squares) => squares[row],
        }
    }

    /// Overwrites the shares of the classes among the rows, without one row; each class counts half a row more than it has.
    pub(super) fn shares(&self, classes: usize, without: Option<Own>, shares: &mut Vec<f64>) {
        let gone = |class: usize| without.map_or(0.0, |own| own.of(class));
        let mass = self.mass() - without.map_or(0.0, |own| own.weight) + 0.5 * classes as f64;
        let own = |class: usize| self.masses.get(class).copied().unwrap_or(0.0) - gone(class);
        shares.clear();
        shares.extend((0..classes).map(|class| (own(class) + 0.5) / mass));
    }

    /// Adds a row with its weight; takes one out if the weight is negative.
    pub(super) fn add(&mut self, x: &[f32], own: Own, memory: &mut Vec<f64>) {
        let (class, features) = (own.class, self.features);
        self.fit(class + 1);
        let before = self.masses[class];
        let after = before + own.weight;
        self.masses[class] = after;
        let mean = &mut self.means[class * features..][..features];
        if after <= 0.0 {
            self.masses[class] = 0.0;
            mean.fill(0.0);
            if let Scatter::Classes(classes) = &mut self.scatter {
                classes[class] = Symmetric::zero(features);
            }
            return;
        }
        memory.clear();
        let pairs = x.iter().zip(&*mean);
        memory.extend(pairs.map(|(&value, &mean)| deviation(value, mean)));
        let pairs = mean.iter_mut().zip(&*memory);
        pairs.for_each(|(mean, difference)| *mean += own.weight / after * difference);
        let weight = own.weight * before / after;
        match &mut self.scatter {
            Scatter::Classes(classes) => update(&mut classes[class], weight, memory),
            Scatter::Pooled(matrix) => update(matrix, weight, memory),
            Scatter::Diagonal(squares) => {
                for (square, value) in squares.iter_mut().zip(memory) {
                    *square = (*square + weight * *value * *value).max(0.0);
                }
            }
        }
    }

    /// Makes room for this many classes.
    fn fit(&mut self, classes: usize) {
        if classes <= self.masses.len() {
            return;
        }
        self.masses.resize(classes, 0.0);
        self.means.resize(classes * self.features, 0.0);
        if let Scatter::Classes(of_classes) = &mut self.scatter {
            of_classes.resize(classes, Symmetric::zero(self.features));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let scatter = match &self.scatter {
            Scatter::Classes(classes) => classes.iter().map(Symmetric::bytes).sum(),
            Scatter::Pooled(matrix) => matrix.bytes(),
            Scatter::Diagonal(squares) => squares.capacity() * size_of::<f64>(),
        };
        scatter + (self.masses.capacity() + self.means.capacity()) * size_of::<f64>()
    }

    /// Checks the shapes.
    pub(super) fn check(&self, features: usize, classes: usize) -> Result<(), InvariantError> {
        let known = self.masses.len();
        let kind = std::mem::discriminant(&Self::new(features).scatter);
        let is_shaped = self.features == features
            && known <= classes
            && self.means.len() == known * features
            && std::mem::discriminant(&self.scatter) == kind
            && match &self.scatter {
                Scatter::Classes(all) => {
                    all.len() == known && all.iter().all(|class| class.is_shaped(features))
                }
                Scatter::Pooled(matrix) => matrix.is_shaped(features),
                Scatter::Diagonal(squares) => squares.len() == features,
            };
        InvariantError::require(
            is_shaped,
            "moments",
            "their shape does not match the stream",
        )
    }
}

fn update(scatter: &mut Symmetric, weight: f64, difference: &[f64]) {
    scatter.update(1.0, weight, difference);
    if weight < 0.0 {
        scatter.clear_negative();
    }
}

/// The class of a row, and how much the row counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) class: usize,
    pub(super) weight: f64,
}

impl Own {
    /// Returns what of it is in a class.
    pub(super) fn of(self, class: usize) -> f64 {
        if class == self.class {
            self.weight
        } else {
            0.0
        }
    }
}

/// Scores are at most this much below the best: a linear function is never sure.
const FLOOR: f64 = 12.0;

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
