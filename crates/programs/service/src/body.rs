//! The bodies of requests and replies, in bounded memory and time.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use indicatif::BinaryBytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::args::Limits;
use crate::refusal::Refusal;

/// What requests may take at once.
pub(crate) struct Capacity {
    limits: Limits,
    /// Free places for requests.
    requests: Arc<Semaphore>,
    /// Free bytes for bodies.
    bytes: Arc<Semaphore>,
}

/// The count of a request, and of the bytes that it takes, for as long as it is held.
#[derive(Debug)]
pub(crate) struct Held {
    _request: OwnedSemaphorePermit,
    _bytes: Option<OwnedSemaphorePermit>,
}

impl Capacity {
    /// Creates it with these limits.
    pub(crate) fn new(limits: &Limits) -> Self {
        // What can be counted is a limit, too.
        let bytes = usize::try_from(limits.max_bodies).unwrap_or(usize::MAX);
        Self {
            requests: Arc::new(Semaphore::new(limits.max_requests.get())),
            bytes: Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))),
            limits: limits.clone(),
        }
    }

    /// Counts a request for as long as it is processed.
    ///
    /// # Errors
    /// Returns 429 if there are too many.
    pub(crate) fn count_request(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let held = Arc::clone(&self.requests).try_acquire_owned();
        held.map_err(|_| Refusal::busy("too many requests at once; try again later"))
    }

    /// Counts the bytes of a reply towards those of all bodies.
    ///
    /// # Errors
    /// Returns 413 for more than all bodies may take, 429 if others take too much now.
    pub(crate) fn count_reply(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Refusal> {
        let most = self.limits.max_bodies;
        if bytes > most {
            let [bytes, most] = [bytes, most].map(BinaryBytes);
            let reason = format!(
                "the predictions could take {bytes}, more than --max-bodies allows ({most}); send the rows in several requests"
            );
            return Err(Refusal::too_large(reason));
        }
        // The size of a reply is far below the limit of the type.
        self.count_bytes(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    fn count_bytes(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        // The size of a body is far below the limit of the type.
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let counted = Arc::clone(&self.bytes).try_acquire_many_owned(bytes);
        counted.map_err(|_| {
            Refusal::busy("the bodies of requests take too much memory together; try again later")
        })
    }

    fn check_size(&self, bytes: u64) -> Result<(), Refusal> {
        if bytes > self.limits.max_body {
            Err(Refusal::too_large(format!(
                "the body has more than {} bytes; send its rows in several requests",
                self.limits.max_body
            )))
        } else {
            Ok(())
        }
    }
}

/// Text that is sent in pieces, and counted until the last of them is sent: a client that does not read keeps its reply in
/// memory.
pub(crate) struct Sent {
    left: Bytes,
    _counted: OwnedSemaphorePermit,
}

impl Sent {
    /// Creates it from a text, and what counts it.
    pub(crate) fn new(mut text: Vec<u8>, counted: OwnedSemaphorePermit) -> Self {
        text.shrink_to_fit();
        Self {
            left: text.into(),
            _counted: counted,
        }
    }
}

impl http_body::Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = self.left.len().min(PIECE);
        let piece = (bytes > 0).then(|| Ok(Frame::data(self.left.split_to(bytes))));
        Poll::Ready(piece)
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}

/// The bytes that are given to a connection at a time.
const PIECE: usize = 1 << 16;

/// The limits of what is discarded, in bytes and in time.
const PASSED_OVER: usize = 1 << 20;
const SHORT: Duration = Duration::from_secs(1);

/// Reads a body, and counts the request from then on: one that is still arriving does not take a place.
///
/// # Errors
/// Returns 413 if it is too large, 408 if it is too slow, 429 if all bodies together take too much or too many requests are processed, and 400 if it ends early.
pub(crate) async fn receive(capacity: &Capacity, body: Body) -> Result<(Vec<u8>, Held), Refusal> {
    let patience = Duration::from_secs(u64::from(capacity.limits.patience.get()));
    let received = timeout(patience, collect(capacity, body)).await;
    let received = received.unwrap_or_else(|_| {
        let reason = format!(
            "the body did not arrive within {} seconds",
            patience.as_secs()
        );
        Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, reason))
    });
    let (bytes, counted) = received?;
    let held = Held {
        _request: capacity.count_request()?,
        _bytes: counted,
    };
    Ok((bytes, held))
}

/// Reads some of what a refused request still sends, so that the client gets to read the reason: a client that writes into a
/// closed connection does not.
pub(crate) async fn pass_over(body: Body) {
    let reading = async {
        let (mut body, mut bytes) = (body, 0);
        while let Some(Ok(frame)) = body.frame().await {
            bytes += frame.data_ref().map_or(0, |data| data.len());
            if bytes > PASSED_OVER {
                break;
            }
        }
    };
    // A slow client finds the connection closed.
    let _ = timeout(SHORT, reading).await;
}

async fn collect(
    capacity: &Capacity,
    mut body: Body,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Refusal> {
    let (mut bytes, mut counted) = (Vec::new(), None::<OwnedSemaphorePermit>);
    let stated = http_body::Body::size_hint(&body).lower();
    capacity.check_size(stated)?;
    while let Some(frame) = body.frame().await {
        let frame = frame
            .map_err(|error| Refusal::bad_request(format!("the body ended early: {error}")))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        capacity.check_size((bytes.len() + data.len()) as u64)?;
        let more = capacity.count_bytes(data.len())?;
        match &mut counted {
            Some(counted) => counted.merge(more),
            None => counted = Some(more),
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes, counted))
}
