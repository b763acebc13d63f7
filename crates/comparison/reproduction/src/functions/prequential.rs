//! Prequential evaluation: test, then train, in stream order.

use anyhow::{Result, bail};
use datasets::{Dataset, Target};
use evaluation::protocol::{Design, Limits};
use evaluation::{AnyAlgorithm, Comparison, Part, Runner};
use ndarray::s;
use results::record::{Host, Outcome, Protocol};

use super::{Arguments, Function};
use crate::record::Row;

/// Measures accuracy, or root mean squared error, over at most `rows` rows, each predicted before it is learned.
pub(super) const PREQUENTIAL: Function = Function {
    name: "prequential",
    parameters: &["panel", "series", "data", "rows", "algorithm", "trees"],
    run: |arguments| {
        let data = arguments.dataset()?;
        let data = first_rows(&data, arguments.count("rows")?.min(data.rows()));
        let (metric, value) = measure(arguments, &data)?;
        let row = Row::new(&arguments.text("panel")?, &arguments.text("series")?, None);
        Ok(vec![row.with(metric, value)])
    },
};

fn first_rows(data: &Dataset, rows: usize) -> Dataset {
    let mut first = data.clone();
    first.features = data.features.slice(s![..rows, ..]).to_owned();
    first.split = None;
    match &mut first.target {
        Target::Classes { labels, .. } => labels.truncate(rows),
        Target::Values { values, noise_free } => {
            values.truncate(rows);
            *noise_free = None;
        }
    }
    first
}

/// Returns the main metric and its value.
fn measure(arguments: &Arguments<'_>, data: &Dataset) -> Result<(&'static str, f64)> {
    let algorithm = [AnyAlgorithm::Online(arguments.algorithm()?)];
    let design = Design::default();
    let comparison = Comparison::new(data, Protocol::Prequential, &algorithm, &design)?;
    // The record of the item states the host.
    let host = Host {
        revision: String::new(),
        cpu: String::new(),
    };
    let runner = Runner {
        host,
        threads: 1,
        trees: arguments.count("trees")?,
        seeds: arguments.seed..arguments.seed + 1,
        part: Part::WHOLE,
        observer: &(),
        limits: Limits::default(),
        finished: &[],
    };
    let metric = comparison.setting.metric;
    match runner.records(&[comparison]).pop().map(|run| run.outcome) {
        Some(Outcome::Measured(measured)) => Ok((metric.entry().name, measured.value)),
        Some(Outcome::Failed { error }) => bail!(error),
        None => bail!("`{}` does not support the task of the data", algorithm[0]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows_of;
    use super::*;

    #[test]
    fn the_previous_label_is_right_where_two_in_a_row_are_equal() {
        let data = "stagger:n=2500,seed=3";
        let parameters = [
            ("panel", "p".into()),
            ("series", "s".into()),
            ("data", data.into()),
            ("rows", 2100.into()),
            ("algorithm", "no-change".into()),
            ("trees", 1.into()),
        ];
        let dataset = datasets::open(data, &datasets::OpenOptions::default()).unwrap();
        let Target::Classes { labels, .. } = &dataset.target else {
            panic!("it has classes");
        };
        let equal = labels[..2100].windows(2).filter(|pair| pair[0] == pair[1]);
        let rows = rows_of(&PREQUENTIAL, &parameters);
        // Before the first row the baseline has no label, and may be right by chance.
        let right = rows[0].values["accuracy"] * 2100.0;
        assert!((right - equal.count() as f64 - 0.5).abs() < 0.6, "{right}");
    }
}
