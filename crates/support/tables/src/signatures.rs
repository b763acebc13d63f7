//! Recognises files that are not tables by their first bytes.
//!
//! Few have a message of their own. Other bytes that do not occur in text get a general message.

use crate::{Encoding, Fault};

/// The first bytes of a frame of Zstandard.
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The first bytes of formats, in small letters, and what they are.
const SIGNATURES: [(&[u8], &str); 12] = [
    (
        b"sqlite format 3\0",
        "a SQLite database; export one of its tables: sqlite3 -header -csv FILE 'SELECT * FROM NAME'",
    ),
    (
        b"pk\x03\x04",
        "a zip archive or an office document; unpack it and give one of the files in it, or save the sheet with the table as CSV",
    ),
    (b"\x1f\x8b\x08", TWICE),
    (b"bzh91ay&sy", TWICE),
    (ZSTANDARD, TWICE),
    (b"version https://git-lfs.github.com/spec/", POINTER),
    (b"/annex/objects/", POINTER),
    (b"<!doctype", MARKUP),
    (b"<html", MARKUP),
    (b"<head", MARKUP),
    (b"<body", MARKUP),
    (b"<?xml", MARKUP),
];

const TWICE: &str = "packed twice; unpack it once, and give what is in it";

const POINTER: &str =
    "a pointer to a file that is stored elsewhere; run git lfs pull or git annex get";

const MARKUP: &str =
    "an HTML or XML document; convert it to CSV; if it should be a table, the download failed";

const JSON: &str =
    "JSON; convert it to CSV, for example in Python: pandas.read_json(FILE).to_csv(...)";

/// Refuses what its first bytes show to be of a format that cannot be read as a table: about 500 bytes are enough. What is packed has
/// to be unpacked before.
///
/// # Errors
/// The error says what it is and what to do with it.
///
/// ```
/// let error = tables::check_format(b"SQLite format 3\0").unwrap_err();
/// assert!(error.to_string().starts_with("is a SQLite database; export one of its tables"));
/// assert!(tables::check_format(b"a,b\n1,2\n").is_ok());
/// ```
pub fn check_format(head: &[u8]) -> Result<(), Fault> {
    if cfg!(not(feature = "columnar")) && head.starts_with(ZSTANDARD) {
        return Err(Fault::not_built("Zstandard"));
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = text.trim_ascii_start();
    let starts_with = |bytes: &[u8]| {
        let start = text.get(..bytes.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(bytes))
    };
    let known = SIGNATURES.iter().find(|(bytes, _)| starts_with(bytes));
    let json = is_json(text).then_some(JSON);
    match known.map(|(_, format)| *format).or(json) {
        Some(format) => Err(Fault::new(format!("is {format}"))),
        None => Ok(()),
    }
}

/// Refuses what has bytes that no text has, unless it is text of two bytes a character.
pub(crate) fn check_text(head: &[u8], encoding: Option<Encoding>) -> Result<(), Fault> {
    let is_stated = matches!(encoding, Some(Encoding::Utf16Le | Encoding::Utf16Be));
    let is_marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    // Files of DOS end with 0x1a, and 0x1b begins colours.
    let is_binary = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t'..=b'\r' | 0x1a | 0x1b);
    if head.iter().any(is_binary) && !is_stated && !is_marked {
        Err(Fault::new(
            "contains bytes that do not occur in text, and is neither a Parquet nor an Arrow file; export it as CSV or Parquet from \
             the program that wrote it; if it is text in UTF-16, use --encoding utf-16le or --encoding utf-16be",
        ))
    } else {
        Ok(())
    }
}

/// Returns whether the text is JSON. An object begins with a name in quotes; an array begins with an object, an array, a text, or
/// with numbers to the end of the line: a cell of numbers in brackets has other cells behind it.
fn is_json(text: &[u8]) -> bool {
    let inside = |open: &[u8]| text.strip_prefix(open).map(<[u8]>::trim_ascii_start);
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let ends = || {
        let end = line.iter().position(|byte| *byte == b']');
        end.is_none_or(|end| line[end + 1..].trim_ascii().is_empty())
    };
    match (inside(b"{"), inside(b"[")) {
        (Some([b'"' | b'}', ..]), _) | (_, Some([b'{' | b'[' | b'"', ..])) => true,
        (_, Some([b'0'..=b'9' | b'-', ..])) => ends(),
        _ => false,
    }
}
