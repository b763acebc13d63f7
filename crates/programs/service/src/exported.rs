//! The figures in Prometheus' text format.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::board::Board;
use crate::figures::Figures;

/// Bucket limits: from an eighth of a millisecond, each twice as long, to a minute.
const FIRST_BUCKET: f64 = 0.000_125;
const BUCKETS: u16 = 20;

type Labels<const N: usize> = [(&'static str, String); N];

/// The metrics of `/metrics`.
#[derive(Debug)]
pub(crate) struct Exported {
    registry: Registry,
    requests: Family<Labels<2>, Counter>,
    seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
}

impl Exported {
    /// Creates the metrics of a board, and of requests.
    pub(crate) fn new(board: Arc<Board>) -> Self {
        let mut registry = Registry::with_prefix("online_forests");
        let requests = Family::<Labels<2>, Counter>::default();
        registry.register("requests", "Requests by route and status", requests.clone());
        let histogram: fn() -> Histogram =
            || Histogram::new(exponential_buckets(FIRST_BUCKET, 2.0, BUCKETS));
        let seconds = Family::new_with_constructor(histogram);
        let help = "Time from the head of a request to its reply, by route";
        registry.register("request_seconds", help, seconds.clone());
        registry.register_collector(Box::new(BoardCollector(board)));
        Self {
            registry,
            requests,
            seconds,
        }
    }

    /// Records a request that was replied to.
    pub(crate) fn request(&self, route: &str, status: u16, time: Duration) {
        let route = || ("route", route.to_owned());
        self.requests
            .get_or_create(&[route(), ("status", status.to_string())])
            .inc();
        self.seconds
            .get_or_create(&[route()])
            .observe(time.as_secs_f64());
    }

    /// Returns the metrics as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        text::encode(&mut text, &self.registry).expect("a string takes every text");
        text
    }
}

#[derive(Debug)]
struct BoardCollector(Arc<Board>);

impl Collector for BoardCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let figures = self.0.figures();
        counters(&figures, &mut encoder)?;
        gauges(&figures, &mut encoder)?;
        families(&figures, &mut encoder)
    }
}

fn counters(figures: &Figures, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let counters = [
        ("rows_learned", "Rows learned", figures.learned),
        (
            "rows_answered",
            "Rows predicted, besides those that were learned",
            figures.predicted,
        ),
        (
            "rows_bad",
            "Rows that could not be predicted or learned",
            figures.bad,
        ),
        (
            "rows_left_out",
            "Rows not learned because a value was missing",
            figures.left_out,
        ),
        ("rows_forgotten", "Rows forgotten", figures.forgotten),
        (
            "checkpoints",
            "Times the model was saved",
            figures.checkpoints,
        ),
        (
            "checkpoints_failed",
            "Times the model could not be saved",
            figures.failed_checkpoints,
        ),
    ];
    for (name, help, value) in counters {
        let counter = ConstCounter::new(value);
        let metric = encoder.encode_descriptor(name, help, None, counter.metric_type())?;
        counter.encode(metric)?;
    }
    Ok(())
}

fn gauges(figures: &Figures, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let model = figures.model;
    let gauges = [
        (
            "samples_seen",
            "Rows that the model has learned in all",
            model.samples_seen,
        ),
        (
            "rows_unsaved",
            "Rows learned since the model was saved",
            model.unsaved,
        ),
        (
            "rows_judged",
            "Rows predicted just before they were learned",
            figures.judged,
        ),
        ("model_nodes", "Nodes of all trees", model.nodes as u64),
        (
            "model_stored_samples",
            "Rows that the learner keeps",
            model.stored_samples as u64,
        ),
        (
            "model_bytes",
            "Memory of one copy of the learner",
            model.bytes as u64,
        ),
        (
            "resident_bytes",
            "Memory of the process",
            figures.resident_bytes,
        ),
        (
            "waiting_requests",
            "Requests that wait to be learned",
            figures.waiting,
        ),
    ];
    for (name, help, value) in gauges {
        let gauge = ConstGauge::new(value as f64);
        let metric = encoder.encode_descriptor(name, help, None, gauge.metric_type())?;
        gauge.encode(metric)?;
    }
    Ok(())
}

fn families(figures: &Figures, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let window = figures.window.to_string();
    let metric = [("all", figures.overall), (&window, figures.recent)];
    let metric = metric.into_iter().filter_map(|(rows, value)| {
        Some((vec![("metric", figures.metric), ("rows", rows)], value?))
    });
    let help = "Metric of predictions made just before their rows were learned, over all rows and over the latest";
    family("prequential", help, metric, encoder)?;
    let classes = figures.classes.iter();
    let classes = classes.map(|class| (vec![("class", class.name.as_str())], class.rows as f64));
    family(
        "class_rows",
        "Rows of each class that were learned",
        classes,
        encoder,
    )?;
    let changes = figures.changes.iter();
    let changes =
        changes.map(|change| (vec![("member", change.member.as_str())], change.row as f64));
    let help = "First row after the last change of the stream that a member has found";
    family("change_row", help, changes, encoder)?;
    let latencies = figures.latencies.iter().flat_map(|latency| {
        let of = |quantile| vec![("route", latency.route), ("quantile", quantile)];
        [(of("0.5"), latency.p50), (of("0.99"), latency.p99)]
    });
    let help = "Time of the latest requests, by route and quantile";
    family("recent_request_seconds", help, latencies, encoder)
}

/// Gauges of one name, distinguished by labels.
fn family<'f>(
    name: &str,
    help: &str,
    values: impl Iterator<Item = (Vec<(&'f str, &'f str)>, f64)>,
    encoder: &mut DescriptorEncoder<'_>,
) -> fmt::Result {
    let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (labels, value) in values {
        ConstGauge::new(value).encode(metric.encode_family(&labels)?)?;
    }
    Ok(())
}
