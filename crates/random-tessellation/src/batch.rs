//! The batch random tessellation forest: partitions that are chosen by labels.
//!
//! Ge, Wang, Teh, Wang, Elliott: *Random tessellation forests*, NeurIPS 2019. A tree is the heaviest of M
//! particles of sequential Monte Carlo (Algorithm 2), with cuts of any distribution: [`CutNormals::Uniform`] makes uRTF,
//! [`CutNormals::Weighted`] wuRTF, [`AxisCuts`] MRTF and, with weights, wMRTF. [`Inference::Prior`] leaves labels out: the
//! forests that the paper marks with `.i`.
//!
//! [`CutNormals::Uniform`]: crate::CutNormals::Uniform
//! [`CutNormals::Weighted`]: crate::CutNormals::Weighted
//! [`AxisCuts`]: mondrian::AxisCuts
//!
//! # The algorithm
//!
//! Every particle starts as one leaf with all points, at time 0. In each round the particles are resampled in
//! proportion to their weights; then each moves to its next cut, and is weighted by the ratio of the
//! likelihoods after and before it. A particle whose next cut comes after τ, or that has nothing left to cut, is
//! finished. When all are, the heaviest is the tree: particles are not resampled after the last round.
//!
//! The next cut comes after an exponential time with the rate of all leaves together, to a leaf in proportion
//! to its rate. Rates are exact, by thinning: each leaf draws candidates that hit the bounding box of its points, and
//! one that separates no two of them has only passed time.
//!
//! | paper | here |
//! |---|---|
//! | V, Z, the predictors and labels | [`Training`] |
//! | Λ, λ_d | `D`, a [`CutDistribution`](tessellation_tree::CutDistribution) |
//! | τ, the budget | [`BatchSettings::budget`] |
//! | α_k = n_k/1000 | [`BatchSettings::concentration`] |
//! | M particles ω_m | [`Inference::MonteCarlo`] |
//! | section 2.2.2, spherical approximation | [`Rates::BallAsPrinted`], [`BallMass`] |
//! | section 2.2.2, pausing | [`BatchSettings::pause`] |
//! | section 2.2.4, votes | [`BatchForest::predict`] |
//!
//! # Prediction
//!
//! With [`Training::test_rows`] the test points are cut along with the others, without labels, as the paper does. Otherwise they
//! follow the cuts afterwards (inductive). A transductive tree has the distribution of the process on all points, an inductive
//! one that on the training points only. A leaf predicts with the posterior mean (m_jk + α_k)/Σ of its class
//! probabilities, a tree with its most probable class, the forest with the shares of votes; ties go to the
//! smaller class.
//!
//! # Deviations
//!
//! - Rates are exact unless [`Rates::BallAsPrinted`] is set; then the ball is almost the smallest one, and only
//!   leaves that are not paused count in the sum of rates.
//! - The first round needs no resampling, since all particles are equal.
//! - A leaf without labels predicts with the class frequencies of the training set, as the model says.
//! - The paper says that pausing does not affect inference. It changes the posterior: if a leaf of one class is
//!   cut, the likelihood (3) falls, since the first label of the second part counts α_k/Σα again. The tests take the
//!   paused process as the prior.
//! - Weights are made equal at each resampling, and a particle's last round cuts nothing if the budget ends it. So with
//!   a finite budget all particles of Algorithm 2 weigh the same at the end: the tree is the first of them, which is a
//!   fair draw. With an infinite one a particle ends with its last cut, and the heaviest is one that was cut in
//!   the last round and gained most by it, not the most probable partition. Both are kept as printed.
//!
//! # Cost
//!
//! A cut of a leaf takes a pass over its points, `O(d)` each, to draw it, one to carry it out, and one for each candidate
//! that separates nothing: a few for large leaves, up to d for small ones. Time is proportional to the particles. Particles share the leaves
//! and cuts that they have in common, so that resampling copies one pointer a leaf that may still be cut; finished leaves
//! are not kept. Distinct cuts die out as particles do, and take little memory: about n + M·log M in all.
//!
//! # Example
//!
//! ```
//! use forest_core::ndarray::Array2;
//! use random_tessellation::batch::{BatchForest, BatchSettings, Inference, Training};
//! use random_tessellation::{ForestSettings, LinearCuts, Schema};
//!
//! let rows = Array2::from_shape_fn((100, 2), |(i, j)| ((i * (7 + 4 * j)) % 100) as f32 / 100.0);
//! let targets: Vec<u32> = rows.outer_iter().map(|x| u32::from(x[0] > x[1])).collect();
//! let settings = BatchSettings {
//!     inference: Inference::MonteCarlo { particles: 20 },
//!     ..BatchSettings::default()
//! };
//! let trees = ForestSettings::default().with_trees(15).with_seed(42);
//! let schema = Schema::new(2)?;
//! let mut training = Training { rows: rows.view(), targets: &targets, test_rows: None };
//! let forest = BatchForest::<LinearCuts>::fit(schema, training, &settings, trees, |_| ())?;
//! let test = Array2::from_shape_vec((2, 2), vec![0.9, 0.1, 0.2, 0.8])?;
//! assert_eq!(forest.classify(test.view())?, [1, 0]);
//!
//! training.test_rows = Some(test.view());
//! let forest = BatchForest::<LinearCuts>::fit(schema, training, &settings, trees, |_| ())?;
//! assert!(forest.predict(test.view())?[[0, 1]] > 0.5); // the share of votes for class 1
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod forest;
mod leaf;
mod model;
mod particle;
mod sampler;
mod settings;
#[cfg(test)]
mod tests;
mod tree;

pub use forest::{BatchError, BatchForest, Training};
pub use leaf::BallMass;
pub use settings::{BatchSettings, Inference, Rates};
pub use tree::BatchTree;
