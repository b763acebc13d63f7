#![doc = include_str!("../README.md")]
//!
//! An [`OnlineLearner`] learns one sample at a time and predicts at any moment. Most learners are a [`Forest`] of
//! independent [`OnlineTree`]s: the forest has the settings once, one tree and one random stream per index, and one
//! [`SampleStore`] that all its trees share. An algorithm is then a tree; the rest is here.
//!
//! # What the contract promises
//!
//! - **A batch is its rows one after another**, learned or predicted and then learned, bit for bit.
//! - **Threads are invisible.** Trees learn in parallel, rows are predicted in parallel, and the number of
//!   [`threads`] never changes a bit.
//! - **A seed is a result.** Every draw comes from a named generator, one stream per tree ([`TreeRng`]).
//! - **Input is checked once.** A batch that is refused ([`InputError`]) leaves the learner unchanged; one that is
//!   accepted becomes a [`Batch`], which cannot be made otherwise.
//! - **A learner always predicts**: before its first sample, and when classes appear during the stream (a prediction
//!   row is as wide as the classes known then).
//!
//! The crate `forest-testing` has these promises as functions of a factory, run for every learner.
//!
//! # Where to look
//!
//! | concept | items |
//! |---|---|
//! | the learner, for users and authors | [`OnlineLearner`], [`Batch`], [`Rows`], [`PredictionRows`], [`Footprint`] |
//! | what is learned | [`Task`], [`Classification`], [`Regression`], [`Schema`] |
//! | a forest of trees | [`Forest`], [`ForestSettings`], [`OnlineTree`], [`ForestContext`], [`Settings`] |
//! | samples, missing values, weights | [`SampleStore`], [`SampleId`], [`FeatureValues`], [`category`], [`SampleWeight`] |
//! | what only some can do | [`Ability`], [`Refused`], [`ExportedTree`], [`Retention`] |
//! | learners by name, snapshots | [`registry`], [`parameters`](mod@parameters) |
//! | random numbers, threads, storage, files | [`TreeRng`], [`threads`], [`Arena`], [`files`] |

mod ability;
mod arena;
mod baselines;
mod batch;
mod error;
mod explain;
mod feature_values;
pub mod files;
mod footprint;
mod forest;
mod forest_settings;
mod label_encoder;
mod label_summary;
mod learner;
pub mod memory_limit;
pub mod parameters;
mod predictions;
mod random;
pub mod registry;
mod sample_id;
mod sample_lists;
mod sample_weight;
mod samples;
mod schema;
mod task;
pub mod threads;
mod tree;

pub use ndarray;

pub use ability::{Ability, DrawnNode, MixtureMember, Part, Point, Refused, check_level};
pub use arena::{Arena, LARGER_THAN_A_CACHE, prefetch};
pub use baselines::Prior;
pub use batch::{Batch, Rows};
pub use error::{InputError, InvariantError, SettingError, counted};
pub use explain::{DecisionPath, ExportedNode, ExportedTree, Inequality, PathStep, convex_hull};
pub use feature_values::{CATEGORIES, FeatureValues, category, side};
pub use footprint::Footprint;
pub use forest::{Forest, Trees};
pub use forest_settings::{ForestSettings, Retention};
pub use label_encoder::LabelEncoder;
pub use label_summary::LabelSummary;
pub use learner::OnlineLearner;
pub use predictions::{PredictionRows, Vote, VoteSums, argmax};
pub use random::TreeRng;
pub use sample_id::{IdRemap, RetentionMask, SampleId};
pub use sample_lists::SampleLists;
pub use sample_weight::SampleWeight;
pub use samples::{Points, SampleStore};
pub use schema::Schema;
pub use task::{ClassSpace, Classification, Regression, Task};
pub use tree::{ForestContext, OnlineTree, Proceed, Settings, accumulate};
