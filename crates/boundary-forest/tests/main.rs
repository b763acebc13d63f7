//! All tests in one program, which compiles what they share once.
//!
//! What counts the memory of a whole process is a program of its own.

mod facts;
mod reference;
mod retrieval;
mod vectors;
