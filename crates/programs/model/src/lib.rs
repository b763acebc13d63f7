//! A model file: how records become rows, a pipeline around a learner held by name, and how far it has come in its
//! data.
//!
//! A [`Model`] is a [`Pipeline`](online_forests::Pipeline) with what a table needs: how records become rows
//! ([`tables::Columns`]), names of classes, and how far it has come ([`Position`]). It is saved in the container of all
//! snapshots ([`forest_core::registry::snapshot`]).
//!
//! ```
//! use forest_model::AnyModel;
//!
//! assert!(AnyModel::load("no.model").is_err());
//! ```
//!
//! # Where to look
//!
//! | question | items |
//! |---|---|
//! | a model file | [`AnyModel::load`], [`Model`], [`Settings`], [`Position`], [`ModelFile`] |
//! | what a model predicts, and why | [`Predictor`], [`Predictions`], [`Explained`], [`Summary`] |
//! | a table as it arrives | [`Source`], [`Row`], [`BadRows`] |
//! | what learns rows, and saves what it has learned | [`Trainer`], [`interrupt`] |
//! | a model that learns while threads predict | [`shared`] |

mod console;
mod explained;
pub mod interrupt;
mod model;
mod options;
mod predictions;
mod rows;
pub mod shared;
mod source;
mod task;
mod trainer;

pub use console::{Console, cannot, print};
pub use explained::{Explained, Summary, explainable, scaling_lines};
pub use model::{AnyModel, Learned, Model, Position, Settings};
pub use options::{ReadingOptions, table_pairs};
pub use predictions::{Format, PredictionOptions, Predictions, Predictor, unsupported};
pub use rows::{BadRowOptions, BadRows, Row, Unused, counted};
pub use source::Source;
pub use task::{TableTask, Value};
pub use trainer::{CheckpointInterval, ModelFile, Trainee, Trainer, resident_bytes};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeOfCrate;
