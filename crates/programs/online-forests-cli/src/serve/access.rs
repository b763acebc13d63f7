//! Who may send requests. The head decides, before a request takes a permit and before its body is read.

use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use forest_model::CommandError;
use subtle::ConstantTimeEq as _;

use crate::serve::limits::pass_over;
use crate::serve::refusal::Refusal;

/// The minimum length of a token, in characters.
const FEWEST: usize = 16;

/// The token that requests must state. Without one, programs of this machine may send requests.
pub(super) struct Access(Option<String>);

/// Refuses requests that may not be sent.
pub(super) async fn check(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    match access.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            pass_over(request.into_body()).await;
            refusal.into_response()
        }
    }
}

impl Access {
    /// Reads the token in a file, without blanks around it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the token is too short or could not be sent.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, CommandError> {
        let Some(path) = path else {
            return Ok(Self(None));
        };
        let text = fs::read_to_string(path);
        let text = text.map_err(|source| CommandError::io("read", path, source))?;
        let token = text.trim();
        if token.len() >= FEWEST && token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Self(Some(token.to_owned())));
        }
        Err(CommandError::new(format!(
            "{} does not hold a token: {FEWEST} characters or more, without blanks, such as `openssl rand -hex 32` prints",
            path.display()
        )))
    }

    /// Returns whether requests must state a token.
    pub(super) fn has_token(&self) -> bool {
        self.0.is_some()
    }

    fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = text(request, &header::HOST).unwrap_or_default();
        match &self.0 {
            Some(token) if !is_stated(token, request) => {
                let reason = "a token is required: Authorization: Bearer TOKEN";
                return Err(Refusal::new(StatusCode::UNAUTHORIZED, reason));
            }
            // A page elsewhere could give its own name the address of this machine.
            None if !is_loopback(host) => {
                let reason = "without a token, the service accepts only the names localhost, 127.0.0.1 or [::1]";
                return Err(Refusal::new(StatusCode::FORBIDDEN, reason));
            }
            Some(_) | None => {}
        }
        // A browser on this machine states whose page sends the request.
        let site = text(request, &header::ORIGIN).map(|origin| origin.split_once("://"));
        if site.is_none_or(|site| site.is_some_and(|(_, site)| site == host)) {
            Ok(())
        } else {
            let reason = "requests from pages of other sites are refused";
            Err(Refusal::new(StatusCode::FORBIDDEN, reason))
        }
    }
}

/// Returns whether a request states the token. Takes the same time whichever character is wrong.
fn is_stated(token: &str, request: &Request) -> bool {
    let stated = request.headers().get(header::AUTHORIZATION);
    match stated.and_then(|value| value.as_bytes().split_first_chunk::<7>()) {
        Some((scheme, stated)) if scheme.eq_ignore_ascii_case(b"bearer ") => {
            stated.ct_eq(token.as_bytes()).into()
        }
        _ => false,
    }
}

fn text<'r>(request: &'r Request, name: &HeaderName) -> Option<&'r str> {
    let value = request.headers().get(name)?;
    // A text that no name equals.
    Some(value.to_str().unwrap_or_default())
}

fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        let own = [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.2:1",
            "[::1]",
            "[::1]:80",
        ];
        assert!(own.into_iter().all(is_loopback));
        let others = [
            "",
            "example.org",
            "localhost.example.org",
            "10.0.0.1",
            "localhost:80:x",
        ];
        assert!(!others.into_iter().any(is_loopback));
    }
}
