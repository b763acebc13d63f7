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

mod address;
mod any;
mod bad_rows;
mod bad_target;
mod console;
mod ending;
mod error;
mod every;
mod explained;
mod following;
pub mod interrupt;
mod learn;
mod learner;
mod lock;
mod memory;
mod metric;
mod model;
mod position;
mod prediction;
mod predictor;
mod queue;
mod reading;
mod row;
mod saving;
mod settings;
mod snapshot;
mod source;
mod summary;
mod table_task;
mod table_text;
mod written;

pub use address::Address;
pub use any::AnyModel;
pub use bad_rows::{BadRowOptions, BadRows, counted, unseen_text};
pub use bad_target::BadTarget;
pub use console::Console;
pub use ending::{Completion, End, nothing_learned, report};
pub use error::CommandError;
pub use every::{Every, NotAnInterval, Since};
pub use explained::{Explained, ReadRow, explain, explained, lines};
pub use learn::{LearnOptions, MOST_ROWS, Start};
pub use memory::Memory;
pub use metric::Metric;
pub use model::{Batch, CannotForget, Model};
pub use position::Position;
pub use prediction::{Prediction, RowPrediction};
pub use predictor::{Asked, Predictor, unsupported};
pub use queue::Taken;
pub use reading::ReadingOptions;
pub use row::{Outcome, Row};
pub use saving::Saving;
pub use settings::Settings;
pub use source::{Source, Used, length};
pub use summary::{Importance, Summary, TreeSize};
pub use table_task::TableTask;
pub use table_text::{table_pairs, table_text};
pub use written::{Format, PredictionWriter, Value, Written};
