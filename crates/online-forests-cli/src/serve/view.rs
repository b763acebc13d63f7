//! What a request asks of the model, whatever its task.

use serving::Reader;

use super::prequential::Judged;
use super::reply::{Field, Reply};
use super::request::{RequestReader, Rows};
use super::{Args, Refusal};
use crate::inspect::{Summary, explained};
use crate::model::Model;
use crate::predict::answers::{Answers, Asked};
use crate::prediction::Answer;

/// A model of either task, read only.
pub trait View: Send + Sync {
    /// Answers rows.
    ///
    /// # Errors
    /// What the model cannot tell of any row.
    fn predict(&self, rows: &Rows, asked: Asked) -> Result<Reply, Refusal>;

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
            match &answer {
                Answer::Known(prediction, numbers) => {
                    let numbers = numbers.iter().copied().map(Field::Number);
                    let fields: Vec<Field<'_>> = [Field::Prediction(*prediction)]
                        .into_iter()
                        .chain(numbers)
                        .collect();
                    reply.answer(&fields);
                }
                Answer::Gap | Answer::Bad(_) => {
                    reply.refuse(row.line(), answer.reason().unwrap_or_default());
                }
            }
        }
        Ok(reply)
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
