//! One tree in the plane as samples arrive, for pictures of partitions and measures of their hulls.

use crate::plot::partition::WINDOW;
use datasets::{Dataset, Target};
use forest_core::registry::BuildError;
use forest_core::{
    Classification, ForestSettings, InputError, OnlineLearner, Regression, Schema, SettingError,
};
use ndarray::{Array2, s};
use online_forests::planar::DrawnNode;
use online_forests::{Algorithm, NamedTask};
use tables::preprocessing::{FitError, Pca, Scaling};
use thiserror::Error;

/// The reason why a partition cannot be computed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanarError {
    /// The data have one feature only.
    #[error("`{0}` has one feature; a partition of the plane needs two")]
    OneFeature(String),
    /// The rows cannot be reduced to two dimensions, or scaled.
    #[error(transparent)]
    Rows(#[from] FitError),
    /// Scaled rows cannot be transformed or learned.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The schema of two features.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The algorithm does not support the task of the data.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The trees of the algorithm do not cut the plane.
    #[error(
        "`{0}` does not divide the plane by cuts; use one that does, such as `mondrian` or `obsp`"
    )]
    NoCuts(String),
}

/// Returns the data in two dimensions, each scaled to [0, 1]: the features, or their first two principal components.
///
/// # Errors
/// Returns an error for a single feature, or rows whose components cannot be computed.
pub fn unit_square(data: &Dataset) -> Result<Array2<f32>, PlanarError> {
    let mut rows = data.features.clone();
    match rows.ncols() {
        0 | 1 => return Err(PlanarError::OneFeature(data.name.clone())),
        2 => {}
        _ => rows = Pca::fit(rows.view(), 2)?.transform(rows.view())?,
    }
    Ok(Scaling::MinMax.fit(rows.view())?.transform(rows)?)
}

/// Returns the nodes of one tree after each of these ascending numbers of samples; parents come before children.
///
/// `rows` are those of [`unit_square`].
///
/// # Errors
/// Returns an error for an algorithm that does not support the task, or whose trees do not cut the plane.
pub fn partitions(
    algorithm: &Algorithm,
    rows: &Array2<f32>,
    target: &Target,
    seed: u64,
    ends: &[usize],
) -> Result<Vec<Vec<DrawnNode>>, PlanarError> {
    match target {
        Target::Classes { labels, .. } => {
            draw_nodes::<Classification>(algorithm, rows, labels, seed, ends)
        }
        Target::Values { values, .. } => {
            draw_nodes::<Regression>(algorithm, rows, values, seed, ends)
        }
    }
}

fn draw_nodes<T: NamedTask>(
    algorithm: &Algorithm,
    rows: &Array2<f32>,
    targets: &[T::Target],
    seed: u64,
    ends: &[usize],
) -> Result<Vec<Vec<DrawnNode>>, PlanarError> {
    let settings = ForestSettings::default().with_trees(1).with_seed(seed);
    let mut tree = algorithm.build::<T>(Schema::new(2)?, settings)?;
    let mut learned = 0;
    let nodes_after = |&end: &usize| {
        tree.learn(rows.slice(s![learned..end, ..]), &targets[learned..end])?;
        learned = end;
        let nodes = tree.nodes_of(0, &WINDOW);
        nodes.map_err(|_| PlanarError::NoCuts(algorithm.to_string()))
    };
    ends.iter().map(nodes_after).collect()
}
