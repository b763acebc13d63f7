//! The same table in every encoding and packing.

use std::io::Write;

use tables::{Encoding, Record, Records, TableFormat, TableOptions};

const TEXT: &str = "größe,farbe\n1,grün\n2,weiß\n";

fn cells(bytes: &[u8], encoding: Option<Encoding>) -> (Vec<String>, Vec<Vec<String>>) {
    let options = TableOptions {
        encoding,
        ..TableOptions::default()
    };
    let rows = Records::new(bytes, &options).unwrap();
    let names = rows.header().names();
    let cells = |row: Record| row.cells.iter().map(str::to_owned).collect();
    (names, rows.map(|row| cells(row.unwrap())).collect())
}

fn utf_16(to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    TEXT.encode_utf16().flat_map(to_bytes).collect()
}

#[test]
fn encodings_are_recognised_or_given() {
    let expected = cells(TEXT.as_bytes(), None);
    assert_eq!(expected.0, ["größe", "farbe"]);
    let latin: Vec<u8> = TEXT.chars().map(|char| char as u8).collect();
    let with_mark = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    for (bytes, encoding) in [
        (with_mark(b"\xef\xbb\xbf", TEXT.as_bytes()), None),
        (with_mark(b"\xff\xfe", &utf_16(u16::to_le_bytes)), None),
        (with_mark(b"\xfe\xff", &utf_16(u16::to_be_bytes)), None),
        (utf_16(u16::to_le_bytes), Some(Encoding::Utf16Le)),
        (utf_16(u16::to_be_bytes), Some(Encoding::Utf16Be)),
        (latin, Some(Encoding::Latin1)),
        // The mark is right where the option is not.
        (
            with_mark(b"\xef\xbb\xbf", TEXT.as_bytes()),
            Some(Encoding::Latin1),
        ),
    ] {
        assert_eq!(cells(&bytes, encoding), expected, "{encoding:?}");
    }
}

#[test]
fn packed_input_is_unpacked() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(TEXT.as_bytes()).unwrap();
    let mut bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip.write_all(TEXT.as_bytes()).unwrap();
    let expected = cells(TEXT.as_bytes(), None);
    assert_eq!(cells(&gzip.finish().unwrap(), None), expected);
    assert_eq!(cells(&bzip.finish().unwrap(), None), expected);
}

#[test]
fn formats_can_be_stated() {
    let options = TableOptions::default();
    let arff = Records::in_format("a,b\n1,2\n".as_bytes(), TableFormat::Arff, &options);
    assert!(arff.err().unwrap().to_string().contains("is not @relation"));
    let csv = Records::in_format("@relation,b\n1,2\n".as_bytes(), TableFormat::Csv, &options);
    assert_eq!(csv.unwrap().header().names(), ["@relation", "b"]);
}
