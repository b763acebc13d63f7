//! The address of a stream that changes, read into its parts.

use super::{Change, Drift};
use crate::DataError;

impl<'a> Drift<'a> {
    /// Reads an address; `None` if it is not one of these.
    pub(crate) fn read(address: &'a str) -> Option<Result<Self, DataError>> {
        let (name, inside) = address.split_once('(')?;
        let inside = inside.strip_suffix(')')?;
        matches!(name, "drift" | "recur").then(|| {
            let wrong = || {
                DataError::new(format!(
                    "`{address}` is not a stream that changes; write `drift(A; B; at=ROW; width=ROWS)` or `recur(A; B; every=ROWS)`, \
                     with the addresses of two data sets"
                ))
            };
            Self::of(name, inside).ok_or_else(wrong)
        })
    }

    fn of(name: &str, inside: &'a str) -> Option<Self> {
        let words = split(inside);
        let [first, second, settings @ ..] = &words[..] else {
            return None;
        };
        let mut values = Settings::default();
        for setting in settings {
            let (key, value) = setting.split_once('=')?;
            values.set(key.trim(), value.trim())?;
        }
        Some(Self {
            parts: [first, second],
            change: values.change(name)?,
            seed: values.seed.unwrap_or(1),
        })
    }
}

#[derive(Clone, Copy, Default)]
struct Settings {
    at: Option<u64>,
    width: Option<u64>,
    every: Option<u64>,
    seed: Option<u64>,
}

impl Settings {
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let cell = match key {
            "at" => &mut self.at,
            "width" => &mut self.width,
            "every" => &mut self.every,
            "seed" => &mut self.seed,
            _ => return None,
        };
        *cell = Some(value.parse().ok()?);
        Some(())
    }

    fn change(self, name: &str) -> Option<Change> {
        match (name, self.at, self.width, self.every) {
            ("drift", Some(at), width, None) => Some(Change::Sigmoid {
                at: at as f64,
                width: width.unwrap_or(0) as f64,
            }),
            ("recur", None, None, Some(every)) if every > 0 => Some(Change::Recurring {
                every: every as usize,
            }),
            _ => None,
        }
    }
}

/// Splits at semicolons outside of parentheses, since a part may be such an address itself.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let is_end = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ';' && depth == 0
    };
    text.split(is_end)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}
