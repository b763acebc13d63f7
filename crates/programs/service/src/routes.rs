//! The routes of the service.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{MatchedPath, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use forest_model::{Asked, Summary, TableTask};
use online_forests::threads;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::spawn_blocking;
use tracing::debug;

use crate::access::{self, Access};
use crate::app::App;
use crate::body::{Held, Sent, pass_over, receive};
use crate::cursor::Move;
use crate::metrics::Metrics;
use crate::predicting;
use crate::queue::{self, Job, Queue, Returned, Work, end_refusal};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::request::Rows;

/// The page, in one file: nothing is loaded from other hosts.
const PAGE: &str = include_str!("page.html");

/// The content security policy of the page: only itself, and the service.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Longer bodies are parsed and predicted on a thread of their own, so that short requests are not kept waiting.
const LARGE: usize = 1 << 14;

/// The header that counts rows without a prediction, so that a client need not read the whole reply to notice them.
const BAD_ROWS: &str = "x-bad-rows";

type Shared<T> = State<Arc<App<T>>>;
type RouteResult<T = Response> = Result<T, Refusal>;
type Asking<Q> = Result<Query<Q>, QueryRejection>;

/// The query of `/predict`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Prediction {
    proba: bool,
    interval: Option<f64>,
}

/// The query of `/learn` and `/predict-then-learn`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Learning {
    proba: bool,
    durable: bool,
    source: Option<String>,
    after: Option<String>,
    upto: Option<String>,
}

/// The query of `/rows`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Forgetting {
    durable: bool,
}

/// The query of `/explain`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Explaining {
    tree: usize,
}

/// Returns all routes. The page and the health of the service hold no data: anyone may ask for them, however much others ask.
pub(crate) fn router<T: TableTask>(app: Arc<App<T>>, access: Arc<Access>) -> Router {
    let metrics = Arc::clone(&app.metrics);
    let guarded = Router::new()
        .route("/predict", post(predict::<T>))
        .route("/learn", post(learn::<T>))
        .route("/predict-then-learn", post(learn::<T>))
        .route("/explain", post(explain::<T>))
        .route("/rows/{id}", delete(forget::<T>))
        .route("/model", get(model::<T>))
        .route("/metrics", get(numbers::<T>))
        .route_layer(from_fn_with_state(access, access::check));
    Router::new()
        .route("/", get(page))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready::<T>))
        .merge(guarded)
        .fallback(async |body: Body| {
            pass_over(body).await;
            Refusal::new(StatusCode::NOT_FOUND, "this route does not exist")
        })
        .method_not_allowed_fallback(async |body: Body| {
            pass_over(body).await;
            let reason = "this route does not support this method";
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, reason)
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
    let (status, time) = (response.status().as_u16(), start.elapsed());
    metrics.count_request(&route, status, time);
    debug!(%method, route, status, micros = time.as_micros() as u64, "request");
    response
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

async fn predict<T: TableTask>(
    State(app): Shared<T>,
    asked: Asking<Prediction>,
    headers: HeaderMap,
    body: Body,
) -> RouteResult {
    let (bytes, held) = receive(&app.capacity, body).await?;
    let Prediction { proba, interval } = query(asked)?;
    let interval = interval.map(level).transpose()?;
    let (rows, held) = read(&app, headers, bytes, held).await?;
    let (bytes, counted) = count_reply(&app, &rows, proba)?;
    let shared = Arc::clone(&app);
    let reply = run_apart_if_large(bytes, move || {
        // Until the work is done, whether the client waits for it or has gone.
        let _held = held;
        predicting::predict(&shared.model.model(), &rows, Asked { proba, interval })
    });
    let reply = reply.await?;
    app.metrics.count_predicted(reply.rows, reply.bad);
    Ok(respond(reply, counted))
}

/// Sends rows to the learning thread: `/learn` and `/predict-then-learn`.
async fn learn<T: TableTask>(
    State(app): Shared<T>,
    route: Uri,
    asked: Asking<Learning>,
    headers: HeaderMap,
    body: Body,
) -> RouteResult {
    let (bytes, held) = receive(&app.capacity, body).await?;
    let Learning {
        proba,
        durable,
        source,
        after,
        upto,
    } = query(asked)?;
    let returned = match (route.path(), proba) {
        ("/learn", false) => Returned::Numbers,
        ("/learn", true) => {
            let reason = "/learn returns no probabilities; /predict-then-learn does";
            return Err(Refusal::bad_request(reason));
        }
        (_, false) => Returned::Predictions,
        (_, true) => Returned::Probabilities,
    };
    let cursor = Move::read(source, after, upto)?;
    learner(&app)?;
    let (rows, held) = read(&app, headers, bytes, held).await?;
    // Before anything is learned.
    let (_, counted) = count_reply(&app, &rows, proba)?;
    let job = |reply_to| Job {
        work: Work::Learn(rows, returned, cursor),
        durable,
        reply_to,
        held: Some(held),
    };
    let reply = wait_for_reply(&app, job).await?;
    Ok(respond(reply, counted))
}

/// Parses the rows of a body.
async fn read<T: TableTask>(
    app: &Arc<App<T>>,
    headers: HeaderMap,
    bytes: Vec<u8>,
    held: Held,
) -> RouteResult<(Rows, Held)> {
    let (length, shared) = (bytes.len(), Arc::clone(app));
    let read = move || {
        let rows = shared.requests.read(content_type(&headers), &bytes)?;
        Ok((rows, held))
    };
    run_apart_if_large(length, read).await
}

/// Counts the bytes that the reply to these rows may take towards those of all bodies.
fn count_reply<T: TableTask>(
    app: &App<T>,
    rows: &Rows,
    proba: bool,
) -> RouteResult<(usize, OwnedSemaphorePermit)> {
    let bytes = predicting::reply_bytes(&app.model.model(), rows, proba);
    let counted = app.capacity.count_reply(bytes)?;
    Ok((usize::try_from(bytes).unwrap_or(usize::MAX), counted))
}

async fn forget<T: TableTask>(
    State(app): Shared<T>,
    Path(id): Path<String>,
    asked: Asking<Forgetting>,
) -> RouteResult {
    let Forgetting { durable } = query(asked)?;
    let id = id.parse();
    let id =
        id.map_err(|_| Refusal::bad_request("the id of a row is the number that /learn returned"))?;
    let job = |reply_to| Job {
        work: Work::Forget(id),
        durable,
        reply_to,
        held: None,
    };
    let reply = wait_for_reply(&app, job).await?;
    let counted = app.capacity.count_reply(reply.bytes() as u64)?;
    Ok(respond(reply, counted))
}

/// Waits for the reply of the learning thread.
async fn wait_for_reply<T: TableTask>(
    app: &App<T>,
    job: impl FnOnce(oneshot::Sender<queue::ReplyResult>) -> Job,
) -> RouteResult<Reply> {
    let (reply_to, reply) = oneshot::channel();
    learner(app)?.push(job(reply_to))?;
    reply.await.unwrap_or_else(|_| {
        app.readiness.end();
        Err(end_refusal())
    })
}

fn learner<T: TableTask>(app: &App<T>) -> RouteResult<&Queue> {
    app.queue.as_ref().ok_or_else(|| {
        Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "this service learns nothing (--read-only)",
        )
    })
}

async fn explain<T: TableTask>(
    State(app): Shared<T>,
    asked: Asking<Explaining>,
    headers: HeaderMap,
    body: Body,
) -> RouteResult {
    let (bytes, held) = receive(&app.capacity, body).await?;
    let Explaining { tree } = query(asked)?;
    let (rows, held) = read(&app, headers, bytes, held).await?;
    let text = run_apart(move || {
        let _held = held;
        predicting::explain(&app.model.model(), &rows, tree)
    });
    Ok(json(text.await?))
}

async fn model<T: TableTask>(State(app): Shared<T>) -> RouteResult {
    let held = app.capacity.count_request()?;
    let text = run_apart(move || {
        let _held = held;
        Ok(Summary::of(&*app.model.model()).to_json())
    });
    Ok(json(text.await?))
}

async fn numbers<T: TableTask>(State(app): Shared<T>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text()).into_response()
}

async fn ready<T: TableTask>(State(app): Shared<T>) -> RouteResult<&'static str> {
    match app.readiness.fault() {
        None => Ok("ready\n"),
        Some(reason) => Err(Refusal::unavailable(reason)),
    }
}

/// Runs work that takes some time, on a thread for blocking work, so that no request waits for it.
async fn run_apart<R: Send + 'static>(
    work: impl FnOnce() -> RouteResult<R> + Send + 'static,
) -> RouteResult<R> {
    let done = spawn_blocking(|| threads::alone(work)).await;
    done.unwrap_or_else(|_| {
        let reason = "the reply failed, which is a fault of this program";
        Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, reason))
    })
}

/// Runs work on a body: at once if it is short.
async fn run_apart_if_large<R: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> RouteResult<R> + Send + 'static,
) -> RouteResult<R> {
    if bytes > LARGE {
        run_apart(work).await
    } else {
        threads::alone(work)
    }
}

/// Returns 200; 422 if no row could be used. The text is counted until it is sent.
fn respond(reply: Reply, counted: OwnedSemaphorePermit) -> Response {
    let status = if reply.bad > 0 && reply.bad == reply.rows {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let headers = [
        (header::CONTENT_TYPE, reply.content_type().to_owned()),
        (HeaderName::from_static(BAD_ROWS), reply.bad.to_string()),
    ];
    let body = Body::new(Sent::new(reply.text.into_bytes(), counted));
    (status, headers, body).into_response()
}

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text + "\n").into_response()
}

fn query<Q>(asked: Asking<Q>) -> RouteResult<Q> {
    let asked = asked.map_err(|rejection| Refusal::bad_request(rejection.body_text()));
    asked.map(|Query(asked)| asked)
}

fn level(level: f64) -> RouteResult<f64> {
    if level > 0.0 && level < 1.0 {
        Ok(level)
    } else {
        Err(Refusal::bad_request(
            "interval: expected a probability above 0 and below 1, such as 0.9",
        ))
    }
}

fn content_type(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::CONTENT_TYPE)?.to_str().ok()
}
