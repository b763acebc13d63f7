//! Distributes the rows of a stream round-robin over sub-learners, for streams too fast for every tree to see every row.
//!
//! [`RowParts`] holds P learners of one algorithm of a table, the *parts*, each with a seed of its own. Row i of the stream, counted from
//! 0, is learned by part i mod P alone. A prediction is the mean of the predictions of all parts that have learned a row, where a class that a part has
//! not seen has probability 0 there. So a row costs what one part takes to learn it, and a prediction costs those of all parts.
//!
//! ```
//! use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
//! use row_parts::{RowParts, RowPartsSettings};
//!
//!
//! let settings = RowPartsSettings { base: "mean".to_owned(), parts: 2 };
//! let schema = Schema::<Regression>::new(1)?;
//! let mut learner = RowParts::<_>::new(schema, settings, ForestSettings::default())?;
//! for target in [1.0, 10.0, 3.0, 20.0, 5.0] {
//!     learner.learn_one(&[0.5], target)?;
//! }
//! // The means are 3, of the first, third and fifth target, and 15, of the others.
//! assert_eq!(learner.predict_one(&[0.5])?, [9.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Purpose
//!
//! A forest of trees that all see every row learns more of each row, and can be divided into shards of trees: that comes first. Where one
//! tree alone cannot keep up with the stream, or the samples do not fit in each process, rows have to be divided. P is a setting of
//! the learner and has nothing to do with how many processes there are: a shard ([`forest_core::Shard`]) is a contiguous range of parts,
//! so that predictions and the joined learner have the same bits for any number of processes. The base need not be a forest. With a
//! window of n in the base, each part remembers its n latest rows, and all parts together exactly the n · P latest of the stream.
//!
//! To build forests on blocks of the data and let all vote is the method of J. D. Basilico, M. A. Munson, T. G. Kolda, K. R. Dixon
//! and W. P. Kegelmeyer, *COMET: A Recipe for Learning and Using Large Ensembles on Massive Data*, ICDM 2011, whose blocks are
//! those of files; here rows are distributed round-robin, so that all parts follow concept drift.
//!
//! # Cost
//!
//! Learning n rows: that of one base for n rows, and a part learns its n/P apart from the others, on threads or in processes of their own.
//! Memory: samples are held once in all. Test-then-train and predictions: P times those of a base. What it costs in accuracy:
//! docs/beyond-one-machine.md.

mod check;
mod contract;
mod learner;
mod named;
mod part;
mod predictions;
mod settings;
mod shard;

pub use learner::RowParts;
pub use named::ROW_PARTS;
pub use settings::RowPartsSettings;

/// The base may be any other learner, those that hold learners included.
const NESTING: u8 = 3;
