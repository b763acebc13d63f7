//! All tests in one program, which compiles what they share once. What holds for any cuts is tested in
//! `tessellation-tree`.

mod branching;
mod cuts;
mod law;
