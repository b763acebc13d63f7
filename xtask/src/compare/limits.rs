//! `--max-memory` and `--time-limit`.

use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

/// An amount of memory: `500MiB`, `4GiB`, `2GB`, or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(pub u64);

/// Time: `90s`, `10m`, `1h 30m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

/// What is no amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected an amount of memory such as 500MiB, 4GiB or 2GB")]
pub struct NoMemory;

/// What is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a time such as 90s, 10m or 1h 30m")]
pub struct NoTime;

const UNITS: [(&str, u64); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl FromStr for Memory {
    type Err = NoMemory;

    fn from_str(text: &str) -> Result<Self, NoMemory> {
        let unit = UNITS
            .iter()
            .find_map(|(name, bytes)| Some((text.strip_suffix(name)?, *bytes)));
        let (number, unit) = unit.unwrap_or((text, 1));
        match number.trim().parse::<f64>() {
            Ok(count) if count > 0.0 && count.is_finite() => Ok(Self((count * unit as f64) as u64)),
            _ => Err(NoMemory),
        }
    }
}

impl FromStr for Time {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        let time: SignedDuration = text.parse().map_err(|_| NoTime)?;
        let time = Duration::try_from(time).map_err(|_| NoTime)?;
        (!time.is_zero()).then_some(Self(time)).ok_or(NoTime)
    }
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
            assert_eq!(text.parse(), Ok(Memory(bytes)), "{text}");
        }
        for text in ["", "much", "-1GiB", "0", "inf", "4 GiB more"] {
            assert_eq!(text.parse::<Memory>(), Err(NoMemory), "{text}");
        }
    }

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("1h 30m", 5400)] {
            assert_eq!(
                text.parse(),
                Ok(Time(Duration::from_secs(seconds))),
                "{text}"
            );
        }
        for text in ["", "soon", "-1s", "0s", "10"] {
            assert_eq!(text.parse::<Time>(), Err(NoTime), "{text}");
        }
    }
}
