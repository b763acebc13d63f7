//! The queue of the learning thread.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use tokio::sync::oneshot;

use crate::body::Held;
use crate::cursor::Move;
use crate::metrics::Metrics;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::request::Rows;

/// The result of a request.
pub(crate) type ReplyResult = Result<Reply, Refusal>;

/// A job for the learning thread.
#[derive(Debug)]
pub(crate) struct Job {
    /// What to do.
    pub work: Work,
    /// Whether the reply waits until the model is saved.
    pub durable: bool,
    /// Where the reply is sent.
    pub reply_to: oneshot::Sender<ReplyResult>,
    /// The counts of the request and its body until the job is done, whether the client waits for it or has gone.
    pub held: Option<Held>,
}

/// The kinds of jobs.
#[derive(Debug)]
pub(crate) enum Work {
    /// Learn rows, each predicted just before, and move the cursor of their source if they have one.
    Learn(Rows, Returned, Option<Move>),
    /// Forget the row with this id.
    Forget(u64),
}

/// What is returned for rows that are learned, besides their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    /// Nothing.
    Numbers,
    /// The prediction.
    Predictions,
    /// The class, and the probabilities of all classes.
    Probabilities,
}

/// A message to the learning thread.
#[derive(Debug)]
pub(crate) enum Message {
    /// A job.
    Job(Job),
    /// No more jobs follow.
    End,
}

/// The sending half of the queue.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    sender: SyncSender<Message>,
    metrics: Arc<Metrics>,
}

impl Queue {
    /// Creates a queue for this number of jobs.
    pub(crate) fn new(most: usize, metrics: Arc<Metrics>) -> (Self, Receiver<Message>) {
        let (sender, receiver) = sync_channel(most);
        (Self { sender, metrics }, receiver)
    }

    /// Adds a job.
    ///
    /// # Errors
    /// Returns an error if the queue is full, or closed.
    pub(crate) fn push(&self, job: Job) -> Result<(), Refusal> {
        // Before it can be taken.
        self.metrics.count_queued();
        let pushed = self.sender.try_send(Message::Job(job));
        pushed.map_err(|error| {
            self.metrics.count_taken();
            match error {
                TrySendError::Full(_) => {
                    Refusal::busy("too many requests wait to be learned; try again later")
                }
                TrySendError::Disconnected(_) => end_refusal(),
            }
        })
    }

    /// Declares that no more jobs follow. Waits for room.
    pub(crate) fn end(&self) {
        // The receiver may have been dropped.
        let _ = self.sender.send(Message::End);
    }
}

/// Returns the error after learning has ended.
pub(crate) fn end_refusal() -> Refusal {
    Refusal::unavailable("the service learns no more: it is ending, or learning has failed")
}
