//! Parquet files, and Arrow's IPC files and streams: their values as the text that a CSV file would have.
//!
//! So a table means the same in every format. Numbers are written with as many digits as distinguish them, and are
//! read back to the last bit.
//!
//! | values | cells |
//! |---|---|
//! | numbers, decimals, booleans, text, dates | as text; of unsigned and decimal numbers every digit |
//! | timestamps with a zone | the same instant in UTC, `2020-05-01T12:00:00Z`; without a zone as they are |
//! | times of day, durations | seconds, with a fraction that is exact |
//! | bytes | text, if they are UTF-8; else a bad row |
//! | lists, structs, maps, unions, intervals of months | none; to use the column is an error |
//!
//! Only columns that are used are decoded ([`Records::keep`](crate::Records::keep)).

#[cfg(feature = "columnar")]
mod files;
#[cfg(feature = "columnar")]
mod table;

use crate::error::Result;
use crate::input::Bytes;
use crate::record::{Header, Source};

/// Returns whether the first bytes are those of a Parquet or Arrow file.
pub fn is_columnar(magic: &[u8]) -> bool {
    format(magic).is_some()
}

/// Returns the format of a file by its first bytes.
fn format(magic: &[u8]) -> Option<&'static str> {
    match magic {
        // Words may begin in the same way, but have no control characters.
        [b'P', b'A', b'R', b'1', ..=8 | 14..=31, ..] => Some("Parquet"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..=8 | 14..=31, ..] => Some("Arrow"),
        // It begins with a continuation mark and the length of its schema.
        [0xff, 0xff, 0xff, 0xff, ..] => Some("Arrow stream"),
        _ => None,
    }
}

/// Opens a file or stream with these first bytes.
pub(crate) fn open<'a>(magic: &[u8], input: Bytes<'a>) -> Result<(Header, Box<dyn Source + 'a>)> {
    let format = format(magic).unwrap_or_default();
    #[cfg(feature = "columnar")]
    return table::open(format, input);
    #[cfg(not(feature = "columnar"))]
    {
        drop(input);
        crate::error::refuse!("is a {format} file; this program lacks the feature `columnar`")
    }
}
