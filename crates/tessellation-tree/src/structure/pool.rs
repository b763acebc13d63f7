//! Flat storage whose places are used again.

use std::marker::PhantomData;

use forest_core::Arena;
use serde::{Deserialize, Serialize};

/// An index into a [`Pool`], as a type of its own.
pub(crate) trait Index: Copy {
    fn new(index: u32) -> Self;
    fn index(self) -> usize;
}

/// Items in one array; the place of an item that was removed serves the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub(crate) struct Pool<I, T> {
    items: Arena<T>,
    free: Arena<u32>,
    #[serde(skip)]
    index: PhantomData<I>,
}

impl<I: Index, T> Pool<I, T> {
    pub(crate) fn insert(&mut self, item: T) -> I {
        if let Some(place) = self.free.pop() {
            self.items[place as usize] = item;
            return I::new(place);
        }
        let place = u32::try_from(self.items.len());
        self.items.push(item);
        I::new(place.expect("a tree has fewer nodes than samples, and those have 32-bit numbers"))
    }

    pub(crate) fn remove(&mut self, index: I) {
        self.free.push(index.index() as u32);
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    /// Returns the number of places: one more than the largest index in use.
    pub(crate) fn places(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.items.bytes() + self.free.bytes()
    }

    #[inline]
    pub(crate) fn items(&self) -> Items<'_, I, T> {
        Items(&self.items, PhantomData)
    }

    /// Returns the places that are free, as they stand.
    pub(crate) fn free(&self) -> impl Iterator<Item = usize> {
        self.free.iter().map(|&place| place as usize)
    }
}

/// The items of a pool, for reading: a slice of its own, so that no loop looks for it twice.
#[derive(Debug)]
pub(crate) struct Items<'a, I, T>(&'a [T], PhantomData<I>);

impl<I, T> Clone for Items<'_, I, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, T> Copy for Items<'_, I, T> {}

impl<'a, I: Index, T> Items<'a, I, T> {
    /// Returns the bytes of the items.
    pub(crate) fn bytes(self) -> usize {
        size_of_val(self.0)
    }

    #[inline]
    pub(crate) fn get(self, index: I) -> &'a T {
        &self.0[index.index()]
    }
}

impl<I, T> Default for Pool<I, T> {
    fn default() -> Self {
        Self {
            items: Arena::default(),
            free: Arena::default(),
            index: PhantomData,
        }
    }
}

impl<I: Index, T> std::ops::Index<I> for Pool<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, index: I) -> &T {
        &self.items[index.index()]
    }
}

impl<I: Index, T> std::ops::IndexMut<I> for Pool<I, T> {
    #[inline]
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.items[index.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::node::NodeId;

    #[test]
    fn places_are_used_again() {
        let mut pool = Pool::<NodeId, char>::default();
        let ids = ['a', 'b', 'c'].map(|item| pool.insert(item));
        pool.remove(ids[1]);
        assert_eq!((pool.len(), pool.places()), (2, 3));
        assert_eq!(pool.insert('d'), ids[1]);
        assert_eq!((pool.len(), pool.places(), pool[ids[1]]), (3, 3, 'd'));
    }
}
