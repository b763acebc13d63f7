//! Which types can be read as numbers or text, and as which; and batches of columns as rows of text.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Decimal128Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType as Type;
use arrow_schema::{ArrowError, TimeUnit};
use csv::StringRecord;

use crate::{DateFormat, Kind, TableError, short};

/// Digits of the longest `Decimal128`.
const DIGITS: u8 = 38;

/// Rows of text, and errors of rows that are not text.
pub(super) type Rows = VecDeque<Result<StringRecord, TableError>>;

/// What the cells of a column of this type are.
pub(super) fn kind(values: &Type) -> Kind {
    let unreadable = match values {
        Type::Null | Type::Time32(_) | Type::Time64(_) | Type::Duration(_) => return Kind::Numeric,
        number if number.is_numeric() => return Kind::Numeric,
        Type::Date32 | Type::Date64 | Type::Timestamp(_, _) => {
            return Kind::Date(DateFormat::ISO.to_owned());
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

/// Exact decimal fractions.
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

/// Returns every row of a batch as text. `places` says where in the batch the column of each cell is; a column that is nowhere
/// has empty cells.
pub(super) fn rows(batch: &RecordBatch, places: &[Option<usize>]) -> Result<Rows, ArrowError> {
    let plain: Vec<ArrayRef> = batch
        .columns()
        .iter()
        .map(plain)
        .collect::<Result<_, _>>()?;
    let cells: Vec<Cells<'_>> = plain.iter().map(Cells::of).collect::<Result<_, _>>()?;
    let (mut rows, mut text) = (Rows::new(), String::new());
    for index in 0..batch.num_rows() {
        let mut row = Ok(StringRecord::new());
        for place in places {
            text.clear();
            let written = place.map_or(Ok(()), |place| cells[place].write(index, &mut text));
            if let (Err(cause), Some(place)) = (written, *place) {
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
        rows.push_back(row);
    }
    Ok(rows)
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
                let written = cells.value(row).write(text);
                return written.map_err(|error| {
                    format!("cannot be written as text ({})", short(&error.to_string()))
                });
            }
            Self::Bytes(values) if values.is_null(row) => return Ok(()),
            Self::Bytes(values) => match values.data_type() {
                Type::Binary => values.as_binary::<i32>().value(row),
                Type::LargeBinary => values.as_binary::<i64>().value(row),
                Type::BinaryView => values.as_binary_view().value(row),
                _ => values.as_fixed_size_binary().value(row),
            },
        };
        text.push_str(str::from_utf8(bytes).map_err(|_| "is bytes, not text in UTF-8".to_owned())?);
        Ok(())
    }
}
