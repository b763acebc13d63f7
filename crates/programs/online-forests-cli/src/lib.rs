//! Online forests from a shell: `train` learns a table into a model file, `predict` predicts a table with it, `join`
//! makes one model of parts, `inspect` shows what is in it, and `serve` (a feature) predicts and learns rows that are
//! sent over HTTP.
//!
//! ```sh
//! online-forests train --data houses.csv --target price --missing median --model houses.model
//! online-forests predict --model houses.model --data new.csv --out prices.csv
//! online-forests inspect --model houses.model
//! ```
//!
//! `cargo install --path crates/programs/online-forests-cli` installs the program.
//!
//! A program can include the commands, and read the models that they make:
//!
//! ```
//! use clap::Parser;
//! use online_forests::OnlineLearner;
//! use online_forests_cli::{AnyModel, Command};
//!
//! #[derive(Parser)]
//! struct Cli {
//!     #[command(subcommand)]
//!     command: Command,
//! }
//!
//! # let folder = tempfile::tempdir()?;
//! # let [table, model] = ["houses.csv", "houses.model"].map(|name| folder.path().join(name));
//! # let [table, model] = [&table, &model].map(|path| path.to_str().unwrap());
//! std::fs::write(table, "size,city,price\n70,Rome,310.5\n85,Oslo,402\n60,Rome,280\n")?;
//! let line = ["", "train", "--data", table, "--target", "price", "--algorithm", "mondrian", "--model", model];
//! Cli::parse_from(line).command.run()?;
//!
//! let AnyModel::Regression(model) = AnyModel::load(model)? else { panic!("prices are numbers") };
//! assert_eq!(model.columns.feature_names(), ["size", "city=Oslo", "city=Rome"]);
//! assert_eq!((model.samples_seen(), model.position.bad), (3, 0));
//! assert_eq!(model.predict_one(&[70.0, 0.0, 1.0])?, [310.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What `train` promises
//!
//! - The same rows give the same bytes: from a file or from standard input, in batches of any size, on any number of
//!   threads, in one run or in several.
//! - Memory does not grow with the table, except by what the learner keeps.
//! - A model file is either the complete new one or the unchanged old one. A killed run continues from its last
//!   checkpoint (`--resume`).
//! - A table of which no row, or less than nine tenths (`--max-bad-rows`), could be learned ends with exit code 1.
//! - A row that cannot be learned (another number of cells, a word among numbers, no target) is counted and reported
//!   with its line and the reason, and the others are learned. It leaves no trace in the model, wherever it is in the
//!   table.
//! - A missing value of a feature ends a new training with all counts, if it is in the first rows and `--missing` does
//!   not say what to do: nothing has been learned, and the user decides. In a later row it makes a bad row: hours of
//!   learning are not lost.
//! - Ctrl-C, SIGTERM and SIGHUP save what was learned, also if they come twice; a third one ends at once. A training
//!   that would exceed its memory limit saves, too.
//! - A second training of the same model is refused while the first one runs.
//!
//! # Where to look
//!
//! | question | items |
//! |---|---|
//! | the commands as functions | [`train::run`], [`join::run`], [`predict::run`], [`inspect::run`] |
//! | a model file in a program | [`AnyModel::load`], [`Model`] |
//! | a model behind HTTP | `serve::run`, with the feature `serve` |

pub mod algorithms;
pub mod inspect;
pub mod join;
pub mod predict;
mod program;
#[cfg(feature = "serve")]
pub mod serve;
pub mod train;

pub use forest_model::{AnyModel, Model, Position, Settings};
pub use program::{Command, run};
