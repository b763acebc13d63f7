//! CSV and its relatives: any of `,` tab `;` or blanks between the cells, with or without a header line.
//!
//! The separator is the one of `,` tab `;` that occurs most on the first line, outside quotes; if none does,
//! cells are separated by blanks. The first line is a header when none of its cells is a number and none
//! occurs again in its column: so a header is found above numbers and above words alike.
//! Columns without a name are called `column_<i>`, counted from 1.

use csv::{ReaderBuilder, StringRecord, Trim};

use super::table::{self, Column, Kind, Row, Table};
use super::{Content, Fault, ReadError};

/// Reads one file.
pub(crate) fn read(file: &Content) -> Result<Table, ReadError> {
    let text = file.text()?;
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let mut rows = match separator(first) {
        Some(separator) => separated(file, text, separator)?,
        None => blank_separated(text),
    };
    let header = if is_header(&rows) {
        Some(rows.remove(0).cells)
    } else {
        None
    };
    let width = header
        .as_ref()
        .or(rows.first().map(|row| &row.cells))
        .map_or(0, StringRecord::len);
    table::checked(file, columns(header, width), rows)
}

fn separator(line: &str) -> Option<u8> {
    let outside_quotes: String = line.split('"').step_by(2).collect();
    let count = |separator: u8| {
        outside_quotes
            .bytes()
            .filter(|byte| *byte == separator)
            .count()
    };
    let candidates = [b',', b'\t', b';'].map(|separator| (count(separator), separator));
    // The first of equals: max_by_key would take the last.
    let most = candidates
        .into_iter()
        .rev()
        .max_by_key(|(count, _)| *count)?;
    (most.0 > 0).then_some(most.1)
}

fn separated(file: &Content, text: &str, separator: u8) -> Result<Vec<Row>, ReadError> {
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let fault = |error: csv::Error| Fault::Syntax(error.to_string()).of(&file.path);
    let mut rows = Vec::new();
    for record in reader.records() {
        let cells = record.map_err(fault)?;
        let line = cells
            .position()
            .map_or(0, |start| first_line_of(start, text));
        rows.push(Row {
            file: 0,
            line,
            cells,
        });
    }
    Ok(rows)
}

/// The line a record begins on: its position counts from before the blank lines that were skipped.
fn first_line_of(start: &csv::Position, text: &str) -> u64 {
    let rest = text.as_bytes().iter().skip(start.byte() as usize);
    let skipped = rest.take_while(|byte| matches!(byte, b'\n' | b'\r'));
    start.line() + skipped.filter(|byte| **byte == b'\n').count() as u64
}

/// Runs of blanks separate; blanks at either end of a line mean nothing.
fn blank_separated(text: &str) -> Vec<Row> {
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let cells = |line: &str| {
        line.split_ascii_whitespace()
            .map(|cell| cell.trim_matches('"'))
            .collect()
    };
    lines
        .map(|(number, line)| Row {
            file: 0,
            line: number,
            cells: cells(line),
        })
        .collect()
}

fn is_header(rows: &[Row]) -> bool {
    let Some((first, rest)) = rows.split_first() else {
        return false;
    };
    let recurs = |(i, name)| rest.iter().any(|row| row.cells.get(i) == Some(name));
    first.cells.iter().all(|cell| cell.parse::<f64>().is_err())
        && !first.cells.iter().enumerate().any(recurs)
}

fn columns(header: Option<StringRecord>, width: usize) -> Vec<Column> {
    let header = header.unwrap_or_default();
    let name = |i: usize| match header.get(i) {
        None | Some("") => format!("column_{}", i + 1),
        Some(name) => name.to_owned(),
    };
    (0..width)
        .map(|i| Column {
            name: name(i),
            kind: Kind::Unstated,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Table, ReadError> {
        read(&Content {
            path: "x.csv".into(),
            sha256: String::new(),
            bytes: text.as_bytes().to_vec(),
        })
    }

    fn names(text: &str) -> Vec<String> {
        table(text)
            .unwrap()
            .columns
            .into_iter()
            .map(|column| column.name)
            .collect()
    }

    #[test]
    fn headers_are_told_from_rows() {
        assert_eq!(names("a,b\n1,2\n"), ["a", "b"]);
        assert_eq!(names(",b\n0,x\n"), ["column_1", "b"]);
        assert_eq!(names("T,2\nI,5\n"), ["column_1", "column_2"]);
        assert_eq!(names("class,cap\np,x\ne,x\n"), ["class", "cap"]);
        assert_eq!(names("p,x\np,y\n"), ["column_1", "column_2"]);
        assert_eq!(names("nan,inf\n1,2\n"), ["column_1", "column_2"]);
    }

    #[test]
    fn every_separator_gives_the_same_cells() {
        for text in [
            "1,2.5,x\n",
            "1\t2.5\tx\n",
            "1;2.5;x\n",
            " 1  2.5 x \r\n",
            "\"1\",2.5, \tx",
        ] {
            let table = table(text).unwrap();
            let cells: Vec<&str> = table.rows[0].cells.iter().collect();
            assert_eq!(cells, ["1", "2.5", "x"], "{text:?}");
        }
    }

    #[test]
    fn quoted_cells_hold_separators_and_line_ends() {
        let table = table("a,b\n\"x, \"\"y\"\"\nz\",2\n\"w\",3\n").unwrap();
        assert_eq!(&table.rows[0].cells[0], "x, \"y\"\nz");
        assert_eq!(table.rows[1].line, 4);
    }

    #[test]
    fn a_ragged_row_is_named() {
        let error = table("a,b\n1,2\n\n3\n").unwrap_err().to_string();
        assert_eq!(error, "x.csv, line 4: 1 cells where 2 are expected");
        let error = table("1 2\n3 4 5\n").unwrap_err().to_string();
        assert_eq!(error, "x.csv, line 2: 3 cells where 2 are expected");
    }

    #[test]
    fn nothing_and_a_lonely_header_are_empty() {
        for text in ["", "\n \n", "a,b\n"] {
            assert!(
                matches!(table(text).unwrap_err().fault, Fault::Empty),
                "{text:?}"
            );
        }
    }
}
