//! Who may send requests, and how many at a time. The head decides, before a request takes a permit and before its body
//! is read; each request counts until its reply is read, and body and reply take a bounded number of bytes.

use std::convert::Infallible;
use std::fs;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use anyhow::bail;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderName, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use forest_model::cannot;
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use subtle::ConstantTimeEq as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::serve::args::{Args, Limits};
use crate::serve::replies::{Refusal, Replied};

/// The minimum length of a token, in characters.
const MIN_TOKEN_LENGTH: usize = 16;

/// Counts a request until its last holder drops it, even if the client has gone.
pub(super) type Permit = Arc<OwnedSemaphorePermit>;

/// The token that requests must state, and the limits with what they leave free. Without a token, programs of this
/// machine may send requests.
pub(super) struct Guard {
    token: Option<String>,
    limits: Limits,
    requests: Arc<Semaphore>,
}

impl Guard {
    /// Reads the token in its file, without blanks around it; refuses one that is too short or could not be sent.
    pub(super) fn new(args: &Args) -> anyhow::Result<Self> {
        let mut token = None;
        if let Some(path) = &args.token_file {
            let text = fs::read_to_string(path).map_err(|source| cannot("read", path, source))?;
            let text = text.trim();
            if text.len() < MIN_TOKEN_LENGTH || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
                let path = path.display();
                bail!(
                    "{path} does not hold a token: {MIN_TOKEN_LENGTH} characters or more, without blanks, such as \
                     `openssl rand -hex 32` prints"
                );
            }
            token = Some(text.to_owned());
        }
        let address = args.listen;
        if token.is_none() && !address.ip().is_loopback() {
            bail!(
                "{address} can be reached from other machines; restrict access with --token-file FILE"
            );
        }
        let requests = Arc::new(Semaphore::new(args.limits.max_requests.get()));
        Ok(Self {
            token,
            limits: args.limits.clone(),
            requests,
        })
    }

    /// Refuses a request without the token, or that a page of another site sends.
    fn check(&self, request: &Request) -> Replied<()> {
        let host = text(request, &header::HOST).unwrap_or_default();
        match &self.token {
            Some(token) if !is_stated(token, request) => {
                return Err(Refusal::new(
                    401,
                    "a token is required: Authorization: Bearer TOKEN",
                ));
            }
            // A page elsewhere could give its own name the address of this machine.
            None if !is_loopback(host) => {
                let reason = "without a token, the service accepts only the names localhost, 127.0.0.1 or [::1]";
                return Err(Refusal::new(403, reason));
            }
            _ => {}
        }
        // A browser on this machine states whose page sends the request.
        match text(request, &header::ORIGIN).map(|origin| origin.split_once("://")) {
            Some(site) if site.is_none_or(|(_, site)| site != host) => Err(Refusal::new(
                403,
                "requests from pages of other sites are refused",
            )),
            _ => Ok(()),
        }
    }

    /// Reads a body within the limits: 413 if it is too large, 408 if it is too slow, and 400 if it ends early.
    async fn read(&self, body: &mut Body) -> Replied<Bytes> {
        let most = usize::try_from(self.limits.max_body).unwrap_or(usize::MAX);
        let reason =
            format!("the body has more than {most} bytes; send its rows in several requests");
        let too_large = Refusal::new(413, reason);
        if body.size_hint().lower() > self.limits.max_body {
            return Err(too_large);
        }
        let seconds = u64::from(self.limits.patience.get());
        let read = Limited::new(&mut *body, most).collect();
        match timeout(Duration::from_secs(seconds), read).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large),
            Ok(Err(error)) => Err(Refusal::new(400, format!("the body ended early: {error}"))),
            Err(_) => {
                let reason = format!("the body did not arrive within {seconds} seconds");
                Err(Refusal::new(408, reason))
            }
        }
    }
}

/// Refuses requests that may not be sent.
pub(super) async fn authorize(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(refusal, request.into_body()).await,
    }
}

/// Lets a request through within the limits, with its whole body and its permit.
pub(super) async fn admit(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let permit = Arc::clone(&guard.requests).try_acquire_owned();
    let Ok(permit) = permit.map(Arc::new) else {
        let refusal = Refusal::new(429, "too many requests at once; try again later");
        return refuse(refusal, request.into_body()).await;
    };
    match guard.read(request.body_mut()).await {
        Ok(body) => *request.body_mut() = Body::from(body),
        Err(refusal) => return refuse(refusal, request.into_body()).await,
    }
    request.extensions_mut().insert(Permit::clone(&permit));
    let (head, body) = next.run(request).await.into_parts();
    let left = to_bytes(body, usize::MAX).await;
    let left = left.expect("replies are texts in memory");
    Response::from_parts(
        head,
        Body::new(CountedReply {
            left,
            _permit: permit,
        }),
    )
}

/// Refuses a request after reading some of what it still sends, so that the client gets to read the reason: a client
/// that writes into a closed connection does not, and a slow one finds it closed.
pub(super) async fn refuse(refusal: Refusal, body: Body) -> Response {
    let _ = timeout(Duration::from_secs(1), to_bytes(body, 1 << 20)).await;
    refusal.into_response()
}

/// A reply in pieces, which counts until the last of them is sent: a client that does not read keeps it in memory.
struct CountedReply {
    left: Bytes,
    _permit: Permit,
}

/// The bytes that are given to a connection at a time.
const PIECE: usize = 1 << 16;

impl HttpBody for CountedReply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = self.left.len().min(PIECE);
        Poll::Ready((bytes > 0).then(|| Ok(Frame::data(self.left.split_to(bytes)))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}

/// Returns whether a request states the token. Takes the same time wherever a character is wrong.
fn is_stated(token: &str, request: &Request) -> bool {
    let stated = request.headers().get(header::AUTHORIZATION);
    match stated.and_then(|value| value.as_bytes().split_first_chunk::<7>()) {
        Some((scheme, stated)) if scheme.eq_ignore_ascii_case(b"bearer ") => {
            stated.ct_eq(token.as_bytes()).into()
        }
        _ => false,
    }
}

/// Returns a header, as an empty text if it is not one.
fn text<'r>(request: &'r Request, name: &HeaderName) -> Option<&'r str> {
    let value = request.headers().get(name)?;
    Some(value.to_str().unwrap_or_default())
}

fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}
