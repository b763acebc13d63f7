//! A Parquet file, an Arrow file or an Arrow stream: its schema, then its batches as rows of text.

use std::collections::VecDeque;
use std::iter;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType as Type, TimeUnit};
use csv::StringRecord;

use super::files::{self, Batches, ROWS, Start, decoded};
use crate::error::{MAX_COLUMNS, MAX_CONTENT, MAX_ROW, Result, short};
use crate::input::Bytes;
use crate::record::{Column, Kind, Source};
use crate::{Header, Record, TableError};

/// Reads the schema; of a file, all of it.
pub(super) fn open<'a>(format: &str, input: Bytes<'a>) -> Result<(Header, Box<dyn Source + 'a>)> {
    let (schema, start) = files::open(format, input)?;
    if schema.fields().len() > MAX_COLUMNS {
        return Err(TableError::too_many_columns());
    }
    let mut columns = Vec::new();
    let mut used = Vec::new();
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
        // A value that rows share is written for each of them.
        let columns = batch.columns().iter();
        let shared = columns.filter_map(|values| Some(values.as_any_dictionary_opt()?.values()));
        let shared: usize = shared.map(|values| values.get_buffer_memory_size()).sum();
        let most = (MAX_CONTENT as usize / shared.max(1)).clamp(1, ROWS);
        let written = decoded(|| self.write(&batch.slice(0, most.min(batch.num_rows()))))?;
        let rest = batch.num_rows() - written;
        self.batch = (rest > 0).then(|| batch.slice(written, rest));
        Ok(true)
    }

    /// Writes the first rows of a batch as text, and returns how many. A column that is not read has empty cells.
    fn write(&mut self, batch: &RecordBatch) -> Result<usize, ArrowError> {
        let values = batch.columns().iter().map(unshared);
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let plain = values.iter().map(plain).collect::<Result<Vec<_>, _>>()?;
        let format = FormatOptions::default();
        let cells = plain.iter().map(|it| ArrayFormatter::try_new(it, &format));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let mut text = String::new();
        let mut written = 0;
        for index in 0..batch.num_rows() {
            let mut row = Ok(StringRecord::new());
            let mut places = 0..;
            for used in &self.used {
                text.clear();
                if let Some(place) = used.then(|| places.next()).flatten() {
                    let is_text = cells[place].value(index).write(&mut text).is_ok();
                    if !is_text || plain[place].is_null(index) && values[place].is_valid(index) {
                        let column = short(batch.schema_ref().field(place).name());
                        row = Err(TableError::new(format!(
                            "a value in column `{column}` cannot be written as text; remove the row, write the \
                             column as text in UTF-8, or leave it out with --drop {column}"
                        )));
                        break;
                    }
                }
                if let Ok(row) = &mut row {
                    row.push_field(text.trim());
                    written += text.len();
                }
            }
            self.rows.push_back(row);
            if written > MAX_ROW {
                return Ok(index + 1);
            }
        }
        Ok(batch.num_rows())
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

/// Returns what the cells of a column of this type are.
fn kind(values: &Type) -> Kind {
    match values {
        Type::Null | Type::Time32(_) | Type::Time64(_) | Type::Duration(_) => Kind::Numeric,
        number if number.is_numeric() => Kind::Numeric,
        Type::Date32 | Type::Date64 | Type::Timestamp(_, _) => Kind::Date,
        // A month has no length.
        Type::Interval(_) | Type::RunEndEncoded(_, _) => Kind::Unreadable(values.to_string()),
        nested if nested.is_nested() => Kind::Unreadable(values.to_string()),
        // Values that rows share are categories of any type, unless their cells decide otherwise.
        _ => Kind::Unstated,
    }
}

/// Writes what rows share in each of them.
fn unshared(values: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match values.data_type() {
        Type::Dictionary(_, shared) => cast(values, shared),
        _ => Ok(Arc::clone(values)),
    }
}

/// Converts values to a type whose text is their meaning: times of day and durations are seconds, timestamps with a
/// zone are those of UTC, and bytes, of which older writers omit that they are text, are text or none.
fn plain(values: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match values.data_type() {
        Type::Timestamp(unit, Some(_)) => {
            same_bits(values, Type::Timestamp(*unit, Some("+00:00".into())))
        }
        Type::Time32(unit) => seconds(&cast(&cast(values, &Type::Int32)?, &Type::Int64)?, *unit),
        Type::Time64(unit) | Type::Duration(unit) => {
            seconds(&same_bits(values, Type::Int64)?, *unit)
        }
        Type::Binary | Type::LargeBinary | Type::BinaryView | Type::FixedSizeBinary(_) => {
            cast(&cast(values, &Type::Binary)?, &Type::Utf8)
        }
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
    Ok(Arc::new(fractions.with_precision_and_scale(38, scale)?))
}

/// Reinterprets values without changing their bits.
fn same_bits(values: &ArrayRef, meant: Type) -> Result<ArrayRef, ArrowError> {
    let data = values.to_data().into_builder().data_type(meant).build()?;
    Ok(make_array(data))
}
