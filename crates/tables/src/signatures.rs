//! Files that are no tables, or tables in a format that cannot be read: known by their first bytes.
//!
//! Otherwise they would be read as text, and most bytes mean something as text. The crate `infer` knows many more formats, but few
//! of those in which people keep tables (no pickle, ORC, HDF5, npy, Avro), and cannot say what to do with them.

mod text;

use crate::{Encoding, Fault};

/// Bytes at a place, the format that has them, and what makes a table of it.
type Signature = (usize, &'static [u8], &'static str, &'static str);

const UNPACK: &str = "unpack it, and give one of the files in it";
const TWICE: &str = "unpack it once, and give what is in it";
/// The first bytes of a frame of Zstandard.
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";
const PYTHON: &str =
    "load it in Python, and write the table with DataFrame.to_csv or DataFrame.to_parquet";
const SHEET: &str = "open it, and save the sheet with the table as CSV";
const R: &str = "load it in R, and write the table with write.csv";
const STATISTICS: &str = "export the table as CSV from the program that wrote it";
const PICTURE: &str = "give a table with one row of numbers per sample";

#[rustfmt::skip]
const SIGNATURES: &[Signature] = &[
    (0, b"SQLite format 3\0", "a SQLite database", "export one of its tables: sqlite3 -header -csv FILE 'SELECT * FROM NAME'"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook or another Office file", SHEET),
    (0, b"PK\x03\x04", "a zip archive", UNPACK),
    (0, b"PK\x05\x06", "an empty zip archive", UNPACK),
    (257, b"ustar", "a tar archive", UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (0, b"Rar!\x1a\x07", "a rar archive", UNPACK),
    (0, b"\x1f\x8b\x08", "packed twice (inside it is gzip)", TWICE),
    (0, b"BZh91AY&SY", "packed twice (inside it is bzip2)", TWICE),
    (0, b"\xfd7zXZ\0", "packed twice (inside it is xz)", TWICE),
    (0, ZSTANDARD, "packed twice (inside it is Zstandard)", TWICE),
    (0, b"\x04\x22\x4d\x18", "packed with LZ4", "unpack it with lz4 -d"),
    (0, b"\x5d\0\0", "packed with LZMA", "unpack it with xz --format=lzma -d"),
    (0, b"\x1f\x9d", "packed with compress", "unpack it with gzip -d"),
    (0, b"\xff\x06\0\0sNaPpY", "packed with Snappy", "unpack it"),
    (0, b"\x80\x02", "a Python pickle", PYTHON),
    (0, b"\x80\x03", "a Python pickle", PYTHON),
    (0, b"\x80\x04", "a Python pickle", PYTHON),
    (0, b"\x80\x05", "a Python pickle", PYTHON),
    (0, b"\x93NUMPY", "an array of NumPy", "load it in Python, and write it with numpy.savetxt"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", PYTHON),
    (0, b"Obj\x01", "an Avro file", PYTHON),
    (0, b"RDX2\n", "an RData file of R", R),
    (0, b"RDX3\n", "an RData file of R", R),
    (0, b"X\n\0\0\0", "an RDS file of R", R),
    (0, b"MATLAB 5.0 MAT-file", "a file of MATLAB", STATISTICS),
    (0, b"$FL2@(#)", "a file of SPSS", STATISTICS),
    (0, b"<stata_dta>", "a file of Stata", STATISTICS),
    (12, b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7\x31\x8c", "a file of SAS", STATISTICS),
    (0, b"%PDF-", "a PDF document", "export the table in it as CSV"),
    (0, b"\x89PNG\r\n\x1a\n", "a picture (PNG)", PICTURE),
    (0, b"\xff\xd8\xff", "a picture (JPEG)", PICTURE),
];

/// Formats whose first bytes could be those of a word in text.
#[rustfmt::skip]
const WORDS: &[Signature] = &[
    (0, b"ORC", "an ORC file", "convert it to Parquet, for example with pyarrow"),
    (0, b"FEA1", "a Feather file of version 1", "write it again as version 2, or as Parquet"),
    (0, b"LZIP", "packed with lzip", "unpack it with lzip -d"),
    (0, b"PARE", "an encrypted Parquet file", "write it without encryption"),
];

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
    let known = zipped(head)
        .or_else(|| signature(head))
        .or_else(|| text::format(head));
    match known {
        Some((format, advice)) => Err(Fault::OtherFormat { format, advice }),
        None => Ok(()),
    }
}

/// Refuses what has bytes that no text has, unless it is text of two bytes a character.
pub(crate) fn check_text(head: &[u8], encoding: Option<Encoding>) -> Result<(), Fault> {
    let is_stated = matches!(encoding, Some(Encoding::Utf16Le | Encoding::Utf16Be));
    let is_marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    match head.contains(&0) && !is_stated && !is_marked {
        true => Err(Fault::Binary),
        false => Ok(()),
    }
}

fn signature(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let has = |(at, bytes, ..): &&Signature| {
        let there = head.get(*at..);
        there.is_some_and(|there| there.starts_with(bytes))
    };
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    let words = match head.iter().all(is_text) {
        true => &[],
        false => WORDS,
    };
    let (_, _, format, advice) = SIGNATURES.iter().chain(words).find(has)?;
    Some((format, advice))
}

/// Formats that are zip archives, by the name of the first file in them.
fn zipped(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let first = head.strip_prefix(b"PK\x03\x04")?;
    let length = first.get(22..24)?;
    let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
    let name = first.get(26..)?;
    let name = &name[..length.min(name.len())];
    let office: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/"];
    if office.iter().any(|start| name.starts_with(start)) {
        Some(("an Excel workbook or another Office file", SHEET))
    } else if name == b"mimetype" {
        Some(("an OpenDocument file", SHEET))
    } else if name.ends_with(b".npy") {
        Some((
            "several arrays of NumPy",
            "load it in Python, and write one table of them with numpy.savetxt",
        ))
    } else {
        None
    }
}
