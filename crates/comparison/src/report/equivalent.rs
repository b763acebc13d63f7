//! Which algorithms are practically equivalent to the best over data sets.

use super::table::Cell;
use crate::metric::Metric;
use crate::statistics::{Equivalence, Matrix, equivalence};

/// Differences of at most this are practically none: one percentage point of a metric between two bounds, else one per cent of the
/// larger value.
const REGION: f64 = 0.01;

/// With fewer sets, the prior would decide.
const FEWEST_SETS: usize = 6;

/// The name of the column.
pub(super) const COLUMN: &str = "first better, equal, worse";

/// Returns the probabilities that the first algorithm is better than each other one, equivalent or worse; `None` if there are too few sets.
pub(super) fn against_first(matrix: &Matrix, metric: Metric) -> Option<Vec<Equivalence>> {
    let others = 1..matrix.algorithms().len();
    let of_other = |other| equivalence(&differences(matrix, metric, other), REGION);
    (matrix.sets().len() >= FEWEST_SETS).then(|| others.map(of_other).collect())
}

/// Returns how much better the first algorithm is, set by set, on the scale of the region.
fn differences(matrix: &Matrix, metric: Metric, other: usize) -> Vec<f64> {
    let is_bounded = metric.range.start().is_finite() && metric.range.end().is_finite();
    let scale = |values: &[f64]| {
        if is_bounded {
            1.0
        } else {
            values[0].abs().max(values[other].abs())
        }
    };
    let scales = matrix.sets().map(|(_, values)| scale(values));
    let differences = matrix.differences(0, other).into_iter().zip(scales);
    let scaled = |(difference, scale): (f64, f64)| {
        if scale > 0.0 { difference / scale } else { 0.0 }
    };
    differences.map(scaled).collect()
}

/// Returns the cell of an algorithm; that of the first is empty.
pub(super) fn cell(found: Option<&Equivalence>) -> Cell {
    let text = found.map_or(String::new(), |found| {
        format!(
            "{:.2}, {:.2}, {:.2}",
            found.better, found.equivalent, found.worse
        )
    });
    let value = found.map(|found| found.better);
    Cell { text, value }
}

/// Returns how to read the column.
pub(super) fn note() -> String {
    format!(
        "{COLUMN}: the probabilities that the first is practically better than this one, equivalent, or worse (Bayesian signed-rank test); \
         equivalent are differences of up to {REGION} of a metric between two bounds, else of up to {REGION} of the larger value"
    )
}
