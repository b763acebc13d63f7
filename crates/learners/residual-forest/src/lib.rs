//! Dynamic trees in an online mixture: for numbers in stages that learn honest residuals, for classes read at nodes of several sizes.
//!
//! # Classes
//!
//! [`ResidualClassifier`] is one forest of [extra trees](dynamic_forest) in which every inner node counts its classes, and a softmax regression on rows that are left out. Its
//! columns are
//!
//! - five *readings* of the forest: for nodes of at least 1, 3, 10, 30 and 100 samples the logarithm of the mean, over the trees, of the class frequencies at the deepest such
//!   node on the way of the point ([`ReadingTree::SIZES`](dynamic_forest::ReadingTree::SIZES)). Where labels are noisy, the large ones get the weight; where they are not, leaves do,
//!   sharpened by weights above 1 and below 0;
//! - linear discriminant analysis (of more than 256 features with the diagonal of the covariance alone);
//! - up to 64 features: quadratic discriminant analysis, each covariance drawn to the pooled one as if by 2d rows.
//!
//! *Weights.* A uniform sample of the rows, whatever their order, is [silent](dynamic_forest::ReadingTree#silent-samples) in every other tree: they count in every node and choose no cuts, so they can be left out exactly. Whenever the rows have grown by an eighth, or those of a class have doubled,
//! the weights are fitted to the silent rows without themselves, with a prior at plain trees. So what is learned hardly depends on the order of rows, and few rows, or a class of few rows, are plain trees'.
//!
//! Stages of residual trees, as for numbers, were tried and left out: once leaves are read at several sizes, they add little where they help, and
//! raise the log loss where neighbouring rows are alike.
//!
//! *Recent rows.* With [`recent`](ResidualClassifierSettings::recent) = 40/400 a second mixture predicts the *next* row: its columns are the prediction from all rows, the
//! readings of a small forest on each window of latest rows, and the class of the last row. It follows some 500 rows, which suits streams whose neighbouring rows are
//! alike or whose concept drifts. On held-out rows, which follow no row of the stream, it has no advantage, and where neighbouring training rows were alike it is misled: so it is not on
//! by default, and the first mixture knows nothing of it.
//!
//! Trees take missing values and categories; for the linear and the quadratic function, these are the mean of their feature.
//!
//! Forgotten rows leave the trees as if they had never come (`recheck` = 0), and the moments of the functions up to rounding; the functions and the weights follow when they are fitted next. A new class begins with the
//! frequencies of the forest; its first row changes no weight.
//!
//! The rest of this page is about numbers, [`ResidualForest`].
//!
//! # Numbers
//!
//! Gradient boosting fits trees to the residuals of the trees before, on the rows that these were fitted to, which makes them too small. Here every stored row has an
//! *honest* residual: each row belongs to one of two folds, and in half of the trees its fold is *silent*, with no part in choosing cuts. The mean over those trees without the
//! row's own target is what the stage would predict if the row had never come ([`HonestTree`](dynamic_forest::HonestTree)).
//!
//! # The learner
//!
//! 1. A *chain* is a sequence of stages. Its first is a forest that learns the targets, or a ridge regression of
//!    all features. Each further one is a forest that learns yᵢ − ŷᵢ, where ŷᵢ is the left-out prediction of the weighted sum of the
//!    stages before. Each stage has trees of its own kind: how many thresholds of a feature a node chooses
//!    from, and how many samples that choose cuts a cut leaves on each side.
//! 2. *Refreshing.* A row that arrives is predicted before it is learned, which gives its first residuals. Six stored rows for each that arrives are then read again, in turn: their
//!    left-out predictions, stage by stage, and their residuals, if these have moved by half of what is usual. So no residual is older than a sixth of the rows, and the order of rows
//!    hardly matters.
//! 3. *Weights of stages.* For every k the first k stages are a *partial chain*, with weights of its own, which minimise the
//!    squared errors of the left-out predictions of all stored rows, and are drawn to 1 as if by ten rows. They are fitted when a tenth of the rows has come or gone.
//! 4. *Blend.* The prediction is a convex combination of all partial chains of all chains, whose weights minimise the squared error of
//!    the combination on the same rows.
//!
//! There are three chains: a forest of whole trees, three stages of trees with at least 7, 3 and 3
//! samples a side, and a ridge regression with three such stages. 100 trees are divided 20, 40 and 40.
//!
//! # Notation
//!
//! | symbol | here |
//! |---|---|
//! | ε, K | [`ResidualSettings::recheck`], [`ResidualSettings::max_features`] |
//! | w, of a partial chain | [`ResidualForest::stage_weights`] |
//! | v, of the blend | [`ResidualForest::blend`] |
//!
//! # Guarantees
//!
//! A batch is equivalent to its rows one by one, with any number of threads, bit for bit. A row that is [forgotten](OnlineLearner::forget) leaves every tree as if
//! it had never come, if `recheck` is 0; the residuals of other rows follow as they are refreshed, and the mean, the ridge regression, the weights and the blend when they are fitted to the rows that
//! are left. Predictions are finite for any finite input.
//!
//! A window follows concept drift slowly. The learner can restart there, as members of `adaptive` do: by name,
//! `adaptive:members=residual-forest@change@none+residual-forest@100@none`.
//!
//! # Cost
//!
//! For d features and S stages in C chains, beside the trees: d² / 2 multiplications a row for the ridge regression (of more
//! than 256 features it uses each separately: d) and 10·(S·C)² for the fits. A row is stored once per stage, with a number for each.
//!
//! # Where this differs
//!
//! - **From gradient boosting** (J. Friedman, *Greedy function approximation: a gradient boosting machine*, Annals of Statistics 29, 2001): few stages,
//!   each a forest, rather than many trees; a weight by least squares rather than a learning rate; one pass.
//! - **From stacking** (L. Breiman, *Stacked regressions*, Machine Learning 24, 1996): a row is left out of trees that have learned it, whose cuts it did not choose (as in the
//!   honest trees of S. Wager and S. Athey, *Estimation and inference of heterogeneous treatment effects using random forests*, JASA 113, 2018).
//!
//! # Contents
//!
//! | file | idea |
//! |---|---|
//! | `learner`, `settings` | the learner of numbers; the row of the table, parameters, and what the chains are |
//! | `stages` | predictions and residuals, stage after stage |
//! | `refresh`, `weights` | left-out predictions of stored rows; weights of stages, and of partial chains |
//! | `ridge`, `algebra` | the linear function; means, scatter and normal equations |
//! | `classes` | the learner of classes: `schedule` of its fits, `mixture`, `discriminant` functions, `recent` rows |
//!
//! # Example
//!
//! ```
//! use residual_forest::{ForestSettings, OnlineLearner, ResidualForest, ResidualSettings, Schema};
//!
//! let forest = ForestSettings::default().with_trees(25);
//! let mut learner = ResidualForest::new(Schema::new(2)?, ResidualSettings::default(), forest)?;
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
mod learner;
mod refresh;
mod ridge;
mod settings;
mod stages;
mod weights;

pub use forest_core::registry::snapshot;

/// Re-exported so that one dependency is enough.
pub use forest_core::{ForestSettings, OnlineLearner, OnlineRegressor, Regression, Schema};

pub use classes::ResidualClassifier;
pub use learner::ResidualForest;
pub use settings::{ALGORITHMS, RESIDUAL_FOREST, ResidualClassifierSettings, ResidualSettings};
