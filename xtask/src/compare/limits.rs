//! `--max-memory` and `--time-limit`.

use std::time::Duration;

use bytesize::ByteSize;
use jiff::SignedDuration;

/// Bytes of an amount of memory such as `500MiB`, `4GiB`, `2GB`; more than none.
pub fn memory(text: &str) -> Result<u64, String> {
    let size: Option<ByteSize> = text.parse().ok();
    let bytes = size.map(|size| size.0).filter(|&bytes| bytes > 0);
    bytes.ok_or_else(|| "expected an amount of memory such as 500MiB, 4GiB or 2GB".to_owned())
}

/// A time such as `90s`, `10m`, `1h 30m`; longer than none.
pub fn time(text: &str) -> Result<Duration, String> {
    let time: Option<SignedDuration> = text.parse().ok();
    let time = time.and_then(|time| Duration::try_from(time).ok());
    let time = time.filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected a time such as 90s, 10m or 1h 30m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units() {
        for (text, bytes) in [
            ("500MiB", 500 << 20),
            ("1.5 GiB", 3 << 29),
            ("2GB", 2_000_000_000),
            ("64B", 64),
            ("12345", 12345),
        ] {
            assert_eq!(memory(text), Ok(bytes), "{text}");
        }
        for text in ["", "much", "-1GiB", "0", "inf", "4 GiB more"] {
            assert!(
                memory(text).unwrap_err().contains("such as 500MiB"),
                "{text}"
            );
        }
    }

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
