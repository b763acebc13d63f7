//! No input exhausts memory.

use std::io::{self, Read};

use tables::{MAX_CELL, MAX_COLUMNS, MAX_ROW, Record, Records, TableError, TableOptions};

/// So many copies of a byte between two texts.
fn long(before: &'static str, byte: u8, count: u64, after: &'static str) -> impl Read + Send {
    before
        .as_bytes()
        .chain(io::repeat(byte).take(count))
        .chain(after.as_bytes())
}

/// The line of a row, or its error.
type Line = Result<u64, String>;

fn lines(input: impl Read + Send) -> Vec<Line> {
    let rows = Records::new(input, &TableOptions::default()).unwrap();
    let line = |row: Result<Record, TableError>| Ok(row.map_err(|error| error.to_string())?.line);
    rows.map(line).collect()
}

fn assert_says(line: &Line, start: &str) {
    let says = line.as_ref().is_err_and(|error| error.starts_with(start));
    assert!(says, "{line:?}");
}

#[test]
fn a_row_of_100_megabytes_is_passed_over() {
    let rows = lines(long("a,b\n1,2\n", b'x', 100_000_000, "\n3,4\n"));
    assert_eq!((&rows[0], &rows[2]), (&Ok(2), &Ok(4)));
    assert_says(&rows[1], "line 3: a row of more than 16 MiB");
    let blanks = lines(long("1 2\n", b'x', MAX_ROW as u64 + 1, "\n3 4\n"));
    assert_says(&blanks[1], "line 2: a row of more than 16 MiB");
    assert_eq!(blanks[2], Ok(3));
}

#[test]
fn the_lines_behind_a_quote_without_end_are_read_again_in_bounded_memory() {
    let rows = lines(long("a,b\n1,2\n3,\"", b'\n', 100_000_000, ""));
    let text = "line 3: the quoted cell that begins on this line does not end";
    assert_says(&rows[1], text);
    assert_eq!(rows.len(), 2);
}

#[test]
fn a_cell_has_a_bound() {
    let rows = lines(long("a,b\n1,2\n3,", b'x', MAX_CELL as u64 + 1, "\n5,6\n"));
    assert_says(&rows[1], "line 3: a cell of more than 1 MiB");
    assert_eq!(rows[2], Ok(4));
}

#[test]
fn columns_have_a_bound() {
    let rows = lines(long("a,b\n1,2\n", b',', MAX_COLUMNS as u64, "\n3,4\n"));
    assert_says(&rows[1], "line 3: more than 1048576 columns");
    assert_eq!(rows[2], Ok(4));
    let wide = long("", b',', MAX_COLUMNS as u64, "\n");
    let error = Records::new(wide, &TableOptions::default()).err().unwrap();
    assert!(error.to_string().contains("more than 1048576 columns"));
}

#[test]
fn a_header_of_100000_columns_is_read() {
    let names: Vec<String> = (0..100_000).map(|i| format!("c{i}")).collect();
    let text = format!("{}\n{}1\n", names.join(","), "2,".repeat(99_999));
    let mut rows = Records::new(text.as_bytes(), &TableOptions::default()).unwrap();
    assert_eq!(rows.header().names().len(), 100_000);
    assert_eq!(&rows.next().unwrap().unwrap().cells[99_999], "1");
}
