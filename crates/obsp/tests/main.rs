//! All tests in one program, which compiles what they share once.

mod explain;
mod law;
mod redraw;
mod window;
