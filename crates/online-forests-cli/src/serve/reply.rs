//! Answers in the form in which the rows came.

use serde::Serializer as _;
use serde::ser::SerializeMap as _;

use super::request::Form;
use crate::prediction::Prediction;

/// One field of the answer to a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field<'m> {
    /// What is predicted.
    Prediction(Prediction<'m>),
    /// A probability, or a bound.
    Number(f64),
    /// The number by which a learned row is known.
    Id(u64),
}

/// The body of an answer while it is written.
#[derive(Debug)]
pub struct Reply {
    form: Form,
    columns: Vec<String>,
    body: Vec<u8>,
    rows: usize,
    bad: usize,
}

impl Reply {
    /// With these columns; the first is empty, and a reason is given, where a row has no answer.
    pub fn new(form: Form, columns: Vec<String>) -> Self {
        let mut reply = Self {
            form,
            columns,
            body: Vec::new(),
            rows: 0,
            bad: 0,
        };
        match form {
            Form::Csv => {
                let mut names = reply.columns.clone();
                names.push("reason".to_owned());
                reply.csv(&names);
            }
            Form::Array => reply.body.push(b'['),
            Form::Object | Form::Lines => {}
        }
        reply
    }

    /// The answer to a row: one field for each column.
    pub fn answer(&mut self, fields: &[Field<'_>]) {
        self.rows += 1;
        if self.form == Form::Csv {
            let cells = fields.iter().map(Field::text);
            let cells: Vec<String> = cells.chain([String::new()]).collect();
            return self.csv(&cells);
        }
        self.object(|columns, object| {
            let pairs = columns.iter().zip(fields);
            pairs
                .into_iter()
                .try_for_each(|(column, field)| match field {
                    Field::Prediction(prediction) => object.serialize_entry(column, prediction),
                    Field::Number(number) => object.serialize_entry(column, number),
                    Field::Id(id) => object.serialize_entry(column, id),
                })
        });
    }

    /// Why the row on this line has no answer.
    pub fn refuse(&mut self, line: u64, reason: &str) {
        self.rows += 1;
        self.bad += 1;
        if self.form == Form::Csv {
            let mut cells = vec![""; self.columns.len()];
            cells.push(reason);
            return self.csv(&cells);
        }
        self.object(|columns, object| {
            object.serialize_entry(&columns[0], &())?;
            object.serialize_entry("line", &line)?;
            object.serialize_entry("reason", reason)
        });
    }

    /// Rows without an answer.
    pub fn bad(&self) -> usize {
        self.bad
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Its type and its bytes.
    pub fn finish(mut self) -> (&'static str, Vec<u8>) {
        let kind = match self.form {
            Form::Object | Form::Array => "application/json",
            Form::Lines => "application/jsonl",
            Form::Csv => "text/csv",
        };
        if self.form == Form::Array {
            self.body.extend(b"]\n");
        }
        (kind, self.body)
    }

    fn csv<C: AsRef<[u8]>>(&mut self, cells: &[C]) {
        let mut writer = csv::Writer::from_writer(&mut self.body);
        let written = writer
            .write_record(cells)
            .and_then(|()| Ok(writer.flush()?));
        written.expect("memory takes every record");
    }

    fn object(&mut self, fill: impl FnOnce(&[String], &mut Object<'_>) -> serde_json::Result<()>) {
        if self.form == Form::Array && self.rows > 1 {
            self.body.extend(b",\n");
        }
        let mut json = serde_json::Serializer::new(&mut self.body);
        let written = json.serialize_map(None).and_then(|mut object| {
            fill(&self.columns, &mut object)?;
            object.end()
        });
        written.expect("plain data can be written");
        if self.form != Form::Array {
            self.body.push(b'\n');
        }
    }
}

type Object<'b> = serde_json::ser::Compound<'b, &'b mut Vec<u8>, serde_json::ser::CompactFormatter>;

impl Field<'_> {
    fn text(&self) -> String {
        match self {
            Self::Prediction(Prediction::Class(name)) => (*name).to_owned(),
            Self::Prediction(Prediction::Number(number)) | Self::Number(number) => {
                number.to_string()
            }
            Self::Id(id) => id.to_string(),
        }
    }
}
