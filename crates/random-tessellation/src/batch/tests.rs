//! The sampler from inside: after every round, and against exact posteriors.

mod brute_force;
mod invariants;
mod posterior;
mod small_parts;

use forest_core::ndarray::ArrayView2;
use forest_core::{Rows, TreeRng};
use tessellation_tree::CutDistribution;

use super::BatchSettings;
use super::model::{DirichletMultinomial, Model, Points};
use super::sampler::Sampler;

/// Samples and, behind them, points without labels, all as one list.
struct Problem {
    points: Vec<Vec<f32>>,
    labels: Vec<u32>,
    classes: usize,
}

impl Problem {
    fn width(&self) -> usize {
        self.points[0].len()
    }

    /// Gives `work` a sampler that has not yet begun.
    fn sample<D: CutDistribution, R>(
        &self,
        settings: &BatchSettings,
        rng: &mut TreeRng,
        work: impl FnOnce(Sampler<'_, D>) -> R,
    ) -> R {
        let values = self.points.concat();
        let shape = (self.points.len(), self.width());
        let rows = ArrayView2::from_shape(shape, &values).expect("rows of one width");
        let rows = Rows::check(rows, self.width()).expect("finite values");
        let none = Rows::one(&values[..0], 0).expect("no values");
        let alpha = settings.concentration;
        let model = Model {
            points: Points::new(self.width(), &rows, &self.labels, &none),
            likelihood: DirichletMultinomial::new(&self.labels, self.classes, alpha),
            settings,
        };
        work(Sampler::new(&model, rng))
    }
}
