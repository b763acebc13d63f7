//! The loop that reads rows, learns them in the first trees, and sends them through all others.

use std::collections::VecDeque;

use forest_core::VoteSums;
use forest_model::{
    BadRows, Batch, CommandError, Completion, Console, End, Every, LearnOptions, Memory, Metric,
    Model, Outcome, Row, Since, Source, Start, TableTask, Taken, interrupt, report,
};
use ndarray::ArrayView2;
use online_forests::threads::Pool;
use online_forests::{OnlineLearner as _, PredictionRows};
use registry::snapshot;
use tables::Layout;

use super::parcel::{Parcel, Rows};
use super::predictions::{Note, PredictionFile};
use crate::{Checkpoints, Conveyor};

/// State of the first process while it learns.
pub(super) struct Sending<'c, 'w, T: TableTask> {
    model: Model<T>,
    layout: Layout,
    source: Source,
    console: Console,
    bad_rows: BadRows,
    memory: Memory,
    pool: Pool,
    most: usize,
    every: Every,
    since: Since,
    conveyor: &'c mut Conveyor<'w, Parcel>,
    checkpoints: Checkpoints,
    /// The last row of a committed checkpoint.
    committed: u64,
    predictions: Option<PredictionFile>,
    note: Note,
    /// Batches in flight, whose predictions are not written.
    pending: VecDeque<Pending<T>>,
    unseen: u64,
}

/// A batch in flight.
struct Pending<T: TableTask> {
    /// Whether each row is learned.
    learned: Vec<bool>,
    targets: Vec<T::Target>,
    /// Predictions of a learner that has no shards.
    predictions: Option<PredictionRows>,
}

impl<'c, 'w, T: TableTask> Sending<'c, 'w, T> {
    pub(super) fn new(
        model: Model<T>,
        start: Start<'_>,
        conveyor: &'c mut Conveyor<'w, Parcel>,
        checkpoints: Checkpoints,
        predictions: Option<PredictionFile>,
        note: Note,
    ) -> Result<Self, CommandError> {
        let options: &LearnOptions = start.options;
        let rows = model.position().rows();
        Ok(Self {
            layout: start.layout(&model)?,
            bad_rows: start.bad_rows(&model)?,
            memory: Memory::new(options.max_memory),
            pool: Pool::new(options.threads.map_or(0, std::num::NonZeroUsize::get))?,
            most: options.batch as usize,
            every: options.checkpoint,
            since: Since::now(rows),
            committed: rows,
            model,
            source: start.source,
            console: start.console,
            conveyor,
            checkpoints,
            predictions,
            note: Note {
                ended: false,
                ..note
            },
            pending: VecDeque::new(),
            unseen: 0,
        })
    }

    /// Learns all rows, and makes all processes save their trees regularly and at the end.
    pub(super) fn run(mut self) -> Result<Completion, CommandError> {
        let before = self.model.samples_seen();
        let end = self.learn_all()?;
        self.console.clear();
        let position = self.model.position();
        if position.learned == 0 && (before == 0 || position.bad > 0) {
            return end.without_rows(self.source.name(), &self.bad_rows, &self.console);
        }
        self.note.ended = true;
        self.save()?;
        self.report(before, &end);
        end.completion(&self.model, &self.bad_rows, &self.console)
    }

    fn learn_all(&mut self) -> Result<End, CommandError> {
        let mut batch = Batch::default();
        loop {
            while let Some(parcel) = self.conveyor.returned() {
                if let Some(reason) = self.receive(parcel)? {
                    return Ok(End::Memory(reason));
                }
            }
            if interrupt::is_requested() && !self.source.is_cut() {
                return Ok(End::Signal);
            }
            let rows = self.model.position().rows();
            let left = self.since.rows_left(self.every, rows);
            match self.source.take(self.most.min(left))? {
                Taken::Rows(rows) => self.learn(rows, &mut batch)?,
                Taken::Nothing if self.conveyor.is_silent() => self.conveyor.send(Parcel::Idle),
                Taken::Nothing => {}
                Taken::End if self.source.is_cut() => return Ok(End::Signal),
                Taken::End => return Ok(End::NoMoreRows),
            }
            if let Some(reason) = self.memory.exceeded_by(&self.model) {
                return Ok(End::Memory(reason));
            }
            let rows = self.model.position().rows();
            self.console.rows(rows);
            if self.since.is_due(self.every, rows) && self.model.position().learned > 0 {
                self.save()?;
            }
        }
    }

    /// Reads a batch, learns it, and sends it on.
    fn learn(&mut self, rows: Vec<Row>, batch: &mut Batch<T>) -> Result<(), CommandError> {
        let known = self.model.pipeline().class_names().len();
        let mut learned = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(row) = self.source.checked(row)? else {
                break;
            };
            let outcome = self.model.read(&self.layout, &row, batch);
            learned.push(outcome == Outcome::Taken);
            if let Outcome::Bad(reason) = outcome {
                self.bad_rows.add(row.line(), &reason)?;
            }
        }
        self.unseen = batch.unseen;
        let (features, targets) = batch.take();
        let mut sums = (self.predictions.is_some()).then(VoteSums::default);
        let predictions = self.learn_own(&features, &targets, &mut sums)?;
        let names = self.model.pipeline().class_names().names();
        let rows = Rows {
            classes: names[known..].to_vec(),
            position: self.model.position(),
            features,
            targets: T::pack(targets.clone()),
            sums,
            full: None,
        };
        self.pending.push_back(Pending {
            learned,
            targets,
            predictions,
        });
        self.conveyor.send(Parcel::Rows(Box::new(rows)));
        Ok(())
    }

    /// Learns in the trees of this process. Returns predictions if the learner has no shards.
    fn learn_own(
        &mut self,
        features: &[f32],
        targets: &[T::Target],
        sums: &mut Option<VoteSums>,
    ) -> Result<Option<PredictionRows>, CommandError> {
        let shape = (targets.len(), self.model.columns().width());
        let rows = ArrayView2::from_shape(shape, features);
        let rows = rows.expect("every row that is taken has all features");
        let pipeline = self.model.pipeline_mut();
        let is_whole = pipeline.shard().is_none();
        let learned = self.pool.run(|| match sums {
            Some(_) if is_whole => pipeline.predict_then_learn(rows, targets).map(Some),
            Some(sums) => pipeline
                .add_votes_then_learn(rows, targets, sums)
                .map(|()| None),
            None => pipeline.learn(rows, targets).map(|()| None),
        });
        Ok(learned?)
    }

    /// Receives what has passed all processes; returns whether one of them must not grow any more.
    fn receive(&mut self, parcel: Parcel) -> Result<Option<String>, CommandError> {
        match parcel {
            Parcel::Rows(rows) => {
                self.write_predictions(&rows)?;
                Ok(rows.full)
            }
            Parcel::Save { rows, .. } => self.commit(rows).map(|()| None),
            _ => Ok(None),
        }
    }

    /// Writes the predictions for a batch.
    fn write_predictions(&mut self, rows: &Rows) -> Result<(), CommandError> {
        let (Some(pending), Some(file)) = (self.pending.pop_front(), &mut self.predictions) else {
            return Ok(());
        };
        let predictions = match (
            pending.predictions,
            self.model.pipeline().shard(),
            &rows.sums,
        ) {
            (None, Some(shard), Some(sums)) => shard.finish(sums)?,
            (predictions, ..) => predictions.unwrap_or_default(),
        };
        let names = self.model.pipeline().class_names();
        let mut predicted = predictions.iter().zip(pending.targets);
        for learned in pending.learned {
            let predicted = learned.then(|| predicted.next()).flatten();
            let Some((values, target)) = predicted else {
                file.write(None)?;
                continue;
            };
            self.note.score.add(T::loss(values, target));
            let prediction = (!values.is_empty()).then(|| T::prediction(values, names));
            file.write(prediction)?;
        }
        Ok(())
    }

    /// Makes all processes save their trees. Batches in flight are finished first, so that predictions are as far as the trees.
    fn save(&mut self) -> Result<(), CommandError> {
        let rows = self.model.position().rows();
        snapshot::save(&self.model, self.checkpoints.path(rows))?;
        let keep_from = self.committed;
        self.conveyor.send(Parcel::Save { rows, keep_from });
        while let Some(parcel) = self.conveyor.wait() {
            self.receive(parcel)?;
        }
        Ok(())
    }

    /// Commits the checkpoint, which all have saved, once everything else is on disk.
    fn commit(&mut self, rows: u64) -> Result<(), CommandError> {
        self.bad_rows.sync()?;
        if let Some(predictions) = &mut self.predictions {
            self.note.bytes = predictions.sync()?;
        }
        self.checkpoints.commit(rows, self.note)?;
        self.checkpoints.remove_before(self.committed)?;
        self.committed = rows;
        self.since = Since::now(rows);
        Ok(())
    }

    fn report(&self, before: u64, end: &End) {
        let mut said = report(&self.model, before, &self.bad_rows, self.unseen);
        if self.note.score.rows > 0 {
            let score = score(T::METRIC, self.note.score.mean());
            said.push(format!("before learning, {score}"));
        }
        said.push(end.text("trees", self.checkpoints.folder()));
        self.console.say(&said.join("; "));
    }
}

/// Formats the metric at a mean loss.
fn score(metric: Metric, mean_loss: f64) -> String {
    let value = metric.of(mean_loss);
    match metric {
        Metric::Accuracy => format!("accuracy {value:.4}"),
        Metric::Rmse => format!("RMSE {value:.4}"),
    }
}
