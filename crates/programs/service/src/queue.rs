//! The queue of the learning thread.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use tokio::sync::oneshot;

use crate::board::Board;
use crate::held::Held;
use crate::refusal::Refusal;
use crate::replies::Key;
use crate::reply::Reply;
use crate::request::Rows;

/// The result of a request.
pub(crate) type ReplyResult = Result<Arc<Reply>, Refusal>;

/// A job for the learning thread.
#[derive(Debug)]
pub(crate) struct Job {
    /// What to do.
    pub work: Work,
    /// Whether the reply waits until the model is saved.
    pub durable: bool,
    /// The key by which the client identifies the request, if it has stated one.
    pub key: Option<Key>,
    /// Where the reply is sent.
    pub reply_to: oneshot::Sender<ReplyResult>,
    /// The counts of the request and its body until the job is done, whether the client waits for it or has gone.
    pub held: Option<Held>,
}

/// The kinds of jobs.
#[derive(Debug)]
pub(crate) enum Work {
    /// Learn rows.
    Learn(Rows),
    /// Predict rows, each just before it is learned; with the probabilities of classes, if they are requested.
    PredictThenLearn(Rows, Probabilities),
    /// Forget the row with this id.
    Forget(u64),
}

/// Whether the probabilities of classes are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probabilities {
    /// They are returned.
    Asked,
    /// Only the class is returned.
    NotAsked,
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
    board: Arc<Board>,
}

impl Queue {
    /// Creates a queue for this number of jobs.
    pub(crate) fn new(most: usize, board: Arc<Board>) -> (Self, Receiver<Message>) {
        let (sender, receiver) = sync_channel(most);
        (Self { sender, board }, receiver)
    }

    /// Adds a job.
    ///
    /// # Errors
    /// Returns an error if the queue is full, or closed.
    pub(crate) fn push(&self, job: Job) -> Result<(), Refusal> {
        // Before it can be taken.
        self.board.count_queued();
        let pushed = self.sender.try_send(Message::Job(job));
        pushed.map_err(|error| {
            self.board.count_taken();
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
