//! All tests in one program, which compiles what they share once.

mod answers;
mod container;
mod retention;
mod toy;
