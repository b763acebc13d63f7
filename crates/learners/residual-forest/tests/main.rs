//! All tests in one program, which compiles what they share once.

mod classes;
mod conformance;
mod missing;
mod order;
