//! All tests in one program, which compiles what they share once.

mod contract;
mod explain;
mod law;
mod redraw;
mod snapshot;
mod window;
