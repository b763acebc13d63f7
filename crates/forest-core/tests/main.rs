//! All tests in one program, which compiles what they share once.

mod container;
mod predictions;
mod retention;
mod toy;
