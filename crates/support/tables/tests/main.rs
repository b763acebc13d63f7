//! The crate as its users meet it. One program, so that generic code is compiled once.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the exception for tests in clippy.toml does not reach their helpers"
)]

mod bounds;
#[cfg(feature = "columnar")]
mod columnar;
#[cfg(feature = "columnar")]
mod columnar_tables;
#[cfg(feature = "clap")]
mod command_line;
#[cfg(feature = "columnar")]
mod crafted;
mod dialects;
mod features;
mod packed;
mod preprocessing;
mod properties;
mod reading;
mod said;
mod values;

use std::io::Read;

use tables::{Columns, Header, Record, Records, TableError, TableOptions, Warning};

/// The header of a table, the rows that can be read, the errors of the others, and what was guessed.
type ReadSome = (Header, Vec<Record>, Vec<TableError>, Vec<Warning>);

fn read_some(input: impl Read + Send, options: &TableOptions) -> Result<ReadSome, TableError> {
    let mut records = Records::new(input, options)?;
    let mut rows = Vec::new();
    let mut errors = Vec::new();
    for row in records.by_ref() {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => errors.push(error),
        }
    }
    let header = records.header().clone();
    Ok((header, rows, errors, records.warnings().to_vec()))
}

/// Returns all rows of a text, and its header.
fn read(text: &str, options: &TableOptions) -> Result<(Header, Vec<Record>), TableError> {
    let records = Records::new(text.as_bytes(), options)?;
    let header = records.header().clone();
    Ok((header, records.collect::<Result<_, _>>()?))
}

/// Returns the columns of a text whose last column is the target.
fn fit(text: &str, options: &TableOptions) -> Result<(Columns, Vec<Warning>), TableError> {
    let (header, rows) = read(text, options)?;
    Columns::fit(&header, &rows, "last", None, options)
}

/// Names of the features of a text, and the features of the rows that are kept.
fn features(text: &str, options: &TableOptions) -> (Vec<String>, Vec<Vec<f32>>) {
    let (columns, _) = fit(text, options).unwrap();
    let rows = features_of(&columns, text, options).unwrap();
    (columns.feature_names(), rows)
}

/// Returns the features of another text by columns that were fitted before.
fn features_of(
    columns: &Columns,
    text: &str,
    options: &TableOptions,
) -> Result<Vec<Vec<f32>>, TableError> {
    let (header, rows) = read(text, options)?;
    let layout = columns.layout(&header)?;
    let mut all = Vec::new();
    for row in &rows {
        let mut out = Vec::new();
        if columns.features(&layout, row, &mut out)?.is_some() {
            all.push(out);
        }
    }
    Ok(all)
}
