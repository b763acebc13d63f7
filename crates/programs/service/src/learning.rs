//! The learning thread, which processes requests one after another, and saves the model.

mod batch;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use forest_model::{CommandError, Memory, Model, Saving, TableTask};
use serving::{Reader, Writer};
use tokio::sync::oneshot;
use tracing::{error, info};

use crate::metrics::Metrics;
use crate::queue::{Job, Message, ReplyResult, Work};
use crate::readiness::Readiness;
use crate::refusal::Refusal;
use crate::reply::Reply;

/// The time to wait for a job before checking for other work.
const WAIT: Duration = Duration::from_millis(100);

/// How often the size of the model is measured, and saving is retried after a failure.
const LOOK: Duration = Duration::from_secs(1);

/// The copies of the model: one is read while the other learns.
const COPIES: u64 = 2;

/// The number of jobs after which clients that wait for the model to be saved wait no longer for others to join them.
const MOST_JOINED: usize = 64;

/// What a request is told, once the model is saved.
type Unsaved = (oneshot::Sender<ReplyResult>, ReplyResult);

/// A model that learns the jobs of a queue.
pub(crate) struct Learning<T: TableTask> {
    writer: Writer<Model<T>>,
    reader: Reader<Model<T>>,
    saving: Saving,
    memory: Memory,
    metrics: Arc<Metrics>,
    readiness: Arc<Readiness>,
    /// The number of jobs done since the model was saved.
    unsaved_jobs: u64,
    /// The number of rows of the saved model.
    saved_rows: u64,
    /// The reason why the model could not be saved, and when it was last tried.
    failed: Option<(String, Instant)>,
    waiting: Vec<Unsaved>,
    looked: Instant,
}

impl<T: TableTask> Learning<T> {
    /// Creates it around both halves of a model.
    pub(crate) fn new(
        writer: Writer<Model<T>>,
        reader: Reader<Model<T>>,
        mut saving: Saving,
        max_memory: Option<u64>,
        metrics: Arc<Metrics>,
        readiness: Arc<Readiness>,
    ) -> Self {
        let saved_rows = reader.model().position().rows();
        saving.start(saved_rows);
        let mut learning = Self {
            writer,
            reader,
            saving,
            memory: Memory::new(max_memory, COPIES),
            metrics,
            readiness,
            unsaved_jobs: 0,
            saved_rows,
            failed: None,
            waiting: Vec::new(),
            looked: Instant::now(),
        };
        learning.look();
        learning
    }

    /// Learns until the queue is closed, and saves the model.
    ///
    /// # Errors
    /// Returns an error if the model cannot be saved at the end.
    pub(crate) fn run(mut self, jobs: Receiver<Message>) -> Result<(), CommandError> {
        loop {
            match jobs.recv_timeout(WAIT) {
                Ok(Message::Job(job)) => self.work(job),
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !self.waiting.is_empty() && self.join(&jobs) {
                break;
            }
            self.save_if_due();
            if self.looked.elapsed() >= LOOK {
                self.look();
                self.looked = Instant::now();
            }
        }
        self.finish(&jobs)
    }

    /// Processes what has arrived meanwhile, so that one file is written for all of it; returns `true` at the end.
    fn join(&mut self, jobs: &Receiver<Message>) -> bool {
        for _ in 0..MOST_JOINED {
            match jobs.try_recv() {
                Ok(Message::Job(job)) => self.work(job),
                Ok(Message::End) | Err(TryRecvError::Disconnected) => return true,
                Err(TryRecvError::Empty) => break,
            }
        }
        // The failure is logged, and the clients that wait are informed.
        let _ = self.save();
        false
    }

    /// Processes and saves what is still in the queue.
    fn finish(mut self, jobs: &Receiver<Message>) -> Result<(), CommandError> {
        while let Ok(Message::Job(job)) = jobs.try_recv() {
            self.work(job);
        }
        if self.unsaved_jobs > 0 {
            self.save().map_err(|failure| self.lost(&failure))?;
        }
        Ok(())
    }

    fn lost(&self, failure: &CommandError) -> CommandError {
        CommandError::new(format!(
            "{} rows that were learned since the last save are lost: {failure}; {} has everything learned before",
            self.unsaved_rows(&self.reader.model()),
            self.saving.path().display()
        ))
    }

    fn work(&mut self, job: Job) {
        let Job {
            work,
            durable,
            reply_to,
            held,
        } = job;
        self.metrics.count_taken();
        let done = self.act(&work, durable);
        self.unsaved_jobs += u64::from(done.is_ok());
        // Also the cursor that a refused client is told is that of a saved model.
        let has_cursor = |refusal: &Refusal| refusal.cursor.is_some();
        if durable && done.as_ref().err().is_none_or(has_cursor) {
            self.waiting.push((reply_to, done));
        } else {
            // The client may have closed the connection.
            let _ = reply_to.send(done);
        }
        drop((work, held));
    }

    fn act(&mut self, work: &Work, durable: bool) -> Result<Reply, Refusal> {
        match work {
            Work::Learn(rows, returned, cursor) => {
                self.check_room()?;
                if let Some(cursor) = cursor {
                    cursor.check(self.reader.model().cursors())?;
                }
                self.learn(rows, *returned, cursor.as_ref(), durable)
            }
            Work::Forget(id) => {
                self.check_saved()?;
                self.forget(*id)
            }
        }
    }

    /// Refuses to learn what could not be saved.
    fn check_room(&mut self) -> Result<(), Refusal> {
        let full = self.memory.exceeded_by(&self.reader.model());
        let full = full.map(|reason| Refusal::new(StatusCode::INSUFFICIENT_STORAGE, reason));
        let checked = self.check_saved().and(full.map_or(Ok(()), Err));
        let reason = checked.as_ref().err().map(|refusal| refusal.reason.clone());
        self.readiness.set_refused(reason);
        checked
    }

    fn check_saved(&self) -> Result<(), Refusal> {
        self.failed.as_ref().map_or(Ok(()), |(failure, _)| {
            Err(Refusal::unavailable(format!(
                "nothing is learned or forgotten until the model can be saved again: {failure}"
            )))
        })
    }

    fn save_if_due(&mut self) {
        let rows = self.reader.model().position().rows();
        let is_due = match &self.failed {
            Some((_, tried)) => tried.elapsed() >= LOOK,
            None => self.saving.is_due(rows),
        };
        if is_due {
            // The failure is logged.
            let _ = self.save();
        }
    }

    /// Saves the model, and replies to the clients that wait for it. Rows are predicted meanwhile, and learned afterwards.
    fn save(&mut self) -> Result<(), CommandError> {
        let model = self.reader.model();
        let saved = self.saving.save(&model);
        let rows = model.position().rows();
        drop(model);
        self.metrics.count_checkpoint(saved.is_ok());
        match &saved {
            Ok(()) => {
                self.unsaved_jobs = 0;
                self.saved_rows = rows;
                self.failed = None;
                info!(rows, "saved");
            }
            Err(failure) => {
                self.failed = Some((failure.to_string(), Instant::now()));
                error!("{failure}");
            }
        }
        // Before the clients get their replies, so that `/readyz` agrees with them.
        let _ = self.check_room();
        for (reply_to, reply) in self.waiting.drain(..) {
            let reply = match &saved {
                Ok(()) => reply,
                Err(failure) => Err(not_saved(failure)),
            };
            let _ = reply_to.send(reply);
        }
        saved
    }

    /// Measures the model.
    fn look(&mut self) {
        // Forgetting frees memory.
        let _ = self.check_room();
        let model = self.reader.model();
        self.metrics.measure(&model, self.unsaved_rows(&model));
    }

    fn unsaved_rows(&self, model: &Model<T>) -> u64 {
        model.position().rows() - self.saved_rows
    }
}

fn not_saved(failure: &CommandError) -> Refusal {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    Refusal::new(
        status,
        format!(
            "the rows are learned (or forgotten) but not saved: {failure}; saving is tried again, \
             and rows with a source are not learned twice"
        ),
    )
}
