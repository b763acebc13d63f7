//! Batches of columns to rows of text.

use std::collections::VecDeque;
use std::io::{Cursor, Read};

use arrow_array::RecordBatch;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use csv::StringRecord;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::guarded::guarded;
use crate::input::Bytes;
use crate::limits::{MAX_COLUMNS, MAX_CONTENT};
use crate::record::Column;
use crate::records::Source;
use crate::{Fault, Header, Kind, Record, RowError, TableError};

type Reading = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Rows of one batch at a time.
struct Batches {
    reading: Reading,
    rows: VecDeque<StringRecord>,
    /// Rows before those in `rows`.
    number: u64,
}

/// Reads the whole input, and the schema.
pub(crate) fn open<'a>(input: Bytes<'a>) -> Result<(Header, Box<dyn Source + 'a>), TableError> {
    let mut content = Vec::new();
    input
        .take(MAX_CONTENT + 1)
        .read_to_end(&mut content)
        .map_err(Fault::from)?;
    if content.len() as u64 > MAX_CONTENT {
        return Err(
            Fault::Syntax("more than 2 GiB; convert it to CSV and read that".to_owned()).into(),
        );
    }
    let (header, reading) = decoded(|| read(content)).map_err(|error| damaged(&error))?;
    if header.columns.len() > MAX_COLUMNS {
        return Err(Fault::TooManyColumns.into());
    }
    let batches = Batches {
        reading,
        rows: VecDeque::new(),
        number: 0,
    };
    Ok((header, Box::new(batches)))
}

fn read(content: Vec<u8>) -> Result<(Header, Reading), ArrowError> {
    match super::name(&content) {
        Some("Arrow") if content.starts_with(b"ARROW1") => {
            let reader = FileReader::try_new(Cursor::new(content), None)?;
            Ok((header(&reader.schema()), Box::new(reader)))
        }
        Some("Arrow") => {
            let reader = StreamReader::try_new(Cursor::new(content), None)?;
            Ok((header(&reader.schema()), Box::new(reader)))
        }
        _ => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(content))?;
            let header = header(builder.schema());
            Ok((header, Box::new(builder.build()?)))
        }
    }
}

fn header(schema: &Schema) -> Header {
    let column = |field: &arrow_schema::FieldRef| Column {
        name: field.name().clone(),
        kind: match field.data_type() {
            kind if kind.is_numeric() => Kind::Numeric,
            DataType::Null => Kind::Numeric,
            _ => Kind::Unstated,
        },
    };
    Header {
        columns: schema.fields().iter().map(column).collect(),
        is_named: true,
    }
}

/// A decoder that panics finds damage, too.
fn decoded<T>(decode: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    let panicked = || {
        Err(ArrowError::ParseError(
            "its parts contradict each other".to_owned(),
        ))
    };
    guarded(decode).unwrap_or_else(panicked)
}

/// Errors may quote the schema, which can be long.
const SHOWN: usize = 200;

fn damaged(error: &ArrowError) -> Fault {
    let cause: String = error.to_string().chars().take(SHOWN).collect();
    Fault::Syntax(format!("cannot be read as Parquet or Arrow: {cause}"))
}

/// Every row of a batch as text.
fn rows(batch: &RecordBatch) -> Result<VecDeque<StringRecord>, ArrowError> {
    let options = FormatOptions::default();
    let columns = batch.columns().iter();
    let columns = columns.map(|column| ArrayFormatter::try_new(column, &options));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let mut cell = String::new();
    let mut row = |index| {
        let mut row = StringRecord::new();
        for column in &columns {
            cell.clear();
            column.value(index).write(&mut cell)?;
            row.push_field(cell.trim());
        }
        Ok(row)
    };
    (0..batch.num_rows()).map(&mut row).collect()
}

impl Source for Batches {
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        loop {
            if let Some(cells) = self.rows.pop_front() {
                self.number += 1;
                *record = Record {
                    line: self.number,
                    cells,
                };
                return Ok(true);
            }
            let mut next = || self.reading.next().transpose();
            let rows = decoded(|| next()?.map(|batch| rows(&batch)).transpose());
            match rows {
                Ok(Some(rows)) => self.rows = rows,
                Ok(None) => return Ok(false),
                Err(error) => {
                    // Nothing can be read behind damage.
                    self.reading = Box::new(std::iter::empty());
                    return Err(damaged(&error).at(self.number + 1));
                }
            }
        }
    }
}
