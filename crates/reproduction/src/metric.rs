//! Names of what is measured, and which direction is better.

/// A metric that rules and charts know by more than its name.
struct Known {
    name: &'static str,
    /// 1 if more is better, else −1.
    sign: f64,
    axis: &'static str,
}

const fn known(name: &'static str, sign: f64, axis: &'static str) -> Known {
    Known { name, sign, axis }
}

const KNOWN: &[Known] = &[
    known("accuracy", 1.0, "accuracy (share of rows that are right)"),
    known("error", -1.0, "error (percent of rows that are wrong)"),
    known(
        "training_error",
        -1.0,
        "error on the training rows (percent)",
    ),
    known("log_loss", -1.0, "log loss (nats per row)"),
    known("rmse", -1.0, "RMSE"),
    known("mse", -1.0, "mean squared error"),
    known("mae", -1.0, "mean absolute error"),
    known("leaves", -1.0, "leaves per tree"),
    known("bytes", -1.0, "bytes of the forest"),
    known("learn_seconds", -1.0, "seconds to learn"),
    known("predict_seconds", -1.0, "seconds to predict"),
    known("comparisons", -1.0, "comparisons per query"),
    known("distinct_points", -1.0, "distinct points per query"),
    known(
        "triangle_inequality",
        1.0,
        "share of comparisons that the triangle inequality decides",
    ),
    known(
        "difference_of_norms",
        1.0,
        "share of comparisons that norms decide",
    ),
    known(
        "features_read",
        -1.0,
        "share of features read if sums are abandoned",
    ),
    known(
        "expected_calibration_error",
        -1.0,
        "expected calibration error",
    ),
];

/// 1 if more is better, else −1. Of a metric that is not listed, more is better.
pub fn sign(metric: &str) -> f64 {
    find(metric).map_or(1.0, |known| known.sign)
}

/// What an axis says.
pub fn axis(metric: &str) -> String {
    find(metric).map_or_else(|| metric.replace('_', " "), |known| known.axis.to_owned())
}

fn find(metric: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == metric)
}

/// Decimals that four significant digits take.
pub fn decimals(value: f64) -> usize {
    match value.abs() {
        size if size == 0.0 || !size.is_finite() => 0,
        size => (3 - size.log10().floor() as i32).clamp(0, 6) as usize,
    }
}

/// With four significant digits.
pub fn number(value: f64) -> String {
    let (size, decimals) = (value.abs(), decimals(value));
    let text = format!("{value:.decimals$}");
    match size {
        size if size > 0.0 && size < 1e-4 => format!("{value:.2e}"),
        _ if text.trim_start_matches(['-', '0', '.']).is_empty() => "0".to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_significant_digits_or_all_before_the_point() {
        let texts = [0.912_345, 12.345_6, 60_215.4, 0.0, -0.25, 1.2e-7].map(number);
        assert_eq!(
            texts,
            ["0.9123", "12.35", "60215", "0", "-0.2500", "1.20e-7"]
        );
    }
}
