//! Learners by name: from a text to a learner, from a learner to its text, to bytes and back.
//!
//! An algorithm is a row of a table, an [`Entry`], which its crate or the program [submits](submit): its name, its
//! parameters, and a function that makes a learner of their values. From rows follow the parser of `name:key=value,…`
//! ([`Algorithm`]), learners whose type is not known ([`AnyLearner`]), and snapshots ([`snapshot`]).
//!
//! ```
//! use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
//! use forest_core::registry::{Algorithm, Entry, snapshot};
//!
//! let algorithm: Algorithm = "mean".parse()?;
//! let mut mean = algorithm.build::<Regression>(Schema::new(2)?, ForestSettings::default())?;
//! mean.learn_one(&[0.0, 1.0], 3.0)?;
//! let bytes = snapshot::to_bytes(&mean)?;
//! let mean: forest_core::registry::AnyLearner<Regression> = snapshot::from_bytes(&bytes)?;
//! assert_eq!(mean.predict_one(&[0.5, 0.5])?, [3.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod any;
mod entry;
pub mod snapshot;

pub use crate::baselines::{MAJORITY, MEAN, MOVING_MEAN, NO_CHANGE};
pub use crate::submit;
pub use algorithm::Algorithm;
pub use any::{AnyLearner, BuildError, deserialize_inside};
#[doc(hidden)]
pub use entry::Submission;
pub use entry::{
    Alias, Build, Built, Entry, MAX_NODES, NamedLearner, Role, UNLIMITED, VOTE, WINDOW,
};
#[doc(hidden)]
pub use inventory;
