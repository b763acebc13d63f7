//! Parses the body of a request into rows.
//!
//! Rows are JSON objects by column name (one, an array of them, or one on each line) or CSV with a header. A number in
//! JSON becomes the cell in which it is written, so that a row is the same whether it comes in a table or by itself. An
//! error in one row affects that row alone; an error in the body as a whole refuses all of it.

use std::collections::BTreeMap;
use std::fmt;

use csv::StringRecord;
use forest_model::{Format, Row};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use tables::{Columns, Decimal, HeaderLine, Layout, MAX_CELL, Record, Records, TableOptions};

use crate::serve::replies::{Refusal, Replied};

/// The first bytes that show whether a body is compressed.
const MAGIC: usize = 16;

/// Rows as they arrived.
#[derive(Debug)]
pub struct Rows {
    /// Their format, which the reply has as well.
    pub(super) format: Format,
    pub(super) layout: Layout,
    /// Bad ones included.
    pub rows: Vec<Row>,
}

/// Parses the bodies of requests into rows of a model's table.
#[derive(Clone, Debug)]
pub struct RequestReader {
    columns: Columns,
    options: TableOptions,
    names: Vec<String>,
    /// The first column of each name.
    places: BTreeMap<String, usize>,
    /// Columns without which a JSON object is not a row.
    required: Vec<usize>,
    most: usize,
}

impl RequestReader {
    /// Creates a reader for a model of such tables with these columns, and at most this number of rows in a request.
    pub fn new(columns: &Columns, options: &TableOptions, most: usize) -> Self {
        let names = columns.header().names();
        let named = names.iter().cloned().enumerate().rev();
        let features = columns.own_layout().features().to_vec();
        // Where an empty cell is a value, a missing column has an empty cell.
        let has_missing = columns.missing_words().is_missing("");
        Self {
            places: named.map(|(place, name)| (name, place)).collect(),
            required: if has_missing { Vec::new() } else { features },
            options: options.clone(),
            columns: columns.clone(),
            names,
            most,
        }
    }

    /// Parses the rows of a body. Without a type, or with the one that `curl --data` states, its first byte
    /// distinguishes JSON from CSV.
    ///
    /// # Errors
    /// Returns an error for another type, too many rows, a table without a column that the model needs, or a malformed
    /// body.
    pub fn read(&self, content_type: Option<&str>, body: &[u8]) -> Result<Rows, Refusal> {
        let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
        let first = *first.ok_or_else(|| Refusal::new(400, "the body is empty"))?;
        match stated_format(content_type.unwrap_or_default())? {
            Some(Format::CsvWithReasons) => self.csv(body),
            Some(Format::Jsonl) => self.lines(body),
            None if !matches!(first, b'[' | b'{') => self.csv(body),
            _ if first == b'[' => self.array(body),
            _ => self.objects(body.trim_ascii()),
        }
    }

    fn csv(&self, body: &[u8]) -> Replied<Rows> {
        let magic = &body[..body.len().min(MAGIC)];
        // They can hold far more than the limit of a body.
        if tables::is_packed(magic) || tables::is_columnar(magic) {
            let reason = "packed and columnar tables are not read; send CSV as text";
            return Err(Refusal::new(400, reason));
        }
        // The format of the model's table, but with a header, which LIBSVM does not have.
        let mut options = self.options.clone();
        if options.indices.is_none() {
            options.header = Some(HeaderLine::Yes);
        }
        let records = Records::new(body, &options);
        let records = records.map_err(|error| Refusal::new(400, error.to_string()))?;
        let layout = self.columns.layout(records.header());
        let layout = layout.map_err(|fault| Refusal::new(422, fault.to_string()))?;
        let mut rows = Vec::new();
        for record in records {
            self.check(rows.len() + 1)?;
            match record {
                Err(error) if error.ends_the_table() => {
                    return Err(Refusal::new(400, error.to_string()));
                }
                record => rows.push(Row::new(record)),
            }
        }
        Ok(Rows {
            format: Format::CsvWithReasons,
            layout,
            rows,
        })
    }

    /// Parses one object, or one on each line.
    fn objects(&self, body: &[u8]) -> Replied<Rows> {
        match serde_json::from_slice(body) {
            Err(_) if body.starts_with(b"{") && body.contains(&b'\n') => self.lines(body),
            Err(error) => Err(Refusal::new(400, not_json(&error))),
            Ok(value) => Ok(self.rows(Format::JsonObject, vec![self.row(1, value)])),
        }
    }

    /// Parses an object on each line that is not blank.
    fn lines(&self, body: &[u8]) -> Replied<Rows> {
        let mut rows = Vec::new();
        for (line, text) in (1..).zip(body.split(|byte| *byte == b'\n')) {
            if text.trim_ascii().is_empty() {
                continue;
            }
            self.check(rows.len() + 1)?;
            rows.push(match serde_json::from_slice(text) {
                Ok(value) => self.row(line, value),
                Err(error) => Row::bad(line, not_json(&error)),
            });
        }
        Ok(self.rows(Format::Jsonl, rows))
    }

    /// Parses an array; its rows have the lines 1, 2, ….
    fn array(&self, body: &[u8]) -> Replied<Rows> {
        let values: Result<Vec<&RawValue>, _> = serde_json::from_slice(body);
        let values = values.map_err(|error| Refusal::new(400, not_json(&error)))?;
        self.check(values.len())?;
        let rows = (1..).zip(values).map(|(line, value)| self.row(line, value));
        Ok(self.rows(Format::JsonArray, rows.collect()))
    }

    fn rows(&self, format: Format, rows: Vec<Row>) -> Rows {
        let layout = self.columns.own_layout();
        Rows {
            format,
            layout,
            rows,
        }
    }

    fn check(&self, rows: usize) -> Replied<()> {
        if rows <= self.most {
            return Ok(());
        }
        let most = self.most;
        let reason = format!("more than {most} rows in a request; send them in several");
        Err(Refusal::new(413, reason))
    }

    fn row(&self, line: u64, value: &RawValue) -> Row {
        match self.cells(value.get()) {
            Ok(cells) => Row::new(Ok(Record { line, cells })),
            Err(reason) => Row::bad(line, reason),
        }
    }

    /// Returns the cells of an object, or the reason why it is not a row.
    fn cells(&self, object: &str) -> Result<StringRecord, String> {
        if !object.starts_with('{') {
            let kind = kind_of(object);
            return Err(format!(
                "expected an object by column name, but found {kind}"
            ));
        }
        let Members(members) = serde_json::from_str(object).map_err(|error| not_json(&error))?;
        let mut cells = vec![None; self.names.len()];
        for (column, value) in members {
            let short = tables::short(&column);
            let value = self.value(&short, value.get())?;
            let Some(place) = self.places.get(&column) else {
                return Err(match tables::find_column(&column, &self.names) {
                    Err(fault) => fault.to_string(),
                    // The number of a column is not its name.
                    Ok(_) => format!("no column `{short}`"),
                });
            };
            if cells[*place].replace(value).is_some() {
                return Err(format!("`{short}` is listed twice"));
            }
        }
        for place in &self.required {
            if !matches!(cells[*place], Some(Some(_))) {
                let column = tables::short(&self.names[*place]);
                return Err(format!("`{column}` has no value"));
            }
        }
        let mut record = StringRecord::new();
        for cell in cells {
            record.push_field(&cell.flatten().unwrap_or_default());
        }
        Ok(record)
    }

    /// Returns the cell that a value stands for, `None` for null. Numbers keep their spelling.
    fn value(&self, column: &str, text: &str) -> Result<Option<String>, String> {
        let cell = match text.as_bytes()[0] {
            b'n' => return Ok(None),
            b'[' | b'{' => {
                let kind = kind_of(text);
                return Err(format!(
                    "`{column}` is {kind}, which is not a cell of a table"
                ));
            }
            b'"' => {
                let text: String = serde_json::from_str(text).map_err(|error| not_json(&error))?;
                text.trim().to_owned()
            }
            b't' | b'f' => text.to_owned(),
            // As the model's table has it.
            _ if self.options.decimal == Some(Decimal::Comma) => text.replace('.', ","),
            _ => text.to_owned(),
        };
        if cell.len() > MAX_CELL {
            return Err(format!("`{column}` has more than {MAX_CELL} bytes"));
        }
        Ok(Some(cell))
    }
}

/// The members of an object in their order, values as they are written.
struct Members<'b>(Vec<(String, &'b RawValue)>);

impl<'b> Deserialize<'b> for Members<'b> {
    fn deserialize<D: Deserializer<'b>>(json: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'b> Visitor<'b> for Object {
            type Value = Members<'b>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object by column name")
            }

            fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<Members<'b>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        json.deserialize_map(Object)
    }
}

fn not_json(error: &serde_json::Error) -> String {
    format!("this is not JSON: {error}")
}

/// Names the kind of a value by how it begins.
fn kind_of(text: &str) -> &'static str {
    match text.as_bytes()[0] {
        b'[' => "an array",
        b'{' => "an object",
        b'"' => "a text",
        b't' | b'f' => "true or false",
        b'n' => "null",
        _ => "a number",
    }
}

/// Returns the format that a content type states, `None` if the first byte decides; 415 for other types, and for text
/// in another charset than UTF-8, of which ASCII is a part.
fn stated_format(content_type: &str) -> Replied<Option<Format>> {
    let unsupported = |reason| Refusal::new(415, reason);
    let mut parts = content_type.to_ascii_lowercase();
    parts.retain(|mark| !mark.is_ascii_whitespace() && mark != '"');
    let mut parts = parts.split(';');
    let stated = parts.next().unwrap_or_default();
    for charset in parts.filter_map(|part| part.strip_prefix("charset=")) {
        if !["utf-8", "utf8", "us-ascii"].contains(&charset) {
            let charset = tables::short(charset);
            return Err(unsupported(format!(
                "charset `{charset}` is not supported; send UTF-8"
            )));
        }
    }
    match stated {
        "text/csv" => Ok(Some(Format::CsvWithReasons)),
        "application/json" => Ok(Some(Format::JsonObject)),
        "application/jsonl" | "application/x-ndjson" => Ok(Some(Format::Jsonl)),
        "" | "application/x-www-form-urlencoded" | "text/plain" => Ok(None),
        other => {
            let other = tables::short(other);
            Err(unsupported(format!(
                "rows of type `{other}` are not supported; send application/json, application/jsonl or text/csv"
            )))
        }
    }
}
