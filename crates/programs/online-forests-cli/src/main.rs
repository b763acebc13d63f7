//! `online-forests`: train, predict, inspect and serve from a shell.

use std::process::ExitCode;

fn main() -> ExitCode {
    online_forests_cli::run()
}
