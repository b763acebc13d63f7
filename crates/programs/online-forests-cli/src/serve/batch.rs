//! The rows of one request are learned together: both copies of the model have all of them, or none.

use forest_model::{Batch, Model, Outcome, Row, RowPrediction, TableTask, Value};
use online_forests::{InputError, OnlineLearner as _, PredictionRows};

use crate::serve::cursor::Move;
use crate::serve::learning::{Learning, Returned};
use crate::serve::refusal::Refusal;
use crate::serve::reply::{Draft, Reply};
use crate::serve::request::{Form, Rows};

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
    /// Predicts each row just before it is learned, and learns them all.
    ///
    /// The number of a row is its id once the row is saved: then no other row gets it, even after a kill.
    pub(super) fn learn(
        &mut self,
        rows: &Rows,
        returned: Returned,
        cursor: Option<&Move>,
        durable: bool,
    ) -> Result<Reply, Refusal> {
        let has_classes = !self.reader.model().pipeline().class_names().is_empty();
        if returned == Returned::Probabilities && !has_classes {
            return Err(Refusal::unprocessable("probabilities need a classifier"));
        }
        let done = self.learn_rows(rows, cursor)?;
        let model = self.reader.model();
        let names = model.pipeline().class_names();
        let number = if durable { "id" } else { "row" };
        let (first, shown): (&[&str], &[String]) = match returned {
            Returned::Numbers => (&[number], &[]),
            Returned::Predictions => (&["prediction", number], &[]),
            Returned::Probabilities => (&["prediction", number], names.names()),
        };
        let shares = shown.iter().map(|name| format!("p({name})"));
        let first = first.iter().map(|name| (*name).to_owned());
        let mut reply = Draft::new(rows.form, first.chain(shares).collect());
        let mut predictions = done.predictions.iter().zip(done.before..);
        for (row, outcome) in rows.rows.iter().zip(&done.outcomes) {
            if let Some(reason) = refusal(outcome) {
                reply.add(Err((row.line(), reason)));
            } else if let Some((values, number)) = predictions.next() {
                let number = Value::Id(number);
                let mut cells = match returned {
                    Returned::Numbers => vec![number],
                    _ => vec![T::prediction(values, names).into(), number],
                };
                // A class that was added later had no probability.
                let of = |class| Value::Number(values.get(class).copied().unwrap_or(0.0));
                cells.extend((0..shown.len()).map(of));
                reply.add(Ok(&cells));
            }
        }
        Ok(reply.end())
    }

    fn learn_rows(&mut self, rows: &Rows, cursor: Option<&Move>) -> Result<Done<T>, Refusal> {
        if let Some(refused) = self.refused(rows)? {
            return Ok(refused);
        }
        let mut done = None;
        self.writer.update(|model| {
            match &done {
                None => done = Some(first(model, rows)?),
                Some(_) => learn_in_second(model, rows)?,
            }
            if let Some(cursor) = cursor {
                model.set_cursor(&cursor.source, &cursor.upto);
            }
            Ok::<(), InputError>(())
        })?;
        let done = done.expect("an update that succeeds has changed the first copy");
        self.count(&done);
        Ok(done)
    }

    /// Counts the rows of a request.
    fn count(&self, done: &Done<T>) {
        let judged = done.predictions.iter().zip(&done.targets);
        let losses: Vec<f64> = judged
            .map(|(values, target)| T::loss(values, *target))
            .collect();
        let (mut left_out, mut bad) = (0, 0);
        for outcome in &done.outcomes {
            match outcome {
                Outcome::Taken => {}
                Outcome::Dropped => left_out += 1,
                Outcome::Bad(_) => bad += 1,
            }
        }
        self.metrics.count_learned(&losses, left_out, bad);
        let model = self.reader.model();
        let names = model.pipeline().class_names().names();
        for class in done.targets.iter().filter_map(|target| T::class(*target)) {
            self.metrics.count_class(class, names);
        }
    }

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
        self.metrics.bad.inc_by(rows.len() as u64);
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

impl<T: TableTask> Learning<T> {
    /// Forgets the row that has this id.
    pub(super) fn forget(&mut self, id: u64) -> Result<Reply, Refusal> {
        self.writer.update(|model| model.forget(id))?;
        self.metrics.forgotten.inc();
        let mut reply = Draft::new(Form::Object, vec!["forgotten".to_owned()]);
        reply.add(Ok(&[Value::Id(id)]));
        Ok(reply.end())
    }
}
