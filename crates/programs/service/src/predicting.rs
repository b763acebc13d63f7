//! Predictions and explanations of the rows of a request.

use forest_model::{Asked, Model, Predictor, ReadRow, RowPrediction, TableTask, Value, explained};

use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::request::{Form, Rows};

/// The size of a reply to a row, without the name of a class: an id, an interval, or the reason why the row was refused.
const ROW_BYTES: usize = 128;

/// The size of a probability: as a number and again as text, of up to 24 digits and marks.
const NUMBER_BYTES: usize = 40;

/// The size of `"p()":` around the name of a class.
const MARKS: usize = 6;

/// Predicts rows.
///
/// # Errors
/// Returns an error if the model does not support what is requested.
pub(crate) fn predict<T: TableTask>(
    model: &Model<T>,
    rows: &Rows,
    asked: Asked,
) -> Result<Reply, Refusal> {
    let predictor = Predictor::new(model, asked)?;
    let mut reply = Reply::begin(rows.form, predictor.columns());
    let known = predictor.predict(&rows.layout, &rows.rows, &mut 0)?;
    for (row, prediction) in rows.rows.iter().zip(known) {
        match prediction {
            RowPrediction::Known(prediction, numbers) => {
                let numbers = numbers.into_iter().map(Value::Number);
                let values: Vec<_> = [prediction.into()].into_iter().chain(numbers).collect();
                reply.add(&values);
            }
            RowPrediction::Missing | RowPrediction::Bad(_) => {
                reply.refuse(row.line(), prediction.reason().unwrap_or_default());
            }
        }
    }
    Ok(reply.end())
}

/// Returns the most bytes that a reply to these rows takes, approximately, while it is made and sent.
pub(crate) fn reply_bytes<T: TableTask>(model: &Model<T>, rows: &Rows, proba: bool) -> u64 {
    let names = model.pipeline().class_names().names();
    let longest = names.iter().map(String::len).max().unwrap_or(0);
    let (mut once, mut row) = (0, ROW_BYTES + longest);
    if proba {
        let columns: usize = names.iter().map(|name| name.len() + MARKS).sum();
        row += names.len() * NUMBER_BYTES;
        match rows.form {
            // The header alone holds the names of columns.
            Form::Csv => once += columns,
            Form::Array | Form::Lines | Form::Object => row += columns,
        }
    }
    (once + row * rows.len()) as u64
}

/// Returns the prediction for one row, and its path through a tree, as JSON.
///
/// # Errors
/// Returns an error for more or fewer rows, a row that cannot be read, or a tree that does not exist.
pub(crate) fn explain<T: TableTask>(
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
