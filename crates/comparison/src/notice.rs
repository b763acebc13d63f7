//! Messages during runs.

use std::io::Write as _;

/// Prints a line on standard error. If that is closed, the program continues.
pub fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
