//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tracing::{error, info};

use crate::args::{Args, Limits};
use crate::board::Board;
use crate::exported::Exported;
use crate::from_files::FromFiles;
use crate::origin::AllowedOrigin;
use crate::queue::Queue;
use crate::refusal::Refusal;
use crate::request::RequestReader;
use crate::tls::Tls;
use crate::token::Tokens;
use crate::view::View;

/// What the service proves itself with, and what others do.
pub type Secrets = (FromFiles<Option<Tokens>>, FromFiles<Tls>);

/// What all requests share.
pub struct App {
    /// The model.
    pub view: View,
    /// What turns bodies into its rows.
    pub requests: RequestReader,
    /// The way to the one who learns; none where nothing is learned.
    pub queue: Option<Queue>,
    /// Numbers of the model and its rows.
    pub board: Arc<Board>,
    /// The same, and numbers of requests, as text.
    pub exported: Exported,
    tokens: FromFiles<Option<Tokens>>,
    tls: FromFiles<Tls>,
    /// Pages of other names that may ask.
    pub allowed_origins: Vec<AllowedOrigin>,
    /// How much at once.
    pub limits: Limits,
    /// Requests that may still be worked on.
    free_requests: Arc<Semaphore>,
    /// Streams of events that may still be opened.
    free_streams: Arc<Semaphore>,
    /// Bytes that bodies may still take.
    pub free_bytes: Arc<Semaphore>,
    ending: watch::Sender<bool>,
    is_broken: AtomicBool,
}

impl App {
    /// Around a model.
    pub fn new(
        view: View,
        queue: Option<Queue>,
        board: Arc<Board>,
        (tokens, tls): Secrets,
        args: &Args,
    ) -> Self {
        let limits = args.limits.clone();
        Self {
            requests: view.requests(args),
            view,
            queue,
            exported: Exported::new(Arc::clone(&board)),
            board,
            tokens,
            tls,
            allowed_origins: args.allowed_origin.clone(),
            free_requests: Arc::new(Semaphore::new(limits.max_requests.get())),
            free_streams: Arc::new(Semaphore::new(limits.streams())),
            free_bytes: Arc::new(Semaphore::new(limits.bodies())),
            limits,
            ending: watch::Sender::new(false),
            is_broken: AtomicBool::new(false),
        }
    }

    /// Whether requests must state a token; if not, anyone on this machine may ask.
    pub fn has_token(&self) -> bool {
        self.tokens.now().is_some()
    }

    /// Checks that a request states a token that is good for it, if there is one.
    ///
    /// # Errors
    /// 401 or 403.
    pub fn authorise(&self, request: &Request) -> Result<(), Refusal> {
        let tokens = self.tokens.now();
        (*tokens)
            .as_ref()
            .map_or(Ok(()), |tokens| tokens.check(request))
    }

    /// Returns what makes connections secure.
    pub fn tls(&self) -> Arc<Tls> {
        self.tls.now()
    }

    /// Reads tokens and the certificate again. What was read before stays if that fails.
    pub fn reload(&self) {
        for (what, read) in [
            ("tokens", self.tokens.read_again()),
            ("certificate", self.tls.read_again()),
        ] {
            match read {
                Ok(()) => info!("{what}: read again"),
                Err(failure) => error!("{what}: what was read before stays: {failure}"),
            }
        }
    }

    /// Counts a request for as long as it is worked on.
    ///
    /// # Errors
    /// 429 if there are too many.
    pub fn work(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let held = Arc::clone(&self.free_requests).try_acquire_owned();
        held.map_err(|_| Refusal::busy("too many requests at once; try again later"))
    }

    /// Counts a stream of events for as long as it is open.
    ///
    /// # Errors
    /// 429 if there are too many.
    pub fn stream(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let held = Arc::clone(&self.free_streams).try_acquire_owned();
        held.map_err(|_| Refusal::busy("too many streams of events are open; close a page"))
    }

    /// Becomes true when the service ends.
    pub fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// The service ends.
    pub fn end(&self) {
        self.ending.send_replace(true);
    }

    /// Learning has failed, by a fault of this program.
    pub fn break_down(&self) {
        self.is_broken.store(true, Ordering::Relaxed);
    }

    /// Why requests cannot be answered, or rows not be learned, now and for some time.
    pub fn not_ready(&self) -> Option<String> {
        let has_ended = *self.ending.borrow() || self.is_broken.load(Ordering::Relaxed);
        let ended = "the service is ending, or learns no more";
        has_ended
            .then(|| ended.to_owned())
            .or_else(|| self.board.refused_for())
    }
}

/// One of so many connections may be a stream of events, which lasts.
const STREAMS: usize = 8;

impl Limits {
    fn streams(&self) -> usize {
        (self.max_connections.get() / STREAMS).max(1)
    }

    /// Bytes of all bodies, as many as can be counted.
    fn bodies(&self) -> usize {
        usize::try_from(self.max_bodies).map_or(Semaphore::MAX_PERMITS, |bytes| {
            bytes.min(Semaphore::MAX_PERMITS)
        })
    }
}
