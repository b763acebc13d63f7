//! Many short lists in one flat array, each without a hole, so that a list is read sequentially.

use forest_core::Arena;

/// A list of [`Lists`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct List {
    start: u32,
    count: u32,
}

/// Lists that grow at their end. A list has room for a power of two; a full one moves to a room of twice the size, and the next
/// list that needs its old room gets it.
///
/// `c` items take less than `4·c` places: of a list, its room less than `2·c`, and all that it has left behind less than its room.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    places: Arena<T>,
    /// Where empty rooms begin, by the logarithm of their size.
    empty: Vec<Arena<u32>>,
}

impl<T: Copy> Lists<T> {
    #[inline]
    pub(crate) fn get(&self, list: List) -> &[T] {
        &self.places[list.start as usize..][..list.count as usize]
    }

    pub(crate) fn get_mut(&mut self, list: List) -> &mut [T] {
        &mut self.places[list.start as usize..][..list.count as usize]
    }

    pub(crate) fn push(&mut self, list: &mut List, item: T) {
        if list.count == 0 {
            list.start = self.room(0, item);
        // A list of 2ᵏ items fills its room: rooms are powers of two, and grow only here.
        } else if list.count.is_power_of_two() {
            self.move_to_twice_the_room(list, item);
        }
        self.places[(list.start + list.count) as usize] = item;
        list.count += 1;
    }

    fn move_to_twice_the_room(&mut self, list: &mut List, filler: T) {
        let (old, count, size) = (list.start, list.count as usize, list.count.ilog2() as usize);
        list.start = self.room(size + 1, filler);
        let old_places = old as usize..old as usize + count;
        self.places.copy_within(old_places, list.start as usize);
        self.empty
            .resize_with(self.empty.len().max(size + 1), Arena::default);
        self.empty[size].push(old);
    }

    /// Returns where an empty room for `2^size` items begins; a new one holds `filler`.
    fn room(&mut self, size: usize, filler: T) -> u32 {
        let left_behind = self.empty.get_mut(size).and_then(Arena::pop);
        left_behind.unwrap_or_else(|| {
            let end = self.places.len();
            self.places.resize(end + (1 << size), filler);
            u32::try_from(end).expect("2³⁰ items, the most there are, take less than 2³² places")
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        let empty: usize = self.empty.iter().map(Arena::bytes).sum();
        self.places.bytes() + empty + self.empty.capacity() * size_of::<Arena<u32>>()
    }
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            places: Arena::default(),
            empty: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    #[test]
    fn an_item_takes_less_than_four_places() {
        let (mut lists, mut list) = (Lists::default(), List::default());
        for item in 0..5000 {
            lists.push(&mut list, item);
            assert!(lists.places.len() < 4 * (item + 1), "{item}");
            assert!(lists.get(list).iter().copied().eq(0..=item));
        }
    }

    /// Lists of random growth, as in a tree, hold what was pushed and no place of another.
    #[test]
    fn rooms_that_are_left_serve_other_lists() {
        let mut rng = TreeRng::new(1, 0);
        let (mut lists, mut all) = (Lists::default(), vec![(List::default(), Vec::new())]);
        for item in 0..3000_u32 {
            let chosen = (rng.uniform() * all.len() as f64) as usize;
            let (list, expected) = &mut all[chosen];
            lists.push(list, item);
            expected.push(item);
            all.push((List::default(), Vec::new()));
            for (list, expected) in all.iter().step_by(7) {
                assert_eq!(lists.get(*list), expected);
            }
        }
        let used: usize = all
            .iter()
            .map(|(list, _)| (list.count as usize).next_power_of_two())
            .sum();
        let without_items = all.iter().filter(|(list, _)| list.count == 0).count();
        let rooms = used - without_items;
        let empty: usize = lists
            .empty
            .iter()
            .enumerate()
            .map(|(size, rooms)| rooms.len() << size)
            .sum();
        assert_eq!(
            lists.places.len(),
            rooms + empty,
            "every place is in one room"
        );
        assert!(
            empty * 20 < rooms,
            "{empty} of {rooms} places are in no list"
        );
    }
}
