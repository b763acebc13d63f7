//! Values of stored points that a query has computed already, for the other trees that need them.

use forest_core::SampleId;

/// A direct-mapped cache of values of stored points, all of them invalid when the next query starts.
///
/// A value depends on nothing but the point and the query, so the cache does not change predictions.
///
/// What it buys: without it (`get` always `None`) learning 6000 rows of MNIST takes 2.3 times as long,
/// predicting 2.2 times.
#[derive(Debug, Default)]
pub(crate) struct QueryCache<V> {
    query: u64,
    /// The query (upper half) and point (lower half) of each value, and the value.
    slots: Vec<(u64, V)>,
}

/// The most slots: as many as the caches near a processor hold.
const MOST_SLOTS: usize = 1 << 14;

const QUERIES: u64 = 1 << 32;

impl<V: Copy + Default> QueryCache<V> {
    /// Starts the next query, among `points` points.
    pub(crate) fn start_query(&mut self, points: usize) {
        self.query += 1;
        let slots = points.next_power_of_two().min(MOST_SLOTS);
        // The number of the query has 32 bits of a key: when it wraps, keys of old queries would be valid again.
        if self.slots.len() < slots || self.query == QUERIES {
            // Not 0, which empty slots have: they would hold a value of point 0.
            self.query = 1;
            self.slots = vec![(0, V::default()); slots];
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, point: SampleId) -> Option<V> {
        let (key, value) = self.slots[self.slot(point)];
        (key == self.key(point)).then_some(value)
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, point: SampleId, value: V) -> V {
        let (slot, key) = (self.slot(point), self.key(point));
        self.slots[slot] = (key, value);
        value
    }

    /// Returns the value of a point, computed unless this query has it already.
    #[inline(always)]
    pub(crate) fn get_or_compute(&mut self, point: SampleId, compute: impl FnOnce() -> V) -> V {
        match self.get(point) {
            Some(value) => value,
            None => self.insert(point, compute()),
        }
    }

    /// Returns how many values of this query it holds.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        let of_query = |slot: &&(u64, V)| slot.0 >> 32 == self.query;
        self.slots.iter().filter(of_query).count()
    }

    #[inline(always)]
    fn slot(&self, point: SampleId) -> usize {
        // The number of slots is a power of two.
        point.index() & (self.slots.len() - 1)
    }

    #[inline(always)]
    fn key(&self, point: SampleId) -> u64 {
        self.query << 32 | point.index() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(cache: &mut QueryCache<u64>, point: usize, value: u64) -> (u64, bool) {
        let mut computed = false;
        let compute = || {
            computed = true;
            value
        };
        (
            cache.get_or_compute(SampleId::new(point), compute),
            computed,
        )
    }

    #[test]
    fn a_value_is_computed_once_per_query() {
        let mut cache = QueryCache::default();
        for query in [0, 1, QUERIES - 2, QUERIES - 1] {
            cache.query = query;
            cache.start_query(3);
            assert_eq!(ask(&mut cache, 2, query), (query, true));
            assert_eq!(ask(&mut cache, 0, 7), (7, true));
            assert_eq!(ask(&mut cache, 2, 0), (query, false));
        }
    }

    #[test]
    fn points_that_share_a_slot_are_distinguished() {
        let mut cache = QueryCache::default();
        cache.start_query(10 * MOST_SLOTS);
        let (one, other) = (5, 5 + MOST_SLOTS);
        for _ in 0..3 {
            assert_eq!(ask(&mut cache, one, 1), (1, true));
            assert_eq!(ask(&mut cache, other, 2), (2, true));
        }
    }
}
