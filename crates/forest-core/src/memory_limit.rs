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
    asked.or_else(|| available().map(|bytes| bytes / 10 * 8))
}

/// Returns the available memory in bytes, where the system reports it (Linux).
pub fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
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

    #[test]
    fn the_default_is_a_share_of_what_is_free() {
        assert_eq!(or_default(Some(7)), Some(7));
        let free = available();
        assert_eq!(or_default(None).is_some(), free.is_some());
        assert!(or_default(None) < free || free.is_none());
    }
}
