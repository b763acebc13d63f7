//! A share of the rows.

use std::str::FromStr;

use thiserror::Error;

/// A share of the rows, written as `10%`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// From 0 to 100.
    percent: f64,
}

/// A text that is not a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a share of the rows such as 10%, from 0% to 100%")]
pub struct NotAShare;

impl Share {
    /// From 0 to 100.
    pub fn percent(self) -> f64 {
        self.percent
    }

    /// Returns whether `bad` of the rows exceed this share.
    pub fn is_exceeded(self, bad: u64, rows: u64) -> bool {
        bad as f64 * 100.0 > self.percent * rows as f64
    }
}

impl FromStr for Share {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Self, NotAShare> {
        let number = text.strip_suffix('%').ok_or(NotAShare)?;
        match number.trim().parse() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(Self { percent }),
            _ => Err(NotAShare),
        }
    }
}
