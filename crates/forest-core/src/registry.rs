//! Learners by name: from a text to a learner, from a learner to its text, to bytes and back.
//!
//! An algorithm's crate declares its settings as parameters ([`settings!`]), says which rows make its learners
//! ([`Named`]), and has an [`Entry`] for each name, which it or the program [submits](submit). Everything else follows from these: reading
//! `name:key=value,…` ([`Algorithm`]), learners whose type is not known ([`AnyLearner`]), and
//! snapshots ([`snapshot`]).
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
mod base;
mod baselines;
mod declared;
mod entry;
mod error;
mod learners;
mod named;
mod settings;
mod shared;
pub mod snapshot;
mod table;

pub use crate::{
    ClassLabels, DecisionPath, DrawnNode, Explain, ExportedNode, ExportedTree, Inequality,
    LabelSummary, Labels, MixtureMember, MixtureRule, NumberLabels, PathStep, Point,
};
pub use crate::{settings, submit};
pub use algorithm::Algorithm;
pub use any::AnyLearner;
pub use base::BaseLearner;
pub use baselines::{MAJORITY, MEAN, MOVING_MEAN, MovingMeanSettings, NO_CHANGE};
pub use declared::{Declared, Field};
pub use entry::{Alias, Entry, NamedTask, Role};
pub use error::{AlgorithmError, BuildError};
#[doc(hidden)]
pub use inventory;
pub use learners::{Kind, Learners, Selector, learner};
use named::ErasedLearner;
pub use named::Named;
pub use shared::{MAX_NODES, UNLIMITED, VOTE, VOTES, WINDOW};
#[doc(hidden)]
pub use table::Rows;
