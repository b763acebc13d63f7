//! Online forests by name.

mod algorithm;
mod algorithms;
mod any;
mod configuration;
mod error;
mod facade;
mod named;
mod parameter;
pub mod snapshot;
mod spec;

pub use algorithm::Algorithm;
pub use any::{AnyClassifier, AnyRegressor};
pub use error::{AlgorithmError, PlantError};
pub use facade::{AnyLearner, Facade};
pub use forest_core::{
    Classification, Footprint, HardVote, InputError, InvariantError, OnlineLearner, PredictionRows,
    Regression, Schema, SettingError, Task, argmax, threads,
};
pub use named::Named;
pub use ndarray;
pub use parameter::{Parameter, Rule, Tasks};
