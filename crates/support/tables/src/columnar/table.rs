//! A Parquet file, an Arrow file or an Arrow stream: its schema, then its batches as rows.

use std::io::{self, Cursor, Read};
use std::panic::{self, AssertUnwindSafe};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use super::Format;
use super::cells::{Rows, kind, rows};
use crate::input::Bytes;
use crate::record::Column;
use crate::records::Source;
use crate::{Header, Kind, MAX_COLUMNS, MAX_CONTENT, Record, TableError};

/// Rows that are text at the same time.
const ROWS: usize = 1024;

/// Characters that are shown of an error, which may quote a long schema.
const SHOWN: usize = 200;

/// Batches, one after another.
type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// Makes batches of some columns, in the order of the file.
type Start<'a> = Box<dyn FnOnce(Vec<usize>) -> Result<Batches<'a>, ArrowError> + Send + 'a>;

/// Reads the schema; of a file, all of it.
pub(crate) fn open<'a>(
    magic: &[u8],
    input: Bytes<'a>,
) -> Result<(Header, Box<dyn Source + 'a>), TableError> {
    let (schema, start): (SchemaRef, Start<'a>) = match super::format(magic) {
        Some(Format::ArrowStream) => decoded(|| stream(input))?,
        Some(Format::ArrowFile) => {
            let content = whole(input)?;
            decoded(|| arrow(content))?
        }
        Some(Format::Parquet) | None => {
            let content = whole(input)?;
            decoded(|| parquet(content))?
        }
    };
    if schema.fields().len() > MAX_COLUMNS {
        return Err(TableError::too_many_columns());
    }
    let columns = schema.fields().iter();
    let columns = columns.map(|field| Column {
        name: field.name().clone(),
        kind: kind(field.data_type()),
    });
    let header = Header::declared(columns.collect());
    let used = header
        .columns
        .iter()
        .map(|column| !matches!(column.kind, Kind::Unreadable(_)));
    let table = Table {
        used: used.collect(),
        state: State::Opened(start),
        batch: None,
        rows: Rows::new(),
        number: 0,
    };
    Ok((header, Box::new(table)))
}

fn whole(input: Bytes<'_>) -> Result<bytes::Bytes, TableError> {
    let mut content = Vec::new();
    input.take(MAX_CONTENT + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_CONTENT {
        return Err(TableError::new(
            "more than 2 GiB; convert it to CSV and read that",
        ));
    }
    Ok(content.into())
}

fn parquet<'a>(content: bytes::Bytes) -> Result<(SchemaRef, Start<'a>), ArrowError> {
    let metadata = ArrowReaderMetadata::load(&content, ArrowReaderOptions::default())?;
    let schema = SchemaRef::clone(metadata.schema());
    let start = move |used| -> Result<Batches<'a>, ArrowError> {
        let columns = ProjectionMask::roots(metadata.parquet_schema(), used);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(content, metadata);
        Ok(Box::new(builder.with_projection(columns).build()?))
    };
    Ok((schema, Box::new(start)))
}

fn arrow<'a>(content: bytes::Bytes) -> Result<(SchemaRef, Start<'a>), ArrowError> {
    let schema = FileReader::try_new(Cursor::new(content.clone()), None)?.schema();
    let start = move |used| -> Result<Batches<'a>, ArrowError> {
        let mut reader = FileReader::try_new(Cursor::new(content), Some(used))?;
        let mut left = reader.num_batches();
        Ok(Box::new(std::iter::from_fn(move || match reader.next() {
            // The reader takes a message without a kind for the end.
            None if left > 0 => Some(Err(damage("there are fewer batches than it says"))),
            next => {
                left = left.saturating_sub(1);
                next
            }
        })))
    };
    Ok((schema, Box::new(start)))
}

/// A stream decodes all columns.
fn stream(input: Bytes<'_>) -> Result<(SchemaRef, Start<'_>), ArrowError> {
    let is_at_end = false;
    let mut reader = StreamReader::try_new(Watched { input, is_at_end }, None)?;
    let schema = reader.schema();
    let start = move |used: Vec<usize>| -> Result<Batches<'_>, ArrowError> {
        Ok(Box::new(std::iter::from_fn(move || match reader.next() {
            None => reader.get_mut().check_end().err().map(Err),
            Some(batch) => Some(batch.and_then(|batch| batch.project(&used))),
        })))
    };
    Ok((schema, Box::new(start)))
}

/// An input that remembers whether there was an attempt to read behind its end.
struct Watched<'a> {
    input: Bytes<'a>,
    is_at_end: bool,
}

impl Watched<'_> {
    /// Checks that the input ends after the stream. Writers may omit the mark at the end of a stream, but then it is
    /// unknown whether it was cut short.
    fn check_end(&mut self) -> Result<(), ArrowError> {
        if self.is_at_end {
            return Err(damage(
                "the mark at its end is missing, so that it may have been cut short",
            ));
        }
        match self.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(damage("it continues after the mark at its end")),
        }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out)?;
        self.is_at_end = read == 0 && !out.is_empty();
        Ok(read)
    }
}

/// Returns the result of a decoder; a panic of a decoder, which is printed, is damage, too.
fn decoded<T>(decode: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, TableError> {
    let panicked = |_| Err(damage("its parts contradict each other"));
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(panicked);
    decoded.map_err(|error| {
        let what = error.to_string();
        let what: String = what.chars().take(SHOWN).collect();
        TableError::of_input(format!(
            "cannot be read as Parquet or Arrow: {what}; fetch or write the file again"
        ))
    })
}

/// Returns an error for damage that decoders do not find.
fn damage(what: &str) -> ArrowError {
    ArrowError::ParseError(what.to_owned())
}

/// Rows of one batch at a time.
struct Table<'a> {
    state: State<'a>,
    /// The columns that are read.
    used: Vec<bool>,
    /// What is left of the latest batch.
    batch: Option<RecordBatch>,
    rows: Rows,
    /// Rows before those in `rows`.
    number: u64,
}

enum State<'a> {
    Opened(Start<'a>),
    Reading(Batches<'a>),
    Ended,
}

impl Table<'_> {
    /// Fills `rows`; `false` at the end.
    fn fill(&mut self) -> Result<bool, TableError> {
        let Some(batch) = self.batch.take() else {
            self.batch = self.next_batch()?;
            return Ok(self.batch.is_some());
        };
        // Where in the batch each column is.
        let mut next = 0..;
        let places: Vec<_> = self
            .used
            .iter()
            .map(|used| used.then(|| next.next()).flatten())
            .collect();
        let most = batch.num_rows().min(ROWS);
        let first = batch.slice(0, most);
        self.rows = decoded(|| rows(&first, &places))?;
        let rest = batch.num_rows() - most;
        self.batch = (rest > 0).then(|| batch.slice(most, rest));
        Ok(true)
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>, TableError> {
        if matches!(self.state, State::Opened(_))
            && let State::Opened(start) = std::mem::replace(&mut self.state, State::Ended)
        {
            let used = (0..self.used.len())
                .filter(|column| self.used[*column])
                .collect();
            self.state = State::Reading(decoded(|| start(used))?);
        }
        match &mut self.state {
            State::Reading(batches) => decoded(|| batches.next().transpose()),
            _ => Ok(None),
        }
    }
}

impl Source for Table<'_> {
    fn keep(&mut self, columns: &[usize]) {
        for (column, used) in self.used.iter_mut().enumerate() {
            *used &= columns.contains(&column);
        }
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, TableError> {
        while self.rows.is_empty() {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(fault) => {
                    // Rows after damage cannot be read.
                    self.state = State::Ended;
                    return Err(fault.at(self.number + 1));
                }
            }
        }
        self.number += 1;
        record.line = self.number;
        if let Some(cells) = self.rows.pop_front() {
            record.cells = cells.map_err(|fault| fault.at(self.number))?;
        }
        Ok(true)
    }
}
