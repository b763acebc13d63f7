//! What one query has learned about the stored points, for the trees that ask again.

use forest_core::SampleId;

/// Values of stored points, forgotten all at once when the next query begins.
///
/// Each point has one place, which it may have to share: then the value asked for last is there,
/// and the other is computed again. A value depends on nothing but the point and the query, so
/// what is remembered shows in no answer.
#[derive(Debug, Default)]
pub(crate) struct Memo<V> {
    query: u64,
    /// The query (upper half) and point (lower half) that each value belongs to.
    known: Vec<(u64, V)>,
}

/// The most places: as many as the caches near a processor hold.
const MOST_PLACES: usize = 1 << 14;

/// The queries that can be told apart.
const QUERIES: u64 = 1 << 32;

impl<V: Copy + Default> Memo<V> {
    /// Forgets everything, and makes room for `points` points.
    pub(crate) fn begin(&mut self, points: usize) {
        self.query += 1;
        let places = points.next_power_of_two().min(MOST_PLACES);
        if self.known.len() < places || self.query == QUERIES {
            self.query = 1;
            self.known = vec![(0, V::default()); places];
        }
    }

    /// The value of a point, if this query remembers it.
    #[inline(always)]
    pub(crate) fn known(&self, point: SampleId) -> Option<V> {
        let (known, value) = self.known[self.place(point)];
        (known == self.key(point)).then_some(value)
    }

    /// Remembers the value of a point, and returns it.
    #[inline(always)]
    pub(crate) fn note(&mut self, point: SampleId, value: V) -> V {
        let (place, key) = (self.place(point), self.key(point));
        self.known[place] = (key, value);
        value
    }

    /// The value of a point, computed unless this query remembers it.
    #[inline(always)]
    pub(crate) fn recall(&mut self, point: SampleId, compute: impl FnOnce() -> V) -> V {
        match self.known(point) {
            Some(value) => value,
            None => self.note(point, compute()),
        }
    }

    #[inline(always)]
    fn key(&self, point: SampleId) -> u64 {
        self.query << 32 | point.index() as u64
    }

    #[inline(always)]
    fn place(&self, point: SampleId) -> usize {
        point.index() & (self.known.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(memo: &mut Memo<u64>, point: usize, value: u64) -> (u64, bool) {
        let mut computed = false;
        let compute = || {
            computed = true;
            value
        };
        (memo.recall(SampleId::new(point), compute), computed)
    }

    #[test]
    fn a_value_is_computed_once_per_query() {
        let mut memo = Memo::default();
        for query in [0, 1, QUERIES - 2, QUERIES - 1] {
            memo.query = query;
            memo.begin(3);
            assert_eq!(ask(&mut memo, 2, query), (query, true));
            assert_eq!(ask(&mut memo, 0, 7), (7, true));
            assert_eq!(ask(&mut memo, 2, 0), (query, false));
        }
    }

    #[test]
    fn points_that_share_a_place_are_told_apart() {
        let mut memo = Memo::default();
        memo.begin(10 * MOST_PLACES);
        let (one, other) = (5, 5 + MOST_PLACES);
        for _ in 0..3 {
            assert_eq!(ask(&mut memo, one, 1), (1, true));
            assert_eq!(ask(&mut memo, other, 2), (2, true));
        }
    }
}
