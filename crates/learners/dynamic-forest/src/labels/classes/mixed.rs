//! Class counts of leaves whose samples differ in their class.

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use super::amount::{Amount, ClassCode};
use crate::labels::sealed::MixedLeaves;
use crate::unit::NoUnit;

/// A list of cells for each leaf, one for each of its classes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Classes<A> {
    cells: Arena<Cell<A>>,
    /// The first cell that is in no leaf, plus 1; the others follow it.
    free: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Cell<A> {
    class: u32,
    count: A,
    /// The next cell of the list, plus 1; 0 at its end.
    next: u32,
}

impl<A> Default for Classes<A> {
    fn default() -> Self {
        Self {
            cells: Arena::default(),
            free: 0,
        }
    }
}

impl<A: Amount> Classes<A> {
    fn allocate(&mut self, cell: Cell<A>) -> u32 {
        let Some(index) = self.free.checked_sub(1) else {
            self.cells.push(cell);
            return self.cells.len() as u32 - 1;
        };
        let freed = std::mem::replace(&mut self.cells[index as usize], cell);
        self.free = freed.next;
        index
    }

    fn release_cell(&mut self, index: u32) {
        self.cells[index as usize].next = self.free;
        self.free = index + 1;
    }

    /// Returns the cells of a leaf; a list that was altered ends after as many steps as there are cells.
    fn list(&self, leaf: u32) -> impl Iterator<Item = (usize, Cell<A>)> {
        let at = |index: u32| Some((index as usize, *self.cells.get(index as usize)?));
        let next = move |(_, cell): &(usize, Cell<A>)| at(cell.next.checked_sub(1)?);
        std::iter::successors(at(leaf), next).take(self.cells.len())
    }

    /// Returns the classes of a leaf that have samples, in order.
    fn counted(&self, leaf: u32) -> Vec<(u32, A)> {
        let present = self
            .list(leaf)
            .filter(|(_, cell)| cell.count != A::default());
        let mut counted: Vec<_> = present.map(|(_, cell)| (cell.class, cell.count)).collect();
        counted.sort_unstable_by_key(|&(class, _)| class);
        counted
    }

    fn find(&self, leaf: u32, class: u32) -> Option<usize> {
        let mut cells = self.list(leaf);
        cells
            .find(|(_, cell)| cell.class == class)
            .map(|(index, _)| index)
    }
}

impl<C: ClassCode> MixedLeaves<C> for Classes<C::Amount> {
    type Unit = NoUnit;

    fn insert(&mut self, codes: &[C]) -> u32 {
        let (&first, others) = codes.split_first().expect("a leaf has samples");
        let leaf = self.allocate(Cell {
            class: first.class(),
            count: first.amount(),
            next: 0,
        });
        for &code in others {
            MixedLeaves::<C>::add(self, leaf, code);
        }
        leaf
    }

    fn add(&mut self, leaf: u32, code: C) {
        let (class, count) = (code.class(), code.amount());
        if let Some(cell) = self.find(leaf, class) {
            self.cells[cell].count += count;
            return;
        }
        let next = self.cells[leaf as usize].next;
        let cell = self.allocate(Cell { class, count, next });
        self.cells[leaf as usize].next = cell + 1;
    }

    /// The cell of a class without samples stays until the leaf is released.
    fn remove(&mut self, leaf: u32, code: C) {
        let cell = self
            .find(leaf, code.class())
            .expect("the leaf has a sample of this class");
        self.cells[cell].count -= code.amount();
    }

    fn release(&mut self, leaf: u32) {
        let mut next = leaf + 1;
        while let Some(index) = next.checked_sub(1) {
            next = self.cells[index as usize].next;
            self.release_cell(index);
        }
    }

    fn vote(&self, leaf: u32, _: &NoUnit, accumulator: &mut [f64]) {
        accumulator.fill(0.0);
        let mut all = C::Amount::default();
        self.list(leaf).for_each(|(_, cell)| all += cell.count);
        for (_, cell) in self.list(leaf) {
            accumulator[cell.class as usize] = cell.count.to_f64() / all.to_f64();
        }
    }

    fn vote_without(&self, leaf: u32, code: C, _: &NoUnit, accumulator: &mut [f64]) {
        let mut left = C::Amount::default();
        self.list(leaf).for_each(|(_, cell)| left += cell.count);
        left -= code.amount();
        accumulator.fill(0.0);
        for (_, mut cell) in self.list(leaf) {
            if cell.class == code.class() {
                cell.count -= code.amount();
            }
            accumulator[cell.class as usize] = cell.count.to_f64() / left.to_f64();
        }
    }

    fn rarity(&self, leaf: u32, code: C) -> f64 {
        let (mut classes, mut own) = (0, C::Amount::default());
        let (mut all, mut index) = (C::Amount::default(), leaf as usize);
        loop {
            let cell = &self.cells[index];
            classes += u32::from(cell.count != C::Amount::default());
            all += cell.count;
            if cell.class == code.class() {
                own = cell.count;
            }
            match cell.next {
                0 => break,
                next => index = next as usize - 1,
            }
        }
        classes += u32::from(own == C::Amount::default());
        own += code.amount();
        all += code.amount();
        all.to_f64() / (f64::from(classes) * own.to_f64())
    }

    fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    fn check(&self, leaf: u32, codes: &[C]) -> Result<(), InvariantError> {
        let mut expected = Self::default();
        let other = MixedLeaves::<C>::insert(&mut expected, codes);
        let (counted, expected) = (self.counted(leaf), expected.counted(other));
        InvariantError::require(
            counted == expected,
            "a mixed leaf",
            "its counts of classes are wrong",
        )
    }

    fn check_all(&self, leaves: &[u32]) -> Result<(), InvariantError> {
        let lists = leaves.iter().copied().chain(self.free.checked_sub(1));
        // A cyclic list yields one more than there are.
        let most = self.cells.len() + 1;
        let mut all: Vec<usize> = Vec::new();
        for first in lists {
            all.extend(
                self.list(first)
                    .map(|(index, _)| index)
                    .take(most - all.len().min(most)),
            );
        }
        all.sort_unstable();
        let length = self.cells.len();
        let mut links = self.cells.iter().map(|cell| cell.next).chain([self.free]);
        let is_closed = links.all(|next| next as usize <= length);
        let each_once = is_closed && all.into_iter().eq(0..length);
        InvariantError::require(
            each_once,
            "mixed leaves",
            "a cell is orphaned, or in use twice",
        )
    }
}
