//! Replies in the format of the request's rows.
//!
//! A reply is collected first and written afterwards: writing takes long, and does not need the model.

use forest_model::Prediction;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::request::Form;

/// One field of the reply to a row.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(crate) enum Field {
    /// A predicted class.
    Class(String),
    /// A predicted number.
    Number(f64),
    /// The id of a learned row.
    Id(u64),
}

/// The result for one row.
#[derive(Clone, Debug, Deserialize, Serialize)]
enum Entry {
    /// The first columns, and probabilities or bounds in the others.
    Known(Vec<Field>, Vec<f64>),
    /// The line of a row that could not be used, and the reason.
    Refused(u64, String),
}

/// The results for the rows of a request.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Reply {
    form: Form,
    columns: Vec<String>,
    entries: Vec<Entry>,
    bad: usize,
}

impl Reply {
    /// Creates a reply with these columns; for a row that could not be used, the first is empty and a reason is given.
    pub(crate) fn new(form: Form, columns: Vec<String>) -> Self {
        let (entries, bad) = (Vec::new(), 0);
        Self {
            form,
            columns,
            entries,
            bad,
        }
    }

    /// Adds a row: one field or number for each column.
    pub(crate) fn add(&mut self, fields: Vec<Field>, numbers: Vec<f64>) {
        self.entries.push(Entry::Known(fields, numbers));
    }

    /// Adds the reason why the row on this line could not be used.
    pub(crate) fn refuse(&mut self, line: u64, reason: &str) {
        self.bad += 1;
        self.entries.push(Entry::Refused(line, reason.to_owned()));
    }

    /// Returns the number of rows that could not be used.
    pub(crate) fn bad(&self) -> usize {
        self.bad
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.entries.len()
    }

    /// Returns its approximate size in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.iter().map(Entry::bytes).sum()
    }

    /// Returns its content type and its text.
    pub(crate) fn write(&self) -> (&'static str, Vec<u8>) {
        match self.form {
            Form::Csv => ("text/csv", self.csv()),
            Form::Array => ("application/json", self.json(b"[", b",\n", b"]\n")),
            Form::Object => ("application/json", self.json(b"", b"\n", b"\n")),
            Form::Lines => ("application/jsonl", self.json(b"", b"\n", b"\n")),
        }
    }

    fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = self.columns.iter().map(String::as_str).chain(["reason"]);
        let mut written = writer.write_record(header);
        for entry in &self.entries {
            written = written.and_then(|()| entry.record(self.columns.len(), &mut writer));
        }
        written.expect("memory takes every record");
        writer.into_inner().expect("memory takes every record")
    }

    fn json(&self, start: &[u8], between: &[u8], end: &[u8]) -> Vec<u8> {
        let mut text = start.to_vec();
        for (row, entry) in self.entries.iter().enumerate() {
            if row > 0 {
                text.extend(between);
            }
            let mut json = serde_json::Serializer::new(&mut text);
            let written = entry.object(&self.columns, &mut json);
            written.expect("plain data can be written");
        }
        text.extend(end);
        text
    }
}

impl Entry {
    fn bytes(&self) -> usize {
        let own = size_of::<Self>();
        own + match self {
            Self::Known(fields, numbers) => {
                fields.iter().map(Field::bytes).sum::<usize>() + size_of_val(&numbers[..])
            }
            Self::Refused(_, reason) => reason.len(),
        }
    }

    /// The last cell is the reason.
    fn record(&self, columns: usize, csv: &mut csv::Writer<Vec<u8>>) -> csv::Result<()> {
        match self {
            Self::Known(fields, numbers) => {
                for field in fields {
                    csv.write_field(field.text())?;
                }
                for number in numbers {
                    csv.write_field(number.to_string())?;
                }
                csv.write_field("")?;
            }
            Self::Refused(_, reason) => {
                (0..columns).try_for_each(|_| csv.write_field(""))?;
                csv.write_field(reason)?;
            }
        }
        csv.write_record(None::<&[u8]>)
    }

    fn object<S: Serializer>(&self, columns: &[String], json: S) -> Result<S::Ok, S::Error> {
        let mut object = json.serialize_map(None)?;
        match self {
            Self::Known(fields, numbers) => {
                let (first, others) = columns.split_at(fields.len());
                for (column, field) in first.iter().zip(fields) {
                    field.entry(column, &mut object)?;
                }
                for (column, number) in others.iter().zip(numbers) {
                    object.serialize_entry(column, number)?;
                }
            }
            Self::Refused(line, reason) => {
                object.serialize_entry(&columns[0], &())?;
                object.serialize_entry("line", line)?;
                object.serialize_entry("reason", reason)?;
            }
        }
        object.end()
    }
}

impl Field {
    fn bytes(&self) -> usize {
        let own = size_of::<Self>();
        match self {
            Self::Class(name) => own + name.len(),
            Self::Number(_) | Self::Id(_) => own,
        }
    }

    /// Adds it to an object.
    fn entry<O: SerializeMap>(&self, column: &str, object: &mut O) -> Result<(), O::Error> {
        match self {
            Self::Class(name) => object.serialize_entry(column, name),
            Self::Number(number) => object.serialize_entry(column, number),
            Self::Id(id) => object.serialize_entry(column, id),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Class(name) => name.clone(),
            Self::Number(number) => number.to_string(),
            Self::Id(id) => id.to_string(),
        }
    }
}

impl From<Prediction<'_>> for Field {
    fn from(prediction: Prediction<'_>) -> Self {
        match prediction {
            Prediction::Class(name) => Self::Class(name.to_owned()),
            Prediction::Number(number) => Self::Number(number),
        }
    }
}
