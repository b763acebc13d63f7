//! Opens a columnar input: from the first bytes to the columns and a source of rows.

use std::io::Read as _;

use arrow_schema::{FieldRef, Schema};

use super::Format;
use super::damage::decoded;
use super::opened::Opened;
use super::table::Table;
use super::values::kind;
use crate::input::Bytes;
use crate::limits::{MAX_COLUMNS, MAX_CONTENT};
use crate::record::Column;
use crate::records::Source;
use crate::{Fault, Header, TableError};

/// Reads the schema; of a file, all of it.
pub(crate) fn open<'a>(
    magic: &[u8],
    input: Bytes<'a>,
) -> Result<(Header, Box<dyn Source + 'a>), TableError> {
    let opened = match Format::of(magic) {
        Some(Format::ArrowStream) => decoded(|| Opened::arrow_stream(input))?,
        Some(Format::ArrowFile) => {
            let content = whole(input)?;
            decoded(|| Opened::arrow_file(content))?
        }
        Some(Format::Parquet) | None => {
            let content = whole(input)?;
            decoded(|| Opened::parquet(content))?
        }
    };
    let header = header(&opened.schema());
    if header.columns.len() > MAX_COLUMNS {
        return Err(Fault::too_many_columns().into());
    }
    let table = Table::new(&header, opened);
    Ok((header, Box::new(table)))
}

fn whole(input: Bytes<'_>) -> Result<bytes::Bytes, Fault> {
    let mut content = Vec::new();
    input.take(MAX_CONTENT + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_CONTENT {
        Err(Fault::new(
            "more than 2 GiB; convert it to CSV and read that",
        ))
    } else {
        Ok(content.into())
    }
}

fn header(schema: &Schema) -> Header {
    let column = |field: &FieldRef| Column {
        name: field.name().clone(),
        kind: kind(field.data_type()),
    };
    Header {
        columns: schema.fields().iter().map(column).collect(),
        is_named: true,
    }
}
