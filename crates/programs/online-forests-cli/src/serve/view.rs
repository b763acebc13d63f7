//! What a request asks of the model, whatever its task.

use serving::Reader;

use super::prequential::Judged;
use super::reply::Reply;
use super::request::{Form, RequestReader, Rows};
use super::{Args, Refusal};
use crate::inspect::{Summary, explained};
use crate::model::Model;
use crate::predict::answers::{Answers, Asked};
use crate::prediction::Answer;

/// Bytes of a reply to a row, without the name of a class: an id, an interval, or the reason why the row was refused.
const ROW_BYTES: usize = 128;

/// Bytes of a probability: twice as a number, and up to 24 digits and marks.
const NUMBER_BYTES: usize = 40;

/// `"p()":` around the name of a class.
const MARKS: usize = 6;

/// A model of either task, read only.
pub trait View: Send + Sync {
    /// Answers rows.
    ///
    /// # Errors
    /// What the model cannot tell of any row.
    fn predict(&self, rows: &Rows, asked: Asked) -> Result<Reply, Refusal>;

    /// Bytes that a reply to these rows takes, at most about, while it is made and sent.
    fn reply_bytes(&self, rows: &Rows, proba: bool) -> u64;

    /// The answer to one row, and its path through a tree, as JSON.
    ///
    /// # Errors
    /// More or fewer rows, a row that cannot be read, or a tree that is not there.
    fn explain(&self, rows: &Rows, tree: usize) -> Result<String, Refusal>;

    /// The model in figures, as JSON. Costs a pass over every tree.
    fn summary(&self) -> String;
}

impl<T: Judged> View for Reader<Model<T>> {
    fn predict(&self, rows: &Rows, asked: Asked) -> Result<Reply, Refusal> {
        let model = self.model();
        let answers = Answers::new(&model, asked)?;
        let mut reply = Reply::new(rows.form, answers.columns());
        let known = answers.of(&rows.layout, &rows.rows, &mut 0)?;
        for (row, answer) in rows.rows.iter().zip(known) {
            match answer {
                Answer::Known(prediction, numbers) => reply.add(vec![prediction.into()], numbers),
                Answer::Gap | Answer::Bad(_) => {
                    reply.refuse(row.line(), answer.reason().unwrap_or_default());
                }
            }
        }
        Ok(reply)
    }

    fn reply_bytes(&self, rows: &Rows, proba: bool) -> u64 {
        let model = self.model();
        let names = model.pipeline().class_names().names();
        let longest = names.iter().map(String::len).max().unwrap_or(0);
        let (mut once, mut row) = (0, ROW_BYTES + longest);
        if proba {
            let columns: usize = names.iter().map(|name| name.len() + MARKS).sum();
            row += names.len() * NUMBER_BYTES;
            match rows.form {
                // The names of columns stand in the header alone.
                Form::Csv => once += columns,
                Form::Array | Form::Lines | Form::Object => row += columns,
            }
        }
        (once + row * rows.len()) as u64
    }

    fn explain(&self, rows: &Rows, tree: usize) -> Result<String, Refusal> {
        let [row] = &rows.rows[..] else {
            return Err(Refusal::unprocessable("one row can be explained at a time"));
        };
        let model = self.model();
        let features = explained::features_of(&model, &rows.layout, row);
        let features = features.map_err(Refusal::unprocessable)?;
        let explained = explained::explained(&model, &features, tree)?;
        Ok(serde_json::to_string_pretty(&explained).expect("plain data can be written"))
    }

    fn summary(&self) -> String {
        Summary::of(&*self.model()).to_json()
    }
}

/// What turns bodies into rows of this model.
pub fn request_reader<T: Judged>(reader: &Reader<Model<T>>, args: &Args) -> RequestReader {
    let (model, most) = (reader.model(), args.limits.max_rows.get());
    let requests = RequestReader::new(model.columns(), model.settings(), most);
    match args.fixed_classes {
        true => requests.with_fixed_classes(model.pipeline().class_names().clone()),
        false => requests,
    }
}
