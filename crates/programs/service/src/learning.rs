//! The one who learns: a thread that takes requests one after another, and saves the model.

mod batch;
mod ids;
mod room;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use forest_model::{CommandError, Model, Saving, TableTask};
use ids::Ids;
use online_forests::OnlineLearner as _;
use room::Room;
use serving::{Reader, Writer};
use tokio::sync::oneshot;
use tracing::{error, info, warn};

use crate::board::Board;
use crate::error::ServiceError;
use crate::private;
use crate::queue::{Answered, Job, Message, Work};
use crate::refusal::Refusal;
use crate::replies::{Key, Replies};
use crate::reply::Reply;
use crate::shown::show;

/// How long to wait for a job before looking whether there is something else to do.
const WAIT: Duration = Duration::from_millis(100);

/// How often the size of the model is looked at, and saving is tried again that has failed.
const LOOK: Duration = Duration::from_secs(1);

/// Jobs after which those who wait for the model to be saved wait no longer for others to join them.
const MOST_JOINED: usize = 64;

/// An answer that is ready, but for the model to be saved.
type Unsaved = (oneshot::Sender<Answered>, Arc<Reply>);

/// A model that learns what comes.
pub struct Learning<T: TableTask> {
    writer: Writer<Model<T>>,
    reader: Reader<Model<T>>,
    saving: Saving,
    room: Room,
    ids: Ids,
    replies: Replies,
    board: Arc<Board>,
    /// Jobs done since the model was saved.
    unsaved_jobs: u64,
    /// Rows of the saved model.
    saved_rows: u64,
    /// Why the model could not be saved, and when it was tried last.
    failed: Option<(String, Instant)>,
    waiting: Vec<Unsaved>,
    looked: Instant,
}

impl<T: TableTask> Learning<T> {
    /// Around both halves of a model.
    ///
    /// # Errors
    /// Ids of rows that cannot be kept.
    pub fn new(
        (writer, reader): (Writer<Model<T>>, Reader<Model<T>>),
        mut saving: Saving,
        max_memory: Option<u64>,
        board: Arc<Board>,
    ) -> Result<Self, CommandError> {
        let saved_rows = reader.model().position().rows();
        saving.start(saved_rows);
        let ids = Ids::start(saving.model(), reader.model().samples_seen())?;
        let mut learning = Self {
            ids,
            writer,
            reader,
            saving,
            room: Room::new(max_memory),
            replies: Replies::default(),
            board,
            unsaved_jobs: 0,
            saved_rows,
            failed: None,
            waiting: Vec::new(),
            looked: Instant::now(),
        };
        learning.look();
        Ok(learning)
    }

    /// Learns until there is nothing more to learn, and saves the model.
    ///
    /// # Errors
    /// A model that cannot be saved at the end.
    pub fn run(mut self, jobs: Receiver<Message>) -> Result<(), CommandError> {
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

    /// Does what others have asked meanwhile, so that one file is written for all of them; `true` at the end.
    fn join(&mut self, jobs: &Receiver<Message>) -> bool {
        for _ in 0..MOST_JOINED {
            match jobs.try_recv() {
                Ok(Message::Job(job)) => self.work(job),
                Ok(Message::End) | Err(TryRecvError::Disconnected) => return true,
                Err(TryRecvError::Empty) => break,
            }
        }
        // The failure is logged, and those who wait are informed.
        let _ = self.save();
        false
    }

    /// What is still there is done, and saved.
    fn finish(mut self, jobs: &Receiver<Message>) -> Result<(), CommandError> {
        while let Ok(Message::Job(job)) = jobs.try_recv() {
            self.work(job);
        }
        if self.unsaved_jobs > 0 {
            self.save().map_err(|source| self.lost(source))?;
        }
        let rows = self.reader.model().samples_seen();
        if let Err(failure) = self.ids.end(rows) {
            warn!("ids of rows continue in another series: {failure}");
        }
        Ok(())
    }

    fn lost(&self, source: CommandError) -> CommandError {
        ServiceError::NotSaved {
            path: self.saving.path().to_owned(),
            rows: self.unsaved_rows(&self.reader.model()),
            source: Box::new(source),
        }
        .into()
    }

    fn work(&mut self, job: Job) {
        let Job {
            work,
            durable,
            key,
            answer,
            held,
        } = job;
        self.board.taken();
        match self.once(key, &work) {
            Ok(reply) if durable => {
                self.unsaved_jobs += 1;
                self.waiting.push((answer, reply));
            }
            done => {
                self.unsaved_jobs += u64::from(done.is_ok());
                // The client may have gone.
                let _ = answer.send(done);
            }
        }
        drop((work, held));
    }

    /// A request whose key is known was done before.
    fn once(&mut self, key: Option<Key>, work: &Work) -> Answered {
        let Some(key) = key else {
            return self.act(work).map(Arc::new);
        };
        if let Some(reply) = self.replies.find(&key)? {
            return Ok(reply);
        }
        let reply = Arc::new(self.act(work)?);
        self.replies.keep(key, &reply);
        Ok(reply)
    }

    fn act(&mut self, work: &Work) -> Result<Reply, Refusal> {
        match work {
            Work::Learn(rows) => {
                self.check_room()?;
                self.learn(rows)
            }
            Work::PredictThenLearn(rows, asked) => {
                self.check_room()?;
                self.predict_then_learn(rows, *asked)
            }
            Work::Forget(id) => {
                self.check_saved()?;
                self.forget(*id)
            }
        }
    }

    /// Refuses to learn what could not be kept.
    fn check_room(&mut self) -> Result<(), Refusal> {
        let checked = self
            .check_saved()
            .and_then(|()| self.room.check(&self.reader));
        let reason = checked.as_ref().err().map(|refusal| refusal.reason.clone());
        self.board.learns(reason);
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

    /// Saves the model, and answers those who have waited for it. Rows are answered meanwhile, and learned afterwards.
    fn save(&mut self) -> Result<(), CommandError> {
        let model = self.reader.model();
        private::protect(&model, &self.saving);
        let saved = self.saving.save(&model);
        let rows = model.position().rows();
        drop(model);
        match &saved {
            Ok(()) => {
                self.unsaved_jobs = 0;
                self.saved_rows = rows;
                self.failed = None;
                self.board.saved();
                info!(rows, "saved");
            }
            Err(failure) => {
                self.failed = Some((failure.to_string(), Instant::now()));
                self.board.not_saved();
                error!("{failure}");
            }
        }
        // Before those who wait have their replies: `/readyz` agrees with them.
        let _ = self.check_room();
        for (answer, reply) in self.waiting.drain(..) {
            let reply = match &saved {
                Ok(()) => Ok(reply),
                Err(failure) => Err(not_saved(failure)),
            };
            let _ = answer.send(reply);
        }
        saved
    }

    /// Has the board show how the model is.
    fn look(&mut self) {
        // Forgetting makes room.
        let _ = self.check_room();
        let model = self.reader.model();
        show(&self.board, &model, self.unsaved_rows(&model));
    }

    fn unsaved_rows(&self, model: &Model<T>) -> u64 {
        model.position().rows() - self.saved_rows
    }
}

fn not_saved(failure: &CommandError) -> Refusal {
    let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
    Refusal::new(
        status,
        format!(
            "the rows are learned (or forgotten) but not saved: {failure}; saving is tried again, and a request with the same \
             Idempotency-Key is not learned twice"
        ),
    )
}
