//! The boundary forest: trees of prototypes, each of which once corrected the prediction of another.
//!
//! Charles Mathy et al., *The Boundary Forest Algorithm for Online Supervised and Unsupervised Learning*, AAAI 2015.
//!
//! # The algorithm
//!
//! A node is a sample. A query walks from the root: at a node `v` it compares itself with `v` and all of `v`'s
//! children, and moves to the closest, at random among equals; where `v` itself is the closest, the walk ends, unless
//! `v` has `k` children already. The node where it ends is *locally closest*, and its label is the tree's prediction.
//!
//! A training sample is a query first. If the predicted label differs from its own (for numbers: by more than `ε`), it
//! becomes a child of the node that was found; otherwise it is forgotten. So nodes gather along boundaries.
//!
//! The forest waits for as many points as it has trees. Point `i` becomes the root of tree `i`, which is then trained
//! on the other points in a random order of its own; from then on all trees take the stream as it comes. A prediction
//! is the average of the labels that the trees found, weighted by their inverse distances (Shepard 1968, equation 1).
//!
//! Without labels, as a [`Retriever`], every point is added, and a query finds points near it. All uses are one
//! container, [`BoundaryForest`], of which [`BoundaryForest::learn_shuffled`] makes the paper's `OBF`.
//!
//! The paper's names beside those used here, and what the paper leaves open: `docs/papers/boundary-forest.md`.
//!
//! # Cost
//!
//! With `D` features and `N` nodes in a tree, a sample or a query costs a tree as many comparisons as there are
//! children along its walk ([`BoundaryForest::comparisons`]): about `log N` nodes with up to `k` children for finite
//! `k`, and a power of `N` below 1/2 for `k = ∞`. A sample that a tree keeps takes `5·D` bytes and its label, a node
//! 35.
//!
//! **Sorted and time-ordered data cost more.** Where each sample is the closest to the one before, learning `N` rows
//! takes `N²` comparisons; where classes arrive one after another, errors multiply. Shuffle such data.
//!
//! A distance is computed once for all trees of a thread. Beside every point lies its code, a byte per feature (scalar
//! quantization): the difference of two codes is off by no more than quantization lost, and so rules out every point
//! that cannot be the closest. Only where several remain are the points themselves compared. Pixels, counts and
//! indicators lose nothing: their codes decide everything, ties included. Codes bound every [`Metric`] but the cosine.
//!
//! # Example
//!
//! ```
//! use boundary_forest::{BoundaryClassifier, ForestSettings, OnlineLearner, Schema, TreeSettings, argmax};
//!
//! let trees = ForestSettings::default().with_trees(10).with_seed(1);
//! let mut forest = BoundaryClassifier::new(Schema::new(2)?, TreeSettings::default(), trees)?;
//! for i in 0..200u16 {
//!     let angle = f32::from(i) * 0.7;
//!     let class = u32::from(i % 2);
//!     let radius = 1.0 + class as f32;
//!     forest.learn_one(&[radius * angle.cos(), radius * angle.sin()], class)?;
//! }
//! let (inner, outer) = (forest.predict_one(&[0.0, 1.1])?, forest.predict_one(&[1.9, 0.2])?);
//! assert_eq!((argmax(&inner), argmax(&outer)), (0, 1));
//! assert!(forest.samples().len() < 200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod codes;
mod distances;
mod forest;
mod label;
mod metric;
mod retriever;
mod samples;
mod settings;
mod table;
mod tree;

use forest_core::Task;
use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry};

pub use forest_core::registry::snapshot;
/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema, argmax};

pub use forest::BoundaryForest;
pub use label::Label;
pub use metric::{METRICS, Metric};
pub use retriever::{Neighbour, Retriever, VectorRegressor};
pub use samples::Samples;
pub use settings::TreeSettings;
pub use tree::BoundaryTree;

/// A boundary forest that learns classes; the prediction is the weight of each among the trees' labels.
pub type BoundaryClassifier = BoundaryForest<Classification>;

/// A boundary forest that learns numbers; the prediction is the weighted mean of the trees' labels.
pub type BoundaryRegressor = BoundaryForest<Regression>;

/// The rows of the table of algorithms.
pub const ALGORITHMS: &[&Entry] = &[BOUNDARY_FOREST];

/// The row of `boundary-forest`.
pub const BOUNDARY_FOREST: &Entry = &Entry {
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
        Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them first",
        "rows sorted by their class have two to three times the log loss (docs/algorithms.md)",
        "at most 2³⁰ samples",
    ],
    parameters: &settings::PARAMETERS,
    classes: Some(build),
    numbers: Some(build),
    ..Entry::new(
        "boundary-forest",
        "trees of the samples that they predicted wrong; predicts from the nearest samples found",
    )
};

fn build<T: Task<Target: Label>>(
    v: &mut Values,
    schema: Schema<T>,
    forest: ForestSettings,
) -> Built<T> {
    let built = BoundaryForest::new(schema, TreeSettings::of(v), forest)?;
    Ok(Box::new(built))
}
