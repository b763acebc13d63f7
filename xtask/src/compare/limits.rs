//! `--time-limit`.

use std::time::Duration;

use jiff::SignedDuration;

/// Parses a positive time such as `90s`, `10m`, `1h 30m`.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let parsed: Option<SignedDuration> = text.parse().ok();
    parsed
        .and_then(|time| Duration::try_from(time).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a time such as 90s, 10m or 1h 30m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("1h 30m", 5400)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "soon", "-1s", "0s", "10"] {
            assert!(time(text).unwrap_err().contains("such as 90s"), "{text}");
        }
    }
}
