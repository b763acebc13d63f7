//! All tests in one program, which compiles what they share once.

mod at_once;
mod categories;
mod changes;
mod conformance;
mod exactness;
mod explain;
mod golden;
mod importances;
mod laziness;
mod streams;
mod tampered;
mod weights;
