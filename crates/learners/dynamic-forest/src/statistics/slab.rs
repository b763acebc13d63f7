//! The statistics of all large nodes of a tree.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use super::Statistics;
use crate::labels::sealed::Sums;

/// Statistics by number; released numbers are reused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Slab<T: Sums> {
    nodes: Arena<Option<Statistics<T>>>,
    free: Arena<u32>,
}

impl<T: Sums> Default for Slab<T> {
    fn default() -> Self {
        Self {
            nodes: Arena::default(),
            free: Arena::default(),
        }
    }
}

impl<T: Sums> Slab<T> {
    pub(crate) fn insert(&mut self, statistics: Statistics<T>) -> u32 {
        let Some(number) = self.free.pop() else {
            self.nodes.push(Some(statistics));
            return self.nodes.len() as u32 - 1;
        };
        self.nodes[number as usize] = Some(statistics);
        number
    }

    /// Returns the statistics of a node that watches `number`, if it has any.
    pub(crate) fn get(&self, number: u32) -> Option<&Statistics<T>> {
        self.nodes.get(number as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Statistics<T>> {
        self.nodes.get_mut(number as usize)?.as_mut()
    }

    /// Releases the statistics of a node that watches `number`, if it has any; returns them.
    pub(crate) fn release(&mut self, number: u32) -> Option<Statistics<T>> {
        let statistics = self.nodes.get_mut(number as usize)?.take()?;
        self.free.push(number);
        Some(statistics)
    }

    /// Returns whether statistics with this number are in use, for all numbers.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = bool> {
        self.nodes.iter().map(Option::is_some)
    }

    /// Returns whether the free numbers are those that are not in use.
    pub(crate) fn is_sound(&self) -> bool {
        let mut free: Vec<u32> = self.free.to_vec();
        free.sort_unstable();
        let unused = (0..).zip(self.in_use()).filter(|(_, in_use)| !in_use);
        unused.map(|(number, _)| number).eq(free)
    }

    pub(crate) fn bytes(&self) -> usize {
        let statistics = self.nodes.iter().flatten().map(Statistics::bytes);
        self.nodes.bytes() + self.free.bytes() + statistics.sum::<usize>()
    }
}
