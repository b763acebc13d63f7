//! Parquet files, and Arrow's IPC files and streams: their values as the text that a CSV file would have.
//!
//! So a table means the same in every format. Numbers are written with as many digits as tell them apart, and are
//! read back to the last bit.

#[cfg(feature = "columnar")]
mod batches;
#[cfg(feature = "columnar")]
mod guarded;
#[cfg(feature = "columnar")]
pub(crate) use batches::open;

/// Whether the first bytes are those of a Parquet or Arrow file.
pub fn is_columnar(magic: &[u8]) -> bool {
    name(magic).is_some()
}

fn name(magic: &[u8]) -> Option<&'static str> {
    match magic {
        [b'P', b'A', b'R', b'1', ..] => Some("Parquet"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Some("Arrow"),
        // A stream begins with a continuation mark and the length of its schema.
        [0xff, 0xff, 0xff, 0xff, ..] => Some("Arrow"),
        _ => None,
    }
}

/// Says that it cannot.
#[cfg(not(feature = "columnar"))]
pub(crate) fn open<'a>(
    mut input: crate::input::Bytes<'a>,
) -> Result<(crate::Header, Box<dyn crate::records::Source + 'a>), crate::TableError> {
    let mut magic = [0; 6];
    let read = std::io::Read::read(&mut input, &mut magic).map_err(crate::Fault::from)?;
    let name = name(&magic[..read]).unwrap_or("Parquet or Arrow");
    Err(crate::Fault::NotBuilt(name).into())
}
