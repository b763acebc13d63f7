//! Limits of requests: each counts from its head until its reply is read, and its body and reply take a bounded number of bytes.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::serve::args::Limits;
use crate::serve::refusal::Refusal;

/// Counts a request for as long as somebody holds it: also what is computed for a client that has gone.
pub(super) type Permit = Arc<OwnedSemaphorePermit>;

/// The limits, and what they leave free.
pub(super) struct Admission {
    limits: Limits,
    requests: Arc<Semaphore>,
}

impl Admission {
    /// Creates it with nothing taken.
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            requests: Arc::new(Semaphore::new(limits.max_requests.get())),
            limits: limits.clone(),
        }
    }

    /// Takes a permit, and reads the body.
    ///
    /// # Errors
    /// Returns 429 if too many requests are processed, 413 if the body is too large, 408 if it is too slow, and 400 if it ends early.
    async fn admit(&self, request: &mut Request) -> Result<Permit, Refusal> {
        let permit = Arc::clone(&self.requests).try_acquire_owned();
        let permit =
            permit.map_err(|_| Refusal::busy("too many requests at once; try again later"))?;
        let most = usize::try_from(self.limits.max_body).unwrap_or(usize::MAX);
        let too_large = || {
            let reason =
                format!("the body has more than {most} bytes; send its rows in several requests");
            Refusal::too_large(reason)
        };
        let body = std::mem::take(request.body_mut());
        if http_body::Body::size_hint(&body).lower() > self.limits.max_body {
            *request.body_mut() = body;
            return Err(too_large());
        }
        let patience = Duration::from_secs(u64::from(self.limits.patience.get()));
        let read = timeout(patience, Limited::new(body, most).collect()).await;
        let read = read.map_err(|_| {
            let reason = format!(
                "the body did not arrive within {} seconds",
                patience.as_secs()
            );
            Refusal::new(StatusCode::REQUEST_TIMEOUT, reason)
        })?;
        let body = read.map_err(|error| match error.downcast::<LengthLimitError>() {
            Ok(_) => too_large(),
            Err(error) => Refusal::bad_request(format!("the body ended early: {error}")),
        })?;
        *request.body_mut() = Body::from(body.to_bytes());
        Ok(Arc::new(permit))
    }
}

/// Lets a request through within the limits, with its whole body and its permit.
pub(super) async fn admit(
    State(admission): State<Arc<Admission>>,
    mut request: Request,
    next: Next,
) -> Response {
    match admission.admit(&mut request).await {
        Ok(permit) => {
            request.extensions_mut().insert(Arc::clone(&permit));
            let (head, body) = next.run(request).await.into_parts();
            let left = body
                .collect()
                .await
                .expect("replies are texts in memory")
                .to_bytes();
            Response::from_parts(
                head,
                Body::new(Counted {
                    left,
                    _permit: permit,
                }),
            )
        }
        Err(refusal) => {
            pass_over(request.into_body()).await;
            refusal.into_response()
        }
    }
}

/// A reply in pieces, which counts until the last of them is sent: a client that does not read keeps it in memory.
struct Counted {
    left: Bytes,
    _permit: Permit,
}

/// The bytes that are given to a connection at a time.
const PIECE: usize = 1 << 16;

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = self.left.len().min(PIECE);
        Poll::Ready((bytes > 0).then(|| Ok(Frame::data(self.left.split_to(bytes)))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}

/// The limits of what is discarded, in bytes and in time.
const PASSED_OVER: usize = 1 << 20;
const SHORT: Duration = Duration::from_secs(1);

/// Reads some of what a refused request still sends, so that the client gets to read the reason: a client that writes into a
/// closed connection does not.
pub(super) async fn pass_over(body: Body) {
    // A slow client finds the connection closed.
    let _ = timeout(SHORT, Limited::new(body, PASSED_OVER).collect()).await;
}
