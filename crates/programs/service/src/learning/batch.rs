//! The rows of one request are learned together: both copies of the model have all of them, or none.

use axum::http::StatusCode;
use forest_model::{Answer, Batch, Model, Outcome, Row, TableTask};
use online_forests::{InputError, OnlineLearner as _, PredictionRows};

use crate::board::Learned;
use crate::learning::Learning;
use crate::learning::ids::Ids;
use crate::queue::Probabilities;
use crate::refusal::Refusal;
use crate::reply::{Field, Reply};
use crate::request::{Form, Rows};

/// The column of the numbers by which learned rows are known.
const ID: &str = "id";

/// What has become of the rows of a request.
struct Done<T: TableTask> {
    outcomes: Vec<Outcome>,
    /// Of the rows that were learned: the answers just before, and the targets.
    answers: PredictionRows,
    targets: Vec<T::Target>,
    /// Rows that the model had learned before.
    before: u64,
}

impl<T: TableTask> Learning<T> {
    /// Learns rows.
    pub(super) fn learn(&mut self, rows: &Rows) -> Result<Reply, Refusal> {
        let done = self.learn_rows(rows)?;
        let mut reply = Reply::new(rows.form, vec![ID.to_owned()]);
        let mut number = done.before;
        for (row, outcome) in rows.rows.iter().zip(&done.outcomes) {
            match refusal(outcome) {
                Some(reason) => reply.refuse(row.line(), reason),
                None => {
                    reply.add(vec![Field::Id(self.ids.id(number))], Vec::new());
                    number += 1;
                }
            }
        }
        Ok(reply)
    }

    /// The same, with the answer to each row as it was before the row was learned.
    pub(super) fn predict_then_learn(
        &mut self,
        rows: &Rows,
        asked: Probabilities,
    ) -> Result<Reply, Refusal> {
        let asked = self.classes_asked(asked)?;
        let done = self.learn_rows(rows)?;
        let model = self.reader.model();
        Ok(done.reply(rows, &model, asked, &self.ids))
    }

    fn classes_asked(&self, asked: Probabilities) -> Result<Probabilities, Refusal> {
        match asked == Probabilities::Asked
            && self.reader.model().pipeline().class_names().is_empty()
        {
            true => Err(Refusal::unprocessable("probabilities need a classifier")),
            false => Ok(asked),
        }
    }

    fn learn_rows(&mut self, rows: &Rows) -> Result<Done<T>, Refusal> {
        if let Some(refused) = self.refused(rows)? {
            return Ok(refused);
        }
        let mut done = None;
        self.writer.update(|model| match &done {
            None => first(model, rows).map(|first| done = Some(first)),
            Some(_) => second(model, rows),
        })?;
        let done = done.expect("an update that succeeds has changed the first copy");
        self.board.learned(&done.learned());
        Ok(done)
    }
}

impl<T: TableTask> Learning<T> {
    /// What becomes of rows none of which can be used: the model is as it was, and does not count them.
    fn refused(&self, rows: &Rows) -> Result<Option<Done<T>>, Refusal> {
        let model = self.reader.model();
        if !rows.layout.has_target() {
            return Err(Refusal::unprocessable(format!(
                "the rows have no column `{}`, which is what is learned",
                tables::short(model.columns().target_name())
            )));
        }
        let mut outcomes = Vec::new();
        for row in &rows.rows {
            match look(&model, rows, row) {
                outcome @ Outcome::Bad(_) => outcomes.push(outcome),
                Outcome::Taken | Outcome::Dropped => return Ok(None),
            }
        }
        let refused = Done {
            outcomes,
            answers: PredictionRows::default(),
            targets: Vec::new(),
            before: model.samples_seen(),
        };
        self.board.refused(rows.len());
        Ok(Some(refused))
    }
}

/// What would become of a row.
fn look<T: TableTask>(model: &Model<T>, rows: &Rows, row: &Row) -> Outcome {
    let columns = model.columns();
    match row.features(columns, &rows.layout, &mut Vec::new(), &mut 0) {
        Outcome::Taken => {}
        other => return other,
    }
    let cell = match row.target(columns, &rows.layout) {
        Ok(cell) => cell,
        Err(outcome) => return outcome,
    };
    match T::check_cell(&cell) {
        Ok(()) => Outcome::Taken,
        Err(reason) => Outcome::Bad(reason.to_string()),
    }
}

/// The copy that nobody reads answers and learns the rows.
fn first<T: TableTask>(model: &mut Model<T>, rows: &Rows) -> Result<Done<T>, InputError> {
    let before = model.samples_seen();
    let mut batch = Batch::default();
    let read = |row| model.read(&rows.layout, row, &mut batch);
    let outcomes = rows.rows.iter().map(read).collect();
    let answers = model.predict_then_learn_batch(&batch)?;
    Ok(Done {
        outcomes,
        answers,
        targets: batch.targets,
        before,
    })
}

/// The other copy learns the same.
fn second<T: TableTask>(model: &mut Model<T>, rows: &Rows) -> Result<(), InputError> {
    let mut batch = Batch::default();
    for row in &rows.rows {
        model.read(&rows.layout, row, &mut batch);
    }
    model.learn_batch(&mut batch)
}

fn refusal(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Taken => None,
        Outcome::Dropped => Answer::Gap.reason(),
        Outcome::Bad(reason) => Some(reason),
    }
}

impl<T: TableTask> Done<T> {
    fn learned(&self) -> Learned {
        let judged = self.answers.iter().zip(&self.targets);
        let count =
            |is: fn(&Outcome) -> bool| self.outcomes.iter().filter(|it| is(it)).count() as u64;
        Learned {
            losses: judged
                .map(|(answer, target)| T::loss(answer, *target))
                .collect(),
            classes: self
                .targets
                .iter()
                .filter_map(|target| T::class(*target))
                .collect(),
            left_out: count(|outcome| *outcome == Outcome::Dropped),
            bad: count(|outcome| matches!(outcome, Outcome::Bad(_))),
        }
    }

    fn reply(&self, rows: &Rows, model: &Model<T>, asked: Probabilities, ids: &Ids) -> Reply {
        let names = model.pipeline().class_names();
        let shown = match asked {
            Probabilities::Asked => names.names(),
            Probabilities::NotAsked => &[],
        };
        let mut reply = Reply::new(rows.form, columns(shown));
        let mut answers = self.answers.iter().zip(self.before..);
        for (row, outcome) in rows.rows.iter().zip(&self.outcomes) {
            if let Some(reason) = refusal(outcome) {
                reply.refuse(row.line(), reason);
            } else if let Some((answer, number)) = answers.next() {
                // A class that came later had no probability.
                let shares =
                    (0..shown.len()).map(|class| answer.get(class).copied().unwrap_or(0.0));
                let prediction = T::prediction(answer, names);
                let id = Field::Id(ids.id(number));
                reply.add(vec![prediction.into(), id], shares.collect());
            }
        }
        reply
    }
}

fn columns(classes: &[String]) -> Vec<String> {
    let shares = classes.iter().map(|name| format!("p({name})"));
    let fixed = ["prediction", ID].map(str::to_owned);
    fixed.into_iter().chain(shares).collect()
}

impl<T: TableTask> Learning<T> {
    /// Forgets the row that has this id.
    pub(super) fn forget(&mut self, id: u64) -> Result<Reply, Refusal> {
        let number = self.ids.number(id).ok_or_else(|| {
            let reason = format!(
                "no row has the id {id}: the one that had it was learned, but not saved, when the service was killed"
            );
            Refusal::new(StatusCode::NOT_FOUND, reason)
        })?;
        self.writer.update(|model| model.forget(number))?;
        self.board.forgotten();
        let mut reply = Reply::new(Form::Object, vec!["forgotten".to_owned()]);
        reply.add(vec![Field::Id(id)], Vec::new());
        Ok(reply)
    }
}
