//! Numbers of a cell.

use twox_hash::XxHash3_64;

use crate::{Fault, Numbers, short};

/// A finite number.
pub(crate) fn number(numbers: &Numbers, cell: &str, column: &str) -> Result<f64, Fault> {
    let (column, text) = (|| short(column), || short(cell));
    match numbers.parse(cell) {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => Err(Fault::NotFinite {
            column: column(),
            text: text(),
        }),
        None => Err(Fault::NotANumber {
            column: column(),
            text: text(),
        }),
    }
}

/// The number as a feature: one beyond the range of `f32` is as infinite as a written infinity.
pub(super) fn narrow(number: f64, cell: &str, column: &str) -> Result<f32, Fault> {
    let narrow = number as f32;
    match narrow.is_finite() {
        true => Ok(narrow),
        false => Err(Fault::NotFinite {
            column: short(column),
            text: short(cell),
        }),
    }
}

/// Where a word belongs among so many columns: by its XXH3, which is the same on every machine.
pub(super) fn bucket(word: &str, buckets: u32) -> usize {
    (XxHash3_64::oneshot(word.as_bytes()) % u64::from(buckets)) as usize
}
