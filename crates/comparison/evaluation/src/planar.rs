//! One tree in the plane as samples arrive: what pictures of partitions and measures of their hulls are made from.

use datasets::{Dataset, Target};
use forest_core::{
    Classification, ForestSettings, InputError, OnlineLearner, Regression, Schema, SettingError,
};
use ndarray::{Array2, s};
use online_forests::planar::DrawnNode;
use online_forests::{Algorithm, NamedTask};
use preprocessing::{FitError, Pca, Scaling};
use registry::BuildError;
use results::plot::partition::WINDOW;
use thiserror::Error;

/// Why there is no partition.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanarError {
    /// A line is no plane.
    #[error("`{0}` has one feature; a plane needs two")]
    OneFeature(String),
    /// The rows cannot be reduced to two dimensions, or scaled.
    #[error(transparent)]
    Rows(#[from] FitError),
    /// Scaled rows cannot be transformed, or learned.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The schema of two features.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The algorithm does not do the task of the data.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Its trees are of another kind.
    #[error("`{0}`: it does not divide the plane by cuts; try `mondrian` or `obsp`")]
    NoCuts(String),
}

/// The data in two dimensions, each scaled to [0, 1]: the features, or their first two principal components.
///
/// # Errors
/// One feature, or rows that no components can be found of.
pub fn unit_square(data: &Dataset) -> Result<Array2<f32>, PlanarError> {
    let mut rows = data.features.clone();
    match rows.ncols() {
        0 | 1 => return Err(PlanarError::OneFeature(data.name.clone())),
        2 => {}
        _ => rows = Pca::fit(rows.view(), 2)?.transform(rows.view())?,
    }
    Ok(Scaling::MinMax.fit(rows.view())?.transform(rows)?)
}

/// The nodes of one tree after each of these numbers of samples, which ascend; parents stand before children.
///
/// `rows` are those of [`unit_square`].
///
/// # Errors
/// An algorithm that does not do the task, or whose trees do not cut the plane.
pub fn partitions(
    algorithm: &Algorithm,
    rows: &Array2<f32>,
    target: &Target,
    seed: u64,
    ends: &[usize],
) -> Result<Vec<Vec<DrawnNode>>, PlanarError> {
    match target {
        Target::Classes { labels, .. } => {
            of_task::<Classification>(algorithm, rows, labels, seed, ends)
        }
        Target::Values { values, .. } => of_task::<Regression>(algorithm, rows, values, seed, ends),
    }
}

fn of_task<T: NamedTask>(
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
        let planar = tree.as_planar();
        let planar = planar.ok_or_else(|| PlanarError::NoCuts(algorithm.to_string()))?;
        Ok(planar.nodes_of(0, &WINDOW))
    };
    ends.iter().map(nodes_after).collect()
}
