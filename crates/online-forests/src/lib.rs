//! Online random forests by name: the crate that a program depends on to learn from a stream.
//!
//! Every algorithm of the workspace is reached here by its name, with parameters after a colon, and held in one type
//! per task: [`AnyClassifier`] or [`AnyRegressor`]. Both are [`OnlineLearner`]s.
//!
//! ```
//! use online_forests::{
//!     Algorithm, AnyClassifier, Classification, ForestSettings, OnlineLearner, Schema,
//!     snapshot,
//! };
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("forest.snapshot");
//! let algorithm: Algorithm = "mondrian:budget=10".parse()?;
//! let settings = ForestSettings::default().with_trees(50).with_seed(42);
//! let mut forest = algorithm.build::<Classification>(Schema::new(2)?, settings)?;
//! assert_eq!(forest.predict_label(&[0.9, 0.3])?, None); // before the first label
//! for i in 0..200u16 {
//!     let x = [f32::from(i) / 200.0, f32::from(i % 7) / 7.0];
//!     forest.learn_one(&x, u32::from(x[0] > 0.5))?;
//! }
//! assert_eq!(forest.predict_label(&[0.9, 0.3])?, Some(1));
//! let probabilities = forest.predict_one(&[0.9, 0.3])?;
//! assert!(probabilities[1] > 0.9);
//!
//! snapshot::save(&forest, &path)?;
//! let forest: AnyClassifier = snapshot::load(&path)?;
//! assert_eq!(forest.predict_one(&[0.9, 0.3])?, probabilities);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Batches are rows of an [`ndarray`] matrix ([`OnlineLearner::learn`], [`OnlineLearner::predict_then_learn`]) and mean
//! the same as their rows one after another; they are faster, since trees learn and rows are predicted in parallel.
//!
//! # Where to look
//!
//! | question | items |
//! |---|---|
//! | which algorithms and parameters are there? | [`Algorithm::all`], [`Algorithm::parameters`] |
//! | from a name to a learner | [`Algorithm::build`], [`Schema`] |
//! | from a learner to its name | [`AnyLearner::algorithm`] |
//! | code for both tasks | [`Task`], [`AnyLearner`] |
//! | what only some algorithms can do | [`OnlineLearner::can`], and methods of [`OnlineLearner`] that refuse by default |
//! | concept drift, and which member predicts best now | [`Adaptive`], [`OnlineLearner::members`] |
//! | prediction intervals | [`OnlineLearner::central_intervals`], [`Conformal`] |
//! | what only one type of learner has | [`AnyLearner::downcast_ref`] |
//! | trees as data, reasons of a prediction, importances of features | [`ExportedTree`] |
//! | an endless stream in constant memory | `max_nodes`, a parameter of every tessellation forest; [`ForestSettings::retention`] |
//! | saving and loading | [`snapshot`]; a learner that was built with typed settings is written as [a value](snapshot::encode_value) |
//! | scaling, class names | [`Pipeline`], saved and loaded like a learner; [`preprocessing`] |
//! | number of threads | [`threads::with_threads`] |
//! | your own learner | [`OnlineLearner`], with four required methods; the crate `comparison` compares it with these |
//! | adding an algorithm | `docs/adding-an-algorithm.md` |
//!
//! A forest whose trees can forget may retain the latest rows only: `window=1000`, or [`Retention::Latest`] in its
//! settings.
//!
//! Many forests explain what they have learned: trees as data, as JSON or as a graph, the path of a point in words, and
//! how much each feature helps.
//!
//! ```
//! use online_forests::{Algorithm, Classification, ForestSettings, OnlineLearner, Schema};
//!
//! let forest = ForestSettings::default();
//! let mut forest = "mondrian".parse::<Algorithm>()?.build::<Classification>(Schema::new(2)?, forest)?;
//! for i in 0..200u16 {
//!     let x = [f32::from(i) / 200.0, f32::from(i % 7) / 7.0];
//!     forest.learn_one(&x, u32::from(x[0] > 0.5))?;
//! }
//! let importance = forest.feature_importance()?;
//! assert!(importance[0] > 0.6 && importance[0] + importance[1] > 0.999);
//!
//! let names = ["height", "weight"].map(str::to_owned);
//! let tree = forest.export(0)?.down_to(3).named(&names, &[]);
//! assert!(tree.to_json().contains("\"threshold\""));
//! assert!(tree.to_dot().starts_with("digraph"));
//!
//! let path = forest.decision_path(0, &[0.3, 0.2])?.named(&names, &[]);
//! println!("{path}"); // height = 0.3 ≤ 0.5021 (cut at time 0.8133; 200 samples) …
//! assert!(path.to_string().contains("height = 0.3 ≤ "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// The Rust blocks of the README and of the user guide.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/guide.md")]
struct Readme;

// The table of this workspace.
#[cfg(feature = "mondrian")]
forest_core::submit!(mondrian::ALGORITHMS);
#[cfg(feature = "obsp")]
forest_core::submit!(obsp::ALGORITHMS);
#[cfg(feature = "random-tessellation")]
forest_core::submit!(random_tessellation::ALGORITHMS);
#[cfg(feature = "dynamic-forest")]
forest_core::submit!(dynamic_forest::ALGORITHMS);
#[cfg(feature = "residual-forest")]
forest_core::submit!(residual_forest::ALGORITHMS);
#[cfg(feature = "boundary-forest")]
forest_core::submit!(boundary_forest::ALGORITHMS);
#[cfg(feature = "stream-rf")]
forest_core::submit!(stream_rf::ALGORITHMS);
#[cfg(feature = "adaptive")]
forest_core::submit!(adaptive::ALGORITHMS);

/// Any classifier.
pub type AnyClassifier = AnyLearner<Classification>;

/// Any regressor.
pub type AnyRegressor = AnyLearner<Regression>;

#[cfg(feature = "adaptive")]
pub use adaptive::{
    self, Adaptive,
    conformal::{self, Conformal},
};
pub use forest_core::parameters::{Parameter, ParameterError, Rule};
pub use forest_core::registry::{Algorithm, AnyLearner, BuildError, Entry, Role, snapshot, submit};
pub use forest_core::{
    Ability, Batch, Classification, DecisionPath, ExportedNode, ExportedTree, FeatureValues,
    Footprint, ForestSettings, Inequality, InputError, InvariantError, LabelSummary, MixtureMember,
    OnlineLearner, Part, PathStep, PredictionRows, Prior, Proceed, Refused, Regression, Retention,
    Rows, SampleWeight, Schema, SettingError, Task, VoteSums, argmax, threads,
};
pub use ndarray;
pub use tables::preprocessing::{self, Pipeline};

/// Trees in the plane, for pictures.
pub mod planar {
    pub use forest_core::{DrawnNode, Point, convex_hull};
}

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeOfCrate;
