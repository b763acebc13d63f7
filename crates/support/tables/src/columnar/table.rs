//! A Parquet file, an Arrow file or an Arrow stream: its schema, then its batches as rows of text.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::iter;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType as Type, SchemaRef, TimeUnit};
use csv::StringRecord;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use crate::error::{MAX_COLUMNS, MAX_CONTENT, Result, refuse, short};
use crate::input::Bytes;
use crate::record::Column;
use crate::records::Source;
use crate::{Header, Kind, Record, TableError, dates};

/// Rows that are text at the same time.
const ROWS: usize = 1024;

/// Characters that are shown of an error, which may quote a long schema.
const SHOWN: usize = 200;

/// Digits of the longest `Decimal128`.
const DIGITS: u8 = 38;

/// Batches, one after another.
type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// Makes batches of some columns, in the order of the file.
type Start<'a> = Box<dyn FnOnce(Vec<usize>) -> Result<Batches<'a>, ArrowError> + Send + 'a>;

/// Reads the schema; of a file, all of it.
pub(crate) fn open<'a>(magic: &[u8], input: Bytes<'a>) -> Result<(Header, Box<dyn Source + 'a>)> {
    let (schema, start) = match super::format(magic) {
        Some("Arrow stream") => decoded(|| stream(input))?,
        Some("Arrow") => {
            let content = whole(input)?;
            decoded(|| arrow(content))?
        }
        _ => {
            let content = whole(input)?;
            decoded(|| parquet(content))?
        }
    };
    if schema.fields().len() > MAX_COLUMNS {
        return Err(TableError::too_many_columns());
    }
    let (mut columns, mut used) = (Vec::new(), Vec::new());
    for field in schema.fields() {
        let kind = kind(field.data_type());
        used.push(!matches!(kind, Kind::Unreadable(_)));
        columns.push(Column::new(field.name(), kind));
    }
    let table = Table {
        used,
        start: Some(start),
        batches: Box::new(iter::empty()),
        batch: None,
        rows: VecDeque::new(),
        number: 0,
    };
    Ok((Header::declared(columns), Box::new(table)))
}

fn whole(input: Bytes<'_>) -> Result<bytes::Bytes> {
    let mut content = Vec::new();
    input.take(MAX_CONTENT + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_CONTENT {
        refuse!("more than 2 GiB; convert it to CSV and read that");
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
        Ok(Box::new(iter::from_fn(move || match reader.next() {
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
        Ok(Box::new(iter::from_fn(move || match reader.next() {
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
            let what = "the mark at its end is missing, so that it may have been cut short";
            return Err(damage(what));
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
fn decoded<T>(decode: impl FnOnce() -> Result<T, ArrowError>) -> Result<T> {
    let panicked = |_| Err(damage("its parts contradict each other"));
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(panicked);
    decoded.map_err(|error| {
        let what: String = error.to_string().chars().take(SHOWN).collect();
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
    /// Makes the batches, when it is known which columns are used.
    start: Option<Start<'a>>,
    batches: Batches<'a>,
    /// The columns that are read.
    used: Vec<bool>,
    /// What is left of the latest batch.
    batch: Option<RecordBatch>,
    /// Rows of text, and errors of rows that are not text.
    rows: VecDeque<Result<StringRecord>>,
    /// Rows before these.
    number: u64,
}

impl Table<'_> {
    /// Fills `rows`; `false` at the end.
    fn fill(&mut self) -> Result<bool> {
        if let Some(start) = self.start.take() {
            let used = (0..self.used.len()).filter(|column| self.used[*column]);
            self.batches = decoded(|| start(used.collect()))?;
        }
        let Some(batch) = self.batch.take() else {
            self.batch = decoded(|| self.batches.next().transpose())?;
            return Ok(self.batch.is_some());
        };
        let most = batch.num_rows().min(ROWS);
        decoded(|| self.write(&batch.slice(0, most)))?;
        let rest = batch.num_rows() - most;
        self.batch = (rest > 0).then(|| batch.slice(most, rest));
        Ok(true)
    }

    /// Writes the rows of a batch as text. A column that is not read has empty cells.
    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let plain = batch.columns().iter().map(plain);
        let plain: Vec<_> = plain.collect::<Result<_, _>>()?;
        let cells: Vec<_> = plain.iter().map(Cells::of).collect::<Result<_, _>>()?;
        let mut text = String::new();
        for index in 0..batch.num_rows() {
            let (mut row, mut places) = (Ok(StringRecord::new()), 0..);
            for used in &self.used {
                text.clear();
                // Where in the batch the column is.
                if let Some(place) = used.then(|| places.next()).flatten()
                    && let Err(cause) = cells[place].write(index, &mut text)
                {
                    let column = short(batch.schema_ref().field(place).name());
                    row = Err(TableError::new(format!(
                        "a value in column `{column}` {cause}; remove the row, write the column as text, or leave it out with \
                         --drop {column}"
                    )));
                    break;
                }
                if let Ok(row) = &mut row {
                    row.push_field(text.trim());
                }
            }
            self.rows.push_back(row);
        }
        Ok(())
    }
}

impl Source for Table<'_> {
    fn keep(&mut self, columns: &[usize]) {
        for (column, used) in self.used.iter_mut().enumerate() {
            *used &= columns.contains(&column);
        }
    }

    fn read(&mut self, record: &mut Record) -> Result<bool> {
        loop {
            if let Some(cells) = self.rows.pop_front() {
                self.number += 1;
                record.line = self.number;
                record.cells = cells.map_err(|fault| fault.at(self.number))?;
                return Ok(true);
            }
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(fault) => {
                    // Rows after damage cannot be read.
                    self.batches = Box::new(iter::empty());
                    self.rows.clear();
                    return Err(fault.at(self.number + 1));
                }
            }
        }
    }
}

/// What the cells of a column of this type are.
fn kind(values: &Type) -> Kind {
    let unreadable = match values {
        Type::Null | Type::Time32(_) | Type::Time64(_) | Type::Duration(_) => return Kind::Numeric,
        number if number.is_numeric() => return Kind::Numeric,
        Type::Date32 | Type::Date64 | Type::Timestamp(_, _) => {
            return Kind::Date(dates::ISO.to_owned());
        }
        // Values that rows share are categories of any type, unless their cells decide otherwise.
        Type::Dictionary(_, shared) => match kind(shared) {
            unreadable @ Kind::Unreadable(_) => return unreadable,
            _ => return Kind::Unstated,
        },
        Type::List(_)
        | Type::LargeList(_)
        | Type::FixedSizeList(_, _)
        | Type::ListView(_)
        | Type::LargeListView(_) => "lists",
        Type::Struct(_) => "structs",
        Type::Map(_, _) => "maps",
        Type::Union(_, _) => "values of several types",
        // A month has no length.
        Type::Interval(_) => "intervals of months and days",
        Type::RunEndEncoded(_, _) => "runs of equal values",
        _ => return Kind::Unstated,
    };
    Kind::Unreadable(unreadable.to_owned())
}

/// Converts values to a type whose text is their meaning: times of day and durations are seconds, timestamps with a zone
/// are those of UTC, and what rows share is in each of them.
fn plain(values: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match values.data_type() {
        Type::Timestamp(unit, Some(_)) => {
            same_bits(values, Type::Timestamp(*unit, Some("+00:00".into())))
        }
        Type::Time32(unit) => seconds(&cast(&cast(values, &Type::Int32)?, &Type::Int64)?, *unit),
        Type::Time64(unit) | Type::Duration(unit) => {
            seconds(&same_bits(values, Type::Int64)?, *unit)
        }
        Type::Dictionary(_, shared) => plain(&cast(values, shared)?),
        _ => Ok(Arc::clone(values)),
    }
}

/// Returns exact decimal fractions.
fn seconds(counts: &ArrayRef, unit: TimeUnit) -> Result<ArrayRef, ArrowError> {
    let scale = match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    };
    let counts = counts.as_primitive::<Int64Type>();
    let fractions = counts.unary::<_, Decimal128Type>(i128::from);
    Ok(Arc::new(fractions.with_precision_and_scale(DIGITS, scale)?))
}

/// Reinterprets values without changing their bits.
fn same_bits(values: &ArrayRef, meant: Type) -> Result<ArrayRef, ArrowError> {
    let data = values.to_data().into_builder().data_type(meant).build()?;
    Ok(make_array(data))
}

/// The cells of one column.
enum Cells<'a> {
    /// What Arrow writes as text.
    Formatted(ArrayFormatter<'a>),
    /// Bytes of unknown meaning. Older writers omit that they are text.
    Bytes(&'a ArrayRef),
}

impl<'a> Cells<'a> {
    fn of(values: &'a ArrayRef) -> Result<Self, ArrowError> {
        Ok(match values.data_type() {
            Type::Binary | Type::LargeBinary | Type::BinaryView | Type::FixedSizeBinary(_) => {
                Self::Bytes(values)
            }
            _ => Self::Formatted(ArrayFormatter::try_new(values, &FormatOptions::default())?),
        })
    }

    fn write(&self, row: usize, text: &mut String) -> Result<(), String> {
        let bytes = match self {
            Self::Formatted(cells) => {
                let wrong =
                    |error| format!("cannot be written as text ({})", short(&format!("{error}")));
                return cells.value(row).write(text).map_err(wrong);
            }
            Self::Bytes(values) if values.is_null(row) => return Ok(()),
            Self::Bytes(values) => match values.data_type() {
                Type::Binary => values.as_binary::<i32>().value(row),
                Type::LargeBinary => values.as_binary::<i64>().value(row),
                Type::BinaryView => values.as_binary_view().value(row),
                _ => values.as_fixed_size_binary().value(row),
            },
        };
        text.push_str(str::from_utf8(bytes).map_err(|_| "is bytes, not text in UTF-8")?);
        Ok(())
    }
}
