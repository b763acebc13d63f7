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
pub(super) const MOST: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) class: usize,
    pub(super) weight: f64,
}

/// Returns the class and the weight of a stored row.
pub(super) fn own(store: &SampleStore<Classification>, id: SampleId) -> Own {
    let (class, weight) = (store.target(id) as usize, store.weight(id).value());
    Own { class, weight }
}

/// A row of the moments that is left out.
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
    pub(super) fn class(&self) -> (&'a Means, f64) {
        let class = &self.moments.classes[self.own.class];
        (class, class.mass - self.own.weight)
    }

    /// Returns the weight of a class without the row.
    pub(super) fn mass(&self, class: usize) -> f64 {
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

    pub(super) fn mass(&self) -> f64 {
        self.classes.iter().map(|class| class.mass).sum()
    }

    /// Returns a cell of the scatter of all classes; with many features it has a diagonal alone.
    pub(super) fn pooled(&self, row: usize, column: usize) -> f64 {
        let cells = self.scatter.iter().map(|scatter| scatter.get(row, column));
        cells.sum()
    }

    /// Overwrites `shares` with those of the classes in the weight of rows, half a row more of each; without one row.
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

    /// Adds a row; removes one if its weight is negative.
    pub(super) fn add(&mut self, x: &[f32], Own { class, weight }: Own) {
        let (features, is_by_class) = (self.features, self.features <= MOST);
        if class >= self.classes.len() {
            self.classes.resize(class + 1, Means::new(features));
            if is_by_class {
                self.scatter.resize(class + 1, Symmetric::scatter(features));
            }
        }
        let scatter = &mut self.scatter[if is_by_class { class } else { 0 }];
        if let Some((weight, deviations)) = self.classes[class].add(x, weight) {
            scatter.add(weight, &deviations);
        } else if is_by_class {
            *scatter = Symmetric::scatter(features);
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
