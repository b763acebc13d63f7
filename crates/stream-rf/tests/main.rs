//! All tests in one program, which compiles what they share once.
//!
//! What counts the memory of a whole process is a program of its own.

mod accuracy;
mod conformance;
mod giving_up;
mod golden;
mod independence;
mod naive;
mod paper;
mod rules;
mod saffari;
mod settings;
mod tampered;
