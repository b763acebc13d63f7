//! What tests of learners share. No build of a program contains it.
//!
//! - [`conformance`]: what every learner must do, as functions of a factory.
//! - [`statistics`]: tests of significance, for the laws of random procedures.

pub mod conformance;
pub mod statistics;
