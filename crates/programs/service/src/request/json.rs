//! Rows as JSON objects.

use csv::StringRecord;
use forest_model::Row;
use struson::reader::{JsonReader, JsonStreamReader, ReaderError, ReaderSettings, ValueType};
use tables::{MAX_CELL, Record, TargetColumn};

use crate::refusal::Refusal;
use crate::request::{Form, RequestReader, Rows};

/// The depth up to which values of unknown columns are skipped.
const DEPTH: u32 = 32;

type Json<'b> = JsonStreamReader<&'b [u8]>;

/// The cells of a row, or the reason why it is not one.
type Cells = Result<StringRecord, String>;

impl RequestReader {
    /// Parses one object, or one on each line.
    pub(super) fn objects(&self, body: &[u8]) -> Result<Rows, Refusal> {
        let body = body.trim_ascii_end();
        let has_lines = body.trim_ascii_start().starts_with(b"{") && body.contains(&b'\n');
        match self.whole(body) {
            Err(_) if has_lines => self.lines(body),
            Err(error) => Err(malformed(&error)),
            Ok(cells) => Ok(self.rows(Form::Object, vec![row(1, cells)])),
        }
    }

    /// Parses an object on each line that is not blank.
    pub(super) fn lines(&self, body: &[u8]) -> Result<Rows, Refusal> {
        let mut rows = Vec::new();
        let lines = body.split(|byte| *byte == b'\n').zip(1..);
        for (text, line) in lines.filter(|(text, _)| !text.trim_ascii().is_empty()) {
            self.check(rows.len() + 1)?;
            let cells = self.whole(text).unwrap_or_else(|error| Err(reason(&error)));
            rows.push(row(line, cells));
        }
        Ok(self.rows(Form::Lines, rows))
    }

    /// Parses an array; its rows have the lines 1, 2, ….
    pub(super) fn array(&self, body: &[u8]) -> Result<Rows, Refusal> {
        let mut json = json(body);
        let mut rows = Vec::new();
        json.begin_array().map_err(|error| malformed(&error))?;
        while json.has_next().map_err(|error| malformed(&error))? {
            self.check(rows.len() + 1)?;
            let cells = self.cells(&mut json).map_err(|error| malformed(&error))?;
            rows.push(row(rows.len() as u64 + 1, cells));
        }
        json.end_array().map_err(|error| malformed(&error))?;
        let end = json.consume_trailing_whitespace();
        end.map_err(|error| malformed(&error))?;
        Ok(self.rows(Form::Array, rows))
    }

    /// Parses a text that is one object.
    fn whole(&self, text: &[u8]) -> Result<Cells, ReaderError> {
        let mut json = json(text);
        let cells = self.cells(&mut json)?;
        json.consume_trailing_whitespace()?;
        Ok(cells)
    }

    /// Parses the next object.
    fn cells(&self, json: &mut Json<'_>) -> Result<Cells, ReaderError> {
        let kind = json.peek()?;
        if kind != ValueType::Object {
            json.skip_value()?;
            return Ok(Err(format!(
                "expected an object by column name, but found {}",
                name(kind)
            )));
        }
        let (mut cells, mut fault) = (vec![None; self.names.len()], None);
        json.begin_object()?;
        while json.has_next()? {
            let column = json.next_name_owned()?;
            let value = self.value(&column, json)?;
            if let Err(reason) = value.and_then(|value| self.place(&column, value, &mut cells)) {
                fault.get_or_insert(reason);
            }
        }
        json.end_object()?;
        Ok(fault.map_or_else(|| self.record(&cells), Err))
    }

    /// Returns the cell that a value stands for; an empty one for null.
    fn value(
        &self,
        column: &str,
        json: &mut Json<'_>,
    ) -> Result<Result<Option<String>, String>, ReaderError> {
        let text = match json.peek()? {
            ValueType::String => json.next_string()?.trim().to_owned(),
            ValueType::Number => self.number(json.next_number_as_string()?),
            ValueType::Boolean => json.next_bool()?.to_string(),
            ValueType::Null => return json.next_null().map(|()| Ok(None)),
            kind @ (ValueType::Array | ValueType::Object) => {
                json.skip_value()?;
                let column = tables::short(column);
                return Ok(Err(format!(
                    "`{column}` is {}, which is not a cell of a table",
                    name(kind)
                )));
            }
        };
        Ok(if text.len() > MAX_CELL {
            Err(format!(
                "`{}` has more than {MAX_CELL} bytes",
                tables::short(column)
            ))
        } else {
            Ok(Some(text))
        })
    }

    fn place(
        &self,
        column: &str,
        value: Option<String>,
        cells: &mut [Option<Option<String>>],
    ) -> Result<(), String> {
        let place = self
            .places
            .get(column)
            .ok_or_else(|| self.unknown(column))?;
        match cells[*place].replace(value) {
            Some(_) => Err(format!("`{}` is listed twice", tables::short(column))),
            None => Ok(()),
        }
    }

    fn unknown(&self, column: &str) -> String {
        let found = TargetColumn::Named(column.to_owned()).find(&self.names);
        found.map_or_else(
            |fault| fault.to_string(),
            |_| format!("no column `{}`", tables::short(column)),
        )
    }

    fn record(&self, cells: &[Option<Option<String>>]) -> Cells {
        let is_missing = |place: &&usize| !matches!(cells[**place], Some(Some(_)));
        if let Some(missing) = self.required.iter().find(is_missing) {
            return Err(format!(
                "`{}` has no value",
                tables::short(&self.names[*missing])
            ));
        }
        let texts = cells.iter().map(|cell| match cell {
            Some(Some(text)) => text.as_str(),
            _ => "",
        });
        Ok(texts.collect())
    }
}

fn json(text: &[u8]) -> Json<'_> {
    let settings = ReaderSettings {
        max_nesting_depth: Some(DEPTH),
        track_path: false,
        // A number is read as a number of 64 bits, whatever its exponent.
        restrict_number_values: false,
        ..ReaderSettings::default()
    };
    JsonStreamReader::new_custom(text, settings)
}

fn row(line: u64, cells: Cells) -> Row {
    match cells {
        Ok(cells) => Row::new(Ok(Record { line, cells })),
        Err(reason) => Row::refused(line, reason),
    }
}

fn malformed(error: &ReaderError) -> Refusal {
    Refusal::bad_request(reason(error))
}

fn reason(error: &ReaderError) -> String {
    match error {
        ReaderError::SyntaxError(error) => {
            let place = error.location.data_pos.unwrap_or_default();
            format!("this is not JSON: {:?} after {place} bytes", error.kind)
        }
        other => format!("this is not JSON in the format of rows: {other}"),
    }
}

fn name(kind: ValueType) -> &'static str {
    match kind {
        ValueType::Array => "an array",
        ValueType::Object => "an object",
        ValueType::String => "a text",
        ValueType::Number => "a number",
        ValueType::Boolean => "true or false",
        ValueType::Null => "null",
    }
}
