//! All tests in one program, which compiles what they share once.
//!
//! What counts the memory of a whole process is a program of its own.

mod conformance;
mod facts;
mod real_data;
mod reference;
mod retention;
mod retrieval;
mod shortcuts;
mod vectors;
