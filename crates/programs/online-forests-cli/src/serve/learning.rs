//! The learning thread, which processes requests one after another, and saves the model.
//!
//! A client whose connection ends before the reply cannot know whether its rows were learned. The cursors of a model,
//! how far the rows of each source are learned, are saved with its rows, in one file: the client continues from there,
//! also after a kill.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use axum::response::Response;
use forest_core::registry::snapshot::SnapshotFileError;
use forest_model::shared::Writer;
use forest_model::{Learned, Model, TableTask, Trainer, Unused, Value};
use online_forests::{InputError, OnlineLearner as _, PredictionRows};
use tokio::sync::oneshot::Sender;
use tracing::{error, info};

use crate::serve::guard::Permit;
use crate::serve::metrics::Metrics;
use crate::serve::replies::{Refusal, Replied, json, reply};
use crate::serve::request::Rows;

type Work<T> = dyn FnOnce(&mut Learning<T>) -> Replied<Response> + Send;

/// A job for the learning thread.
pub(super) struct Job<T: TableTask> {
    pub work: Box<Work<T>>,
    /// Whether the reply waits until the model is saved.
    pub durable: bool,
    pub reply_to: Sender<Replied<Response>>,
    /// Counts the request until the job is done, whether the client waits for it or has gone.
    pub _permit: Permit,
}

/// Rows to learn, each predicted just before, and what is returned for them.
pub(super) struct LearnRequest {
    pub rows: Rows,
    /// Whether predictions are returned, and the probabilities of all classes.
    pub predicts: bool,
    pub proba: bool,
    /// What the number of a row is called: its id once the row is saved, since then no other row gets it, even after a
    /// kill.
    pub number: &'static str,
    pub cursor: Option<Cursor>,
}

/// Rows of a source that follow one place, which is empty before the first rows, and end at another.
pub(super) struct Cursor {
    source: String,
    after: String,
    upto: String,
}

/// The most sources of a model.
const MAX_SOURCES: usize = 1024;

/// The most characters of the name of a source, and of a place.
const MAX_LENGTH: usize = 255;

impl Cursor {
    /// Checks the texts of a request: 400 if they cannot be kept in a model.
    pub(super) fn new(source: String, after: String, upto: String) -> Replied<Self> {
        let can_be_kept = |text: &String| {
            text.len() <= MAX_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic())
        };
        let can_be_kept = [&source, &after, &upto].into_iter().all(can_be_kept);
        if source.is_empty() || upto.is_empty() || !can_be_kept {
            let reason = format!(
                "source, after and upto: expected 1 to {MAX_LENGTH} visible characters of ASCII (`after` may be empty)"
            );
            return Err(Refusal::new(400, reason));
        }
        Ok(Self {
            source,
            after,
            upto,
        })
    }

    /// Checks that the rows follow those of their source that are learned: 409 with the cursor if they do not.
    fn follows<T: TableTask>(&self, model: &Model<T>) -> Replied<()> {
        let cursor = model.cursors.get(&self.source).map_or("", String::as_str);
        if cursor != self.after {
            let source = &self.source;
            let reason =
                format!("the rows of {source} are learned up to `{cursor}`; continue from there");
            let cursor = Some(cursor.to_owned());
            return Err(Refusal {
                cursor,
                ..Refusal::new(409, reason)
            });
        }
        if cursor.is_empty() && model.cursors.len() >= MAX_SOURCES {
            let reason = format!("a model has at most {MAX_SOURCES} sources");
            return Err(Refusal::new(422, reason));
        }
        Ok(())
    }
}

/// The time to wait for a job before checking for other work.
const WAIT: Duration = Duration::from_millis(100);

/// How often the size of the model is measured, and saving is retried after a failure.
const PERIOD: Duration = Duration::from_secs(1);

/// The number of jobs after which clients that wait for the model to be saved wait no longer for others to join them.
const MAX_JOINED: usize = 64;

/// A model that learns the jobs of a queue.
pub(super) struct Learning<T: TableTask> {
    trainer: Trainer<Writer<Model<T>>>,
    metrics: Arc<Metrics>,
    /// The number of jobs done since the model was saved.
    unsaved_jobs: u64,
    /// The reason why the model could not be saved, and when it was last tried.
    failed: Option<(String, Instant)>,
    /// Replies that are sent once the model is saved.
    waiting: Vec<(Sender<Replied<Response>>, Replied<Response>)>,
    /// When the model was last measured.
    measured: Instant,
}

impl<T: TableTask> Learning<T> {
    pub(super) fn new(trainer: Trainer<Writer<Model<T>>>, metrics: Arc<Metrics>) -> Self {
        let mut learning = Self {
            trainer,
            metrics,
            unsaved_jobs: 0,
            failed: None,
            waiting: Vec::new(),
            measured: Instant::now(),
        };
        learning.measure();
        learning
    }

    /// Learns until the last message, `None`, and saves the model; returns an error if that fails at the end.
    pub(super) fn run(mut self, jobs: Receiver<Option<Job<T>>>) -> anyhow::Result<()> {
        let mut is_over = false;
        while !is_over {
            match jobs.recv_timeout(WAIT) {
                Ok(Some(job)) => self.work(job),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !self.waiting.is_empty() {
                // One file is written for all that has arrived meanwhile.
                for job in jobs.try_iter().take(MAX_JOINED) {
                    match job {
                        Some(job) => self.work(job),
                        None => is_over = true,
                    }
                }
            }
            let is_due = match &self.failed {
                Some((_, tried)) => tried.elapsed() >= PERIOD,
                None => self.trainer.is_due(),
            };
            if is_due || !self.waiting.is_empty() {
                // A failure is logged, and clients that wait are informed.
                let _ = self.save();
            }
            if self.measured.elapsed() >= PERIOD {
                self.measure();
            }
        }
        while let Ok(Some(job)) = jobs.try_recv() {
            self.work(job);
        }
        if self.unsaved_jobs > 0 {
            let rows = self.trainer.unsaved();
            let path = self.trainer.file.path.display().to_string();
            self.save().map_err(|failure| {
                anyhow!(
                    "{rows} rows that were learned since the last save are lost: {failure}; \
                     {path} has everything learned before"
                )
            })?;
        }
        Ok(())
    }

    fn work(&mut self, job: Job<T>) {
        self.metrics.waiting.dec();
        let done = (job.work)(self);
        self.unsaved_jobs += u64::from(done.is_ok());
        // Also the cursor in a refusal is that of a saved model.
        let refused = done.as_ref().err();
        let states_model = refused.is_none_or(|refusal| refusal.cursor.is_some());
        if job.durable && states_model {
            self.waiting.push((job.reply_to, done));
        } else {
            // The client may have closed the connection.
            let _ = job.reply_to.send(done);
        }
    }

    /// Learns rows.
    pub(super) fn learn(&mut self, request: &LearnRequest) -> Replied<Response> {
        let LearnRequest { rows, proba, .. } = request;
        self.check_room()?;
        let model = self.trainer.model.reader().model();
        if let Some(cursor) = &request.cursor {
            cursor.follows(&model)?;
        }
        if *proba && model.pipeline.class_names().is_empty() {
            return Err(Refusal::new(422, "probabilities need a classifier"));
        }
        if !rows.layout.has_target() {
            let target = tables::short(model.columns.target_name());
            let reason = format!("the rows have no column `{target}`, the target");
            return Err(Refusal::new(422, reason));
        }
        // The writer waits for all who read an older model.
        drop(model);
        let learned = self.learn_rows(rows, request.cursor.as_ref())?;
        let model = self.trainer.model.reader().model();
        let names = model.pipeline.class_names();
        self.metrics.count_learned(&learned, names.names());
        let shares = if *proba { names.names() } else { &[] };
        let mut columns = Vec::new();
        columns.extend(request.predicts.then(|| "prediction".to_owned()));
        columns.push(request.number.to_owned());
        columns.extend(shares.iter().map(|name| format!("p({name})")));
        let mut known = learned.predictions.iter().zip(learned.before..);
        let mut predicted = Vec::with_capacity(rows.rows.len());
        for outcome in learned.outcomes {
            if let Err(unused) = outcome {
                predicted.push(Err(unused));
            } else if let Some((values, number)) = known.next() {
                let mut all = Vec::with_capacity(columns.len());
                all.extend(request.predicts.then(|| T::prediction(values, names)));
                all.push(Value::Row(number));
                for class in 0..shares.len() {
                    // A class that was added later had no probability.
                    all.push(Value::Number(values.get(class).copied().unwrap_or(0.0)));
                }
                predicted.push(Ok(all));
            }
        }
        Ok(reply(columns, rows.format, &rows.rows, &predicted))
    }

    /// Predicts each row just before it is learned, learns them all, and moves the cursor: in both copies, or in none.
    fn learn_rows(&mut self, rows: &Rows, cursor: Option<&Cursor>) -> Replied<Learned<T>> {
        let mut learned = self.nothing_usable(rows);
        if let Some(learned) = learned {
            return Ok(learned);
        }
        self.trainer.model.update(|model| {
            if learned.is_none() {
                learned = Some(model.predict_then_learn_rows(&rows.layout, &rows.rows)?);
            } else {
                model.learn_rows(&rows.layout, &rows.rows)?;
            }
            if let Some(Cursor { source, upto, .. }) = cursor {
                model.cursors.insert(source.clone(), upto.clone());
            }
            Ok::<(), InputError>(())
        })?;
        Ok(learned.expect("an update that succeeds has changed the first copy"))
    }

    /// Returns the outcome of rows of which none can be used: the model is unchanged, and does not count them. Returns
    /// `None` for a request without rows, which still moves the cursor of its source.
    fn nothing_usable(&self, rows: &Rows) -> Option<Learned<T>> {
        if rows.rows.is_empty() {
            return None;
        }
        let model = self.trainer.model.reader().model();
        let mut features = Vec::new();
        let mut outcomes = Vec::with_capacity(rows.rows.len());
        for row in &rows.rows {
            match row.labelled::<T>(&model.columns, &rows.layout, &mut features) {
                Err(Unused::Bad(reason)) => outcomes.push(Err(Unused::Bad(reason))),
                _ => return None,
            }
        }
        Some(Learned {
            outcomes,
            targets: Vec::new(),
            predictions: PredictionRows::default(),
            before: model.samples_seen(),
        })
    }

    /// Forgets the row that has this id.
    pub(super) fn forget(&mut self, id: u64) -> Replied<Response> {
        self.check_saved()?;
        // A refusal is not an error of the update: it changes nothing, and to undo an update the model is copied.
        let mut forgotten = Ok(());
        let Ok(()) = self.trainer.model.update(|model| {
            forgotten = model.forget(id);
            Ok::<(), Infallible>(())
        });
        forgotten?;
        self.metrics.forgotten.inc();
        Ok(json(format!("{{\"forgotten\":{id}}}")))
    }

    /// Refuses to learn what could not be saved.
    fn check_room(&mut self) -> Replied<()> {
        let room = self.trainer.check_memory();
        let room = room.map_err(|reason| Refusal::new(507, reason));
        let checked = self.check_saved().and(room);
        let reason = checked.as_ref().err().map(|refusal| refusal.reason.clone());
        self.metrics.set_refused(reason);
        checked
    }

    fn check_saved(&self) -> Replied<()> {
        let Some((failure, _)) = &self.failed else {
            return Ok(());
        };
        let reason = format!(
            "nothing is learned or forgotten until the model can be saved again: {failure}"
        );
        Err(Refusal::new(503, reason))
    }

    /// Saves the model, and replies to the clients that wait for it. Rows are predicted meanwhile, and learned
    /// afterwards.
    fn save(&mut self) -> Result<(), SnapshotFileError> {
        let saved = self.trainer.save();
        self.metrics.count_checkpoint(saved.is_ok());
        self.failed = None;
        let mut unsaved = None;
        if let Err(failure) = &saved {
            error!("{failure}");
            self.failed = Some((failure.to_string(), Instant::now()));
            let reason = format!(
                "the rows are learned (or forgotten) but not saved: {failure}; saving is tried again, and rows with a \
                 source are not learned twice"
            );
            unsaved = Some(Refusal::new(500, reason));
        } else {
            self.unsaved_jobs = 0;
            let rows = self.trainer.model.reader().model().position.rows();
            info!(rows, "saved");
        }
        // Before the clients get their replies, so that `/readyz` agrees with them.
        let _ = self.check_room();
        for (reply_to, reply) in self.waiting.drain(..) {
            let _ = reply_to.send(unsaved.clone().map_or(reply, Err));
        }
        saved
    }

    /// Measures the model.
    fn measure(&mut self) {
        // Forgetting frees memory.
        let _ = self.check_room();
        let model = self.trainer.model.reader().model();
        self.metrics.measure(&*model, self.trainer.unsaved());
        self.measured = Instant::now();
    }
}
