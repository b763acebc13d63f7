//! A cut as a linear inequality, and in words.

use serde::{Deserialize, Serialize};

use crate::side;

/// A cut: points x with Σ coefficient·x\[feature\] ≤ `threshold` lie left of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inequality {
    /// Features with their coefficients; an axis-aligned cut has one.
    pub normal: Vec<(usize, f64)>,
    /// What the sum is compared with: −∞ where categories are left and numbers right, a NaN where a [hash](side) of the category decides. In JSON these
    /// are the bits of the `f32`, as text.
    #[serde(with = "threshold")]
    pub threshold: f64,
}

impl Inequality {
    /// Returns Σ coefficient·x\[feature\].
    pub fn value(&self, x: &[f32]) -> f64 {
        let terms = self.normal.iter();
        terms
            .map(|&(feature, entry)| entry * f64::from(x[feature]))
            .sum()
    }

    /// Returns whether the point lies left of the cut: missing values and categories where [`side`] sends them.
    pub fn holds(&self, x: &[f32]) -> bool {
        match self.normal[..] {
            [(feature, 1.0)] if x[feature].is_nan() || self.threshold.is_nan() => {
                side(x[feature], self.threshold as f32) == 0
            }
            _ => self.value(x) <= self.threshold,
        }
    }

    /// Returns the shares of the features in the cut, together 1: by the absolute values of their coefficients.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64)> {
        let total: f64 = self.normal.iter().map(|(_, entry)| entry.abs()).sum();
        let terms = self.normal.iter();
        terms.map(move |&(feature, entry)| (feature, entry.abs() / total))
    }

    /// Returns the same cut of points x whose features are (x − offset) / unit here: with `lines` (offset, unit), the unit 0
    /// where a feature is 0 for every x. The largest coefficient is 1 or −1.
    ///
    /// ```
    /// use forest_core::registry::Inequality;
    ///
    /// // Half of the way from 10 to 30.
    /// let scaled = Inequality { normal: vec![(0, 1.0)], threshold: 0.5 };
    /// let cut = scaled.before(&[(10.0, 20.0)]);
    /// assert_eq!(cut, Inequality { normal: vec![(0, 1.0)], threshold: 20.0 });
    /// ```
    #[must_use]
    pub fn before(&self, lines: &[(f64, f64)]) -> Self {
        let (mut normal, mut threshold) = (Vec::new(), self.threshold);
        for &(feature, entry) in &self.normal {
            let (offset, unit) = lines[feature];
            if unit > 0.0 {
                normal.push((feature, entry / unit));
                threshold += entry / unit * offset;
            }
        }
        let largest = normal.iter().map(|(_, entry)| entry.abs());
        let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
        normal.iter_mut().for_each(|(_, entry)| *entry /= largest);
        Self {
            normal,
            threshold: threshold / largest,
        }
    }

    /// `x0`, or `0.8·x0 − 0.6·x3`.
    pub fn left_side(&self, names: &[String]) -> String {
        let mut text = String::new();
        for &(feature, entry) in &self.normal {
            let sign = match (text.is_empty(), entry < 0.0) {
                (true, false) => "",
                (true, true) => "−",
                (false, false) => " + ",
                (false, true) => " − ",
            };
            text.push_str(sign);
            if entry.abs() != 1.0 {
                text.push_str(&short(entry.abs(), DIGITS));
                text.push('·');
            }
            text.push_str(&names[feature]);
        }
        text
    }

    /// `x0 ≤ 0.45`.
    pub(super) fn text(&self, names: &[String]) -> String {
        let left = self.left_side(names);
        match self.threshold {
            f64::NEG_INFINITY => format!("{left} is missing or a category"),
            threshold if threshold.is_nan() => format!("{left} of the left group of categories"),
            threshold => format!("{left} ≤ {}", short(threshold, DIGITS)),
        }
    }
}

/// Thresholds in JSON, which has numbers that are finite alone.
mod threshold {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Bits(String),
    }

    pub(super) fn serialize<S: Serializer>(
        threshold: &f64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let written = if threshold.is_finite() {
            Written::Number(*threshold)
        } else {
            Written::Bits(format!("{:08x}", (*threshold as f32).to_bits()))
        };
        written.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Number(threshold) => Ok(threshold),
            Written::Bits(text) => {
                let bits = u32::from_str_radix(&text, 16).map_err(de::Error::custom)?;
                Ok(f32::from_bits(bits).into())
            }
        }
    }
}

/// Digits of a number that is read by people.
pub(super) const DIGITS: usize = 4;

/// Returns a number rounded to `digits` significant digits.
pub(super) fn short(number: f64, digits: usize) -> String {
    let scientific = format!("{number:.*e}", digits.max(1) - 1);
    let rounded: f64 = scientific.parse().unwrap_or(number);
    let text = match rounded.abs() {
        size if size != 0.0 && !(1e-4..1e7).contains(&size) => format!("{rounded:e}"),
        _ => rounded.to_string(),
    };
    text.replace('-', "−")
}

/// Returns two numbers, with as many digits as it takes to distinguish them.
pub(super) fn distinct(a: f64, b: f64) -> [String; 2] {
    let texts = |digits| [a, b].map(|number| short(number, digits));
    let differ = |[a, b]: &[String; 2]| a != b;
    let mut rounded = (DIGITS..17).map(texts);
    rounded.find(differ).unwrap_or_else(|| texts(17))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_distinct() {
        assert_eq!(short(0.123_456, 4), "0.1235");
        assert_eq!(short(-120.0, 4), "−120");
        assert_eq!(short(1.5e100, 4), "1.5e100");
        assert_eq!(short(2e-9, 4), "2e−9");
        assert_eq!(short(0.0, 4), "0");
        let nearly = distinct(0.45, 0.450_000_1);
        assert_eq!(nearly, ["0.45", "0.4500001"]);
        assert_eq!(distinct(1.0, 1.0), ["1", "1"]);
    }

    #[test]
    fn oblique_cuts_are_sums() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let cut = |normal: &[(usize, f64)]| Inequality {
            normal: normal.to_vec(),
            threshold: 0.3,
        };
        assert_eq!(cut(&[(1, 1.0)]).text(&names), "b ≤ 0.3");
        assert_eq!(
            cut(&[(0, 0.8), (2, -0.6)]).text(&names),
            "0.8·a − 0.6·c ≤ 0.3"
        );
        assert_eq!(cut(&[(0, -1.0), (1, 0.5)]).text(&names), "−a + 0.5·b ≤ 0.3");
    }

    /// To the bit: they decide where categories go.
    #[test]
    fn thresholds_are_read_as_they_were_written() {
        for threshold in [
            0.1f32,
            -3e38,
            f32::NEG_INFINITY,
            f32::NAN,
            -f32::from_bits(0x7fc0_1234),
        ] {
            let cut = Inequality {
                normal: vec![(0, 1.0)],
                threshold: threshold.into(),
            };
            let text = serde_json::to_string(&cut).unwrap();
            let again: Inequality = serde_json::from_str(&text).unwrap();
            assert_eq!(
                (again.threshold as f32).to_bits(),
                threshold.to_bits(),
                "{text}"
            );
        }
    }
}
