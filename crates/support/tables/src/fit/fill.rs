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
        match self.options.missing {
            Missing::Refuse | Missing::Drop => return None,
            Missing::Keep => return Some(Fill::Missing),
            Missing::Median | Missing::Indicator => {}
        }
        if !meaning.is_number() {
            return cells
                .most_frequent()
                .map(|word| Fill::Word(word.to_owned()));
        }
        let shifted = values.iter().map(|value| origin.shifted(*value));
        median(shifted.collect()).map(|number| Fill::Number(number as f32))
    }
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
    }
}
