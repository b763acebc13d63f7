//! Checks before a request is handled, and records after it.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::debug;

use crate::app::App;
use crate::body::pass_over;
use crate::places::Place;
use crate::refusal::Refusal;
use crate::site;

/// Records status and time of a request, and logs a line at debug level: of what the client has sent, only the route.
pub(crate) async fn note(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let response = next.run(request).await;
    let (status, time) = (response.status().as_u16(), start.elapsed());
    app.exported.request(&route, status, time);
    debug!(%method, route, status, micros = time.as_micros() as u64, "request");
    response
}

/// Refuses requests from other sites in a browser.
pub(crate) async fn admit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match site::check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(request, refusal).await,
    }
}

/// Refuses requests without a token that permits them, if tokens are required: before anything is counted or read for them.
pub(crate) async fn authorise(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    if let Err(refusal) = app.authorise(&request) {
        return refuse(request, refusal).await;
    }
    if let Some(place) = request.extensions().get::<Arc<Place>>() {
        place.trust();
    }
    next.run(request).await
}

async fn refuse(request: Request, refusal: Refusal) -> Response {
    pass_over(request.into_body()).await;
    refusal.into_response()
}
