//! The routes of the service.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use forest_model::Asked;
use online_forests::threads;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::board::Route;
use crate::body::{Sent, count_reply, pass_over, receive};
use crate::held::Held;
use crate::queue::{self, Job, Probabilities, Queue, Work, end_refusal};
use crate::refusal::Refusal;
use crate::replies::Key;
use crate::reply::Reply;
use crate::request::Rows;
use crate::{events, guard, page};

/// Longer bodies are parsed and predicted on a thread of their own, so that short requests are not kept waiting.
const LARGE: usize = 1 << 14;

/// The header that counts rows without a prediction, so that a client need not read the whole reply to notice them.
const BAD_ROWS: &str = "x-bad-rows";

type Shared = State<Arc<App>>;
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

/// Returns all routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    let guarded = Router::new()
        .route("/predict", post(predict))
        .route("/learn", post(learn))
        .route("/predict-then-learn", post(predict_then_learn))
        .route("/explain", post(explain))
        .route("/rows/{id}", delete(forget))
        .route("/model", get(model))
        .route("/metrics", get(metrics))
        .route("/events", get(events::events))
        .layer(from_fn_with_state(Arc::clone(&app), guard::authorise));
    Router::new()
        .route("/", get(page::page))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .merge(guarded)
        .fallback(async |body: Body| {
            pass_over(body).await;
            Refusal::new(StatusCode::NOT_FOUND, "this route does not exist")
        })
        .method_not_allowed_fallback(async |body: Body| {
            pass_over(body).await;
            Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this route does not support this method",
            )
        })
        .layer(from_fn_with_state(Arc::clone(&app), guard::admit))
        .layer(from_fn_with_state(Arc::clone(&app), guard::note))
        .layer(from_fn(page::with_headers))
        .with_state(app)
}

async fn predict(
    State(app): Shared,
    asked: Asking<Prediction>,
    headers: HeaderMap,
    body: Body,
) -> RouteResult {
    let start = Instant::now();
    let (bytes, held) = receive(&app, body).await?;
    let Prediction { proba, interval } = query(asked)?;
    let interval = interval.map(level).transpose()?;
    let (rows, held) = read(&app, headers, bytes, held).await?;
    let (bytes, counted) = count(&app, &rows, proba)?;
    let shared = Arc::clone(&app);
    let reply = run_apart_if_large(bytes, move || {
        // Until the work is done, whether the client waits for it or has gone.
        let _held = held;
        shared.view.predict(&rows, Asked { proba, interval })
    });
    let reply = reply.await?;
    app.board.count_predicted(reply.rows(), reply.bad());
    let response = respond(Arc::new(reply), bytes, counted).await?;
    app.board.record_time(Route::Predict, start.elapsed());
    Ok(response)
}

async fn learn(
    State(app): Shared,
    route: Uri,
    asked: Asking<Learning>,
    headers: HeaderMap,
    body: Body,
) -> RouteResult {
    teach(&app, route, asked, headers, body, |rows, proba| {
        if proba {
            Err(Refusal::bad_request(
                "/learn returns no probabilities; /predict-then-learn does",
            ))
        } else {
            Ok(Work::Learn(rows))
        }
    })
    .await
}

async fn predict_then_learn(
    State(app): Shared,
    route: Uri,
    asked: Asking<Learning>,
    headers: HeaderMap,
    body: Body,
) -> RouteResult {
    teach(&app, route, asked, headers, body, |rows, proba| {
        let probabilities = if proba {
            Probabilities::Asked
        } else {
            Probabilities::NotAsked
        };
        Ok(Work::PredictThenLearn(rows, probabilities))
    })
    .await
}

/// Sends rows to the learning thread.
async fn teach(
    app: &Arc<App>,
    route: Uri,
    asked: Asking<Learning>,
    headers: HeaderMap,
    body: Body,
    work: impl FnOnce(Rows, bool) -> RouteResult<Work>,
) -> RouteResult {
    let start = Instant::now();
    let (bytes, held) = receive(app, body).await?;
    let Learning { proba, durable } = query(asked)?;
    let asked = [route.path(), if proba { "?proba" } else { "" }].concat();
    let key = Key::of(&headers, &asked, &bytes)?;
    learner(app)?;
    let (rows, held) = read(app, headers, bytes, held).await?;
    // Before anything is learned.
    let (bytes, counted) = count(app, &rows, proba)?;
    let work = work(app.requests.refuse_new_classes(rows), proba)?;
    let job = |reply_to| Job {
        work,
        durable,
        key,
        reply_to,
        held: Some(held),
    };
    let reply = wait_for_reply(app, job).await?;
    let response = respond(reply, bytes, counted).await?;
    app.board.record_time(Route::Learn, start.elapsed());
    Ok(response)
}

/// Parses the rows of a body.
async fn read(
    app: &Arc<App>,
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
fn count(app: &App, rows: &Rows, proba: bool) -> RouteResult<(usize, OwnedSemaphorePermit)> {
    let bytes = app.view.reply_bytes(rows, proba);
    let counted = count_reply(app, bytes)?;
    Ok((usize::try_from(bytes).unwrap_or(usize::MAX), counted))
}

async fn forget(
    State(app): Shared,
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
        key: None,
        reply_to,
        held: None,
    };
    let reply = wait_for_reply(&app, job).await?;
    let bytes = reply.bytes();
    respond(reply, bytes, count_reply(&app, bytes as u64)?).await
}

/// Waits for the reply of the learning thread.
async fn wait_for_reply(
    app: &App,
    job: impl FnOnce(oneshot::Sender<queue::ReplyResult>) -> Job,
) -> RouteResult<Arc<Reply>> {
    let (reply_to, reply) = oneshot::channel();
    learner(app)?.push(job(reply_to))?;
    reply.await.unwrap_or_else(|_| {
        app.break_down();
        Err(end_refusal())
    })
}

fn learner(app: &App) -> RouteResult<&Queue> {
    app.queue.as_ref().ok_or_else(|| {
        Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "this service learns nothing (--read-only)",
        )
    })
}

async fn explain(
    State(app): Shared,
    asked: Asking<Explaining>,
    headers: HeaderMap,
    body: Body,
) -> RouteResult {
    let (bytes, held) = receive(&app, body).await?;
    let Explaining { tree } = query(asked)?;
    let (rows, held) = read(&app, headers, bytes, held).await?;
    let text = run_apart(move || {
        let _held = held;
        app.view.explain(&rows, tree)
    });
    Ok(json(text.await?))
}

async fn model(State(app): Shared) -> RouteResult {
    let held = app.work()?;
    let text = run_apart(move || {
        let _held = held;
        Ok(app.view.summary())
    });
    Ok(json(text.await?))
}

async fn metrics(State(app): Shared) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.exported.text()).into_response()
}

async fn ready(State(app): Shared) -> RouteResult<&'static str> {
    match app.not_ready() {
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

/// Returns 200; 422 if no row could be used. `bytes` is the maximum size of the text, which `counted` counts.
async fn respond(reply: Arc<Reply>, bytes: usize, counted: OwnedSemaphorePermit) -> RouteResult {
    let (rows, bad) = (reply.rows(), reply.bad());
    let status = if bad > 0 && bad == rows {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let (kind, text) = run_apart_if_large(bytes, move || Ok(reply.write())).await?;
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (HeaderName::from_static(BAD_ROWS), bad.to_string()),
    ];
    let body = Body::new(Sent::new(text, counted));
    Ok((status, headers, body).into_response())
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
