//! Bytes to rows: damage, quotes without an end, live pipes, and what is not a table.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use tables::{HeaderLine, Records, TableError, TableOptions};

use crate::{read, read_some};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn bytes_that_are_not_a_table() {
    let padded = |head: &[u8]| [head, &[0; 600]].concat();
    let utf_16: Vec<u8> = "a,b\n1,2\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, says) in [
        (padded(b"SQLite format 3\0"), "is a SQLite database"),
        (padded(b"PK\x03\x04"), "save the sheet"),
        (padded(b"\x93NUMPY"), "do not occur in text"),
        (padded(b"%PDF-1.4\n"), "do not occur in text"),
        (utf_16, "--encoding utf-16le"),
        (gzip(&padded(b"s.csv")), "do not occur in text"),
        (gzip(&gzip(b"a,b\n1,2\n")), "do not occur in text"),
    ] {
        let error = Records::new(bytes.as_slice(), &TableOptions::default())
            .err()
            .unwrap();
        assert!(error.to_string().contains(says), "{error}");
    }
    // Whatever was stated about the text.
    let options = TableOptions {
        encoding: Some("latin-1".to_owned()),
        indices: "1-3".parse().ok(),
        ..TableOptions::default()
    };
    let database = Records::new(&b"SQLite format 3\0"[..], &options);
    assert!(database.err().unwrap().to_string().contains("SQLite"));
}

#[test]
fn a_bad_row_is_passed_over_and_damage_ends_the_table() {
    let text = b"a,b\n1,2\n\n3\n4,\xff\n5,6\n";
    let (_, rows, errors, _) = read_some(&text[..], &TableOptions::default()).unwrap();
    assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 6]);
    assert_eq!(errors[0].line(), Some(4));
    assert!(
        errors[1]
            .to_string()
            .starts_with("line 5: is not text (UTF-8)")
    );
    let text: String = (0..20000).map(|i| format!("{i},{}\n", i * 7919)).collect();
    let whole = gzip(text.as_bytes());
    let cut = read_some(&whole[..whole.len() / 2], &TableOptions::default());
    let (_, rows, errors, _) = cut.unwrap();
    assert!(rows.len() > 1000 && errors.len() == 1 && errors[0].ends_the_table());
    assert!(errors[0].text().contains("it is damaged or cut short"));
}

#[test]
fn a_live_pipe_gives_a_row_when_it_is_there() {
    let (receiver, mut sender) = std::io::pipe().unwrap();
    sender.write_all(b"a,b\n1,2\n").unwrap();
    let mut records = Records::new(receiver, &TableOptions::default()).unwrap();
    assert_eq!(&records.next().unwrap().unwrap().cells[1], "2");
    sender.write_all(b"3,4\n").unwrap();
    assert_eq!(&records.next().unwrap().unwrap().cells[1], "4");
    drop(sender);
    assert!(records.next().is_none());
}

/// A table like another one is read by the same options, and nothing is guessed.
#[test]
fn the_separator_and_the_header_are_decided_once() {
    let options = TableOptions::default();
    let records = Records::new("a,1;b\n0.3;x\n0.4;y\n".as_bytes(), &options).unwrap();
    let decided = records.decided(&options);
    assert_eq!(decided.delimiter, ";".parse().ok());
    assert_eq!(decided.header, Some(HeaderLine::Yes));
    let (header, rows) = read("2020;b,c\n2021;x\n", &decided).unwrap();
    assert_eq!(
        (header.names().join("|"), rows.len()),
        ("2020|b,c".to_owned(), 1)
    );
    let records = Records::new("1 2\n3 4\n".as_bytes(), &options).unwrap();
    let decided = records.decided(&options);
    assert_eq!(decided.delimiter, Some(' '));
    assert_eq!(decided.header, Some(HeaderLine::No));
}

#[test]
fn a_quote_without_an_end_costs_its_own_line_only() {
    let mut lines: Vec<String> = (0..3000).map(|i| format!("{i},0.5,x")).collect();
    lines[100] = "\"12 inch,0.5,x".to_owned();
    let text = format!("a,b,y\n{}\n", lines.join("\n"));
    let (_, rows, errors, _) = read_some(text.as_bytes(), &TableOptions::default()).unwrap();
    assert_eq!(
        (rows.len(), errors.len(), errors[0].line()),
        (2999, 1, Some(102))
    );
    // Each of these lines closes the quote of the line before and opens another.
    let text = format!("x,y,z\n1,2,3\n{}", "a\",\"b\n".repeat(200_000));
    let (_, rows, errors, _) = read_some(text.as_bytes(), &TableOptions::default()).unwrap();
    assert_eq!(rows.len() + errors.len(), 200_001);
}

#[test]
fn a_line_behind_an_open_quote_that_cannot_be_read_costs_no_other_line() {
    for bad in [b"\xff".to_vec(), vec![b'x'; tables::MAX_ROW + 1]] {
        let text = [b"a,b\n1,\"x\n2,y\n3,", &bad[..], b"\n4,z\n"].concat();
        let (_, rows, errors, _) = read_some(&text[..], &TableOptions::default()).unwrap();
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5]);
        let mut lines: Vec<_> = errors.iter().flat_map(TableError::line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [2, 4], "{errors:?}");
    }
}

#[test]
fn quoted_cells_with_line_ends_are_one_row() {
    let text = "a,b,y\n\"one\n\ntwo\",2,x\n\"stray,3,y\n\"three\r\nfour, \"\"five\"\"\",4,x\n";
    let (_, rows, errors, _) = read_some(text.as_bytes(), &TableOptions::default()).unwrap();
    assert_eq!((rows.len(), errors[0].line()), (2, Some(5)));
    assert_eq!(&rows[0].cells[0], "one\n\ntwo");
    assert_eq!(&rows[1].cells[0], "three\r\nfour, \"five\"");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn rows_of_one_line_are_read_as_if_another_had_no_quote(
        table in prop::collection::vec(prop::collection::vec("[a-z]([a-z,\"\n]{0,5})", 3), 2..30),
        stray in 0_usize..30,
    ) {
        let options = TableOptions { header: Some(HeaderLine::Yes), ..TableOptions::default() };
        let quoted = |cell: &String| if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() };
        let mut rows: Vec<String> = table.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
        let stray = stray.min(rows.len() - 1);
        rows[stray] = "a,b,c".to_owned();
        let read = |rows: &[String]| {
            let text = format!("x,y,z\n{}\n", rows.join("\n"));
            Records::new(text.as_bytes(), &options).unwrap().filter_map(Result::ok).collect::<Vec<_>>()
        };
        let expected = read(&rows);
        rows[stray].insert(0, '"');
        let found = read(&rows);
        let is_line = |at: usize| at != stray && !rows[at].contains('\n');
        for (_, row) in expected.iter().enumerate().filter(|(at, _)| is_line(*at)) {
            prop_assert!(found.contains(row), "{:?} is not in {:?}", row, found);
        }
    }
}
