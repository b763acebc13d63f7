//! Text on standard output.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use forest_model::CommandError;

/// Prints a text. A reader that has closed the pipe, as `head` does, has read enough.
pub(crate) fn print(text: &str) -> Result<ExitCode, CommandError> {
    let printed = writeln!(io::stdout().lock(), "{}", text.trim_end());
    let printed =
        printed.map_err(|source| CommandError::io("write", Path::new("standard output"), source));
    match printed {
        Err(error) if error.is_broken_pipe() => Ok(ExitCode::SUCCESS),
        printed => printed.map(|()| ExitCode::SUCCESS),
    }
}
