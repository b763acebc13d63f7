//! Extra trees that are a function of the samples they hold.
//!
//! A tree here is computed from a seed and a *set* of samples by a rule that draws from no stream: everything random in
//! a node is a hash of the node's key, and a key is a hash of the seed and of the path from the root. So a tree that
//! learns and forgets samples one by one can be, bit for bit, the tree that is built at once of those it holds, in
//! whatever order they came. Splits are chosen by the targets, as in the extremely randomised trees of Geurts, Ernst
//! and Wehenkel (*Machine Learning* 63, 2006). Theorems and proofs are in docs/papers/dynamic-forest.md.
//!
//! # The tree
//!
//! `B(key, S)`, for samples S:
//!
//! 1. Fewer than `min_samples_split` samples, or samples whose targets are all equal, are a leaf.
//! 2. *Candidates*: features in the order of a permutation that is hashed from the key; those that are constant in S
//!    are skipped, until K are found (`max_features`: √d for classes, d for numbers). Without a candidate S is a leaf.
//! 3. *Threshold* of a candidate with values from lo to hi: the first split inside `[lo, hi)` of a Mondrian process on
//!    the line, hashed from key and feature. It is uniform on the range, and moves only into what the range gains.
//! 4. *Gain*: the decrease of the Gini impurity or of the variance, a fixed expression of integers, so that no order of
//!    summation matters. The candidate with the largest gain is the split, of several the first of the permutation.
//! 5. The children are `B(key of the left side, …)` and `B(key of the right side, …)`.
//!
//! *Missing values and categories* ([`category`](forest_core::category)) go to the side that a hash of threshold and
//! category decides ([`side`](forest_core::side)). Where the numbers of a feature are all the same, the split is
//! between them and its categories; where it has categories alone, it is the first of hashed subsets that divides them.
//!
//! A leaf predicts its class frequencies or its mean, and the forest the mean over its trees.
//!
//! # Upkeep
//!
//! *Exact* (`recheck` = 0). Nodes of more than 32 samples keep, for each candidate, the extremes of its values with how
//! many samples attain them, and counts or sums of what is left of its threshold: `O(K)` a level. The samples of a node
//! are read again only when a threshold moves, a feature begins or ceases to be constant, or another split is the best.
//!
//! *Lazy* (`recheck` = ε). A node counts how many samples have come or gone since its split was chosen among n; at
//! ⌈ε·n⌉ it is chosen again, and only a different split rebuilds the subtree. Nodes keep no statistics. At all times
//! the split of a node is the best one of a set that differs from its own by at most the share ε.
//!
//! # Numbers and weights
//!
//! Targets are added up as multiples of a unit, 2⁻⁵³ of the least power of two above all targets of the tree in
//! absolute value. When it changes, which is rare, the tree is rebuilt.
//!
//! Gains and predictions weight samples ([`learn_weighted`](OnlineLearner::learn_weighted)); `min_samples_split`,
//! `min_samples_leaf` and `recheck` count them. With the least value of each, a weight is that many copies, bit for
//! bit. Weights are multiples of 2⁻³⁰ and add up exactly, to 2³⁴ at most in a tree.
//!
//! # Cost
//!
//! For n samples, K candidates and trees of depth `O(log n)`, in expectation for samples in random order:
//!
//! | | time | memory a sample |
//! |---|---|---|
//! | to build at once | `O(n·K·log n)` | 8 bytes, and 20 a node: 0.25 nodes on letter, 1 where numbers differ |
//! | to learn or forget lazily | `O(K·log² n / ε)` | the same |
//! | … exactly | `O(K·log² n)` | besides it the statistics of every node of more than 32 samples |
//! | to predict | `O(log n)` | |
//!
//! # Where this differs
//!
//! From extra trees: thresholds lie on `[lo, hi)`, and K of classes is ⌊√d⌋, as in scikit-learn. From dynamic decision
//! trees (Bressan, Damay, Sozio: *Fully-dynamic decision trees*, AAAI 2023; Brophy and Lowd: *Machine unlearning for
//! random forests*, ICML 2021): candidates are a function of the set, so an exact tree does not depend on its history.
//!
//! # Example
//!
//! ```
//! use dynamic_forest::{DynamicClassifier, DynamicSettings, ForestSettings, OnlineLearner, Schema};
//!
//! let settings = DynamicSettings { recheck: 0.0, ..DynamicSettings::default() };
//! let trees = ForestSettings::default().with_trees(10).with_seed(1);
//! let mut forest = DynamicClassifier::new(Schema::new(2)?, settings, trees)?;
//! let mut other = forest.clone();
//! let row = |i: u16| [f32::from(i * 37 % 101), f32::from(i * 53 % 103)];
//! let class = |x: [f32; 2]| u32::from(x[0] > x[1]);
//!
//! for x in (0..300).map(row) {
//!     forest.learn_one(&x, class(x))?;
//! }
//! // After forgetting samples it equals the forest that never saw them.
//! (0..150).try_for_each(|arrival| forest.forget(arrival))?;
//! for x in (150..300).rev().map(row) {
//!     other.learn_one(&x, class(x))?;
//! }
//! let predictions = |forest: &DynamicClassifier| (0..50).map(|i| forest.predict_one(&row(i))).collect::<Vec<_>>();
//! assert_eq!(predictions(&forest), predictions(&other));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(
    private_interfaces,
    reason = "tasks and variants are sealed: what they need is not for other crates"
)]

mod check;
mod classes;
mod exact;
mod grow;
mod hash;
mod labels;
mod nodes;
mod numbers;
mod online;
mod reading;
mod samples;
mod search;
mod settings;
mod silent;
mod splits;
mod statistics;
mod tree;
mod unit;
mod upkeep;
mod votes;

use forest_core::Forest;
use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry, WINDOW};

/// Re-exported so that one dependency is enough.
pub use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema, argmax};

pub use labels::Labels;
pub use reading::{ReadingTree, Readings, left_out};
pub use settings::{DynamicSettings, PARAMETERS};
pub use silent::{Honest, HonestTree};
pub use tree::{DynamicTree, Variant};

/// A forest that learns classes.
pub type DynamicClassifier = Forest<DynamicTree<Classification>>;

/// A forest that learns numbers.
pub type DynamicRegressor = Forest<DynamicTree<Regression>>;

/// A forest of classes that is read at nodes of several sizes.
pub type ReadingForest = Forest<ReadingTree>;

/// A forest that learns numbers, and can predict for a sample as if it had never learned it.
pub type HonestForest = Forest<HonestTree>;

/// The rows of the table of algorithms.
pub const ALGORITHMS: &[&Entry] = &[DYNAMIC_EXTRA_TREES];

/// The row of `dynamic-extra-trees`.
pub const DYNAMIC_EXTRA_TREES: &Entry = &Entry {
    paper: "ours, after Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    trees: 100,
    parameters: &[PARAMETERS, &[WINDOW]],
    classes: Some(build),
    numbers: Some(build),
    ..Entry::new(
        "dynamic-extra-trees",
        "extra trees kept up to date as samples arrive and leave: exactly the trees that a batch \
         build would give, or nearly",
    )
};

fn build<T: Labels>(v: &mut Values, schema: Schema<T>, forest: ForestSettings) -> Built<T> {
    let settings = DynamicSettings::of(v);
    let forest = Forest::<DynamicTree<T>>::new(schema, settings, v.window(forest))?;
    Ok(Box::new(forest))
}
