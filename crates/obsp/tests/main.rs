//! All tests in one program, which compiles what they share once.

mod law;
mod redraw;
mod window;
