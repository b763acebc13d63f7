//! Class weights of a node and of what is left of its candidates, kept up to date.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use super::gain;
use crate::labels::sealed::Sides;
use crate::labels::weighted::Weighted;
use crate::settings::Choice;

/// Rows of class weights: that of all samples, then those of the samples left of each candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WeightedClassSides {
    count: u32,
    /// How many samples are left of each candidate.
    lefts: Box<[u32]>,
    /// Weights of a class: those of candidates that were not found are 0.
    width: usize,
    /// Class by class, a weight for all samples and one for each candidate.
    units: Arena<u128>,
}

impl WeightedClassSides {
    /// Returns the weights of `class`, for which room is made.
    fn row(&mut self, class: u32) -> &mut [u128] {
        let start = class as usize * self.width;
        if start >= self.units.len() {
            self.units.resize(start + self.width, 0);
        }
        &mut self.units[start..][..self.width]
    }

    /// A class beyond the last that has samples has no row: equal samples have equal weights.
    fn drop_last_classes(&mut self) {
        let last = self
            .units
            .chunks_exact(self.width)
            .rposition(|row| row[0] > 0);
        self.units
            .truncate(last.map_or(0, |last| last + 1) * self.width);
    }

    /// Changes the numbers and weights that a sample is part of.
    fn change(
        &mut self,
        code: Weighted<u32>,
        is_left: impl Fn(usize) -> bool,
        number: impl Fn(&mut u32),
        units: impl Fn(&mut u128),
    ) {
        number(&mut self.count);
        units(&mut self.row(code.code)[0]);
        for candidate in (0..self.lefts.len()).filter(|&candidate| is_left(candidate)) {
            number(&mut self.lefts[candidate]);
            units(&mut self.row(code.code)[1 + candidate]);
        }
    }
}

impl Sides<Weighted<u32>> for WeightedClassSides {
    fn new(codes: &[Weighted<u32>], candidates: usize) -> Self {
        let mut sides = Self {
            count: codes.len() as u32,
            lefts: vec![0; candidates].into(),
            width: 1 + candidates,
            units: Arena::default(),
        };
        for &code in codes {
            sides.row(code.code)[0] += u128::from(code.units);
        }
        sides
    }

    fn found(&mut self, candidates: usize) {
        self.lefts = self.lefts[..candidates].into();
    }

    fn add(&mut self, code: Weighted<u32>, is_left: impl Fn(usize) -> bool) {
        let weight = u128::from(code.units);
        self.change(
            code,
            is_left,
            |number| *number += 1,
            |units| *units += weight,
        );
    }

    fn remove(&mut self, code: Weighted<u32>, is_left: impl Fn(usize) -> bool) {
        let weight = u128::from(code.units);
        self.change(
            code,
            is_left,
            |number| *number -= 1,
            |units| *units -= weight,
        );
        self.drop_last_classes();
    }

    fn recount(
        &mut self,
        candidate: usize,
        column: &[f32],
        threshold: f32,
        codes: &[Weighted<u32>],
    ) {
        for row in self.units.chunks_exact_mut(self.width) {
            row[1 + candidate] = 0;
        }
        self.lefts[candidate] = 0;
        let samples = column.iter().zip(codes);
        for (_, &code) in samples.filter(|(value, _)| **value <= threshold) {
            self.row(code.code)[1 + candidate] += u128::from(code.units);
            self.lefts[candidate] += 1;
        }
    }

    fn gain(&self, candidate: usize, side: u32) -> f64 {
        if !Choice::allows(side, self.lefts[candidate], self.count) {
            return f64::NEG_INFINITY;
        }
        let rows = self.units.chunks_exact(self.width);
        gain(rows.map(|row| (row[1 + candidate], row[0])))
    }

    fn count(&self) -> u32 {
        self.count
    }

    fn may_be_pure(&self) -> bool {
        let totals = self.units.iter().step_by(self.width);
        totals.filter(|&&total| total > 0).nth(1).is_none()
    }

    fn bytes(&self) -> usize {
        self.units.bytes() + self.lefts.len() * size_of::<u32>()
    }
}
