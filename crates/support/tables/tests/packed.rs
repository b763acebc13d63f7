//! Packed inputs, whole, cut and damaged.

use std::io::Write;

use proptest::prelude::*;
use tables::{Record, TableError, TableOptions};

use crate::read_some;

/// Written by xz: two streams, the first with CRC64, the second with SHA-256.
const XZ: &[u8] = include_bytes!("fixtures/rows.csv.xz");

/// The same text with every codec.
struct Packed {
    codec: &'static str,
    bytes: Vec<u8>,
}

/// Returns the text of `XZ`.
fn text() -> Vec<u8> {
    let rows = (0..600).map(|row| format!("{row},{}\n", row * 7919 % 1009));
    format!("a,b\n{}", rows.collect::<String>()).into_bytes()
}

/// Rows of the first part.
const FIRST: usize = 300;

/// In two parts each, since files are appended to each other.
fn packed() -> Vec<Packed> {
    let text = text();
    let mut line_ends = (0..text.len()).filter(|at| text[*at] == b'\n');
    // The header is a line, too.
    let halves = text.split_at(1 + line_ends.nth(FIRST).unwrap());
    let both = |pack: &dyn Fn(&[u8]) -> Vec<u8>| [pack(halves.0), pack(halves.1)].concat();
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let bzip = |bytes: &[u8]| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let of = |codec, bytes| Packed { codec, bytes };
    vec![
        of("gzip", both(&gzip)),
        of("bzip2", both(&bzip)),
        of("xz", XZ.to_vec()),
        #[cfg(feature = "columnar")]
        of("Zstandard", both(&zstandard)),
    ]
}

#[cfg(feature = "columnar")]
fn zstandard(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the rows before an error, and the error.
fn read(bytes: &[u8]) -> Result<(Vec<Record>, Option<TableError>), TableError> {
    let (_, rows, mut errors, _) = read_some(bytes, &TableOptions::default())?;
    Ok((rows, errors.pop()))
}

/// Returns whether an error is damage, after which reading ends.
fn is_damage(error: &TableError) -> bool {
    error.ends_the_table() && error.text().contains("it is damaged or cut short")
}

#[test]
fn packed_tables_are_read_whole() {
    let (rows, end) = read(&text()).unwrap();
    assert!(rows.len() == 600 && end.is_none());
    for packed in packed() {
        let (found, end) = read(&packed.bytes).unwrap();
        assert!(end.is_none(), "{}: {end:?}", packed.codec);
        assert_eq!(found, rows, "{}", packed.codec);
    }
}

/// Six bytes tell how a file is packed.
#[test]
fn a_cut_packed_table_is_an_error_behind_the_rows_before() {
    let (rows, _) = read(&text()).unwrap();
    for Packed { codec, bytes } in packed() {
        let mut wholes = 0;
        for length in 6..bytes.len() {
            let (before, end) = match read(&bytes[..length]) {
                Ok(read) => read,
                Err(error) => {
                    assert!(is_damage(&error));
                    continue;
                }
            };
            assert!(rows.starts_with(&before), "{codec} {length}");
            match end {
                Some(end) => assert!(is_damage(&end), "{codec} {length}: {end}"),
                // Between two parts the input may end.
                None => {
                    assert_eq!(before.len(), FIRST, "{codec} {length}");
                    wholes += 1;
                }
            }
        }
        assert_eq!(wholes, 1, "{codec}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// What a damaged decoder hands out before it finds the damage may be refused for what it looks like.
    #[test]
    fn a_damaged_packed_table_is_refused_or_whole(at in any::<prop::sample::Index>(), bit in 0_u32..8) {
        let (rows, _) = read(&text()).unwrap();
        for Packed { codec, mut bytes } in packed() {
            let at = 6 + at.index(bytes.len() - 6);
            bytes[at] ^= 1_u8 << bit;
            match read(&bytes) {
                Ok((found, None)) => prop_assert_eq!(&found, &rows, "{} {}", codec, at),
                Ok((_, Some(last))) => prop_assert!(is_damage(&last), "{codec} {at}: {last}"),
                Err(_) => {}
            }
        }
    }
}
