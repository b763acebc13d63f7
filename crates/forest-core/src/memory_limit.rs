//! Memory limits of a program: `--max-memory`, and the memory that is available.

use std::fs;

use bytesize::ByteSize;

/// Parses a positive amount of memory such as `500MiB`, `4GiB`, `2GB` to bytes.
///
/// # Errors
/// Returns a message that states the expected format.
pub fn parse(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(ByteSize(bytes)) if bytes > 0 => Ok(bytes),
        _ => Err("expected an amount of memory such as 500MiB, 4GiB or 2GB".to_owned()),
    }
}

/// Returns the requested bytes, by default 80 % of the available memory; `None` where the system does not report it.
pub fn or_default(asked: Option<u64>) -> Option<u64> {
    asked.or_else(|| most_of_available(&fs::read_to_string("/proc/meminfo").ok()?))
}

/// Returns 80 % of the available memory that `/proc/meminfo` states.
fn most_of_available(meminfo: &str) -> Option<u64> {
    let mut lines = meminfo.lines();
    let line = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kibibytes << 10) / 10 * 8)
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
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "much", "-1GiB", "0", "inf", "4 GiB more"] {
            assert!(
                parse(text).unwrap_err().contains("such as 500MiB"),
                "{text}"
            );
        }
    }

    /// Of a fixed report, since other programs change the memory that is available between two readings.
    #[test]
    fn the_default_is_a_share_of_what_is_available() {
        assert_eq!(or_default(Some(7)), Some(7));
        assert_eq!(or_default(None).is_some(), cfg!(target_os = "linux"));
        let report = "MemFree: 9 kB\nMemAvailable:   1000 kB\n";
        assert_eq!(most_of_available(report), Some(819_200));
        assert_eq!(most_of_available("MemFree: 9 kB\n"), None);
    }
}
