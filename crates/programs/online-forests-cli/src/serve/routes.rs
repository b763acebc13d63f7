//! The routes of the service.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{
    Extension, FromRequest, FromRequestParts, MatchedPath, Path, Query, Request, State,
};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use forest_model::{Asked, Summary, TableTask};
use http_body_util::BodyExt as _;
use online_forests::threads;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tracing::debug;

use crate::serve::App;
use crate::serve::access::{self, Access};
use crate::serve::cursor::Move;
use crate::serve::learning::{Job, Queue, ReplyResult, Returned, Work, end_refusal};
use crate::serve::limits::{Admission, Permit, admit, pass_over};
use crate::serve::metrics::Metrics;
use crate::serve::refusal::Refusal;
use crate::serve::reply::{self, Reply};
use crate::serve::request::Rows;

/// The page, in one file: nothing is loaded from other hosts.
const PAGE: &str = include_str!("page.html");

/// The content security policy of the page: only itself, and the service.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Longer bodies are parsed and predicted on a thread of their own, so that short requests are not kept waiting.
const LARGE: usize = 1 << 14;

type Shared<T> = State<Arc<App<T>>>;
type RouteResult<T = Response> = Result<T, Refusal>;

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

/// A query that is refused as everything else is.
struct Asking<Q>(Q);

impl<Q: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asking<Q> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> RouteResult<Self> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(query)) => Ok(Self(query)),
            Err(rejection) => Err(Refusal::bad_request(rejection.body_text())),
        }
    }
}

impl<T: TableTask> FromRequest<Arc<App<T>>> for Rows {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App<T>>) -> RouteResult<Self> {
        let (head, body) = request.into_parts();
        let body = body
            .collect()
            .await
            .expect("a body that was admitted is in memory")
            .to_bytes();
        let app = Arc::clone(app);
        run_apart_if_large(body.len(), move || {
            let kind = head.headers.get(header::CONTENT_TYPE);
            app.requests
                .read(kind.and_then(|kind| kind.to_str().ok()), &body)
        })
        .await
    }
}

/// Returns all routes. The page and the health of the service hold no data: anyone may ask for them, however much others ask.
pub(super) fn router<T: TableTask>(app: Arc<App<T>>, access: Arc<Access>) -> Router {
    let metrics = Arc::clone(&app.metrics);
    let admission = Arc::new(Admission::new(&app.limits));
    // Layers from the inside: a request shows its token before it takes a permit, and takes one before its body is read.
    let guarded = Router::new()
        .route("/predict", post(predict::<T>))
        .route("/learn", post(learn::<T>))
        .route("/predict-then-learn", post(learn::<T>))
        .route("/explain", post(explain::<T>))
        .route("/rows/{id}", delete(forget::<T>))
        .route("/model", get(model::<T>))
        .route_layer(from_fn_with_state(admission, admit))
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
    Asking(Prediction { proba, interval }): Asking<Prediction>,
    Extension(permit): Extension<Permit>,
    rows: Rows,
) -> RouteResult<Reply> {
    if interval.is_some_and(|level| !(level > 0.0 && level < 1.0)) {
        let reason = "interval: expected a probability above 0 and below 1, such as 0.9";
        return Err(Refusal::bad_request(reason));
    }
    let bytes = reply::check_size(&app.model.model(), &rows, proba, &app.limits)?;
    let shared = Arc::clone(&app);
    let reply = run_apart_if_large(bytes, move || {
        // Until the work is done, whether the client waits for it or has gone.
        let _permit = permit;
        reply::predict(&shared.model.model(), &rows, Asked { proba, interval })
    })
    .await?;
    app.metrics.count_predicted(reply.rows, reply.bad);
    Ok(reply)
}

/// Sends rows to the learning thread: `/learn` and `/predict-then-learn`.
async fn learn<T: TableTask>(
    State(app): Shared<T>,
    route: Uri,
    Asking(asked): Asking<Learning>,
    Extension(permit): Extension<Permit>,
    rows: Rows,
) -> RouteResult<Reply> {
    let returned = match (route.path(), asked.proba) {
        ("/learn", false) => Returned::Numbers,
        ("/learn", true) => {
            let reason = "/learn returns no probabilities; /predict-then-learn does";
            return Err(Refusal::bad_request(reason));
        }
        (_, false) => Returned::Predictions,
        (_, true) => Returned::Probabilities,
    };
    let cursor = Move::read(asked.source, asked.after, asked.upto)?;
    // Before anything is learned.
    reply::check_size(&app.model.model(), &rows, asked.proba, &app.limits)?;
    wait_for_reply(
        &app,
        Work::Learn(rows, returned, cursor),
        asked.durable,
        permit,
    )
    .await
}

async fn forget<T: TableTask>(
    State(app): Shared<T>,
    Path(id): Path<String>,
    Asking(Forgetting { durable }): Asking<Forgetting>,
    Extension(permit): Extension<Permit>,
) -> RouteResult<Reply> {
    match id.parse() {
        Ok(id) => wait_for_reply(&app, Work::Forget(id), durable, permit).await,
        Err(_) => Err(Refusal::bad_request(
            "the id of a row is the number that /learn returned",
        )),
    }
}

/// Hands work to the learning thread, and waits for its reply.
async fn wait_for_reply<T: TableTask>(
    app: &App<T>,
    work: Work,
    durable: bool,
    permit: Permit,
) -> ReplyResult {
    let queue: &Queue = app.queue.as_ref().ok_or_else(|| {
        let reason = "this service learns nothing (--read-only)";
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, reason)
    })?;
    let (reply_to, reply) = oneshot::channel();
    queue.push(Job {
        work,
        durable,
        reply_to,
        permit,
    })?;
    reply.await.unwrap_or_else(|_| {
        app.readiness.end();
        Err(end_refusal())
    })
}

async fn explain<T: TableTask>(
    State(app): Shared<T>,
    Asking(Explaining { tree }): Asking<Explaining>,
    Extension(permit): Extension<Permit>,
    rows: Rows,
) -> RouteResult {
    let text = run_apart(move || {
        let _permit = permit;
        reply::explain(&app.model.model(), &rows, tree)
    });
    Ok(json(text.await?))
}

async fn model<T: TableTask>(
    State(app): Shared<T>,
    Extension(permit): Extension<Permit>,
) -> RouteResult {
    let text = run_apart(move || {
        let _permit = permit;
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

/// Runs work on this number of bytes: at once if they are few.
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

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text + "\n").into_response()
}
