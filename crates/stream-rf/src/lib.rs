//! The stream-partitioned online random forest: a consistent forest whose splits are supervised.
//!
//! Misha Denil, David Matheson and Nando de Freitas, *Consistency of Online Random Forests*, ICML
//! 2013; and the forest they compare with: Amir Saffari, Christian Leistner, Jakob Santner, Martin
//! Godec and Horst Bischof, *On-line Random Forests*, ICCV workshops 2009.
//!
//! # The algorithm
//!
//! Every tree divides the points into two streams, at random. **Structure points** decide where the
//! tree splits; **estimation points** vote in its leaves. So the labels that vote do not influence the
//! partition, which is what consistency requires (Theorem 5).
//!
//! A leaf draws `min(1 + Poisson(λ), D)` candidate dimensions; its first `m` structure points,
//! projected onto them, are its candidate splits. Each candidate counts the points of both streams
//! on its two sides. It is *valid* once each side has `α(d)` estimation points, `d` being the
//! depth of the leaf. When a structure point arrives, the leaf is split by the valid candidate with
//! the largest information gain, if that exceeds `τ`, or if the leaf has `β(d)` estimation points.
//! The children start with the estimation points that their side of the candidate has counted.
//!
//! Only `F` leaves of a tree collect such statistics, its **fringe**. The others wait. When a leaf
//! is split its place goes to the waiting leaf with the largest `ŝ = p̂·ê`, the share of the stream
//! that reaches it times its error: the most that splitting it can gain.
//!
//! # Several passes
//!
//! The paper draws the stream of each arrival, and makes 15 passes over USPS. From the second pass on
//! a row may vote in a leaf that it has helped to shape, so the two streams are independent in a single
//! pass only.
//!
//! # Notation
//!
//! | paper | here |
//! |---|---|
//! | λ, m, τ, α(d), β(d) | fields of [`StreamSettings`]; α and β are [`Growth`]s `a·bᵈ` |
//! | `I_t`, partitioning of the stream | [`Streams`]; `PointRole` of a point |
//! | `Nᵉ(A)`, `Yᵉ(A)` | `estimation_points` and `estimation_labels` of a leaf; for candidate children, `ActiveLeaf::estimation` |
//! | `Nˢ(A)`, `Yˢ(A)` | for candidate children, `ActiveLeaf::search`; `structure_labels` of a leaf |
//! | `p̂(A)`, `ê(A)` | `Leaf::share`: of the estimation points since the leaf was `created`; `Labels::error` of its `structure_labels` |
//! | `ŝ(A)` | `improvement_bound` |
//! | size of the fringe | [`FringeLimit`] |
//! | candidate dimension | a feature of a [`FeatureSpace`]: [`Axes`], [`PixelPairs`] |
//! | `η`, `g_t`, majority vote (section 3.5) | [`Vote`] |
//! | Algorithm 1 `BuildTree`, 9 and 10 | `stream.rs`, `stream/learn.rs`, `stream/active.rs`, `split_statistics.rs` |
//! | Algorithm 2 `Split` | `stream/learn.rs` |
//! | Algorithms 3 to 7, which split if any | `stream/active.rs`, `split_search.rs` |
//! | Algorithm 8 `InformationGain` | `labels/class_histograms.rs` |
//! | section 3.6, fringe | `stream/fringe.rs`, `stream/queue.rs` |
//! | Saffari et al. | [`SaffariTree`], [`SaffariSettings`] |
//!
//! # Cost
//!
//! With `k` candidate dimensions, a point costs its walk to the leaf and `O(k·log m)`: the `m`
//! sorted thresholds of a dimension make `m + 1` bins, and a point is counted in one bin of each.
//! What lies on the sides of a candidate is summed up when candidates are looked at, `O(k·m·c)` for
//! `c` classes. Both forests do so only when a candidate may have become valid and may gain enough:
//! two bounds, kept up to date in `O(m)` a point, exclude all other times (`stream/active.rs`,
//! `split_search.rs`; for numbers the first one only).
//! The outcome is that of looking after every point. A place in the queue costs `O(log n)` when a
//! point reaches a waiting leaf.
//!
//! An active leaf takes about `2·k·(m + 1)·(c + 1)` bytes for the `c` classes it has met: a byte for
//! each bin, class and stream, more where a count outgrows it; besides that `k·(5·m + 4)` bytes for
//! the candidates, `k` for each of the few early points, and some 400. The paper's bookkeeping takes
//! `4·k·m·c` counts of four bytes. An inactive leaf takes two rows of `c` counts of four bytes and
//! some 90 bytes. No sample is kept. Measured on MNIST (k ≈ 21, m = 5, c = 10): 2.1 kB an active
//! leaf, 0.21 kB an inactive one, against 16.8 kB.
//!
//! # Draws
//!
//! The first draw of a sample decides its stream: one uniform, whatever the tree and the sample. The others are
//! made when a leaf becomes active: a Poisson count, then its dimensions. None depends on the label of
//! an estimation point.
//!
//! It does not implement [`LearnWeighted`](forest_core::LearnWeighted), for which a weight k is k samples in a row: each of those
//! has a stream of its own.
//!
//! # Where this differs
//!
//! - **ê counts structure labels.** The paper estimates it from estimation points. Then labels that
//!   vote decide which leaf is split next, and the partition depends on them, which Theorem 5
//!   forbids. With structure points the partition is the same, bit for bit, whatever the labels of
//!   estimation points, with a bounded fringe, too. But the first of them have chosen the split that
//!   made the leaf, so `ê` of a new leaf is too small until other points arrive.
//! - **p̂ starts from the parent's.** A new leaf has counted only while it was a candidate. As in the
//!   authors' code its creation is dated back, so that p̂ of the children adds up to that of the parent.
//! - **Giving up.** A leaf may have no valid split however long it waits: the dimensions that it drew
//!   are constant in its cell, or all its points coincide. In the paper it keeps its place in the fringe
//!   for ever. Here it leaves its place once each of its candidates has counted `β(d)` estimation points
//!   (and `4·α(d)`) and not any is valid; when it has a place again, it draws its dimensions again. From then
//!   on `ŝ` is divided by how often the leaf has been tried. No label of an estimation point is used.
//! - **Gains of a candidate are over the points it has counted**, on both sides together; the
//!   pseudo-code's `Yˢ(A)` is never updated. In bits: the paper says "entropy" and no unit. Its authors'
//!   code has nats, so τ of its experiments is in nats.
//! - **Order.** Algorithm 7 takes the last of equal candidates. Their order here: dimensions as they
//!   were drawn, thresholds ascending. A value on a threshold lies left of it.
//! - **Probabilities.** The paper's forest takes a majority of trees; so do the settings of its
//!   experiments. By default trees average their class frequencies instead. A tree that has seen
//!   no estimation point does not vote; without any, the prediction is uniform (for numbers, 0).
//! - **Numbers** are our extension: the gain of a split is the share of the variance of its
//!   structure points that it explains, the prediction the mean of the estimation points, ê a variance.
//!
//! The authors' published code counts the points of *both* streams in its leaves, so that labels
//! which shaped a leaf also vote in it: the independence that the theorem needs is lost. It also
//! keeps one fringe for all trees, asks for *more* than α(d) points, takes the best candidate before
//! it asks whether it is valid, and uses distinct thresholds. These are not options here.
//!
//! # Contents
//!
//! A file imports only from files below it in this table.
//!
//! | file | idea |
//! |---|---|
//! | `stream` | the stream-partitioned tree: one point, one split, which leaves are active, what must hold |
//! | `saffari` | the tree of Saffari et al. |
//! | `split_search` | the candidates of a leaf: which is best, and when to search |
//! | `split_statistics` | what some points and their labels say about candidates |
//! | `labels` | classes: histograms and information; numbers: moments and variance |
//! | `point_counts` | how many points lie on either side of a candidate |
//! | `candidates` | dimensions, sorted thresholds, bins |
//! | `nodes`, `label_rows`, `packed_counts` | flat storage |
//! | `settings` | parameters and their rules; the role of a point |
//! | `features` | what a split compares with a threshold |
//!
//! # Example
//!
//! ```
//! use stream_rf::{
//!     Axes, ForestSettings, FringeLimit, OnlineLearner, Schema, StreamClassifier, StreamSettings, argmax,
//! };
//!
//! let settings = StreamSettings::<Axes> {
//!     fringe: FringeLimit::AtMost(20),
//!     ..StreamSettings::default()
//! };
//! let trees = ForestSettings::default().with_trees(25).with_seed(1);
//! let mut forest = StreamClassifier::new(Schema::new(2)?, settings, trees)?;
//! for i in 0..2000u16 {
//!     let angle = f32::from(i) * 0.7;
//!     let class = u32::from(i % 2);
//!     let radius = 1.0 + class as f32;
//!     forest.learn_one(&[radius * angle.cos(), radius * angle.sin()], class)?;
//! }
//! let (inner, outer) = (forest.predict_one(&[0.7, 0.7])?, forest.predict_one(&[1.9, 0.3])?);
//! assert_eq!((argmax(&inner), argmax(&outer)), (0, 1));
//! assert_eq!(forest.footprint().stored_samples, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod candidates;
#[cfg(test)]
mod faults;
mod features;
#[cfg(test)]
mod fit;
mod label_rows;
mod labels;
mod named;
mod nodes;
mod packed_counts;
mod point_counts;
mod saffari;
mod settings;
mod split_search;
mod split_statistics;
mod stream;

use forest_core::Forest;

pub use forest_core::registry::snapshot;
/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{
    Classification, ForestSettings, OnlineClassifier, OnlineLearner, OnlineRegressor, Regression,
    Schema, Vote, argmax,
};

pub use features::{Axes, FeatureSpace, PixelPair, PixelPairs};
pub use labels::Labels;
pub use named::{ALGORITHMS, SAFFARI, STREAM_RF};
pub use saffari::SaffariTree;
pub use settings::{FringeLimit, Growth, SaffariSettings, StreamSettings, Streams};
pub use stream::{NodeView, StreamTree};

/// A stream-partitioned forest that learns classes; the prediction is the mean of the trees' class
/// frequencies, or the share of trees that vote for each class.
pub type StreamClassifier<S = Axes> = Forest<StreamTree<Classification, S>>;

/// A stream-partitioned forest that learns numbers, which is our extension; the prediction is the mean
/// of the trees' means.
pub type StreamRegressor<S = Axes> = Forest<StreamTree<Regression, S>>;

/// A forest of Saffari et al. that learns classes.
pub type SaffariClassifier<S = Axes> = Forest<SaffariTree<Classification, S>>;

/// A forest of Saffari et al. that learns numbers, which is our extension.
pub type SaffariRegressor<S = Axes> = Forest<SaffariTree<Regression, S>>;
