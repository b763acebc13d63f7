//! Replies: predictions and explanations of rows, in the format of the request.

use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use forest_model::{
    Asked, Format, Model, PredictionWriter, Predictor, ReadRow, RowPrediction, TableTask, Value,
    Written, explained,
};
use indicatif::BinaryBytes;

use crate::serve::args::Limits;
use crate::serve::refusal::Refusal;
use crate::serve::request::{Form, Rows};

/// The header that counts rows without a prediction, so that a client need not read the whole reply to notice them.
const BAD_ROWS: &str = "x-bad-rows";

/// The text of a reply.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    form: Form,
    text: Vec<u8>,
    /// The number of rows, and of those that could not be used.
    pub(super) rows: usize,
    pub(super) bad: usize,
}

/// A reply that is being written.
pub(super) struct Draft {
    form: Form,
    writer: PredictionWriter<Vec<u8>>,
    rows: usize,
    bad: usize,
}

impl Draft {
    /// Begins a reply with these columns; for a row that could not be used, the first is empty and a reason is given.
    pub(super) fn new(form: Form, columns: Vec<String>) -> Self {
        let format = match form {
            Form::Csv => Format::CsvWithReasons,
            Form::Array => Format::JsonArray,
            Form::Object | Form::Lines => Format::JsonLines,
        };
        let writer = PredictionWriter::new(Vec::new(), format, columns);
        Self {
            form,
            writer: writer.expect("memory takes every text"),
            rows: 0,
            bad: 0,
        }
    }

    /// Adds a row: a value for each column, or its line and the reason why it could not be used.
    pub(super) fn add(&mut self, row: Written<'_>) {
        self.rows += 1;
        self.bad += usize::from(row.is_err());
        self.writer.add(row).expect("memory takes every text");
    }

    /// Ends the reply.
    pub(super) fn end(self) -> Reply {
        Reply {
            form: self.form,
            text: self.writer.finish().expect("memory takes every text"),
            rows: self.rows,
            bad: self.bad,
        }
    }
}

/// 200; 422 if no row could be used.
impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let status = if self.bad > 0 && self.bad == self.rows {
            StatusCode::UNPROCESSABLE_ENTITY
        } else {
            StatusCode::OK
        };
        let kind = match self.form {
            Form::Csv => "text/csv",
            Form::Array | Form::Object => "application/json",
            Form::Lines => "application/jsonl",
        };
        let headers = [
            (header::CONTENT_TYPE, kind.to_owned()),
            (HeaderName::from_static(BAD_ROWS), self.bad.to_string()),
        ];
        (status, headers, self.text).into_response()
    }
}

/// Predicts rows.
///
/// # Errors
/// Returns an error if the model does not support what is requested.
pub(super) fn predict<T: TableTask>(
    model: &Model<T>,
    rows: &Rows,
    asked: Asked,
) -> Result<Reply, Refusal> {
    let predictor = Predictor::new(model, asked)?;
    let mut reply = Draft::new(rows.form, predictor.columns());
    let known = predictor.predict(&rows.layout, &rows.rows, &mut 0)?;
    for (row, prediction) in rows.rows.iter().zip(known) {
        match prediction {
            RowPrediction::Known(prediction, numbers) => {
                let numbers = numbers.into_iter().map(Value::Number);
                let values: Vec<_> = [prediction.into()].into_iter().chain(numbers).collect();
                reply.add(Ok(&values));
            }
            RowPrediction::Missing | RowPrediction::Bad(_) => {
                reply.add(Err((row.line(), prediction.reason().unwrap_or_default())));
            }
        }
    }
    Ok(reply.end())
}

/// The size of a reply to a row, without the name of a class: an id, an interval, or the reason why the row was refused.
const ROW_BYTES: usize = 128;

/// The size of a probability: as a number and again as text, of up to 24 digits and marks.
const NUMBER_BYTES: usize = 40;

/// The size of `"p()":` around the name of a class.
const MARKS: usize = 6;

/// Returns the most bytes that a reply to these rows takes, approximately, while it is made and sent.
///
/// # Errors
/// Returns 413 if they exceed the limit.
pub(super) fn check_size<T: TableTask>(
    model: &Model<T>,
    rows: &Rows,
    proba: bool,
    limits: &Limits,
) -> Result<usize, Refusal> {
    let names = model.pipeline().class_names().names();
    let mut row = ROW_BYTES + names.iter().map(String::len).max().unwrap_or(0);
    let mut bytes = 0;
    if proba {
        let columns: usize = names.iter().map(|name| name.len() + MARKS).sum();
        row += names.len() * NUMBER_BYTES;
        match rows.form {
            // The header alone holds the names of columns.
            Form::Csv => bytes += columns,
            Form::Array | Form::Lines | Form::Object => row += columns,
        }
    }
    bytes += row * rows.len();
    if bytes as u64 > limits.max_reply {
        let [bytes, most] = [bytes as u64, limits.max_reply].map(BinaryBytes);
        return Err(Refusal::too_large(format!(
            "the predictions could take {bytes}, more than --max-reply allows ({most}); send the rows in several requests"
        )));
    }
    Ok(bytes)
}

/// Returns the prediction for one row, and its path through a tree, as JSON.
///
/// # Errors
/// Returns an error for more or fewer rows, a row that cannot be read, or a tree that does not exist.
pub(super) fn explain<T: TableTask>(
    model: &Model<T>,
    rows: &Rows,
    tree: usize,
) -> Result<String, Refusal> {
    let [row] = &rows.rows[..] else {
        return Err(Refusal::unprocessable("one row can be explained at a time"));
    };
    let row = ReadRow::new(model, &rows.layout, row).map_err(Refusal::unprocessable)?;
    let explained = explained(model, &row, tree)?;
    Ok(serde_json::to_string_pretty(&explained).expect("plain data can be written"))
}
