//! All tests in one program, which compiles what they share once.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod adding_an_algorithm;
mod allocations;
mod bound;
mod capabilities;
mod common;
mod conformance;
mod damage;
mod explain;
mod files;
mod histogram;
mod labels;
mod memory;
mod names;
mod order;
mod pinned;
mod pipelines;
mod residual_forests;
mod same_bytes;
mod shards;
mod widen;
