//! State shared by all requests.

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

/// The service's certificate, and the tokens of its clients.
pub(crate) type Secrets = (FromFiles<Option<Tokens>>, FromFiles<Tls>);

/// State shared by all requests.
pub(crate) struct App {
    /// The model.
    pub view: View,
    /// Parses bodies into rows of the model.
    pub requests: RequestReader,
    /// The queue to the learning thread; `None` if nothing is learned.
    pub queue: Option<Queue>,
    /// Figures of the model and its rows.
    pub board: Arc<Board>,
    /// The same, and figures of requests, as text.
    pub exported: Exported,
    tokens: FromFiles<Option<Tokens>>,
    tls: FromFiles<Tls>,
    /// Other sites whose pages may send requests.
    pub allowed_origins: Vec<AllowedOrigin>,
    /// Limits.
    pub limits: Limits,
    /// Free places for requests.
    free_requests: Arc<Semaphore>,
    /// Free places for streams of events.
    free_streams: Arc<Semaphore>,
    /// Free bytes for bodies.
    pub free_bytes: Arc<Semaphore>,
    ending: watch::Sender<bool>,
    is_broken: AtomicBool,
}

impl App {
    /// Creates the state around a model.
    pub(crate) fn new(
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

    /// Returns whether requests must state a token; if not, anyone on this machine may send them.
    pub(crate) fn has_token(&self) -> bool {
        self.tokens.now().is_some()
    }

    /// Checks that a request states a token that permits it, if tokens are required.
    ///
    /// # Errors
    /// Returns 401 or 403.
    pub(crate) fn authorise(&self, request: &Request) -> Result<(), Refusal> {
        let tokens = self.tokens.now();
        (*tokens)
            .as_ref()
            .map_or(Ok(()), |tokens| tokens.check(request))
    }

    /// Returns the TLS configuration.
    pub(crate) fn tls(&self) -> Arc<Tls> {
        self.tls.now()
    }

    /// Reads tokens and the certificate again. If that fails, the old ones stay in use.
    pub(crate) fn reload(&self) {
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

    /// Counts a request for as long as it is processed.
    ///
    /// # Errors
    /// Returns 429 if there are too many.
    pub(crate) fn work(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let held = Arc::clone(&self.free_requests).try_acquire_owned();
        held.map_err(|_| Refusal::busy("too many requests at once; try again later"))
    }

    /// Counts a stream of events for as long as it is open.
    ///
    /// # Errors
    /// Returns 429 if there are too many.
    pub(crate) fn stream(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let held = Arc::clone(&self.free_streams).try_acquire_owned();
        held.map_err(|_| Refusal::busy("too many streams of events are open; close a page"))
    }

    /// Returns a receiver that becomes true when the service ends.
    pub(crate) fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// Ends the service.
    pub(crate) fn end(&self) {
        self.ending.send_replace(true);
    }

    /// Records that learning has failed, by a fault of this program.
    pub(crate) fn break_down(&self) {
        self.is_broken.store(true, Ordering::Relaxed);
    }

    /// Returns the reason why rows cannot be predicted, or not be learned, now and for some time.
    pub(crate) fn not_ready(&self) -> Option<String> {
        let has_ended = *self.ending.borrow() || self.is_broken.load(Ordering::Relaxed);
        let ended = "the service is ending, or learns no more";
        has_ended
            .then(|| ended.to_owned())
            .or_else(|| self.board.refusal_reason())
    }
}

/// One in this many connections may be a stream of events, which lasts.
const STREAMS: usize = 8;

impl Limits {
    fn streams(&self) -> usize {
        (self.max_connections.get() / STREAMS).max(1)
    }

    /// Returns the limit of the bytes of all bodies, capped to what can be counted.
    fn bodies(&self) -> usize {
        usize::try_from(self.max_bodies).map_or(Semaphore::MAX_PERMITS, |bytes| {
            bytes.min(Semaphore::MAX_PERMITS)
        })
    }
}
