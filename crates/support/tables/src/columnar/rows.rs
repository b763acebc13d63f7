//! Batches of columns to rows of text.

use std::collections::VecDeque;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType};
use csv::StringRecord;

use super::values::plain;
use crate::{Fault, short};

/// Rows of text, and errors of rows that are not text.
pub(super) type Rows = VecDeque<Result<StringRecord, Fault>>;

/// Returns every row of a batch as text. `places` says where in the batch the column of each cell is; a column that is nowhere
/// has empty cells.
pub(super) fn rows(batch: &RecordBatch, places: &[Option<usize>]) -> Result<Rows, ArrowError> {
    let plain: Vec<ArrayRef> = batch
        .columns()
        .iter()
        .map(plain)
        .collect::<Result<_, _>>()?;
    let cells: Vec<Cells<'_>> = plain.iter().map(Cells::of).collect::<Result<_, _>>()?;
    let name = |place: usize| short(batch.schema_ref().field(place).name());
    let mut text = String::new();
    let mut row = |index| {
        let mut row = StringRecord::new();
        for place in places {
            text.clear();
            if let Some(place) = *place {
                let written = cells[place].write(index, &mut text);
                written.map_err(|cause| {
                    let column = name(place);
                    Fault::new(format!(
                        "a value in column `{column}` {cause}; remove the row, write the column as text, or leave it out with \
                         --drop {column}"
                    ))
                })?;
            }
            row.push_field(text.trim());
        }
        Ok(row)
    };
    Ok((0..batch.num_rows()).map(&mut row).collect())
}

/// The cells of one column.
enum Cells<'a> {
    /// What Arrow writes as text.
    Formatted(ArrayFormatter<'a>),
    /// Bytes of unknown meaning. Older writers omit that they are text.
    Bytes(Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>),
}

impl<'a> Cells<'a> {
    fn of(values: &'a ArrayRef) -> Result<Self, ArrowError> {
        let bytes: Box<dyn Fn(usize) -> &'a [u8] + 'a> = match values.data_type() {
            DataType::Binary => Box::new(|row| values.as_binary::<i32>().value(row)),
            DataType::LargeBinary => Box::new(|row| values.as_binary::<i64>().value(row)),
            DataType::BinaryView => Box::new(|row| values.as_binary_view().value(row)),
            DataType::FixedSizeBinary(_) => {
                Box::new(|row| values.as_fixed_size_binary().value(row))
            }
            _ => {
                let options = FormatOptions::default();
                return Ok(Self::Formatted(ArrayFormatter::try_new(values, &options)?));
            }
        };
        let present = move |row| values.is_valid(row).then(|| bytes(row));
        Ok(Self::Bytes(Box::new(present)))
    }

    fn write(&self, row: usize, text: &mut String) -> Result<(), String> {
        match self {
            Self::Formatted(cells) => {
                let written = cells.value(row).write(text);
                written.map_err(|error| {
                    format!("cannot be written as text ({})", short(&error.to_string()))
                })
            }
            Self::Bytes(bytes) => {
                let bytes = str::from_utf8(bytes(row).unwrap_or_default());
                text.push_str(bytes.map_err(|_| "is bytes, not text in UTF-8".to_owned())?);
                Ok(())
            }
        }
    }
}
