//! Data for comparing online learners: files, named benchmark sets and generators. It does not depend on any learner.
//!
//! # One address, one data set
//!
//! Everything is opened by an address, and everything opens to the same thing: a [`Dataset`], a matrix of `f32`
//! features in stream order with one target per row.
//!
//! An address is a name of the [`manifest`] (checked by [`manifest::verify`], downloaded by [`mod@fetch`]), a generator
//! of [`generators`] with parameters, the number of a data set of OpenML, or the path of a file: see [`open`].
//!
//! # Checked once, when opened
//!
//! What [`open`] returns can be trusted: every feature and target is finite, rows are equally long, there are two
//! rows and a feature at least, and the target varies. What cannot be trusted is refused with a typed
//! [`DataError`] that names the file, the line and the remedy; nothing is repaired silently. Missing values
//! are an error, too, unless [`TableOptions`] state how to fill them in: that is a decision about the experiment.
//! [`open_with_warnings`] also returns what was guessed about a file.

mod dataset;
mod digest;
mod error;
#[cfg(feature = "fetch")]
pub mod fetch;
pub mod generators;
pub mod manifest;
mod open;
mod openml;
mod readers;
mod stream;

pub use dataset::{Dataset, Target, disambiguate};
pub use digest::Digest;
pub use error::DataError;
pub use open::{DEFAULT_DATA_DIR, data_folder, open, open_with_warnings};
pub use readers::OpenOptions;
pub use tables::{TableOptions, TaskKind, Warning};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeOfCrate;
