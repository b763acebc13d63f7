//! What all particles of all trees read.

use tessellation_tree::CutDistribution;

use super::likelihood::DirichletMultinomial;
use super::points::Points;
use super::settings::BatchSettings;

/// The points, the likelihood of their labels, and the settings.
pub(super) struct Model<'a, D: CutDistribution> {
    pub(super) points: &'a Points<'a>,
    pub(super) likelihood: &'a DirichletMultinomial,
    pub(super) settings: &'a BatchSettings<D::Settings>,
}

impl<D: CutDistribution> Clone for Model<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: CutDistribution> Copy for Model<'_, D> {}
