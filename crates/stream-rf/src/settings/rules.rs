//! Rules that several settings share.

use forest_core::SettingError;

/// The rule of λ.
pub(super) fn check_lambda(lambda: f64) -> Result<(), SettingError> {
    // A draw costs as much as it returns.
    let drawable = is_amount(lambda) && lambda <= 1e6;
    require(drawable, "lambda", "must be from 0 to 1000000", lambda)
}

/// The rule of m: a bin is numbered by a byte.
pub(crate) fn check_m(m: u32) -> Result<(), SettingError> {
    require((1..=255).contains(&m), "m", "must be from 1 to 255", m)
}

/// Whether this is a finite number of 0 or more.
pub(crate) fn is_amount(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}

/// The error of `parameter` unless `holds`.
pub(crate) fn require(
    holds: bool,
    parameter: &'static str,
    rule: &'static str,
    value: impl std::fmt::Display,
) -> Result<(), SettingError> {
    if holds {
        Ok(())
    } else {
        Err(SettingError::new(parameter, rule, value))
    }
}
