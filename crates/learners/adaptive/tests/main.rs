//! Tests of `adaptive`, as one program.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod changes;
mod common;
mod conformal;
mod conformance;
mod members;
mod memory;
