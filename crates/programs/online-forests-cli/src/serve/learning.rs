//! The learning thread, which processes requests one after another, and saves the model.

use std::sync::Arc;
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use forest_model::{CommandError, Memory, Model, Saving, TableTask};
use serving::{Reader, Writer};
use tokio::sync::oneshot;
use tracing::{error, info};

use crate::serve::Readiness;
use crate::serve::cursor::Move;
use crate::serve::limits::Permit;
use crate::serve::metrics::Metrics;
use crate::serve::refusal::Refusal;
use crate::serve::reply::Reply;
use crate::serve::request::Rows;

/// The result of a request.
pub(super) type ReplyResult = Result<Reply, Refusal>;

/// A job for the learning thread.
#[derive(Debug)]
pub(super) struct Job {
    pub work: Work,
    /// Whether the reply waits until the model is saved.
    pub durable: bool,
    pub reply_to: oneshot::Sender<ReplyResult>,
    /// Counts the request until the job is done, whether the client waits for it or has gone.
    pub permit: Permit,
}

/// The kinds of jobs.
#[derive(Debug)]
pub(super) enum Work {
    /// Learn rows, each predicted just before, and move the cursor of their source if they have one.
    Learn(Rows, Returned, Option<Move>),
    /// Forget the row with this id.
    Forget(u64),
}

/// What is returned for rows that are learned, besides their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// Nothing.
    Numbers,
    /// The prediction.
    Predictions,
    /// The class, and the probabilities of all classes.
    Probabilities,
}

/// The sending half of the queue of the learning thread; `None` is the last message.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    sender: SyncSender<Option<Job>>,
    metrics: Arc<Metrics>,
}

impl Queue {
    /// Creates a queue for this number of jobs.
    pub(super) fn new(most: usize, metrics: Arc<Metrics>) -> (Self, Receiver<Option<Job>>) {
        let (sender, receiver) = sync_channel(most);
        (Self { sender, metrics }, receiver)
    }

    /// Adds a job.
    ///
    /// # Errors
    /// Returns an error if the queue is full, or closed.
    pub(super) fn push(&self, job: Job) -> Result<(), Refusal> {
        // Before it can be taken.
        self.metrics.waiting.inc();
        self.sender.try_send(Some(job)).map_err(|error| {
            self.metrics.waiting.dec();
            match error {
                TrySendError::Full(_) => {
                    Refusal::busy("too many requests wait to be learned; try again later")
                }
                TrySendError::Disconnected(_) => end_refusal(),
            }
        })
    }

    /// Declares that no more jobs follow. Waits for room.
    pub(super) fn end(&self) {
        // The receiver may have been dropped.
        let _ = self.sender.send(None);
    }
}

/// Returns the error after learning has ended.
pub(super) fn end_refusal() -> Refusal {
    Refusal::unavailable("the service learns no more: it is ending, or learning has failed")
}

/// The time to wait for a job before checking for other work.
const WAIT: Duration = Duration::from_millis(100);

/// How often the size of the model is measured, and saving is retried after a failure.
const LOOK: Duration = Duration::from_secs(1);

/// The copies of the model: one is read while the other learns.
const COPIES: u64 = 2;

/// The number of jobs after which clients that wait for the model to be saved wait no longer for others to join them.
const MOST_JOINED: usize = 64;

/// The reply to a request, sent once the model is saved.
type Unsaved = (oneshot::Sender<ReplyResult>, ReplyResult);

/// A model that learns the jobs of a queue.
pub(super) struct Learning<T: TableTask> {
    pub(super) writer: Writer<Model<T>>,
    pub(super) reader: Reader<Model<T>>,
    saving: Saving,
    memory: Memory,
    pub(super) metrics: Arc<Metrics>,
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
    pub(super) fn new(
        (writer, reader): (Writer<Model<T>>, Reader<Model<T>>),
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
    pub(super) fn run(mut self, jobs: Receiver<Option<Job>>) -> Result<(), CommandError> {
        loop {
            match jobs.recv_timeout(WAIT) {
                Ok(Some(job)) => self.work(job),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => break,
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
    fn join(&mut self, jobs: &Receiver<Option<Job>>) -> bool {
        for _ in 0..MOST_JOINED {
            match jobs.try_recv() {
                Ok(Some(job)) => self.work(job),
                Ok(None) | Err(TryRecvError::Disconnected) => return true,
                Err(TryRecvError::Empty) => break,
            }
        }
        // The failure is logged, and the clients that wait are informed.
        let _ = self.save();
        false
    }

    /// Processes and saves what is still in the queue.
    fn finish(mut self, jobs: &Receiver<Option<Job>>) -> Result<(), CommandError> {
        while let Ok(Some(job)) = jobs.try_recv() {
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
            permit,
        } = job;
        self.metrics.waiting.dec();
        let done = self.act(&work, durable);
        self.unsaved_jobs += u64::from(done.is_ok());
        // Also the cursor in a refusal is that of a saved model.
        let has_cursor = |refusal: &Refusal| refusal.cursor.is_some();
        if durable && done.as_ref().err().is_none_or(has_cursor) {
            self.waiting.push((reply_to, done));
        } else {
            // The client may have closed the connection.
            let _ = reply_to.send(done);
        }
        drop((work, permit));
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
        let checked =
            self.check_saved()
                .and_then(|()| match self.memory.exceeded_by(&self.reader.model()) {
                    Some(reason) => Err(Refusal::new(StatusCode::INSUFFICIENT_STORAGE, reason)),
                    None => Ok(()),
                });
        self.readiness
            .set_refused(checked.as_ref().err().map(|refusal| refusal.reason.clone()));
        checked
    }

    fn check_saved(&self) -> Result<(), Refusal> {
        match &self.failed {
            Some((failure, _)) => Err(Refusal::unavailable(format!(
                "nothing is learned or forgotten until the model can be saved again: {failure}"
            ))),
            None => Ok(()),
        }
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
