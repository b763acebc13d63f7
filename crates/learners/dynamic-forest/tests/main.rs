//! All tests in one program, which compiles what they share once.

mod at_once;
mod conformance;
mod exactness;
mod explain;
mod laziness;
mod streams;
mod tampered;
mod weights;
