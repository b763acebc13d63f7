//! The parts of a number with a unit.

/// Currencies as they stand before an amount.
const CURRENCIES: [&str; 28] = [
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "Fr.", "GBP", "HKD", "HUF", "INR",
    "JPY", "KRW", "MXN", "NOK", "NZD", "PLN", "RUB", "Rs", "Rs.", "SEK", "SGD", "TRY", "USD",
    "ZAR", "kr",
];

/// A longer text behind a number is no unit.
const LONGEST_UNIT: usize = 20;

/// Blanks within lines, those that keep a number together included.
pub(super) const NARROW_BLANKS: [char; 4] = ['\u{a0}', '\u{202f}', '\u{2009}', '\u{2007}'];

/// What stands between groups of digits and nowhere else in a number.
pub(super) const APOSTROPHES: [char; 2] = ['\'', '’'];

/// A sign, the text before the digits, the number, and the text behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Split<'a> {
    pub(super) is_negative: bool,
    pub(super) before: &'a str,
    pub(super) number: &'a str,
    pub(super) behind: &'a str,
}

impl<'a> Split<'a> {
    /// `None` if what stands around the digits is no unit. `0xff` is no zero in `xff`.
    pub(super) fn of(cell: &'a str) -> Option<Self> {
        if hexadecimal_digits(cell).is_some() {
            return None;
        }
        let first = cell.find(|c: char| c.is_ascii_digit())?;
        // The sign and the point belong to the number: `$-.5`.
        let start = cell[..first].trim_end_matches(['-', '+', '.']).len();
        let (before, rest) = match cell[..start].ends_with(char::is_alphabetic) {
            // The point of `Rs.5`.
            true => cell.split_at(first),
            false => cell.split_at(start),
        };
        let (number, behind) = rest.split_at(end_of_number(rest));
        let (is_negative, before) = match before.strip_prefix('-') {
            Some(before) => (true, before),
            None => (false, before),
        };
        let split = Self {
            is_negative,
            before: before.trim(),
            number: number.trim_end(),
            behind: behind.trim(),
        };
        split.is_sound().then_some(split)
    }

    /// Whether nothing but the number is there.
    pub(super) fn is_bare(&self) -> bool {
        self.before.is_empty() && self.behind.is_empty()
    }

    fn is_sound(&self) -> bool {
        let signs = usize::from(self.is_negative) + self.number.matches(['-', '+']).count();
        let is_signed_once = signs <= 1 + usize::from(self.number.contains(['e', 'E']));
        is_signed_once && is_before(self.before) && is_behind(self.behind)
    }
}

/// The digits of a hexadecimal number, one or more, without `0x`.
pub(super) fn hexadecimal_digits(cell: &str) -> Option<&str> {
    let digits = cell
        .strip_prefix("0x")
        .or_else(|| cell.strip_prefix("0X"))?;
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then_some(digits)
}

fn end_of_number(text: &str) -> usize {
    let is_inner = |c: char| {
        c.is_ascii_digit()
            || matches!(c, '.' | ',' | ' ')
            || NARROW_BLANKS.contains(&c)
            || APOSTROPHES.contains(&c)
    };
    let unsigned = text.trim_start_matches(['-', '+']);
    let sign = text.len() - unsigned.len();
    let mantissa = unsigned.find(|c| !is_inner(c)).unwrap_or(unsigned.len());
    sign + mantissa + exponent(&unsigned[mantissa..])
}

/// The length of an exponent at the beginning: of `e-3` in `e-3 kg`, nothing in `eV`.
fn exponent(text: &str) -> usize {
    let digits = text.strip_prefix(['e', 'E']);
    let digits = digits.map(|text| text.strip_prefix(['-', '+']).unwrap_or(text));
    let rest = digits.map(|text| text.trim_start_matches(|c: char| c.is_ascii_digit()));
    match (digits, rest) {
        (Some(digits), Some(rest)) if rest.len() < digits.len() => text.len() - rest.len(),
        _ => 0,
    }
}

fn is_before(text: &str) -> bool {
    let letters = text.trim_end_matches(is_currency);
    let is_sign = letters.len() < text.len();
    let is_country = letters.len() <= 3 && letters.bytes().all(|b| b.is_ascii_uppercase());
    text.is_empty() || (is_sign && is_country) || CURRENCIES.contains(&text)
}

fn is_behind(text: &str) -> bool {
    let starts = |c: char| c.is_alphabetic() || is_currency(c) || "%‰°/″′\"".contains(c);
    // Those of `m2` and `cm3`.
    let powers = text.strip_suffix(['2', '3']).unwrap_or(text);
    text.is_empty()
        || (text.starts_with(starts)
            && text.chars().count() <= LONGEST_UNIT
            && !powers.contains(|c: char| c.is_ascii_digit()))
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20a0}'..='\u{20cf}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_their_units() {
        for (cell, parts) in [
            ("5%", (false, "", "5", "%")),
            ("-1.5e-3 kg", (false, "", "-1.5e-3", "kg")),
            ("5eV", (false, "", "5", "eV")),
            ("$1,234.50", (false, "$", "1,234.50", "")),
            ("-$.5", (true, "$", ".5", "")),
            ("US$ -3", (false, "US$", "-3", "")),
            ("CHF 1'000", (false, "CHF", "1'000", "")),
            ("Rs.5", (false, "Rs.", "5", "")),
            ("1\u{a0}000\u{a0}€", (false, "", "1\u{a0}000", "€")),
            ("25 m2", (false, "", "25", "m2")),
            ("3 km/h", (false, "", "3", "km/h")),
        ] {
            let split = Split::of(cell).unwrap();
            let found = (split.is_negative, split.before, split.number, split.behind);
            assert_eq!(found, parts, "{cell}");
        }
        for cell in [
            "red",
            "id7",
            "13:45",
            "2014-05-02",
            "-$-5",
            "1a7",
            "(5)",
            "5 #",
            "0xff",
            "0Xabcdef",
        ] {
            assert_eq!(Split::of(cell), None, "{cell}");
        }
    }
}
