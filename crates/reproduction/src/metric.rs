//! Metrics of items by name: which values are better, and the title of the axis.

use comparison::metric::{Better, Metric};

/// A metric that only items have; `comparison::metric` has the others.
struct Measure {
    name: &'static str,
    title: &'static str,
    better: Better,
}

const fn low(name: &'static str, title: &'static str) -> Measure {
    let better = Better::Lower;
    Measure {
        name,
        title,
        better,
    }
}

const fn high(name: &'static str, title: &'static str) -> Measure {
    let better = Better::Higher;
    Measure {
        name,
        title,
        better,
    }
}

const OWN: &[Measure] = &[
    low("error", "error (percent of rows that are wrong)"),
    low("training_error", "error on the training rows (percent)"),
    low("mse", "mean squared error"),
    low("leaves", "leaves per tree"),
    low("bytes", "bytes of the forest"),
    low("learn_seconds", "seconds to learn"),
    low("predict_seconds", "seconds to predict"),
    low("comparisons", "comparisons per query"),
    low("distinct_points", "distinct points per query"),
    high(
        "triangle_inequality",
        "share of comparisons that the triangle inequality decides",
    ),
    high(
        "difference_of_norms",
        "share of comparisons that norms decide",
    ),
    low(
        "features_read",
        "share of features read if sums are abandoned",
    ),
];

/// Returns the direction in which values are better: larger by default, unless a table states another one.
pub(crate) fn better(metric: &str) -> Better {
    match (metric.parse::<Metric>(), own(metric)) {
        (Ok(metric), _) => metric.better,
        (_, Some(own)) => own.better,
        _ => Better::Higher,
    }
}

/// Returns the title of an axis.
pub(crate) fn axis(metric: &str) -> String {
    match (metric.parse::<Metric>(), own(metric)) {
        (Ok(metric), _) => metric.axis_name(),
        (_, Some(own)) => own.title.to_owned(),
        _ => words(metric),
    }
}

/// Returns the name of a metric in a sentence.
pub(crate) fn words(metric: &str) -> String {
    metric.replace('_', " ")
}

fn own(metric: &str) -> Option<&'static Measure> {
    OWN.iter().find(|own| own.name == metric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_direction() {
        assert!(OWN.iter().all(|own| own.name.parse::<Metric>().is_err()));
        let names = ["accuracy", "rmse", "error", "cuts"];
        let expected = [Better::Higher, Better::Lower, Better::Lower, Better::Higher];
        assert_eq!(names.map(better), expected);
    }
}
