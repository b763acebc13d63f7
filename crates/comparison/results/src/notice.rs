//! What is said while runs go on.

use std::io::Write as _;

/// Prints a line on standard error. If that is closed, the program goes on.
pub fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
