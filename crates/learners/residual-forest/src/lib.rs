//! Dynamic trees in an online mixture: for numbers in stages that learn honest residuals, for classes read at nodes of
//! several sizes. Definition and alternatives that were tried: docs/papers/residual-forest.md.
//!
//! The chapters of the source: `settings`; `numbers`, with `stages`, `ridge` and `fits`; `classes`, with `moments`,
//! `discriminant`, `mixture` and `schedule`; `algebra`.
//!
//! # Classes
//!
//! [`ResidualClassifier`] is one forest of [extra trees](dynamic_forest) in which every inner node counts its classes,
//! and a softmax regression whose columns are
//!
//! - five *readings* of the forest: for nodes of at least 1, 3, 10, 30 and 100 samples the logarithm of the mean, over
//!   the trees, of the class frequencies at the deepest such node on the path of the point
//!   ([`ReadingTree::SIZES`](dynamic_forest::ReadingTree::SIZES));
//! - linear discriminant analysis (with more than 256 features only the diagonal of the covariance is used);
//! - with up to 64 features, quadratic discriminant analysis, with covariances shrunk towards the pooled one.
//!
//! A uniform sample of the rows is [silent](dynamic_forest::ReadingTree#silent-samples) in every other tree: these rows
//! count in every node and choose no splits, so they can be left out exactly. The weights are fitted to their left-out
//! predictions, with a prior at plain trees, so that the model hardly depends on the order of rows.
//!
//! With [`recent`](ResidualSettings::recent) = 40/400 a second mixture predicts the *next* row, also from the latest
//! rows and the last class: for streams whose neighbouring rows are alike or whose concept drifts.
//!
//! # Numbers
//!
//! Gradient boosting fits trees to the residuals of the trees before on the rows that these were fitted to, which makes
//! the residuals too small. Here every stored row has an *honest* residual: each row belongs to one of two folds, and
//! in half of the trees its fold is *silent*. The mean over those trees, without the row's own target, is the
//! prediction of the stage as if it had never learned the row ([`HonestTree`](dynamic_forest::HonestTree)).
//!
//! A *chain* is a sequence of stages: a forest that learns the targets, or a ridge regression, and then forests that
//! learn the errors of the left-out predictions of the stages before. For each row that arrives, six stored rows are
//! refreshed, in turn. The first k stages of a chain are a *partial chain*; the prediction is the convex combination of
//! the partial chains of three chains with the least squared error on the stored rows.
//!
//! # Guarantees and cost
//!
//! A batch is equivalent to its rows one by one, with any number of threads, bit for bit. If `recheck` is 0, trees that
//! [forget](OnlineLearner::forget) a row are those that never had it; residuals, functions and weights follow as they
//! are refreshed and fitted. Predictions are finite for any finite input. Trees take missing values and categories;
//! linear and quadratic functions replace them by the mean of their feature.
//!
//! In addition to the trees, a row of d features takes d² / 2 multiplications for the linear function (d with more than
//! 256 features), for classes d² / 2 for each predicted class. In regression each stage stores the rows.
//!
//! # Example
//!
//! ```
//! use residual_forest::{ForestSettings, OnlineLearner, ResidualForest, ResidualSettings, Schema};
//!
//! let forest = ForestSettings::default().with_trees(25);
//! let mut learner = ResidualForest::new(Schema::new(2)?, ResidualSettings::of_numbers(), forest)?;
//! let row = |i: u16| [f32::from(i * 37 % 101) / 101.0, f32::from(i * 53 % 103) / 103.0];
//! let target = |[a, b]: [f32; 2]| f64::from(3.0 * a + (6.0 * b).sin());
//! let mut squares = 0.0;
//! for x in (0..1000).map(row) {
//!     let before = learner.predict_one(&x)?[0];
//!     learner.learn_one(&x, target(x))?;
//!     squares += (before - target(x)).powi(2);
//! }
//! assert!((squares / 1000.0).sqrt() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algebra;
mod classes;
mod numbers;
mod settings;

use forest_core::Classification;
use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry, WINDOW};

/// Re-exported so that one dependency is enough.
pub use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};

pub use classes::ResidualClassifier;
pub use numbers::ResidualForest;
pub use settings::ResidualSettings;

/// The rows of the table of algorithms.
pub const ALGORITHMS: &[&Entry] = &[RESIDUAL_FOREST];

/// The row of `residual-forest`.
pub const RESIDUAL_FOREST: &Entry = &Entry {
    paper: "ours, after Friedman: Greedy Function Approximation, Annals of Statistics 29, 2001",
    limits: &[
        "a row takes time in proportion to the classes: of 3,000 about ten times as long as amf takes",
        "with more than 300 classes it follows new ones more slowly, so that a row does not cost \
         as much as their square",
    ],
    trees: 100,
    parameters: &[settings::PARAMETERS, &[WINDOW]],
    classes: Some(classes),
    numbers: Some(numbers),
    ..Entry::new(
        "residual-forest",
        "extra trees kept up to date row by row: boosted for numbers; for classes, read at nodes \
         of several sizes and weighted with a linear and a quadratic function",
    )
};

type Classes = Schema<Classification>;
type Numbers = Schema<Regression>;

fn classes(v: &mut Values, schema: Classes, forest: ForestSettings) -> Built<Classification> {
    let recent = v.list("recent", settings::NO_WINDOWS);
    let settings = ResidualSettings::of(v, recent);
    let learner = ResidualClassifier::new(schema, settings, v.window(forest))?;
    Ok(Box::new(learner))
}

fn numbers(v: &mut Values, schema: Numbers, forest: ForestSettings) -> Built<Regression> {
    let settings = ResidualSettings::of(v, Vec::new());
    let learner = ResidualForest::new(schema, settings, v.window(forest))?;
    Ok(Box::new(learner))
}
