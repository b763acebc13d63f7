//! Replies: predictions in the format of the request's rows.

use forest_model::{Format, PredictionWriter, Value, Written};

use crate::request::Form;

/// The text of a reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) form: Form,
    pub(crate) text: String,
    /// The number of rows, and of those that could not be used.
    pub(crate) rows: usize,
    pub(crate) bad: usize,
}

/// A reply that is being written.
pub(crate) struct Draft {
    form: Form,
    writer: PredictionWriter<Vec<u8>>,
    rows: usize,
    bad: usize,
}

impl Reply {
    /// Begins a reply with these columns; for a row that could not be used, the first is empty and a reason is given.
    pub(crate) fn begin(form: Form, columns: Vec<String>) -> Draft {
        let format = match form {
            Form::Csv => Format::CsvWithReasons,
            Form::Array => Format::JsonArray,
            Form::Object | Form::Lines => Format::JsonLines,
        };
        let writer = PredictionWriter::new(Vec::new(), format, columns);
        Draft {
            form,
            writer: writer.expect("memory takes every text"),
            rows: 0,
            bad: 0,
        }
    }

    /// Returns its approximate size in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.len()
    }

    /// Returns its content type.
    pub(crate) fn content_type(&self) -> &'static str {
        match self.form {
            Form::Csv => "text/csv",
            Form::Array | Form::Object => "application/json",
            Form::Lines => "application/jsonl",
        }
    }
}

impl Draft {
    /// Adds a row: a value for each column.
    pub(crate) fn add(&mut self, values: &[Value<'_>]) {
        self.write(Ok(values));
    }

    /// Adds the reason why the row on this line could not be used.
    pub(crate) fn refuse(&mut self, line: u64, reason: &str) {
        self.bad += 1;
        self.write(Err((line, reason)));
    }

    fn write(&mut self, row: Written<'_>) {
        self.rows += 1;
        let written = self.writer.add(row);
        written.expect("memory takes every text");
    }

    /// Ends the reply.
    pub(crate) fn end(self) -> Reply {
        let text = self.writer.finish().expect("memory takes every text");
        Reply {
            form: self.form,
            text: String::from_utf8(text).expect("texts are UTF-8"),
            rows: self.rows,
            bad: self.bad,
        }
    }
}
