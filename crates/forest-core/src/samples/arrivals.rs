//! The numbers of stored samples in the stream.

use serde::{Deserialize, Serialize, Serializer};

use crate::{Arena, IdRemap};

/// For each sample its number in the stream, growing: 8 bytes each, and nothing as long as none between them is
/// missing.
///
/// Saved as the sequence of the numbers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Arena<u64>")]
pub(super) struct Arrivals {
    /// The first number and how many follow one another from there; of no use if they are listed.
    first: u64,
    consecutive: usize,
    /// All numbers if one between them is missing, else none.
    listed: Arena<u64>,
}

impl Arrivals {
    pub(super) fn len(&self) -> usize {
        self.consecutive + self.listed.len()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> u64 {
        match self.listed.get(index) {
            Some(number) => *number,
            None => self.first + index as u64,
        }
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = u64> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns where this number is. `O(log n)`.
    pub(super) fn find(&self, number: u64) -> Option<usize> {
        if !self.listed.is_empty() {
            return self.listed.binary_search(&number).ok();
        }
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        (index < self.consecutive).then_some(index)
    }

    /// Appends a number larger than all others.
    #[inline]
    pub(super) fn push(&mut self, number: u64) {
        if self.len() == 0 {
            self.first = number;
        }
        if !self.listed.is_empty()
            || Some(number) != self.first.checked_add(self.consecutive as u64)
        {
            self.list();
            return self.listed.push(number);
        }
        self.consecutive += 1;
    }

    /// Keeps the numbers of the samples that are kept.
    pub(super) fn retain(&mut self, names: &IdRemap) {
        let unchanged = names.first().index();
        let length = unchanged + names.kept().count();
        let first_kept = || names.kept().next().map_or(0, |(from, _)| from);
        let start = if unchanged == 0 { first_kept() } else { 0 };
        let mut indices = names.kept().zip(start + unchanged..);
        if self.listed.is_empty() && indices.all(|((from, _), next)| from == next) {
            (self.first, self.consecutive) = (self.get(start), length);
            return;
        }
        self.list();
        for (from, to) in names.kept() {
            self.listed[to] = self.listed[from];
        }
        self.listed.truncate(length);
    }

    /// Keeps the first `length` numbers.
    pub(super) fn truncate(&mut self, length: usize) {
        self.consecutive = self.consecutive.min(length);
        self.listed.truncate(length);
    }

    pub(super) fn bytes(&self) -> usize {
        self.listed.bytes()
    }

    /// Lists the numbers that followed one another.
    fn list(&mut self) {
        if self.listed.is_empty() {
            self.listed = self.iter().collect();
            self.consecutive = 0;
        }
    }
}

impl From<Arena<u64>> for Arrivals {
    fn from(numbers: Arena<u64>) -> Self {
        let first = numbers.first().copied().unwrap_or(0);
        let follows =
            |(index, number): (usize, &u64)| number.checked_sub(first) == Some(index as u64);
        if !numbers.iter().enumerate().all(follows) {
            return Self {
                first,
                consecutive: 0,
                listed: numbers,
            };
        }
        Self {
            first,
            consecutive: numbers.len(),
            listed: Arena::default(),
        }
    }
}

impl PartialEq for Arrivals {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Serialize for Arrivals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RetentionMask, SampleId};

    fn of(numbers: &[u64]) -> Arrivals {
        let mut arrivals = Arrivals::default();
        numbers.iter().for_each(|&number| arrivals.push(number));
        arrivals
    }

    /// Returns the numbers that are left of `numbers` if those from index `first` on are kept as `marks` says.
    fn retained(numbers: &[u64], first: usize, marks: &[bool]) -> Arrivals {
        let mut arrivals = of(numbers);
        let (first, marks) = (SampleId::new(first), marks.iter().copied().collect());
        arrivals.retain(&RetentionMask { first, marks }.remap());
        arrivals
    }

    fn is(arrivals: &Arrivals, numbers: &[u64]) {
        assert!(arrivals.iter().eq(numbers.iter().copied()), "{arrivals:?}");
        assert_eq!(arrivals.len(), numbers.len());
        for (index, &number) in numbers.iter().enumerate() {
            assert_eq!(
                (arrivals.get(index), arrivals.find(number)),
                (number, Some(index))
            );
        }
        let missing = (0..20)
            .chain([u64::MAX])
            .filter(|number| !numbers.contains(number));
        missing.for_each(|number| assert_eq!(arrivals.find(number), None, "{number}"));
        let follow = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let loaded = Arrivals::from(numbers.iter().copied().collect::<Arena<u64>>());
        assert_eq!(&loaded, arrivals);
        assert_eq!(loaded.bytes() == 0, follow);
    }

    #[test]
    fn numbers_are_found_whether_or_not_some_are_missing() {
        for numbers in [
            &[] as &[u64],
            &[3],
            &[3, 4, 5],
            &[3, 5, 6],
            &[3, 4, 9],
            &[u64::MAX],
        ] {
            is(&of(numbers), numbers);
        }
        assert_eq!(of(&[3, 4, 5]).bytes(), 0);
    }

    #[test]
    fn what_is_kept_stays_in_order() {
        let five = [2, 3, 4, 5, 6];
        let (yes, no) = (true, false);
        is(&retained(&five, 0, &[no, no, yes, yes, yes]), &[4, 5, 6]);
        is(&retained(&five, 3, &[yes, no]), &[2, 3, 4, 5]);
        is(&retained(&five, 3, &[no, yes]), &[2, 3, 4, 6]);
        is(&retained(&five, 0, &[yes, no, yes, no, no]), &[2, 4]);
        is(&retained(&five, 0, &[no; 5]), &[]);
        is(&retained(&[2, 3, 7, 8], 1, &[no, yes, no]), &[2, 7]);
        assert_eq!(retained(&five, 0, &[no, no, yes, yes, yes]).bytes(), 0);
        assert_eq!(retained(&five, 4, &[no]).bytes(), 0);
    }

    #[test]
    fn fewer_numbers_can_be_followed_by_others() {
        let mut arrivals = of(&[2, 3, 7]);
        arrivals.truncate(1);
        arrivals.push(4);
        is(&arrivals, &[2, 4]);
        arrivals.truncate(0);
        arrivals.push(9);
        arrivals.push(10);
        is(&arrivals, &[9, 10]);
        assert_eq!(arrivals.bytes(), 0);
    }
}
