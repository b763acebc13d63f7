//! All tests in one program, which compiles what they share once.

mod conformance;
mod missing;
mod order;
