//! What is checked before a request is looked at, and what is noted after it was answered.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::debug;

use super::Refusal;
use super::app::App;
use super::body::pass_over;

/// Notes status and time of a request, and writes a line at debug: nothing that the client has sent but the route.
pub async fn note(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
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

/// Refuses requests from other sites in a browser, and more than are worked on at a time.
pub async fn admit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if let Err(refusal) = check_site(&app, request.headers()) {
        return refuse(request, refusal).await;
    }
    match app.free_requests.try_acquire() {
        Ok(_held) => next.run(request).await,
        Err(_) => {
            let refusal = Refusal::busy("too many requests at once; try again later");
            refuse(request, refusal).await
        }
    }
}

/// Refuses requests that do not state the token, if there is one.
pub async fn authorise(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let is_free = |token: &super::token::Token| !token.is_stated(request.headers());
    if app.token.as_ref().is_some_and(is_free) {
        let reason = "state the token: Authorization: Bearer TOKEN";
        let refusal = Refusal::new(StatusCode::UNAUTHORIZED, reason);
        return refuse(request, refusal).await;
    }
    next.run(request).await
}

async fn refuse(request: Request, refusal: Refusal) -> Response {
    pass_over(request.into_body()).await;
    refusal.into_response()
}

/// A page of another site that is open in a browser on this machine can reach the service, too. It states where it comes
/// from; and without a token, its name for this machine must be one that no other site can have.
fn check_site(app: &App, headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    let host = text(header::HOST).unwrap_or_default();
    let refused = |reason: &str| Err(Refusal::new(StatusCode::FORBIDDEN, reason));
    if app.token.is_none() && !is_loopback(host) {
        return refused(
            "without a token, the service is known as localhost, 127.0.0.1 or [::1] only",
        );
    }
    match text(header::ORIGIN) {
        Some(origin)
            if origin
                .split_once("://")
                .is_none_or(|(_, site)| site != host) =>
        {
            refused("requests from pages of other sites are refused")
        }
        _ => Ok(()),
    }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse::<std::net::IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:1",
            "127.0.0.2",
            "[::1]",
            "[::1]:80",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:80",
            "10.0.0.1",
            "localhost:80:x",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
