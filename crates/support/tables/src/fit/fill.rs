//! Fillings of missing cells.

use super::Fit;
use crate::Missing;
use crate::column_cells::ColumnCells;
use crate::feature::{Fill, Meaning, Origin};

impl Fit<'_> {
    pub(super) fn fill(
        &self,
        cells: ColumnCells<'_>,
        meaning: &Meaning,
        values: &[f64],
        origin: Origin,
    ) -> Option<Fill> {
        let of_numbers = match self.options.missing {
            Missing::Refuse | Missing::Drop => return None,
            Missing::Keep => return Some(Fill::Missing),
            Missing::Mean => mean,
            Missing::Median | Missing::Indicator => median,
        };
        if !meaning.is_number() {
            return cells
                .most_frequent()
                .map(|word| Fill::Word(word.to_owned()));
        }
        let shifted = values.iter().map(|value| origin.shifted(*value));
        of_numbers(shifted.collect()).map(|number| Fill::Number(number as f32))
    }
}

/// Terms are divided first: a sum of large numbers could overflow.
fn mean(values: Vec<f64>) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().map(|value| value / count).sum::<f64>();
    (!values.is_empty()).then_some(mean)
}

/// Returns the middle value, or the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(lower.midpoint(upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_are_exact() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![]), None);
        assert_eq!(mean(vec![1.0, 2.0, 6.0]), Some(3.0));
        assert!(mean(vec![1e308, 1.5e308]).is_some_and(f64::is_finite));
    }
}
