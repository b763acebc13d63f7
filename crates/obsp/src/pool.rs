//! One array for the vertices of all hulls of a tree, handed out in slots.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use crate::plane::Vertex;

/// Slots of 2^k vertices, threaded together from one array; a slot given back serves the next hull
/// of its size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pool {
    cells: Arena<Vertex>,
    /// Free slots by the logarithm of their size.
    free: Vec<Arena<u32>>,
}

/// A slot: where it starts, and the logarithm of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Slot {
    start: u32,
    log_size: u8,
}

impl Slot {
    pub(crate) fn size(self) -> usize {
        1 << self.log_size
    }

    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.size()
    }
}

impl Pool {
    /// A slot for at least `len` vertices; what it holds is arbitrary.
    pub(crate) fn take(&mut self, len: usize) -> Slot {
        let log_size = len.next_power_of_two().trailing_zeros() as u8;
        let freed = self
            .free
            .get_mut(usize::from(log_size))
            .and_then(Arena::pop);
        let start = freed.unwrap_or_else(|| self.grow(1 << log_size));
        Slot { start, log_size }
    }

    fn grow(&mut self, size: usize) -> u32 {
        let start = self.cells.len();
        self.cells.resize(start + size, Vertex::default());
        u32::try_from(start).expect("the vertices of a tree fit 32-bit addresses (32 GiB)")
    }

    /// Takes a slot back.
    pub(crate) fn give(&mut self, slot: Slot) {
        let class = usize::from(slot.log_size);
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Arena::default);
        }
        self.free[class].push(slot.start);
    }

    /// A slot for at least `len` vertices that begins with the first `keep` of `slot`.
    pub(crate) fn copy(&mut self, slot: Slot, keep: usize, len: usize) -> Slot {
        let new = self.take(len);
        let from = slot.start as usize;
        self.cells
            .copy_within(from..from + keep, new.start as usize);
        new
    }

    #[inline]
    pub(crate) fn at(&self, slot: Slot) -> &[Vertex] {
        &self.cells[slot.range()]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, slot: Slot) -> &mut [Vertex] {
        &mut self.cells[slot.range()]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes() + self.free.iter().map(Arena::bytes).sum::<usize>()
    }

    /// Whether the slots in use and the free ones fill the array, each place once, with numbers.
    pub(crate) fn is_tiled_by(&self, used: impl Iterator<Item = Slot>) -> bool {
        let free = self.free.iter().enumerate().flat_map(|(class, starts)| {
            let log_size = u8::try_from(class).unwrap_or(u8::MAX);
            starts.iter().map(move |&start| Slot { start, log_size })
        });
        let mut slots: Vec<Slot> = used.chain(free).collect();
        slots.sort_unstable();
        let end = slots.iter().try_fold(0, |end, slot| {
            let follows = slot.start as usize == end && slot.log_size < 32;
            follows.then(|| end + slot.size())
        });
        end == Some(self.cells.len()) && self.cells.as_flattened().iter().all(|c| c.is_finite())
    }
}
