//! Sends the figures once a second, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use serde::Serialize;
use tokio::select;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::app::App;
use crate::refusal::Refusal;

/// The time between two events.
const EVERY: Duration = Duration::from_secs(1);

/// The source of the events.
struct Events {
    app: Arc<App>,
    ticks: Interval,
    ending: watch::Receiver<bool>,
    _held: OwnedSemaphorePermit,
}

/// `GET /events`: first `history`, the metric over time; then `figures`, each second, until the service ends.
pub(crate) async fn events(State(app): State<Arc<App>>) -> Result<Response, Refusal> {
    let held = app.stream()?;
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let history = event("history", &app.board.history());
    let ending = app.ending();
    let events = Events {
        app,
        ticks,
        ending,
        _held: held,
    };
    let stream = unfold((Some(history), events), async |(history, mut events)| {
        let event = match history {
            Some(history) => history,
            None => events.next().await?,
        };
        Some((Ok::<_, Infallible>(event), (None, events)))
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    Ok((headers, Body::from_stream(stream)).into_response())
}

impl Events {
    async fn next(&mut self) -> Option<Bytes> {
        select! {
            _ = self.ending.wait_for(|is_ending| *is_ending) => None,
            _ = self.ticks.tick() => Some(event("figures", &self.app.board.figures())),
        }
    }
}

fn event(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).expect("plain data can be written");
    format!("event: {name}\ndata: {data}\n\n").into()
}
