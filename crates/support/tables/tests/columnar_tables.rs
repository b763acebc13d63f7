//! Random tables, written as Parquet, as an Arrow file, as an Arrow stream and as CSV, are the same table; and what is
//! left of a file that was cut or damaged is an error.

mod columns;
mod writers;

use proptest::prelude::*;
use tables::{HeaderLine, Record, Records, TableError, TableOptions};

use crate::read_some;
use columns::{Table, tables};
use writers::{Parquet, arrow_file, arrow_stream, csv, parquets};

/// A cell, as far as it has to be the same in every format: numbers are written in several ways.
#[derive(Debug, PartialEq)]
enum Cell {
    Number(u64),
    Text(String),
}

type Rows = Vec<Vec<Cell>>;

/// Returns the rows before the first error that ends the table, and that error.
fn read(bytes: &[u8], table: &Table) -> Result<(Rows, Option<TableError>), TableError> {
    let options = TableOptions {
        header: Some(HeaderLine::Yes),
        ..TableOptions::default()
    };
    let (_, rows, mut errors, _) = read_some(bytes, &options)?;
    assert!(errors.iter().all(TableError::ends_the_table), "{errors:?}");
    let rows = rows.iter().map(|row| cells(row, table));
    Ok((rows.collect(), errors.pop()))
}

fn cells(record: &Record, table: &Table) -> Vec<Cell> {
    let cell = |(text, column): (&str, &columns::Column)| match column.number(text) {
        Some(number) => Cell::Number(number),
        None => Cell::Text(text.to_owned()),
    };
    record.cells.iter().zip(&table.columns).map(cell).collect()
}

fn expected(table: &Table) -> Rows {
    let record = |row: usize| Record {
        line: 0,
        cells: table
            .columns
            .iter()
            .map(|column| column.text(row))
            .collect(),
    };
    (0..table.rows)
        .map(|row| cells(&record(row), table))
        .collect()
}

/// Returns all rows of a whole file.
fn whole(bytes: &[u8], table: &Table) -> Rows {
    let (rows, end) = read(bytes, table).unwrap();
    assert!(end.is_none(), "{end:?}");
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_format_has_the_rows_that_were_written(table in tables(), parquet in parquets()) {
        let rows = expected(&table);
        prop_assert_eq!(whole(&csv(&table), &table), expected(&table));
        prop_assert_eq!(&whole(&parquet.write(&table), &table), &rows);
        prop_assert_eq!(&whole(&arrow_file(&table), &table), &rows);
        prop_assert_eq!(&whole(&arrow_stream(&table), &table), &rows);
    }

    /// At every length of a short file, and at some of a long one.
    #[test]
    fn a_file_that_was_cut_is_an_error_behind_rows_that_were_written(table in tables(), parquet in parquets(), start in 0_usize..50) {
        let rows = expected(&table);
        for file in [parquet.write(&table), arrow_file(&table), arrow_stream(&table)] {
            // Fewer bytes do not show their format.
            for length in (8 + start..file.len()).step_by(file.len() / 40 + 1) {
                match read(&file[..length], &table) {
                    Ok((before, end)) => {
                        prop_assert!(end.is_some(), "{length} of {} bytes: {} rows", file.len(), before.len());
                        prop_assert!(rows.starts_with(&before), "{length}");
                    }
                    Err(error) => prop_assert!(error.to_string().contains("cannot be read as Parquet or Arrow"), "{error}"),
                }
            }
        }
    }

    #[test]
    fn a_damaged_parquet_file_is_read_or_refused(table in tables(), parquet in parquets(), at in any::<prop::sample::Index>(), bit in 0_u32..8) {
        let mut file = parquet.write(&table);
        let at = at.index(file.len());
        file[at] ^= 1_u8 << bit;
        rows_without_error(&file);
    }

    /// A changed number cannot be noticed, and only the footer of an Arrow file states the number of batches. Apart
    /// from that, no row is lost without an error.
    #[test]
    fn a_damaged_file_of_arrow_loses_no_row_silently(table in tables(), at in any::<prop::sample::Index>(), bit in 0_u32..8) {
        let arrow_file = arrow_file(&table);
        let before_footer = arrow_file.len() - 10 - footer_length(&arrow_file, 10);
        for (name, mut file, end) in [
            ("Arrow file", arrow_file, Some(before_footer)),
            ("Arrow stream", arrow_stream(&table), None),
        ] {
            let at = at.index(end.unwrap_or(file.len()));
            file[at] ^= 1_u8 << bit;
            let count = rows_without_error(&file);
            prop_assert!(count.is_none_or(|count| count == table.rows), "byte {at} of a {name}: {count:?} of {} rows", table.rows);
        }
    }
}

/// Returns the four bytes that are so far from the end.
fn footer_length(file: &[u8], from_end: usize) -> usize {
    let length = file[file.len() - from_end..].first_chunk().unwrap();
    u32::from_le_bytes(*length) as usize
}

/// Returns how many rows there are; `None` if any part is an error.
fn rows_without_error(file: &[u8]) -> Option<usize> {
    let records = Records::new(file, &TableOptions::default());
    let rows = records.ok()?.collect::<Result<Vec<_>, _>>();
    rows.ok().map(|rows| rows.len())
}

/// Written by hand, since no writer leaves out the mark at the end of a stream.
#[test]
fn a_stream_without_its_end_is_cut() {
    let table = Table::of_numbers(5);
    let stream = arrow_stream(&table);
    let (rows, end) = read(&stream[..stream.len() - 8], &table).unwrap();
    assert_eq!(rows, expected(&table));
    let end = end.unwrap().to_string();
    assert!(end.contains("line 6") && end.contains("cut short"), "{end}");
}

/// Groups of rows are damaged one after another: the rows before are read.
#[test]
fn damage_in_a_later_group_of_rows_ends_the_table_behind_those_before() {
    let table = Table::of_numbers(4000);
    let parquet = Parquet {
        group: 1000,
        ..Parquet::default()
    };
    let mut file = parquet.write(&table);
    let middle = file.len() / 2;
    file[middle - 40..middle + 40].fill(0xff);
    let (rows, end) = read(&file, &table).unwrap();
    assert!(end.is_some());
    assert!((1000..3000).contains(&rows.len()), "{}", rows.len());
    assert!(expected(&table).starts_with(&rows));
}

/// A column that is not used is not decoded, so damage in it is ignored.
#[test]
fn damage_in_an_unused_column_is_ignored() {
    let table = Table::of_numbers(2000);
    let whole = Parquet::default().write(&table);
    // The first column comes first.
    let mut file = whole.clone();
    file[40..400].fill(0xff);
    let rows = |keep: &[usize]| {
        let mut records = Records::new(file.as_slice(), &TableOptions::default()).unwrap();
        records.keep(keep);
        records.collect::<Result<Vec<Record>, TableError>>()
    };
    assert!(rows(&[0, 1]).is_err());
    let rows = rows(&[1]).unwrap();
    assert_eq!(rows.len(), 2000);
    assert!(
        rows.iter()
            .all(|row| row.cells[0].is_empty() && !row.cells[1].is_empty())
    );
}
