//! Which request is answered by what.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use online_forests::threads;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::spawn_blocking;

use super::app::App;
use super::body::{pass_over, receive};
use super::figures::Route;
use super::queue::{Job, Probabilities, Queue, Work, ended};
use super::reply::Reply;
use super::{Refusal, Rows, events, guard, page};
use crate::predict::answers::Asked;

/// Bodies of more bytes are read and answered by a thread of their own, so that short requests are not kept waiting.
const LARGE: usize = 1 << 14;

/// Answered rows that had none; so that a client need not read all answers to see that some are missing.
const BAD_ROWS: &str = "x-bad-rows";

type Shared = State<Arc<App>>;
type Answered<T = Response> = Result<T, Refusal>;
type Asking<Q> = Result<Query<Q>, QueryRejection>;

/// What `/predict` can be asked.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Prediction {
    proba: bool,
    interval: Option<f64>,
}

/// What `/learn` and `/predict-then-learn` can be asked.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Learning {
    proba: bool,
    durable: bool,
}

/// What `/rows` can be asked.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Forgetting {
    durable: bool,
}

/// What `/explain` can be asked.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Explaining {
    tree: usize,
}

/// All routes.
pub fn router(app: Arc<App>) -> Router {
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
            Refusal::new(StatusCode::NOT_FOUND, "there is no such route")
        })
        .method_not_allowed_fallback(async |body: Body| {
            pass_over(body).await;
            Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this route has another method",
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
) -> Answered {
    let start = Instant::now();
    let (bytes, counted) = receive(&app, body).await?;
    let Prediction { proba, interval } = query(asked)?;
    let interval = interval.map(level).transpose()?;
    let (length, shared) = (bytes.len(), Arc::clone(&app));
    let answered = apart_if_large(length, move || {
        // Until the work is done, whether the client waits for it or has gone.
        let _counted = counted;
        let rows = shared.requests.read(content_type(&headers), &bytes)?;
        let asked = Asked { proba, interval };
        shared.view.predict(&rows, asked)
    });
    let reply = answered.await?;
    app.board.answered(reply.rows(), reply.bad());
    app.board.took(Route::Predict, start.elapsed());
    Ok(respond(reply))
}

async fn learn(
    State(app): Shared,
    asked: Asking<Learning>,
    headers: HeaderMap,
    body: Body,
) -> Answered {
    teach(&app, asked, headers, body, |rows, proba| match proba {
        true => Err(Refusal::bad_request(
            "/learn answers no probabilities; /predict-then-learn does",
        )),
        false => Ok(Work::Learn(rows)),
    })
    .await
}

async fn predict_then_learn(
    State(app): Shared,
    asked: Asking<Learning>,
    headers: HeaderMap,
    body: Body,
) -> Answered {
    teach(&app, asked, headers, body, |rows, proba| {
        let probabilities = match proba {
            true => Probabilities::Asked,
            false => Probabilities::NotAsked,
        };
        Ok(Work::PredictThenLearn(rows, probabilities))
    })
    .await
}

/// Has rows learned.
async fn teach(
    app: &Arc<App>,
    asked: Asking<Learning>,
    headers: HeaderMap,
    body: Body,
    work: impl FnOnce(Rows, bool) -> Answered<Work>,
) -> Answered {
    let start = Instant::now();
    let (bytes, counted) = receive(app, body).await?;
    let Learning { proba, durable } = query(asked)?;
    learner(app)?;
    let (length, shared) = (bytes.len(), Arc::clone(app));
    let read = move || {
        let rows = shared.requests.read(content_type(&headers), &bytes)?;
        Ok(shared.requests.of_known_classes(rows))
    };
    let rows = apart_if_large(length, read).await?;
    let reply = done(app, work(rows, proba)?, durable, counted).await?;
    app.board.took(Route::Learn, start.elapsed());
    Ok(respond(reply))
}

async fn forget(State(app): Shared, Path(id): Path<String>, asked: Asking<Forgetting>) -> Answered {
    let Forgetting { durable } = query(asked)?;
    let id = id.parse();
    let id =
        id.map_err(|_| Refusal::bad_request("the id of a row is the number that /learn answered"))?;
    Ok(respond(done(&app, Work::Forget(id), durable, None).await?))
}

/// The answer of the one who learns.
async fn done(
    app: &App,
    work: Work,
    durable: bool,
    bytes: Option<OwnedSemaphorePermit>,
) -> Answered<Reply> {
    let (answer, answered) = oneshot::channel();
    learner(app)?.push(Job {
        work,
        durable,
        answer,
        bytes,
    })?;
    answered.await.unwrap_or_else(|_| {
        app.break_down();
        Err(ended())
    })
}

fn learner(app: &App) -> Answered<&Queue> {
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
) -> Answered {
    let (bytes, counted) = receive(&app, body).await?;
    let Explaining { tree } = query(asked)?;
    let text = apart(move || {
        let _counted = counted;
        let rows = app.requests.read(content_type(&headers), &bytes)?;
        app.view.explain(&rows, tree)
    });
    Ok(json(text.await?))
}

async fn model(State(app): Shared) -> Answered {
    Ok(json(apart(move || Ok(app.view.summary())).await?))
}

async fn metrics(State(app): Shared) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.exported.text()).into_response()
}

async fn ready(State(app): Shared) -> Answered<&'static str> {
    match app.is_ready() {
        true => Ok("ready\n"),
        false => Err(Refusal::unavailable(
            "the service is ending, or learns no more",
        )),
    }
}

/// Work that takes some time, on a thread on which nobody else waits.
async fn apart<R: Send + 'static>(
    work: impl FnOnce() -> Answered<R> + Send + 'static,
) -> Answered<R> {
    let done = spawn_blocking(|| threads::alone(work)).await;
    done.unwrap_or_else(|_| {
        let reason = "the answer failed, which is a fault of this program";
        Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, reason))
    })
}

/// Work on a body: at once if it is short.
async fn apart_if_large<R: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> Answered<R> + Send + 'static,
) -> Answered<R> {
    match bytes > LARGE {
        true => apart(work).await,
        false => threads::alone(work),
    }
}

/// 200; 422 if no row could be used.
fn respond(reply: Reply) -> Response {
    let (rows, bad) = (reply.rows(), reply.bad());
    let status = match bad > 0 && bad == rows {
        true => StatusCode::UNPROCESSABLE_ENTITY,
        false => StatusCode::OK,
    };
    let (kind, body) = reply.finish();
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (HeaderName::from_static(BAD_ROWS), bad.to_string()),
    ];
    (status, headers, body).into_response()
}

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text + "\n").into_response()
}

fn query<Q>(asked: Asking<Q>) -> Answered<Q> {
    let asked = asked.map_err(|rejection| Refusal::bad_request(rejection.body_text()));
    asked.map(|Query(asked)| asked)
}

fn level(level: f64) -> Answered<f64> {
    match level > 0.0 && level < 1.0 {
        true => Ok(level),
        false => Err(Refusal::bad_request(
            "interval: expected a probability above 0 and below 1, such as 0.9",
        )),
    }
}

fn content_type(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::CONTENT_TYPE)?.to_str().ok()
}
