//! Records for tests.

use comparison::record::Host;

use crate::record::{CallTask, Outcome, Record, Row, Scale, Task, Work};

/// Returns lines in the panel `p`, measured by accuracy.
pub(crate) fn rows(lines: &[(&str, &[(f64, f64)])]) -> Vec<Row> {
    let line = |(series, points): &(&str, &[(f64, f64)])| {
        let row = |&(x, y): &(f64, f64)| Row::new("p", series, Some(x)).with("accuracy", y);
        points.iter().map(row).collect::<Vec<_>>()
    };
    lines.iter().flat_map(line).collect()
}

pub(crate) fn record(seed: u64, rows: Vec<Row>) -> Record {
    let call = CallTask {
        function: "test".to_owned(),
        parameters: [].into(),
    };
    Record {
        task: Task {
            item: "paper/item".to_owned(),
            scale: Scale::Quick,
            panel: String::new(),
            series: "test".to_owned(),
            x: None,
            work: Work::Call(call),
            seed,
        },
        host: Host {
            revision: "0".to_owned(),
            cpu: "none".to_owned(),
        },
        outcome: Outcome::Rows(rows),
    }
}

fn rows_of(record: &mut Record) -> &mut Vec<Row> {
    match &mut record.outcome {
        Outcome::Rows(rows) => rows,
        Outcome::Error(error) => panic!("{error}"),
    }
}

/// Renames the accuracy.
pub(crate) fn rename(records: &mut [Record], metric: &str) {
    for row in records.iter_mut().flat_map(rows_of) {
        if let Some(value) = row.values.remove("accuracy") {
            row.values.insert(metric.to_owned(), value);
        }
    }
}

/// Changes the accuracy of a line.
pub(crate) fn set(record: &mut Record, series: &str, value: f64) {
    let rows = rows_of(record).iter_mut();
    for row in rows.filter(|row| row.series == series) {
        row.values.insert("accuracy".to_owned(), value);
    }
}
