//! Whole numbers as names of classes.

use std::borrow::Cow;

use crate::feature::number;
use crate::{Fault, Numbers, short};

/// Returns the name of the class that a whole number stands for: its digits as they are written, with leading zeros and however many
/// there are. A sign `+` and a fraction of zeros do not count, so `+1`, `1.0` and `1` are one class; `01` is another.
///
/// # Errors
/// Returns an error for a cell that is not a finite number, or has a fraction.
pub fn class_name<'c>(
    cell: &'c str,
    numbers: &Numbers,
    column: &str,
) -> Result<Cow<'c, str>, Fault> {
    let number = number(numbers, cell, column)?;
    if number.fract() != 0.0 {
        return Err(Fault::new(format!(
            "the target `{}` is `{}`, a number with a fraction, which is not a class; correct it, or learn numbers with \
             --task regress",
            short(column),
            short(cell)
        )));
    }
    let digits = whole_digits(cell, numbers).map(Cow::Borrowed);
    // With an exponent or with groups of digits.
    Ok(digits.unwrap_or_else(|| Cow::Owned((number + 0.0).to_string())))
}

/// Returns the digits, with their sign if it means something; `None` if there is more than that.
fn whole_digits<'c>(cell: &'c str, numbers: &Numbers) -> Option<&'c str> {
    let unsigned = cell.strip_prefix('+').unwrap_or(cell);
    let whole = match unsigned.split_once(numbers.decimal.char()) {
        Some((whole, fraction)) => fraction.bytes().all(|byte| byte == b'0').then_some(whole)?,
        None => unsigned,
    };
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_zero = || digits.bytes().all(|byte| byte == b'0');
    are_digits.then(|| if is_zero() { digits } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decimal;

    #[test]
    fn digits_are_names_whatever_their_number() {
        for (cell, name) in [
            ("1", "1"),
            ("+1", "1"),
            ("1.0", "1"),
            ("-3.", "-3"),
            ("-0", "0"),
            ("0.00", "0"),
            ("00", "00"),
            ("01234", "01234"),
            ("9007199254740993", "9007199254740993"),
            ("1e2", "100"),
            ("6.0000e+00", "6"),
        ] {
            let found = class_name(cell, &Numbers::default(), "y").unwrap();
            assert_eq!(found, name, "{cell}");
        }
        for cell in ["0.5", "x", "inf", ""] {
            assert!(
                class_name(cell, &Numbers::default(), "y").is_err(),
                "{cell}"
            );
        }
        let german = Numbers {
            decimal: Decimal::Comma,
            thousands: Some('.'),
        };
        assert_eq!(class_name("1,0", &german, "y").unwrap(), "1");
        assert_eq!(class_name("1.000", &german, "y").unwrap(), "1000");
    }
}
