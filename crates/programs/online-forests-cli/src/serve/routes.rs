//! The routes of the service.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{
    Extension, FromRequest, FromRequestParts, MatchedPath, Path, Query, Request, State,
};
use axum::http::request::Parts;
use axum::http::{Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use forest_model::shared::Reader;
use forest_model::{Explained, Format, Model, PredictionOptions, Predictor, Summary, TableTask};
use indicatif::BinaryBytes;
use online_forests::threads;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tracing::debug;

use crate::serve::args::Limits;
use crate::serve::guard::{Guard, Permit, admit, authorize, refuse};
use crate::serve::learning::{Cursor, Job, LearnRequest, Learning};
use crate::serve::metrics::Metrics;
use crate::serve::replies::{Refusal, Replied, json, reply};
use crate::serve::request::{RequestReader, Rows};

/// What all requests share.
pub(super) struct App<T: TableTask> {
    /// The model, read only.
    pub model: Reader<Model<T>>,
    /// Parses bodies into rows of the model.
    pub requests: RequestReader,
    /// The queue of the learning thread; `None` if nothing is learned.
    pub queue: Option<SyncSender<Option<Job<T>>>>,
    pub metrics: Arc<Metrics>,
    pub limits: Limits,
}

/// The page, in one file: nothing is loaded from other hosts.
const PAGE: &str = include_str!("page.html");

/// The content security policy of the page: only itself, and the service.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Longer bodies are parsed and predicted on a thread of their own, so that short requests are not kept waiting.
const LARGE: usize = 1 << 14;

type Shared<T> = State<Arc<App<T>>>;

/// Returns all routes. The page and the health of the service hold no data: they need no token, and no limit on
/// requests applies to them.
pub(super) fn router<T: TableTask>(app: Arc<App<T>>, guard: Arc<Guard>) -> Router {
    let metrics = Arc::clone(&app.metrics);
    // Layers from the inside: a request shows its token before it takes a permit, and takes one before its body is
    // read.
    let guarded = Router::new()
        .route("/predict", post(predict::<T>))
        .route("/learn", post(learn::<T>))
        .route("/predict-then-learn", post(learn::<T>))
        .route("/explain", post(explain::<T>))
        .route("/rows/{id}", delete(forget::<T>))
        .route("/model", get(model::<T>))
        .route_layer(from_fn_with_state(Arc::clone(&guard), admit))
        .route("/metrics", get(metrics_text::<T>))
        .route_layer(from_fn_with_state(guard, authorize));
    Router::new()
        .route("/", get(page))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready::<T>))
        .merge(guarded)
        .fallback(async |body: Body| {
            refuse(Refusal::new(404, "this route does not exist"), body).await
        })
        .method_not_allowed_fallback(async |body: Body| {
            let reason = "this route does not support this method";
            refuse(Refusal::new(405, reason), body).await
        })
        .layer(from_fn_with_state(metrics, count))
        .with_state(app)
}

/// Counts a request, and logs a line at debug level: of what the client has sent, only the route.
async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let time = start.elapsed();
    metrics.count_request(&route, status, time);
    debug!(%method, route, status, micros = time.as_micros() as u64, "request");
    response
}

/// A query string. A malformed one is refused with the JSON of all errors.
struct QueryString<Q>(Q);

impl<Q: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryString<Q> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Replied<Self> {
        let query = Query::from_request_parts(parts, state).await;
        let query = query.map_err(|rejection| Refusal::new(400, rejection.body_text()))?;
        Ok(Self(query.0))
    }
}

impl<T: TableTask> FromRequest<Arc<App<T>>> for Rows {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App<T>>) -> Replied<Self> {
        let (head, body) = request.into_parts();
        let body = to_bytes(body, usize::MAX).await;
        let body = body.expect("a body that was admitted is in memory");
        let app = Arc::clone(app);
        apart(body.len(), move || {
            let kind = head.headers.get(header::CONTENT_TYPE);
            let kind = kind.and_then(|kind| kind.to_str().ok());
            app.requests.read(kind, &body)
        })
        .await
    }
}

/// Runs work on this number of bytes: at once if they are few, else on a thread for blocking work, so that no request
/// waits for it.
async fn apart<R: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> Replied<R> + Send + 'static,
) -> Replied<R> {
    if bytes <= LARGE {
        return threads::alone(work);
    }
    let done = spawn_blocking(|| threads::alone(work)).await;
    done.unwrap_or_else(|_| {
        let reason = "the reply failed, which is a fault of this program";
        Err(Refusal::new(500, reason))
    })
}

async fn predict<T: TableTask>(
    State(app): Shared<T>,
    QueryString(options): QueryString<PredictionOptions>,
    Extension(permit): Extension<Permit>,
    rows: Rows,
) -> Replied<Response> {
    if options.interval.is_some_and(|it| !(it > 0.0 && it < 1.0)) {
        let reason = "interval: expected a probability above 0 and below 1, such as 0.9";
        return Err(Refusal::new(400, reason));
    }
    let bytes = check_size(&app.model.model(), &rows, options.proba, &app.limits)?;
    apart(bytes, move || {
        // Until the work is done, whether the client waits for it or has gone.
        let _permit = permit;
        let model = app.model.model();
        let predictor = Predictor::new(&model, options)?;
        let predicted = predictor.predict(&rows.layout, &rows.rows, &mut 0)?;
        let used = predicted.iter().filter(|row| row.is_ok()).count();
        app.metrics.predicted.inc_by(used as u64);
        app.metrics.bad.inc_by((predicted.len() - used) as u64);
        let columns = predictor.columns();
        Ok(reply(columns, rows.format, &rows.rows, &predicted))
    })
    .await
}

/// The query of `/learn` and `/predict-then-learn`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LearnQuery {
    proba: bool,
    durable: bool,
    source: Option<String>,
    after: String,
    upto: Option<String>,
}

/// Sends rows to the learning thread: `/learn` and `/predict-then-learn`.
async fn learn<T: TableTask>(
    State(app): Shared<T>,
    route: Uri,
    QueryString(query): QueryString<LearnQuery>,
    Extension(permit): Extension<Permit>,
    rows: Rows,
) -> Replied<Response> {
    let LearnQuery {
        proba,
        durable,
        source,
        after,
        upto,
    } = query;
    let predicts = route.path() != "/learn";
    if proba && !predicts {
        let reason = "/learn returns no probabilities; /predict-then-learn does";
        return Err(Refusal::new(400, reason));
    }
    let cursor = match (source, upto) {
        (Some(source), Some(upto)) => Some(Cursor::new(source, after, upto)?),
        (None, None) if after.is_empty() => None,
        _ => {
            let reason = "rows of a source need its name and their last place: source=NAME&after=CURSOR&upto=PLACE";
            return Err(Refusal::new(400, reason));
        }
    };
    // Before anything is learned.
    check_size(&app.model.model(), &rows, proba, &app.limits)?;
    let number = if durable { "id" } else { "row" };
    let request = LearnRequest {
        rows,
        predicts,
        proba,
        number,
        cursor,
    };
    queue(&app, durable, permit, move |learning| {
        learning.learn(&request)
    })
    .await
}

/// The query of `/rows`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ForgetQuery {
    durable: bool,
}

async fn forget<T: TableTask>(
    State(app): Shared<T>,
    Path(id): Path<String>,
    QueryString(query): QueryString<ForgetQuery>,
    Extension(permit): Extension<Permit>,
) -> Replied<Response> {
    let Ok(id) = id.parse() else {
        let reason = "the id of a row is the number that /learn returned";
        return Err(Refusal::new(400, reason));
    };
    queue(&app, query.durable, permit, move |learning| {
        learning.forget(id)
    })
    .await
}

/// Hands work to the learning thread, and waits for its reply.
async fn queue<T: TableTask>(
    app: &App<T>,
    durable: bool,
    permit: Permit,
    work: impl FnOnce(&mut Learning<T>) -> Replied<Response> + Send + 'static,
) -> Replied<Response> {
    let Some(queue) = &app.queue else {
        let reason = "this service learns nothing (--read-only)";
        return Err(Refusal::new(405, reason));
    };
    let (reply_to, reply) = oneshot::channel();
    let job = Job {
        work: Box::new(work),
        durable,
        reply_to,
        _permit: permit,
    };
    let ended = "the service learns no more: it is ending, or learning has failed";
    // Before it can be taken.
    app.metrics.waiting.inc();
    queue.try_send(Some(job)).map_err(|error| {
        app.metrics.waiting.dec();
        match error {
            TrySendError::Full(_) => {
                Refusal::new(429, "too many requests wait to be learned; try again later")
            }
            TrySendError::Disconnected(_) => Refusal::new(503, ended),
        }
    })?;
    reply.await.unwrap_or_else(|_| {
        app.metrics.end();
        Err(Refusal::new(503, ended))
    })
}

/// The query of `/explain`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ExplainQuery {
    tree: usize,
}

/// Returns the prediction for one row, and its path through a tree.
async fn explain<T: TableTask>(
    State(app): Shared<T>,
    QueryString(query): QueryString<ExplainQuery>,
    Extension(permit): Extension<Permit>,
    rows: Rows,
) -> Replied<Response> {
    apart(usize::MAX, move || {
        let _permit = permit;
        let [row] = &rows.rows[..] else {
            return Err(Refusal::new(422, "one row can be explained at a time"));
        };
        let model = app.model.model();
        let explained = Explained::new(&model, &rows.layout, row, query.tree)?;
        Ok(json(explained.to_json()))
    })
    .await
}

async fn model<T: TableTask>(
    State(app): Shared<T>,
    Extension(permit): Extension<Permit>,
) -> Replied<Response> {
    apart(usize::MAX, move || {
        let _permit = permit;
        let model = app.model.model();
        Ok(json(Summary::of(&*model).to_json()))
    })
    .await
}

async fn metrics_text<T: TableTask>(State(app): Shared<T>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text()).into_response()
}

async fn ready<T: TableTask>(State(app): Shared<T>) -> Replied<&'static str> {
    match app.metrics.fault() {
        None => Ok("ready\n"),
        Some(reason) => Err(Refusal::new(503, reason)),
    }
}

/// Returns the page, which holds no data. Its script states the token if there is one.
async fn page() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, PAGE).into_response()
}

/// Returns the most bytes that a reply to these rows takes, approximately, while it is made and sent; 413 if they
/// exceed the limit.
fn check_size<T: TableTask>(
    model: &Model<T>,
    rows: &Rows,
    proba: bool,
    limits: &Limits,
) -> Replied<usize> {
    let names = model.pipeline.class_names().names();
    // The name of a class; besides, an id, an interval, or the reason why the row was refused.
    let mut row = 128 + names.iter().map(String::len).max().unwrap_or(0);
    let mut bytes = 0;
    if proba {
        // A name with `"p()":` around it, and a number, which is also a text of up to 24 digits and marks.
        let columns: usize = names.iter().map(|name| name.len() + 6).sum();
        row += names.len() * 48;
        match rows.format {
            // The header alone holds the names of columns.
            Format::Csv | Format::CsvWithReasons => bytes += columns,
            _ => row += columns,
        }
    }
    bytes += row * rows.rows.len();
    if bytes as u64 > limits.max_reply {
        let [bytes, most] = [bytes as u64, limits.max_reply].map(BinaryBytes);
        let reason = format!(
            "the predictions could take {bytes}, more than --max-reply allows ({most}); send fewer rows at once"
        );
        return Err(Refusal::new(413, reason));
    }
    Ok(bytes)
}
