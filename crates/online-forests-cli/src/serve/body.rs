//! The body of a request, in bounded memory and time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use http_body_util::BodyExt as _;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::Refusal;
use super::app::App;

/// The bytes, and what counts them against all bodies for as long as it is held.
pub type Received = (Vec<u8>, Option<OwnedSemaphorePermit>);

/// Bytes that are passed over, and how long.
const PASSED_OVER: usize = 1 << 20;
const SHORT: Duration = Duration::from_secs(1);

/// Reads a body.
///
/// # Errors
/// 413 for one that is too large, 408 for one that comes too slowly, 429 if all bodies together take too much, 400 if it ends early.
pub async fn receive(app: &App, body: Body) -> Result<Received, Refusal> {
    let patience = Duration::from_secs(u64::from(app.limits.patience.get()));
    let received = timeout(patience, collect(app, body)).await;
    received.unwrap_or_else(|_| {
        let reason = format!(
            "the body did not arrive within {} seconds",
            patience.as_secs()
        );
        Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, reason))
    })
}

/// Reads what a refused request still sends, some of it, so that the client gets to read why: who writes into a closed connection
/// does not.
pub async fn pass_over(body: Body) {
    let reading = async {
        let (mut body, mut bytes) = (body, 0);
        while let Some(Ok(frame)) = body.frame().await {
            bytes += frame.data_ref().map_or(0, |data| data.len());
            if bytes > PASSED_OVER {
                break;
            }
        }
    };
    // Who is slow has a closed connection.
    let _ = timeout(SHORT, reading).await;
}

async fn collect(app: &App, mut body: Body) -> Result<Received, Refusal> {
    let (mut bytes, mut counted) = (Vec::new(), None::<OwnedSemaphorePermit>);
    let stated = http_body::Body::size_hint(&body).lower();
    check(app, stated)?;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            Refusal::bad_request(format!(
                "the body ended before all of it was there: {error}"
            ))
        })?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        check(app, (bytes.len() + data.len()) as u64)?;
        let more = count(app, data.len())?;
        match &mut counted {
            Some(counted) => counted.merge(more),
            None => counted = Some(more),
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes, counted))
}

fn check(app: &App, bytes: u64) -> Result<(), Refusal> {
    match bytes > app.limits.max_body {
        true => Err(Refusal::too_large(format!(
            "the body has more than {} bytes; send its rows in several requests",
            app.limits.max_body
        ))),
        false => Ok(()),
    }
}

fn count(app: &App, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
    // What a body can have is far below the limit of the type.
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    let counted = Arc::clone(&app.free_bytes).try_acquire_many_owned(bytes);
    counted.map_err(|_| {
        Refusal::busy("the bodies of requests take too much memory together; try again later")
    })
}
