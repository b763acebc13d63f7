//! Predictions as text: what `predict` writes, and what the service replies.

use std::io::{self, Write};

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer as _};

use crate::table_task::Prediction;

/// How predictions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A header, and a line for each row. A row without a prediction is empty.
    Csv,
    /// As CSV, with a last column that has the reason why a row has no prediction.
    CsvWithReasons,
    /// An object on each line. A row without a prediction has its line and the reason.
    JsonLines,
    /// An array of the same objects.
    JsonArray,
}

/// A value of a row of predictions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value<'a> {
    /// The name of a class.
    Class(&'a str),
    /// A number.
    Number(f64),
    /// The id of a row.
    Id(u64),
}

impl<'a> From<Prediction<'a>> for Value<'a> {
    fn from(prediction: Prediction<'a>) -> Self {
        match prediction {
            Prediction::Class(name) => Self::Class(name),
            Prediction::Number(number) => Self::Number(number),
        }
    }
}

/// The values for a row, one for each column; or the line of the row, and why there are none.
pub type Written<'a> = Result<&'a [Value<'a>], (u64, &'a str)>;

/// Writes predictions of rows, one after another.
pub struct PredictionWriter<W: Write> {
    columns: Vec<String>,
    format: Format,
    rows: usize,
    sink: Sink<W>,
}

enum Sink<W: Write> {
    Csv(Box<csv::Writer<W>>),
    Json(W),
}

impl<W: Write> PredictionWriter<W> {
    /// Begins a text of these columns.
    ///
    /// # Errors
    /// Returns an error if the beginning cannot be written.
    pub fn new(mut sink: W, format: Format, columns: Vec<String>) -> io::Result<Self> {
        let sink = match format {
            Format::Csv | Format::CsvWithReasons => {
                let mut csv = csv::Writer::from_writer(sink);
                let reason = (format == Format::CsvWithReasons).then_some("reason");
                let header = columns.iter().map(String::as_str).chain(reason);
                csv.write_record(header).map_err(csv_error)?;
                Sink::Csv(Box::new(csv))
            }
            Format::JsonLines => Sink::Json(sink),
            Format::JsonArray => {
                sink.write_all(b"[")?;
                Sink::Json(sink)
            }
        };
        Ok(Self {
            columns,
            format,
            rows: 0,
            sink,
        })
    }

    /// Writes the values for a row.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn add(&mut self, row: Written<'_>) -> io::Result<()> {
        self.rows += 1;
        match &mut self.sink {
            Sink::Csv(csv) => {
                let has_reasons = self.format == Format::CsvWithReasons;
                write_csv(csv, self.columns.len(), has_reasons, row).map_err(csv_error)
            }
            Sink::Json(sink) => {
                let is_array = self.format == Format::JsonArray;
                if is_array && self.rows > 1 {
                    sink.write_all(b",\n")?;
                }
                write_json(sink, &self.columns, row)?;
                if is_array {
                    Ok(())
                } else {
                    sink.write_all(b"\n")
                }
            }
        }
    }

    /// Hands on what was written so far.
    ///
    /// # Errors
    /// Returns an error if that fails.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Csv(csv) => csv.flush(),
            Sink::Json(sink) => sink.flush(),
        }
    }

    /// Writes the end; returns where all was written.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.sink {
            Sink::Csv(csv) => csv.into_inner().map_err(|error| error.into_error()),
            Sink::Json(mut sink) => {
                if self.format == Format::JsonArray {
                    sink.write_all(b"]\n")?;
                }
                Ok(sink)
            }
        }
    }
}

fn write_csv<W: Write>(
    csv: &mut csv::Writer<W>,
    columns: usize,
    has_reasons: bool,
    row: Written<'_>,
) -> csv::Result<()> {
    match row {
        Ok(values) => {
            for value in values {
                match value {
                    Value::Class(name) => csv.write_field(name)?,
                    Value::Number(number) => csv.write_field(number.to_string())?,
                    Value::Id(id) => csv.write_field(id.to_string())?,
                }
            }
        }
        Err(_) => (0..columns).try_for_each(|_| csv.write_field(""))?,
    }
    if has_reasons {
        csv.write_field(row.err().map_or("", |(_, reason)| reason))?;
    }
    csv.write_record(None::<&[u8]>)
}

fn write_json(sink: &mut impl Write, columns: &[String], row: Written<'_>) -> io::Result<()> {
    let mut json = serde_json::Serializer::new(sink);
    let mut object = json.serialize_map(None)?;
    match row {
        Ok(values) => {
            for (column, value) in columns.iter().zip(values) {
                object.serialize_entry(column, value)?;
            }
        }
        Err((line, reason)) => {
            object.serialize_entry(&columns[0], &())?;
            object.serialize_entry("line", &line)?;
            object.serialize_entry("reason", reason)?;
        }
    }
    Ok(object.end()?)
}

/// Returns the system's error behind an error of the CSV writer.
fn csv_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    }
}
