//! The moments of the classes: weights, means and scatter.

use forest_core::{Classification, SampleId, SampleStore};
use serde::{Deserialize, Serialize};

use crate::algebra::{Means, Symmetric};

/// The weight, the mean and the scatter of each class: sums over the rows that are held, in any order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Moments {
    pub(super) features: usize,
    pub(super) classes: Vec<Means>,
    /// The scatter about the means of classes: for each class one, or with many features one of all classes.
    pub(super) scatter: Vec<Symmetric>,
}

/// The largest number of features for which the scatter of each class is kept: a prediction takes d² / 2 steps a class.
pub(super) const MOST_BY_CLASS: usize = 64;

/// The class of a row, and the weight of the row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) class: usize,
    pub(super) weight: f64,
}

impl Label {
    /// Returns the label of a stored row.
    pub(super) fn stored(store: &SampleStore<Classification>, id: SampleId) -> Self {
        Self {
            class: store.target(id) as usize,
            weight: store.weight(id).value(),
        }
    }
}

/// A row that is left out of the moments, of which it is part.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftOut<'a> {
    pub(super) moments: &'a Moments,
    pub(super) x: &'a [f32],
    pub(super) label: Label,
    /// The number of classes that are scored.
    pub(super) classes: usize,
}

impl LeftOut<'_> {
    /// Returns the weight of a class without the row.
    pub(super) fn mass(&self, class: usize) -> f64 {
        let mass = self.moments.classes[class].mass;
        if class == self.label.class {
            mass - self.label.weight
        } else {
            mass
        }
    }
}

impl Moments {
    pub(super) fn new(features: usize) -> Self {
        let pooled = usize::from(features > MOST_BY_CLASS);
        Self {
            features,
            classes: Vec::new(),
            scatter: vec![Symmetric::scatter(features); pooled],
        }
    }

    pub(super) fn mass(&self) -> f64 {
        self.classes.iter().map(|class| class.mass).sum()
    }

    /// Returns a cell of the scatter of all classes; with many features it has a diagonal alone.
    pub(super) fn pooled(&self, row: usize, column: usize) -> f64 {
        let cells = self.scatter.iter().map(|scatter| scatter.get(row, column));
        cells.sum()
    }

    /// Overwrites `shares` with π, the share of each class in the weight of the rows, with half a row added to each;
    /// without the row of the label `without`, if there is one.
    pub(super) fn shares(&self, classes: usize, without: Option<Label>, shares: &mut Vec<f64>) {
        let weight = without.map_or(0.0, |label| label.weight);
        let mass = self.mass() - weight + 0.5 * classes as f64;
        shares.clear();
        shares.extend(self.classes.iter().map(|class| class.mass));
        shares.resize(classes, 0.0);
        if let Some(label) = without {
            shares[label.class] -= weight;
        }
        for share in shares {
            *share = (*share + 0.5) / mass;
        }
    }

    /// Adds a row; removes one if its weight is negative.
    pub(super) fn add(&mut self, x: &[f32], label: Label) {
        let class = label.class;
        let is_by_class = self.features <= MOST_BY_CLASS;
        let new = || Symmetric::scatter(self.features);
        if class >= self.classes.len() {
            self.classes.resize(class + 1, Means::new(self.features));
            if is_by_class {
                self.scatter.resize_with(class + 1, new);
            }
        }
        let scatter = &mut self.scatter[if is_by_class { class } else { 0 }];
        if let Some((weight, deviations)) = self.classes[class].add(x, label.weight) {
            scatter.add(weight, &deviations);
        } else if is_by_class {
            *scatter = new();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let scatter: usize = self.scatter.iter().map(Symmetric::bytes).sum();
        let means = self.classes.len() * self.features * size_of::<f64>();
        scatter + means + size_of_val(&self.scatter[..]) + size_of_val(&self.classes[..])
    }

    pub(super) fn is_shaped(&self, features: usize, classes: usize) -> bool {
        let new = Symmetric::scatter(features);
        let known = self.classes.len();
        let scatters = if features <= MOST_BY_CLASS { known } else { 1 };
        self.features == features
            && known <= classes
            && self.classes.iter().all(|own| own.means.len() == features)
            && self.scatter.len() == scatters
            && self.scatter.iter().all(|scatter| scatter.is_like(&new))
    }
}
