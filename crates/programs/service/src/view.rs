//! The model as requests see it, whatever its task.

use forest_model::{
    Asked, Model, Predictor, ReadRow, RowPrediction, Summary, TableTask, explained,
};
use online_forests::{Classification, Regression};
use serving::Reader;

use crate::args::Args;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::request::{Form, RequestReader, Rows};

/// The size of a reply to a row, without the name of a class: an id, an interval, or the reason why the row was refused.
const ROW_BYTES: usize = 128;

/// The size of a probability: as a number and again as text, of up to 24 digits and marks.
const NUMBER_BYTES: usize = 40;

/// The size of `"p()":` around the name of a class.
const MARKS: usize = 6;

/// A model of either task, read only.
pub(crate) enum View {
    /// It predicts classes.
    Classification(Reader<Model<Classification>>),
    /// It predicts numbers.
    Regression(Reader<Model<Regression>>),
}

/// Runs an expression with the current model, whatever its task.
macro_rules! of_model {
    ($view:expr, $model:ident => $made:expr) => {
        match $view {
            View::Classification(reader) => {
                let $model = &*reader.model();
                $made
            }
            View::Regression(reader) => {
                let $model = &*reader.model();
                $made
            }
        }
    };
}

impl View {
    /// Predicts rows.
    ///
    /// # Errors
    /// Returns an error if the model does not support what is requested.
    pub(crate) fn predict(&self, rows: &Rows, asked: Asked) -> Result<Reply, Refusal> {
        of_model!(self, model => predict(model, rows, asked))
    }

    /// Returns the most bytes that a reply to these rows takes, approximately, while it is made and sent.
    pub(crate) fn reply_bytes(&self, rows: &Rows, proba: bool) -> u64 {
        of_model!(self, model => reply_bytes(model.pipeline().class_names().names(), rows, proba))
    }

    /// Returns the prediction for one row, and its path through a tree, as JSON.
    ///
    /// # Errors
    /// Returns an error for more or fewer rows, a row that cannot be read, or a tree that does not exist.
    pub(crate) fn explain(&self, rows: &Rows, tree: usize) -> Result<String, Refusal> {
        of_model!(self, model => explain(model, rows, tree))
    }

    /// Returns the figures of the model as JSON. Takes a pass over every tree.
    pub(crate) fn summary(&self) -> String {
        of_model!(self, model => Summary::of(model).to_json())
    }

    /// Returns the parser of bodies with rows of this model.
    pub(crate) fn requests(&self, args: &Args) -> RequestReader {
        let most = args.limits.max_rows.get();
        of_model!(self, model => {
            let requests = RequestReader::new(model.columns(), model.settings(), most);
            if args.fixed_classes { requests.with_fixed_classes(model.pipeline().class_names().clone()) } else { requests }
        })
    }
}

fn predict<T: TableTask>(model: &Model<T>, rows: &Rows, asked: Asked) -> Result<Reply, Refusal> {
    let predictor = Predictor::new(model, asked)?;
    let mut reply = Reply::new(rows.form, predictor.columns());
    let known = predictor.predict(&rows.layout, &rows.rows, &mut 0)?;
    for (row, prediction) in rows.rows.iter().zip(known) {
        match prediction {
            RowPrediction::Known(prediction, numbers) => {
                reply.add(vec![prediction.into()], numbers);
            }
            RowPrediction::Missing | RowPrediction::Bad(_) => {
                reply.refuse(row.line(), prediction.reason().unwrap_or_default());
            }
        }
    }
    Ok(reply)
}

fn reply_bytes(names: &[String], rows: &Rows, proba: bool) -> u64 {
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

fn explain<T: TableTask>(model: &Model<T>, rows: &Rows, tree: usize) -> Result<String, Refusal> {
    let [row] = &rows.rows[..] else {
        return Err(Refusal::unprocessable("one row can be explained at a time"));
    };
    let row = ReadRow::new(model, &rows.layout, row).map_err(Refusal::unprocessable)?;
    let explained = explained(model, &row, tree)?;
    Ok(serde_json::to_string_pretty(&explained).expect("plain data can be written"))
}
