//! What is noted of each stored sample beside its row and target.

use std::fmt::{self, Formatter};

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::weights::Weights;
use crate::{Arena, IdRemap, SampleWeight};

/// Which samples are forgotten, and what those weigh whose weight is not 1.
///
/// Saved as a sequence of [`Mark`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Marks {
    pub(super) forgotten: Arena<bool>,
    pub(super) weights: Weights,
}

/// One sample as it is saved. The first two take the byte of the `bool` that was all before samples had weights.
#[derive(Serialize, Deserialize)]
enum Mark {
    Unweighted,
    Forgotten,
    Weighted(SampleWeight),
    ForgottenWeighted(SampleWeight),
}

impl Marks {
    #[inline]
    pub(super) fn push(&mut self, weight: SampleWeight) {
        self.weights.push(self.forgotten.len(), weight);
        self.forgotten.push(false);
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.forgotten.truncate(length);
        self.weights.truncate(length);
    }

    /// Drops all marks and keeps the memory of a few.
    pub(super) fn clear(&mut self) {
        self.forgotten.clear();
        self.weights.truncate(0);
    }

    /// Moves the marks of the samples that are kept, and drops the others.
    pub(super) fn retain(&mut self, names: &IdRemap) {
        let mut length = names.first().index();
        for (from, to) in names.kept() {
            self.forgotten[to] = self.forgotten[from];
            length = to + 1;
        }
        self.weights.retain(names);
        self.forgotten.truncate(length);
    }

    pub(super) fn bytes(&self) -> usize {
        self.forgotten.bytes() + self.weights.bytes()
    }

    fn get(&self, index: usize) -> Mark {
        match (self.forgotten[index], self.weights.get(index)) {
            (false, SampleWeight::ONE) => Mark::Unweighted,
            (true, SampleWeight::ONE) => Mark::Forgotten,
            (false, weight) => Mark::Weighted(weight),
            (true, weight) => Mark::ForgottenWeighted(weight),
        }
    }

    fn add(&mut self, mark: &Mark) {
        let (forgotten, weight) = match *mark {
            Mark::Unweighted => (false, SampleWeight::ONE),
            Mark::Forgotten => (true, SampleWeight::ONE),
            Mark::Weighted(weight) => (false, weight),
            Mark::ForgottenWeighted(weight) => (true, weight),
        };
        self.weights.push(self.forgotten.len(), weight);
        self.forgotten.push(forgotten);
    }
}

impl Serialize for Marks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.forgotten.len()).map(|index| self.get(index)))
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Read)
    }
}

/// Reads marks one by one: a list of them would take sixteen times the memory of most stores.
struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Marks;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a mark for each sample")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Marks, A::Error> {
        let mut marks = Marks::default();
        while let Some(mark) = sequence.next_element::<Mark>()? {
            marks.add(&mark);
        }
        Ok(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RetentionMask, SampleId};

    fn weight(value: f64) -> SampleWeight {
        SampleWeight::new(value).expect("it is in range")
    }

    /// Returns the marks of four samples, of which the second weighs 2 and the fourth a half.
    fn marks() -> Marks {
        let mut marks = Marks::default();
        let weights = [1.0, 2.0, 1.0, 0.5].map(weight);
        weights.into_iter().for_each(|weight| marks.push(weight));
        marks.forgotten[1] = true;
        marks
    }

    fn weights(marks: &Marks) -> Vec<f64> {
        let all = 0..marks.forgotten.len();
        all.map(|index| marks.weights.get(index).value()).collect()
    }

    #[test]
    fn weights_move_with_their_samples_and_are_gone_with_them() {
        let mut all = marks();
        assert_eq!(weights(&all), [1.0, 2.0, 1.0, 0.5]);
        all.push(SampleWeight::ONE);
        assert_eq!((all.forgotten.len(), all.weights.iter().count()), (5, 4));
        let first = SampleId::new(1);
        let marks = smallvec::smallvec![false, true, true, true];
        all.retain(&RetentionMask { first, marks }.remap());
        assert_eq!(weights(&all), [1.0, 1.0, 0.5, 1.0]);
        all.truncate(2);
        assert_eq!(
            (weights(&all), all.weights.iter().count()),
            (vec![1.0, 1.0], 0)
        );
    }

    #[test]
    fn what_is_saved_comes_back_and_without_weights_it_is_what_it_was() {
        let text = serde_json::to_string(&marks()).expect("marks are text");
        assert_eq!(
            serde_json::from_str::<Marks>(&text).expect("they are marks"),
            marks()
        );
    }
}
