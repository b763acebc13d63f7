//! Numbers of a cell.

use forest_core::{CATEGORIES, category};
use twox_hash::XxHash3_64;

use crate::{Fault, Numbers, short};

/// Returns a finite number.
pub(crate) fn number(numbers: &Numbers, cell: &str, column: &str) -> Result<f64, Fault> {
    let number = numbers.parse(cell).ok_or_else(|| {
        Fault::new(format!(
            "`{}` in column `{}` is not a number, but other rows of that column are; correct it, remove the row, \
             or treat the column as categories with --categorical",
            short(cell),
            short(column)
        ))
    })?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err(not_finite(cell, column))
    }
}

fn not_finite(cell: &str, column: &str) -> Fault {
    Fault::new(format!(
        "`{}` in column `{}` is not a finite number; remove the row or fill in a value",
        short(cell),
        short(column)
    ))
}

pub(crate) fn missing(column: &str) -> Fault {
    Fault::new(format!(
        "no value in column `{}`; remove the row or fill in a value",
        short(column)
    ))
}

/// Returns the number as a feature: one beyond the range of `f32` is as infinite as a written infinity.
pub(super) fn narrow(number: f64, cell: &str, column: &str) -> Result<f32, Fault> {
    let narrow = number as f32;
    if narrow.is_finite() {
        Ok(narrow)
    } else {
        Err(not_finite(cell, column))
    }
}

/// Returns the category of a word without a list of words: its XXH3, which is the same on every machine. Two of 1,000 words share one with a probability of .12.
pub fn category_of_word(word: &str) -> f32 {
    category(bucket(word, CATEGORIES) as u32)
}

/// Returns the column of a word among `buckets`: by its XXH3, which is the same on every machine.
pub(super) fn bucket(word: &str, buckets: u32) -> usize {
    (XxHash3_64::oneshot(word.as_bytes()) % u64::from(buckets)) as usize
}
