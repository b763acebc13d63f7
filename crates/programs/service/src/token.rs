//! Access by tokens.

use std::fs;
use std::path::Path;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, StatusCode, header};
use forest_model::CommandError;
use subtle::{Choice, ConstantTimeEq as _};

use crate::args::Args;
use crate::error::ServiceError;
use crate::refusal::Refusal;

/// The minimum length of a token, in characters.
const FEWEST: usize = 16;

/// Routes that change nothing.
const READING: [&str; 5] = ["/predict", "/explain", "/model", "/metrics", "/events"];

/// The header value that requests must state.
struct Token(String);

/// The tokens of a service: one for all, and one for requests that change nothing.
pub(crate) struct Tokens {
    all: Token,
    reading: Option<Token>,
}

impl Tokens {
    /// Reads the files that the command line names; `None` if it does not name any.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or its token is too short or could not be sent.
    pub(crate) fn read(args: &Args) -> Result<Option<Self>, CommandError> {
        let read = |path: &Option<_>| path.as_deref().map(Token::read).transpose();
        let reading = read(&args.read_token_file)?;
        let all = read(&args.token_file)?;
        Ok(all.map(|all| Self { all, reading }))
    }

    /// Checks that a request states a token that permits it.
    ///
    /// # Errors
    /// Returns 401 without a token, or with a wrong one; 403 if the token does not permit the request.
    pub(crate) fn check(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        // Both are compared, so that the time is the same whichever is stated.
        let all = self.all.is_stated(headers);
        let reading = match &self.reading {
            Some(token) => token.is_stated(headers),
            None => Choice::from(0),
        };
        let route = request.extensions().get::<MatchedPath>();
        let is_reading = route.is_some_and(|route| READING.contains(&route.as_str()));
        match (bool::from(all), bool::from(reading)) {
            (true, _) => Ok(()),
            (false, true) if is_reading => Ok(()),
            (false, true) => Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "this token is read-only; use the other one to learn and forget",
            )),
            (false, false) => Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                "a token is required: Authorization: Bearer TOKEN",
            )),
        }
    }
}

impl Token {
    /// Reads the token in a file, without blanks around it.
    fn read(path: &Path) -> Result<Self, CommandError> {
        let text = fs::read_to_string(path);
        let text = text.map_err(|source| CommandError::io("read", path, source))?;
        let token = text.trim();
        if token.len() >= FEWEST && token.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(token.to_owned()))
        } else {
            Err(ServiceError::Token {
                path: path.to_owned(),
                fewest: FEWEST,
            }
            .into())
        }
    }

    /// Returns whether a request states it. Takes the same time whichever character is wrong.
    fn is_stated(&self, headers: &HeaderMap) -> Choice {
        let stated = headers.get(header::AUTHORIZATION);
        let stated = stated.and_then(|value| value.as_bytes().split_first_chunk::<7>());
        match stated {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"bearer ") => {
                token.ct_eq(self.0.as_bytes())
            }
            _ => Choice::from(0),
        }
    }
}
