//! Data for comparing online learners: files, named benchmark sets and generators. It does not depend on any learner.
//!
//! # One address, one data set
//!
//! Everything is opened by an address, and everything opens to the same thing: a [`Dataset`], a matrix of `f32`
//! features in stream order with one target per row.
//!
//! ```
//! use datasets::{OpenOptions, Target, open};
//!
//! let data = open("mondrian-cube:n=1000,test=200", &OpenOptions::default())?;
//! assert_eq!(data.features.dim(), (1200, 3));
//! assert_eq!(data.split, Some(1000));
//! assert!(matches!(data.target, Target::Classes { ref names, .. } if names.len() == 2));
//! # Ok::<(), datasets::DataError>(())
//! ```
//!
//! An address is one of
//! - a **name** of the [`manifest`]: `letter`, `elec2`, … Files lie in `<data folder>/<name>/`; [`manifest::verify`]
//!   compares them with the checksums on record and [`mod@fetch`] downloads what is missing;
//! - a **generator** of [`generators`] with parameters: `friedman:d=10,n=20000,seed=3`;
//! - the number of a data set of **OpenML**, perhaps with its version: `openml:61@1`. It is downloaded into the data folder when it is opened first,
//!   with the default target of its description;
//! - the **path** of a CSV, ARFF, Parquet, Arrow, LIBSVM or IDX [file](readers), packed with gzip, bzip2, xz or Zstandard or not, or `-`
//!   for standard input;
//!
//! and may end with alterations: `letter+flip=10000` gives every row from number 10 000 on another class, and
//! `letter+flip=10000+from=10000` is that stream from there on. Two addresses make a stream that changes from one to the other, at once,
//! gradually, or again and again: `drift(sea; sea:seed=2; at=5000; width=1000)`, `recur(A; B; every=1000)`.
//!
//! # Checked once, when opened
//!
//! What [`open`] returns can be trusted: every feature and target is finite, rows are equally long, there are two
//! rows and a feature at least, and the target varies. What cannot be trusted is refused with a typed
//! [`DataError`] that names the file, the line and the remedy; nothing is repaired silently. Missing values
//! are an error, too, unless [`TableOptions`] state how to fill them in: that is a decision about the experiment.
//! [`open_with_warnings`] also returns what was guessed about a file.
//!
//! The steps of `tables::preprocessing` (scaling, principal components, …) are fitted on training rows
//! ([`Dataset::training_rows`]) and applied to all; they travel with the model.

mod dataset;
mod digest;
mod error;
#[cfg(feature = "fetch")]
pub mod fetch;
pub mod generators;
pub mod manifest;
mod open;
mod openml;
pub mod readers;
mod stream;

pub use dataset::{Dataset, Target, disambiguate};
pub use digest::{Digest, DigestError};
pub use error::DataError;
pub use open::{DEFAULT_DATA_DIR, OpenOptions, data_folder, open, open_with_warnings};
pub use tables::{TableOptions, TargetColumn, TaskKind, Warning};
