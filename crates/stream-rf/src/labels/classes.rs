//! Classes: a leaf's histogram, and its prediction.

use forest_core::{Classification, InvariantError, Task, Vote};

use super::Labels;
use super::class_histograms::{ClassHistograms, Scratch};

/// A summary is a histogram of the classes known.
impl Labels for Classification {
    type Cell = u32;
    type Splits = ClassHistograms;
    type Scratch = Scratch;

    /// At 2³² labels of a class all counts are halved: frequencies of that many lose nothing.
    fn add(row: &mut [u32], class: u32, weight: u32) {
        let class = class as usize;
        while row[class].checked_add(weight).is_none() {
            row.iter_mut().for_each(|count| *count /= 2);
        }
        row[class] += weight;
    }

    fn error(row: &[u32]) -> f64 {
        let most = row.iter().max().map_or(0, |&most| most.into());
        let all = total(row);
        if all == 0 {
            0.0
        } else {
            (all - most) as f64 / all as f64
        }
    }

    /// The class frequencies η, or the class with the largest (section 3.5).
    fn vote(row: &[u32], vote: Vote, accumulator: &mut [f64]) {
        // Cells beyond the classes known are empty.
        let known = accumulator.len().min(row.len());
        let all = total(&row[..known]);
        if all == 0 {
            return accumulator.fill(0.0);
        }
        accumulator[known..].fill(0.0);
        for (share, &count) in accumulator.iter_mut().zip(row) {
            *share = f64::from(count) / all as f64;
        }
        vote.cast(accumulator);
    }

    fn finish(accumulator: &[f64], prediction: &mut [f64]) {
        let trees: f64 = accumulator.iter().sum();
        if trees == 0.0 {
            return Self::prior_prediction(prediction);
        }
        for (probability, share) in prediction.iter_mut().zip(accumulator) {
            *probability = share / trees;
        }
    }

    fn check_row(row: &[u32], outputs: &Self::Outputs) -> Result<(), InvariantError> {
        let mut unknown = row.iter().skip(Self::width(outputs));
        let known = unknown.all(|&count| count == 0);
        InvariantError::require(known, "leaf", "counts a class that is not known")
    }
}

fn total(row: &[u32]) -> u64 {
    row.iter().map(|&count| u64::from(count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::reported;

    #[test]
    fn the_error_of_a_leaf_is_the_share_of_other_classes() {
        assert_eq!(Classification::error(&[3, 6, 1]), 0.4);
        assert_eq!(Classification::error(&[0, 0]), 0.0);
        assert_eq!(Classification::error(&[0, 7]), 0.0);
    }

    #[test]
    fn a_full_count_is_halved_with_its_neighbours() {
        let mut row = [u32::MAX - 1, 1000];
        Classification::add(&mut row, 0, 5);
        assert_eq!(row, [(u32::MAX - 1) / 2 + 5, 500]);
    }

    #[test]
    fn trees_without_points_do_not_vote() {
        let mut accumulator = [0.0; 2];
        Classification::vote(&[0, 0, 0], Vote::Majority, &mut accumulator);
        assert_eq!(accumulator, [0.0, 0.0]);
        let mut prediction = [0.0; 2];
        Classification::finish(&accumulator, &mut prediction);
        assert_eq!(prediction, [0.5, 0.5]);
        Classification::vote(&[1, 3, 0], Vote::Frequencies, &mut accumulator);
        Classification::finish(&accumulator, &mut prediction);
        assert_eq!(prediction, [0.25, 0.75]);
    }

    #[test]
    fn cells_of_classes_that_are_not_known_are_empty() {
        let known = Classification::admit(forest_core::ClassSpace::default(), 1);
        let report = |row: &[u32]| reported(Classification::check_row(row, &known));
        assert_eq!(report(&[3, 6, 0]), "no error");
        assert_eq!(report(&[0, 0]), "no error");
        assert_eq!(report(&[3, 6, 1]), "leaf: counts a class that is not known");
    }

    #[test]
    fn a_majority_of_equals_is_the_smaller_class() {
        let mut accumulator = [0.0; 3];
        Classification::vote(&[1, 3, 3], Vote::Majority, &mut accumulator);
        assert_eq!(accumulator, [0.0, 1.0, 0.0]);
    }
}
