//! Origins, which are subtracted from columns so that `f32` keeps their differences.

use jiff::SignedDuration;
use jiff::civil::date;
use serde::{Deserialize, Serialize};

use super::Meaning;
use crate::DateFormat;

/// What is subtracted from the numbers of a column before they are rounded to `f32`; of dates in days since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin(f64);

const SECONDS_PER_DAY: f64 = 86400.0;

impl Origin {
    /// Nothing is subtracted.
    pub(crate) const NONE: Self = Self(0.0);

    /// Returns a round number, or date, near this one: rounded to a power of ten, or to days or seconds, of at most `spread`.
    pub(crate) fn near(number: f64, spread: f64, meaning: &Meaning) -> Self {
        let rounded = match meaning {
            Meaning::Date(_) => (number / day_or_second(spread)).floor() * day_or_second(spread),
            _ => rounded_to_ten(number, spread),
        };
        // Adding 0.0 turns -0 into 0.
        Self(rounded + 0.0)
    }

    pub(crate) fn shifted(self, number: f64) -> f64 {
        // Adding 0.0 turns -0 into 0.
        number - self.0 + 0.0
    }

    /// Returns the date, or the time of day, that was `shifted` days when this was subtracted.
    pub(crate) fn date(self, shifted: f64, format: &DateFormat) -> String {
        let date = Self(self.0 + shifted).as_date();
        match (format.has_days(), date.split_once('T')) {
            (true, _) => date,
            (false, Some((_, time))) => time.to_owned(),
            (false, None) => "00:00:00".to_owned(),
        }
    }

    pub(crate) fn is_sound(self) -> bool {
        self.0.is_finite()
    }

    /// As it is written behind the name of a column: ` - 1000`, ` + 122.4`, ` - 2026-11-25`; empty if there is none.
    pub(crate) fn subtracted(self, meaning: &Meaning) -> String {
        match meaning {
            _ if self == Self::NONE => String::new(),
            Meaning::Date(_) => format!(" - {}", self.as_date()),
            _ if self.0 < 0.0 => format!(" + {}", all_digits(-self.0)),
            _ => format!(" - {}", all_digits(self.0)),
        }
    }

    fn as_date(self) -> String {
        let epoch = date(1970, 1, 1).at(0, 0, 0, 0);
        let seconds = SignedDuration::try_from_secs_f64((self.0 * SECONDS_PER_DAY).round());
        let datetime = seconds.map(|seconds| epoch.saturating_add(seconds));
        match datetime {
            Ok(day) if self.0.fract() == 0.0 => day.date().to_string(),
            Ok(datetime) => datetime.to_string(),
            Err(_) => self.0.to_string(),
        }
    }
}

/// Returns every digit of a whole number, of which `f64` writes only the first 17 and zeros.
fn all_digits(number: f64) -> String {
    if number.fract() == 0.0 && number < i128::MAX as f64 {
        (number as i128).to_string()
    } else {
        number.to_string()
    }
}

/// Returns a second of the day where the dates of a column are within a few days.
fn day_or_second(spread: f64) -> f64 {
    if spread < SECOND_BELOW {
        SECONDS_PER_DAY.recip()
    } else {
        1.0
    }
}

/// Days, within which the seconds of an `f32` have three digits behind the point.
const SECOND_BELOW: f64 = 0.01;

fn rounded_to_ten(number: f64, spread: f64) -> f64 {
    let exponent = spread.log10().floor() as i32;
    match exponent {
        0.. => (number / 10f64.powi(exponent)).round() * 10f64.powi(exponent),
        // A division by a whole power is nearer to the decimal number than a product with a fraction.
        _ => (number * 10f64.powi(-exponent)).round() / 10f64.powi(-exponent),
    }
}
