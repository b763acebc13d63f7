//! No input exhausts memory.

use std::io::{self, Read};

use tables::{MAX_CELL, MAX_COLUMNS, MAX_ROW, Records, TableOptions};

/// So many copies of a byte between two texts.
fn long(before: &'static str, byte: u8, count: u64, after: &'static str) -> impl Read + Send {
    before
        .as_bytes()
        .chain(io::repeat(byte).take(count))
        .chain(after.as_bytes())
}

fn errors(input: impl Read + Send) -> Vec<Result<u64, String>> {
    let rows = Records::new(input, &TableOptions::default()).unwrap();
    let short = |row: Result<tables::Record, tables::TableError>| {
        row.map(|row| row.line).map_err(|error| error.to_string())
    };
    rows.map(short).collect()
}

#[test]
fn a_row_of_100_megabytes_is_passed_over() {
    let rows = errors(long("a,b\n1,2\n", b'x', 100_000_000, "\n3,4\n"));
    assert_eq!(rows[0], Ok(2));
    assert!(
        rows[1]
            .as_ref()
            .unwrap_err()
            .starts_with("line 3: a row of more than 16 MiB")
    );
    assert_eq!(rows[2], Ok(4));
    let blanks = errors(long("1 2\n", b'x', MAX_ROW as u64 + 1, "\n3 4\n"));
    assert!(
        blanks[1]
            .as_ref()
            .unwrap_err()
            .starts_with("line 2: a row of more than 16 MiB")
    );
    assert_eq!(blanks[2], Ok(3));
}

#[test]
fn the_lines_behind_a_quote_without_end_are_read_again_in_bounded_memory() {
    let rows = errors(long("a,b\n1,2\n3,\"", b'\n', 100_000_000, ""));
    assert!(
        rows[1]
            .as_ref()
            .unwrap_err()
            .starts_with("line 3: the quoted cell that begins on this line does not end")
    );
    assert_eq!(rows.len(), 2);
}

#[test]
fn a_cell_has_a_bound() {
    let rows = errors(long("a,b\n1,2\n3,", b'x', MAX_CELL as u64 + 1, "\n5,6\n"));
    assert_eq!(
        rows[1].as_ref().unwrap_err(),
        "line 3: a cell of more than 1 MiB"
    );
    assert_eq!(rows[2], Ok(4));
}

#[test]
fn columns_have_a_bound() {
    let rows = errors(long("a,b\n1,2\n", b',', MAX_COLUMNS as u64, "\n3,4\n"));
    assert_eq!(
        rows[1].as_ref().unwrap_err(),
        "line 3: more than 1048576 columns"
    );
    assert_eq!(rows[2], Ok(4));
    let error = Records::new(
        long("", b',', MAX_COLUMNS as u64, "\n"),
        &TableOptions::default(),
    );
    assert!(
        error
            .err()
            .unwrap()
            .to_string()
            .contains("more than 1048576 columns")
    );
}

#[test]
fn a_header_of_100000_columns_is_read() {
    let names: Vec<String> = (0..100_000).map(|i| format!("c{i}")).collect();
    let text = format!("{}\n{}1\n", names.join(","), "2,".repeat(99_999));
    let mut rows = Records::new(text.as_bytes(), &TableOptions::default()).unwrap();
    assert_eq!(rows.header().names().len(), 100_000);
    assert_eq!(&rows.next().unwrap().unwrap().cells[99_999], "1");
}
