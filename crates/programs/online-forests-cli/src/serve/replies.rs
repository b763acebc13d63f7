//! Replies: predictions of rows, and errors of requests.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use forest_model::{Format, Predictions, Row, Unused, Value};
use online_forests::{InputError, Refused};
use serde_json::json;

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

pub(super) type Replied<R> = Result<R, Refusal>;

impl Refusal {
    /// Creates a refusal with this status, 500 if it is not one, for this reason.
    pub fn new(status: u16, reason: impl Into<String>) -> Self {
        Self {
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            reason: reason.into(),
            cursor: None,
        }
    }
}

/// Treats an error of the model as the fault of the request.
impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        Self::new(422, error.to_string())
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        Self::new(422, error.to_string())
    }
}

/// Treats a row that cannot be forgotten as one that does not exist, unless the learner cannot forget any row.
impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Cannot(_) => {
                let hint = "mondrian:window=N and dynamic-extra-trees can";
                Self::new(405, format!("{refused}; {hint}"))
            }
            _ => Self::new(404, refused.to_string()),
        }
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
        let (name, value) = match self.status.as_u16() {
            429 | 503 => (header::RETRY_AFTER, "1"),
            401 => (header::WWW_AUTHENTICATE, "Bearer"),
            _ => return response,
        };
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
        response
    }
}

/// Returns predictions of rows in the format of the request: 200, or 422 if no row could be used. For such a row the
/// first column is empty and a reason is given; a header counts them, so that a client need not read the whole reply to
/// notice them.
pub(super) fn reply(
    columns: Vec<String>,
    format: Format,
    rows: &[Row],
    predicted: &[Result<Vec<Value<'_>>, Unused>],
) -> Response {
    let mut predictions = Predictions::new(format, columns);
    let text = predictions.text(rows, predicted);
    let text = text.expect("memory takes every text");
    let unused = predictions.unused;
    let mut status = StatusCode::OK;
    if unused > 0 && unused == rows.len() {
        status = StatusCode::UNPROCESSABLE_ENTITY;
    }
    let kind = match format {
        Format::Csv | Format::CsvWithReasons => "text/csv",
        Format::JsonArray | Format::JsonObject => "application/json",
        Format::Jsonl => "application/jsonl",
    };
    let kind = [(header::CONTENT_TYPE, kind)];
    (status, kind, [("x-bad-rows", unused.to_string())], text).into_response()
}

/// Returns a JSON object as a reply.
pub(super) fn json(text: String) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, text + "\n").into_response()
}
