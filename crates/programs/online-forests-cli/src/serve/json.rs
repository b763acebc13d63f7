//! Rows as JSON objects.

use std::fmt;

use csv::StringRecord;
use forest_model::Row;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use tables::{MAX_CELL, Record, TargetColumn};

use crate::serve::refusal::Refusal;
use crate::serve::request::{Form, RequestReader, Rows};

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

impl RequestReader {
    /// Parses one object, or one on each line.
    pub(super) fn objects(&self, body: &[u8]) -> Result<Rows, Refusal> {
        let body = body.trim_ascii();
        match serde_json::from_slice(body) {
            Err(_) if body.starts_with(b"{") && body.contains(&b'\n') => self.lines(body),
            Err(error) => Err(malformed(&error)),
            Ok(value) => Ok(self.rows(Form::Object, vec![self.row(1, value)])),
        }
    }

    /// Parses an object on each line that is not blank.
    pub(super) fn lines(&self, body: &[u8]) -> Result<Rows, Refusal> {
        let mut rows = Vec::new();
        let lines = body.split(|byte| *byte == b'\n').zip(1..);
        for (text, line) in lines.filter(|(text, _)| !text.trim_ascii().is_empty()) {
            self.check(rows.len() + 1)?;
            rows.push(match serde_json::from_slice(text) {
                Ok(value) => self.row(line, value),
                Err(error) => Row::refused(line, reason(&error)),
            });
        }
        Ok(self.rows(Form::Lines, rows))
    }

    /// Parses an array; its rows have the lines 1, 2, ….
    pub(super) fn array(&self, body: &[u8]) -> Result<Rows, Refusal> {
        let values: Vec<&RawValue> =
            serde_json::from_slice(body).map_err(|error| malformed(&error))?;
        self.check(values.len())?;
        let rows = (1..).zip(values).map(|(line, value)| self.row(line, value));
        Ok(self.rows(Form::Array, rows.collect()))
    }

    fn row(&self, line: u64, value: &RawValue) -> Row {
        match self.cells(value) {
            Ok(cells) => Row::new(Ok(Record { line, cells })),
            Err(reason) => Row::refused(line, reason),
        }
    }

    /// Returns the cells of an object, or the reason why it is not a row.
    fn cells(&self, object: &RawValue) -> Result<StringRecord, String> {
        let text = object.get();
        if !text.starts_with('{') {
            return Err(format!(
                "expected an object by column name, but found {}",
                name(text)
            ));
        }
        let Members(members) = serde_json::from_str(text).map_err(|error| reason(&error))?;
        let mut cells = vec![None; self.names.len()];
        for (column, value) in members {
            let value = self.value(&column, value.get())?;
            let place = self
                .places
                .get(&column)
                .ok_or_else(|| self.unknown(&column))?;
            if cells[*place].replace(value).is_some() {
                return Err(format!("`{}` is listed twice", tables::short(&column)));
            }
        }
        let is_missing = |place: &&usize| !matches!(cells[**place], Some(Some(_)));
        if let Some(missing) = self.required.iter().find(is_missing) {
            return Err(format!(
                "`{}` has no value",
                tables::short(&self.names[*missing])
            ));
        }
        Ok(cells
            .iter()
            .map(|cell| cell.as_ref().and_then(Option::as_deref).unwrap_or_default())
            .collect())
    }

    /// Returns the cell that a value stands for, `None` for null. Numbers keep their spelling.
    fn value(&self, column: &str, text: &str) -> Result<Option<String>, String> {
        let cell = match text.as_bytes()[0] {
            b'n' => return Ok(None),
            b'[' | b'{' => {
                let column = tables::short(column);
                return Err(format!(
                    "`{column}` is {}, which is not a cell of a table",
                    name(text)
                ));
            }
            b'"' => serde_json::from_str::<String>(text)
                .map_err(|error| reason(&error))?
                .trim()
                .to_owned(),
            b't' | b'f' => text.to_owned(),
            _ => self.number(text.to_owned()),
        };
        if cell.len() > MAX_CELL {
            return Err(format!(
                "`{}` has more than {MAX_CELL} bytes",
                tables::short(column)
            ));
        }
        Ok(Some(cell))
    }

    fn unknown(&self, column: &str) -> String {
        match TargetColumn::Named(column.to_owned()).find(&self.names) {
            Err(fault) => fault.to_string(),
            Ok(_) => format!("no column `{}`", tables::short(column)),
        }
    }
}

fn malformed(error: &serde_json::Error) -> Refusal {
    Refusal::bad_request(reason(error))
}

fn reason(error: &serde_json::Error) -> String {
    format!("this is not JSON: {error}")
}

/// Names the kind of a value by how it begins.
fn name(text: &str) -> &'static str {
    match text.as_bytes()[0] {
        b'[' => "an array",
        b'{' => "an object",
        b'"' => "a text",
        b't' | b'f' => "true or false",
        b'n' => "null",
        _ => "a number",
    }
}
