//! The stream-partitioned online random forest: a consistent forest whose splits are supervised.
//!
//! Misha Denil, David Matheson and Nando de Freitas, *Consistency of Online Random Forests*, ICML 2013; and the forest
//! they compare with: Amir Saffari et al., *On-line Random Forests*, ICCV workshops 2009.
//!
//! # The algorithm
//!
//! Every tree divides the points into two streams, at random. **Structure points** decide where the tree splits;
//! **estimation points** vote in its leaves: the labels that vote do not influence the partition (Theorem 5).
//!
//! A leaf draws `min(1 + Poisson(λ), D)` candidate dimensions; its first `m` structure points, projected onto them, are
//! its candidate splits. Each candidate counts the points of both streams on its two sides. It is *valid* once each
//! side has `α(d)` estimation points, `d` being the depth of the leaf. When a structure point arrives, the leaf is
//! split by the valid candidate with the largest information gain, if that exceeds `τ`, or if the leaf has `β(d)`
//! estimation points. The children start with the estimation points counted on their side.
//!
//! Only `F` leaves of a tree collect such statistics, its **fringe**; the others wait. When a leaf is split its place
//! goes to the waiting leaf with the largest `ŝ = p̂·ê`, the share of the stream that reaches it times its error.
//!
//! From a second pass on, a row may vote in a leaf that it has helped to shape: the two streams are independent in a
//! single pass only. The paper's names beside those used here, and deviations:
//! `docs/papers/stream-partitioned-forest.md`.
//!
//! # Cost
//!
//! With `k` candidate dimensions, a point costs its walk to the leaf and `O(k·log m)`: the `m` sorted thresholds of a
//! dimension make `m + 1` bins, and a point is counted in one bin of each. What lies on the sides of a candidate is
//! summed up when candidates are compared, `O(k·m·c)` for `c` classes, and only when a candidate may have become valid
//! and may gain enough: two bounds, kept up to date in `O(m)` a point, exclude all other times (for numbers the first
//! one only). A place in the queue costs `O(log n)` when a point reaches a waiting leaf.
//!
//! An active leaf takes about `2·k·(m + 1)·(c + 1)` bytes for the `c` classes it has met and `k·(5·m + 4)` for the
//! candidates; an inactive leaf takes two rows of `c` counts of four bytes. On MNIST (k ≈ 21, m = 5, c = 10) that is
//! 2.1 kB and 0.21 kB, against 16.8 kB of the paper's bookkeeping. No sample is kept.
//!
//! # Example
//!
//! ```
//! use stream_rf::{ForestSettings, OnlineLearner, Schema, StreamClassifier, StreamSettings, argmax};
//!
//! let settings = StreamSettings { fringe: Some(20), ..StreamSettings::default() };
//! let trees = ForestSettings::default().with_trees(25).with_seed(1);
//! let mut forest = StreamClassifier::new(Schema::new(2)?, settings, trees)?;
//! for i in 0..2000u16 {
//!     let angle = f32::from(i) * 0.7;
//!     let class = u32::from(i % 2);
//!     let radius = 1.0 + class as f32;
//!     forest.learn_one(&[radius * angle.cos(), radius * angle.sin()], class)?;
//! }
//! assert_eq!(argmax(&forest.predict_one(&[0.7, 0.7])?), 0);
//! assert_eq!(argmax(&forest.predict_one(&[1.9, 0.3])?), 1);
//! assert_eq!(forest.footprint().stored_samples, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(
    private_interfaces,
    reason = "labels are sealed: what they need is not for other crates"
)]

mod candidates;
mod classes;
mod nodes;
mod numbers;
mod packed_counts;
mod saffari;
mod search;
mod settings;
mod statistics;
mod stream;
#[cfg(test)]
mod tests;

use forest_core::Forest;
use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry, MAX_NODES, VOTE};

pub use forest_core::registry::snapshot;
/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{
    Classification, ForestSettings, OnlineLearner, Regression, Schema, Vote, argmax,
};

pub use candidates::FeatureSource;
pub use saffari::SaffariTree;
pub use settings::{Growth, SaffariSettings, StreamSettings};
pub use statistics::Labels;
pub use stream::StreamTree;

/// A stream-partitioned forest that learns classes: the mean of the trees' class frequencies, or of their votes.
pub type StreamClassifier = Forest<StreamTree<Classification>>;

/// A stream-partitioned forest that learns numbers, which is our extension: the mean of the trees' means.
pub type StreamRegressor = Forest<StreamTree<Regression>>;

/// A forest of Saffari et al. that learns classes.
pub type SaffariClassifier = Forest<SaffariTree<Classification>>;

/// A forest of Saffari et al. that learns numbers, which is our extension.
pub type SaffariRegressor = Forest<SaffariTree<Regression>>;

/// The rows of the table of algorithms.
pub const ALGORITHMS: &[&Entry] = &[STREAM_RF, SAFFARI];

/// The row of `stream-rf`, the stream-partitioned forest.
pub const STREAM_RF: &Entry = &Entry {
    paper: "Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013",
    limits: &[RANDOM_ORDER],
    parameters: &[settings::STREAM_PARAMETERS, &[MAX_NODES, VOTE]],
    classes: Some(stream),
    numbers: Some(stream),
    ..Entry::new(
        "stream-rf",
        "splits by gain on one part of the stream, votes from the other: consistent",
    )
};

/// The row of `saffari`, the online forest that its paper compares with.
pub const SAFFARI: &Entry = &Entry {
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    limits: &[RANDOM_ORDER],
    parameters: &[settings::SAFFARI_PARAMETERS, &[MAX_NODES, VOTE]],
    classes: Some(saffari),
    numbers: Some(saffari),
    ..Entry::new(
        "saffari",
        "online bagging, random tests, splits by gain once a leaf has enough points",
    )
};

const RANDOM_ORDER: &str = "rows in random order: sorted by their target they have up to three \
                            times the log loss (docs/algorithms.md)";

fn stream<T: Labels>(v: &mut Values, schema: Schema<T>, forest: ForestSettings) -> Built<T> {
    let built = Forest::<StreamTree<T>>::new(schema, StreamSettings::of(v), forest)?;
    Ok(Box::new(built))
}

fn saffari<T: Labels>(v: &mut Values, schema: Schema<T>, forest: ForestSettings) -> Built<T> {
    let built = Forest::<SaffariTree<T>>::new(schema, SaffariSettings::of(v), forest)?;
    Ok(Box::new(built))
}
