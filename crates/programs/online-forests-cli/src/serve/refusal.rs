//! Errors of requests.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use forest_model::{CannotForget, CommandError};
use online_forests::InputError;
use serde_json::json;

/// The number of seconds after which a client may try again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// The reason why a request is refused: a status and a sentence, sent as `{"error": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// 4xx if the client is at fault, 5xx if the service is.
    pub status: StatusCode,
    /// What is wrong, and what to do.
    pub reason: String,
    /// The cursor of the source, if the rows of the request do not follow it.
    pub cursor: Option<String>,
}

impl Refusal {
    /// Creates a refusal with this status, for this reason.
    pub fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        Self {
            status,
            reason: reason.into(),
            cursor: None,
        }
    }

    /// Refuses a malformed request.
    pub(super) fn bad_request(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, reason)
    }

    /// Refuses a body that is readable, but that the model cannot use.
    pub(super) fn unprocessable(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
    }

    /// Refuses more than a limit allows.
    pub(super) fn too_large(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
    }

    /// Refuses a request because the service is busy.
    pub(super) fn busy(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, reason)
    }

    /// Refuses what the service cannot do now.
    pub(super) fn unavailable(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }
}

/// Treats an error of the model as the fault of the request.
impl From<CommandError> for Refusal {
    fn from(error: CommandError) -> Self {
        Self::unprocessable(error.to_string())
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        Self::unprocessable(error.to_string())
    }
}

impl From<CannotForget> for Refusal {
    fn from(error: CannotForget) -> Self {
        let status = match error {
            CannotForget::Learner(_) => StatusCode::METHOD_NOT_ALLOWED,
            CannotForget::Row(_) => StatusCode::NOT_FOUND,
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = match self.cursor {
            Some(cursor) => json!({ "error": self.reason, "cursor": cursor }),
            None => json!({ "error": self.reason }),
        };
        let kind = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (self.status, kind, body.to_string()).into_response();
        let headers = response.headers_mut();
        match self.status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, RETRY_AFTER);
            }
            StatusCode::UNAUTHORIZED => {
                let scheme = HeaderValue::from_static("Bearer");
                headers.insert(header::WWW_AUTHENTICATE, scheme);
            }
            _ => {}
        }
        response
    }
}
