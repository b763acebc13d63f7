//! A model file: how records become rows, a pipeline around a learner held by name, and how far it has come in its data.
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
//! | a model file | [`AnyModel::load`], [`Model`], [`Settings`], [`Position`] |
//! | what a model predicts, and why | [`Predictor`], [`PredictionWriter`], [`explained()`], [`Summary`] |
//! | a table as it arrives | [`Source`], [`Row`], [`BadRows`] |
//! | what all that learn into a file share | [`LearnOptions`], [`Saving`], [`Memory`], [`End`], [`interrupt`] |
//! | what can go wrong | [`CommandError`] |

mod console;
mod explained;
pub mod interrupt;
mod learn;
mod model;
mod predictor;
mod reading;
mod row;
mod saving;
mod source;
mod table_task;
mod table_text;
mod written;

pub use console::{CommandError, Console};
pub use explained::{Explained, Importance, ReadRow, Summary, TreeSize, explain, explained, lines};
pub use learn::{Completion, End, LearnOptions, MOST_ROWS, Memory, Start, nothing_learned, report};
pub use model::{AnyModel, Batch, CannotForget, Model, Position, Settings};
pub use predictor::{Asked, Predictor, unsupported};
pub use reading::ReadingOptions;
pub use row::{BadRowOptions, BadRows, Outcome, Row, counted, unseen_text};
pub use saving::{Every, NotAnInterval, Saving};
pub use source::{Address, Source, Taken, Used, length};
pub use table_task::{BadTarget, Metric, Prediction, RowPrediction, TableTask};
pub use table_text::{table_pairs, table_text};
pub use written::{Format, PredictionWriter, Value, Written};
