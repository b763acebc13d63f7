//! One tree in the plane as samples arrive, for pictures of partitions and measures of their hulls.

use datasets::{Dataset, Target};
use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema, Task};
use ndarray::{Array2, s};
use online_forests::Algorithm;
use online_forests::planar::DrawnNode;
use tables::preprocessing::FeatureScaling;

use crate::{Preprocessing, RunError};

/// The ends of the plane that is drawn in both directions, a little beyond the data.
pub const LOW: f64 = -0.03;
/// See [`LOW`].
pub const HIGH: f64 = 1.03;

/// Its corners.
pub const WINDOW: [[f64; 2]; 4] = [[LOW, LOW], [HIGH, LOW], [HIGH, HIGH], [LOW, HIGH]];

/// Returns the data in two dimensions, each scaled to [0, 1]: the features, or their first two principal components.
///
/// # Errors
/// Returns an error for a single feature, or rows whose components cannot be computed.
pub fn unit_square(data: &Dataset) -> Result<Array2<f32>, RunError> {
    let (name, features) = (&data.name, data.n_features());
    if features < 2 {
        let message = format!("`{name}` has one feature; a partition of the plane needs two");
        return Err(RunError::Failed(message));
    }
    let preprocessing = Preprocessing {
        components: (features > 2).then_some(2),
        scaling: FeatureScaling::Minmax,
        ..Preprocessing::default()
    };
    let fitted = preprocessing.fit(data.features.view(), &data.target, &[])?;
    fitted.transform(data.features.clone())
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
) -> Result<Vec<Vec<DrawnNode>>, RunError> {
    match target {
        Target::Classes { labels, .. } => {
            draw_nodes::<Classification>(algorithm, rows, labels, seed, ends)
        }
        Target::Values { values, .. } => {
            draw_nodes::<Regression>(algorithm, rows, values, seed, ends)
        }
    }
}

fn draw_nodes<T: Task>(
    algorithm: &Algorithm,
    rows: &Array2<f32>,
    targets: &[T::Target],
    seed: u64,
    ends: &[usize],
) -> Result<Vec<Vec<DrawnNode>>, RunError> {
    let settings = ForestSettings::default().with_trees(1).with_seed(seed);
    let mut tree = algorithm.build::<T>(Schema::new(2)?, settings)?;
    let mut learned = 0;
    let nodes_after = |&end: &usize| {
        tree.learn(rows.slice(s![learned..end, ..]), &targets[learned..end])?;
        learned = end;
        tree.nodes_of(0, &WINDOW).map_err(|_| {
            RunError::Failed(format!(
                "`{algorithm}` does not divide the plane by cuts; use one that does, such as `mondrian` or `obsp`"
            ))
        })
    };
    ends.iter().map(nodes_after).collect()
}
