//! The statistics of all large nodes of a tree.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use super::Statistics;
use crate::Labels;
use crate::upkeep::Upkeep;

/// Statistics by number; numbers that are given up are used again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Slab<T: Labels> {
    nodes: Arena<Option<Statistics<T>>>,
    free: Arena<u32>,
}

impl<T: Labels> Default for Slab<T> {
    fn default() -> Self {
        Self {
            nodes: Arena::default(),
            free: Arena::default(),
        }
    }
}

impl<T: Labels> Slab<T> {
    pub(crate) fn insert(&mut self, statistics: Statistics<T>) -> u32 {
        let Some(number) = self.free.pop() else {
            self.nodes.push(Some(statistics));
            return self.nodes.len() as u32 - 1;
        };
        self.nodes[number as usize] = Some(statistics);
        number
    }

    /// The statistics of a node that watches `number`, if it has any.
    pub(crate) fn get(&self, number: u32) -> Option<&Statistics<T>> {
        self.nodes.get(number as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Statistics<T>> {
        self.nodes.get_mut(number as usize)?.as_mut()
    }

    /// Gives up the statistics of a node that watches `number`, if it has any.
    pub(crate) fn release(&mut self, number: u32) {
        let present = self.nodes.get_mut(number as usize).and_then(Option::take);
        if present.is_some() {
            self.free.push(number);
        }
    }

    /// How many nodes have statistics.
    pub(crate) fn used(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        let statistics = self.nodes.iter().flatten().map(Statistics::bytes);
        self.nodes.bytes() + self.free.bytes() + statistics.sum::<usize>()
    }
}

impl<T: Labels> Slab<T> {
    /// Whether `number` says that a node has no statistics.
    pub(crate) fn is_none(number: u32) -> bool {
        number == Upkeep::NO_STATISTICS
    }
}
