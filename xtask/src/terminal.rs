//! Text and tables on standard output.

use std::io::{self, ErrorKind, Write as _};
use std::ops::Range;

use anyhow::{Context, Error, Result};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// Writes to standard output. That a reader closes it early (`… | head`) is not an error.
pub(crate) fn print(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Formats an error and its causes. A cause that the text already includes is not repeated.
pub(crate) fn in_words(error: &Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Returns an empty table, at most as wide as the terminal.
pub(crate) fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}

pub(crate) fn align_right(table: &mut Table, columns: Range<usize>) {
    let width = columns.len();
    let columns = table.column_iter_mut().skip(columns.start).take(width);
    columns.for_each(|column| column.set_cell_alignment(CellAlignment::Right));
}

/// Returns the command line, quoted for a shell.
pub(crate) fn command_line() -> String {
    let mut line = "cargo xtask".to_owned();
    for word in std::env::args_os().skip(1) {
        line += &format!(" {}", quote(&word.to_string_lossy()));
    }
    line
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_spaces_are_quoted() {
        for (word, quoted) in [
            ("mondrian:budget=5,x=1e-3", "mondrian:budget=5,x=1e-3"),
            ("my data.csv", "'my data.csv'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(quote(word), quoted);
        }
    }
}
