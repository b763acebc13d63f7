//! Recognises files that are not tables by their first bytes.
//!
//! Few have a message of their own. Other bytes that do not occur in text get a general message.

mod text;

use crate::{Encoding, Fault};

/// The first bytes of a frame of Zstandard.
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The first bytes of formats, what they are, and what makes a table of them.
const SIGNATURES: [(&[u8], &str, &str); 5] = [
    (
        b"SQLite format 3\0",
        "a SQLite database",
        "export one of its tables: sqlite3 -header -csv FILE 'SELECT * FROM NAME'",
    ),
    (
        b"PK\x03\x04",
        "a zip archive or an office document",
        "unpack it and give one of the files in it, or save the sheet with the table as CSV",
    ),
    (b"\x1f\x8b\x08", "packed twice", TWICE),
    (b"BZh91AY&SY", "packed twice", TWICE),
    (ZSTANDARD, "packed twice", TWICE),
];

const TWICE: &str = "unpack it once, and give what is in it";

/// Refuses what its first bytes show to be of a format that cannot be read as a table: about 500 bytes are enough. What is packed has
/// to be unpacked before.
///
/// # Errors
/// [`Fault::OtherFormat`] says what it is and what to do with it; [`Fault::NotBuilt`] of Zstandard without the feature `columnar`.
///
/// ```
/// let error = tables::check_format(b"SQLite format 3\0").unwrap_err();
/// assert!(error.to_string().starts_with("is a SQLite database; export one of its tables"));
/// assert!(tables::check_format(b"a,b\n1,2\n").is_ok());
/// ```
pub fn check_format(head: &[u8]) -> Result<(), Fault> {
    if cfg!(not(feature = "columnar")) && head.starts_with(ZSTANDARD) {
        return Err(Fault::NotBuilt("Zstandard"));
    }
    let mut signatures = SIGNATURES.iter();
    let known = signatures.find(|(bytes, ..)| head.starts_with(bytes));
    let known = known.map(|(_, format, advice)| (*format, *advice));
    match known.or_else(|| text::format(head)) {
        Some((format, advice)) => Err(Fault::OtherFormat { format, advice }),
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
        Err(Fault::Binary)
    } else {
        Ok(())
    }
}
