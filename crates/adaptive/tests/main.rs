//! Tests of `adaptive`, as one program.

mod common;
mod conformance;
mod members;
mod memory;
