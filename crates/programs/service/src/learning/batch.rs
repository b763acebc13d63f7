//! The rows of one request are learned together: both copies of the model have all of them, or none.

use axum::http::StatusCode;
use forest_model::{Batch, Model, Outcome, Row, RowPrediction, TableTask};
use online_forests::{InputError, OnlineLearner as _, PredictionRows};

use crate::board::Learned;
use crate::learning::Learning;
use crate::learning::ids::Ids;
use crate::queue::Probabilities;
use crate::refusal::Refusal;
use crate::reply::{Field, Reply};
use crate::request::{Form, Rows};

/// The column of the ids of learned rows.
const ID: &str = "id";

/// The outcome of the rows of a request.
struct Done<T: TableTask> {
    outcomes: Vec<Outcome>,
    /// Of the rows that were learned: the predictions just before, and the targets.
    predictions: PredictionRows,
    targets: Vec<T::Target>,
    /// The number of rows that the model had learned before.
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

    /// Predicts each row just before it is learned, then learns them all.
    pub(super) fn predict_then_learn(
        &mut self,
        rows: &Rows,
        asked: Probabilities,
    ) -> Result<Reply, Refusal> {
        let asked = self.check_probabilities(asked)?;
        let done = self.learn_rows(rows)?;
        let model = self.reader.model();
        Ok(done.reply(rows, &model, asked, &self.ids))
    }

    fn check_probabilities(&self, asked: Probabilities) -> Result<Probabilities, Refusal> {
        if asked == Probabilities::Asked && self.reader.model().pipeline().class_names().is_empty()
        {
            Err(Refusal::unprocessable("probabilities need a classifier"))
        } else {
            Ok(asked)
        }
    }

    fn learn_rows(&mut self, rows: &Rows) -> Result<Done<T>, Refusal> {
        if let Some(refused) = self.refused(rows)? {
            return Ok(refused);
        }
        let mut done = None;
        self.writer.update(|model| match &done {
            None => first(model, rows).map(|first| done = Some(first)),
            Some(_) => learn_in_second(model, rows),
        })?;
        let done = done.expect("an update that succeeds has changed the first copy");
        self.board.learned(&done.learned());
        Ok(done)
    }
}

impl<T: TableTask> Learning<T> {
    /// Returns the outcome of rows of which none can be used: the model is unchanged, and does not count them.
    fn refused(&self, rows: &Rows) -> Result<Option<Done<T>>, Refusal> {
        let model = self.reader.model();
        if !rows.layout.has_target() {
            return Err(Refusal::unprocessable(format!(
                "the rows have no column `{}`, the target",
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
            predictions: PredictionRows::default(),
            targets: Vec::new(),
            before: model.samples_seen(),
        };
        self.board.refused(rows.len());
        Ok(Some(refused))
    }
}

/// Returns the outcome that a row would have.
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

/// Predicts and learns the rows in the copy that nobody reads.
fn first<T: TableTask>(model: &mut Model<T>, rows: &Rows) -> Result<Done<T>, InputError> {
    let before = model.samples_seen();
    let mut batch = Batch::default();
    let read = |row| model.read(&rows.layout, row, &mut batch);
    let outcomes = rows.rows.iter().map(read).collect();
    let predictions = model.predict_then_learn_batch(&batch)?;
    Ok(Done {
        outcomes,
        predictions,
        targets: batch.targets,
        before,
    })
}

/// Learns the same in the other copy.
fn learn_in_second<T: TableTask>(model: &mut Model<T>, rows: &Rows) -> Result<(), InputError> {
    let mut batch = Batch::default();
    for row in &rows.rows {
        model.read(&rows.layout, row, &mut batch);
    }
    model.learn_batch(&mut batch)
}

fn refusal(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Taken => None,
        Outcome::Dropped => RowPrediction::Missing.reason(),
        Outcome::Bad(reason) => Some(reason),
    }
}

impl<T: TableTask> Done<T> {
    fn learned(&self) -> Learned {
        let judged = self.predictions.iter().zip(&self.targets);
        let count =
            |is: fn(&Outcome) -> bool| self.outcomes.iter().filter(|it| is(it)).count() as u64;
        Learned {
            losses: judged
                .map(|(values, target)| T::loss(values, *target))
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
        let mut predictions = self.predictions.iter().zip(self.before..);
        for (row, outcome) in rows.rows.iter().zip(&self.outcomes) {
            if let Some(reason) = refusal(outcome) {
                reply.refuse(row.line(), reason);
            } else if let Some((values, number)) = predictions.next() {
                // A class that was added later had no probability.
                let shares =
                    (0..shown.len()).map(|class| values.get(class).copied().unwrap_or(0.0));
                let prediction = T::prediction(values, names);
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
        self.board.count_forgotten();
        let mut reply = Reply::new(Form::Object, vec!["forgotten".to_owned()]);
        reply.add(vec![Field::Id(id)], Vec::new());
        Ok(reply)
    }
}
