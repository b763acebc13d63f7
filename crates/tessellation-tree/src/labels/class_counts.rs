//! Class counts of many nodes in one array.

use std::ops::Range;

use forest_core::Arena;
use serde::{Deserialize, Serialize};

/// Lists of classes with counts, each as long as the classes that its node has seen.
///
/// One class takes no list. Capacities are powers of two; a list that grows moves, and its place serves another one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassCounts {
    entries: Arena<Entry>,
    /// Free lists of 2, 4, 8 … entries, by their starts.
    free: Vec<Arena<u32>>,
    classes: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    class: u32,
    count: u32,
}

/// The counts of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassSummary(Counts);

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Counts {
    #[default]
    Nothing,
    OneClass(Entry),
    /// Total, start, length and power of a list, whose capacity is 2^(power + 1).
    List(u32, u32, u32, u8),
}

/// Returns where the entries of a list are.
#[inline]
fn listed(start: u32, length: u32) -> Range<usize> {
    start as usize..start as usize + length as usize
}

/// Entries of a list of that power.
#[inline]
fn capacity(power: u8) -> u32 {
    2_u32 << power
}

impl ClassSummary {
    /// Returns the counts of one sample.
    #[inline]
    pub fn of_one(class: u32) -> Self {
        Self(Counts::OneClass(Entry { class, count: 1 }))
    }

    /// Returns the number of samples.
    #[inline]
    pub fn total(&self) -> u32 {
        match self.0 {
            Counts::Nothing => 0,
            Counts::OneClass(entry) => entry.count,
            Counts::List(total, ..) => total,
        }
    }
}

impl ClassCounts {
    /// Returns one more than the largest class so far.
    #[inline]
    pub fn classes(&self) -> u32 {
        self.classes
    }

    #[inline]
    fn entries<'a>(&'a self, summary: &'a ClassSummary) -> &'a [Entry] {
        match &summary.0 {
            Counts::Nothing => &[],
            Counts::OneClass(entry) => std::slice::from_ref(entry),
            &Counts::List(_, start, length, _) => &self.entries[listed(start, length)],
        }
    }

    /// Returns the classes that came, each with its count, in the order of their first samples.
    #[inline]
    pub fn counts<'a>(&'a self, node: &'a ClassSummary) -> impl Iterator<Item = (usize, u32)> + 'a {
        let entries = self.entries(node).iter();
        entries.map(|entry| (entry.class as usize, entry.count))
    }

    /// Returns the count of one class. `O(classes that came)`.
    #[inline]
    pub fn count(&self, summary: &ClassSummary, class: u32) -> u32 {
        // A scan: entries are few, and not sorted.
        let mut entries = self.entries(summary).iter();
        entries
            .find(|entry| entry.class == class)
            .map_or(0, |entry| entry.count)
    }

    /// Adds a sample of a class.
    #[inline]
    pub fn add(&mut self, summary: &mut ClassSummary, class: u32) {
        self.classes = self.classes.max(class + 1);
        if summary.total() == u32::MAX {
            self.halve(summary);
        }
        let new = Entry { class, count: 1 };
        match &mut summary.0 {
            nothing @ Counts::Nothing => *nothing = Counts::OneClass(new),
            Counts::OneClass(entry) if entry.class == class => entry.count += 1,
            one @ &mut Counts::OneClass(entry) => {
                let start = self.take(0);
                self.entries[start as usize] = entry;
                self.entries[start as usize + 1] = new;
                *one = Counts::List(entry.count + 1, start, 2, 0);
            }
            Counts::List(total, start, length, power) => {
                *total += 1;
                let mut known = self.entries[listed(*start, *length)].iter_mut();
                if let Some(entry) = known.find(|entry| entry.class == class) {
                    entry.count += 1;
                    return;
                }
                if *length == capacity(*power) {
                    // Capacities double, so an entry is moved O(1) times.
                    let place = self.take(*power + 1);
                    self.entries
                        .copy_within(listed(*start, *length), place as usize);
                    self.free[*power as usize].push(*start);
                    *start = place;
                    *power += 1;
                }
                self.entries[(*start + *length) as usize] = new;
                *length += 1;
            }
        }
    }

    /// Halves all counts of a node before 32 bits overflow, which keeps the frequencies.
    #[cold]
    fn halve(&mut self, summary: &mut ClassSummary) {
        match &mut summary.0 {
            Counts::Nothing => {}
            Counts::OneClass(entry) => entry.count /= 2,
            Counts::List(total, start, length, _) => {
                *total = 0;
                for entry in &mut self.entries[listed(*start, *length)] {
                    // Rounded up: a class that came does not vanish.
                    entry.count = entry.count.div_ceil(2);
                    *total += entry.count;
                }
            }
        }
    }

    /// Takes a sample of a class out, which was added. Counts of a crafted file may not have it, and stay as they are.
    pub fn remove(&mut self, summary: &mut ClassSummary, class: u32) {
        match &mut summary.0 {
            Counts::Nothing => {}
            Counts::OneClass(entry) if entry.count <= 1 => summary.0 = Counts::Nothing,
            Counts::OneClass(entry) => entry.count -= 1,
            Counts::List(total, start, length, power) => {
                let listed = &mut self.entries[listed(*start, *length)];
                let has = |entry: &Entry| entry.class == class && entry.count > 0;
                let Some(place) = listed.iter().position(has) else {
                    return;
                };
                *total = total.saturating_sub(1);
                listed[place].count -= 1;
                if listed[place].count > 0 {
                    return;
                }
                *length -= 1;
                // Other counts stay side by side; their order is that of first samples only while nothing is removed.
                listed.swap(place, *length as usize);
                // A shorter list keeps its room: classes that come and go in a window move no entries.
                if *length == 1 {
                    let last = listed[0];
                    self.free[*power as usize].push(*start);
                    summary.0 = Counts::OneClass(last);
                }
            }
        }
    }

    /// Returns a copy that changes on its own.
    pub fn copy(&mut self, summary: &ClassSummary) -> ClassSummary {
        let mut copy = *summary;
        if let Counts::List(_, start, length, power) = &mut copy.0 {
            let from = listed(*start, *length);
            *start = self.take(*power);
            self.entries.copy_within(from, *start as usize);
        }
        copy
    }

    /// Releases the counts of a node, which then has none.
    pub fn release(&mut self, summary: &mut ClassSummary) {
        if let Counts::List(_, start, _, power) = std::mem::take(&mut summary.0) {
            self.free[power as usize].push(start);
        }
    }

    /// Returns room for a list of that capacity.
    fn take(&mut self, power: u8) -> u32 {
        if self.free.len() <= power as usize {
            self.free.resize(power as usize + 1, Arena::default());
        }
        if let Some(start) = self.free[power as usize].pop() {
            return start;
        }
        let start = self.entries.len();
        let end = start + capacity(power) as usize;
        self.entries.resize(end, Entry::default());
        u32::try_from(start).expect("counts of 2^32 entries would take 32 GB a tree")
    }

    /// Returns the bytes of all lists.
    pub fn bytes(&self) -> usize {
        self.entries.bytes() + self.free.iter().map(Arena::bytes).sum::<usize>()
    }

    /// Returns whether all lists lie within the array, and all classes are below `known`.
    pub fn is_shaped<'a>(
        &self,
        mut summaries: impl Iterator<Item = &'a ClassSummary>,
        known: u32,
    ) -> bool {
        // A power that a list may have: those of a crafted file may be any.
        let fits = |start: u32, power: usize| {
            power < 31 && start as usize + (2 << power) <= self.entries.len()
        };
        let mut free = self.free.iter().enumerate();
        free.all(|(power, starts)| starts.iter().all(|&start| fits(start, power)))
            && self.entries.iter().all(|entry| entry.class < known.max(1))
            && summaries.all(|summary| match summary.0 {
                Counts::Nothing => true,
                Counts::OneClass(entry) => entry.class < known,
                Counts::List(_, start, length, power) => {
                    let known = (power as usize) < self.free.len() && fits(start, power.into());
                    known && (2..=capacity(power)).contains(&length)
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    #[test]
    fn counts_beyond_32_bits_keep_the_frequencies() {
        let mut counts = ClassCounts::default();
        let count = u32::MAX;
        let mut node = ClassSummary(Counts::OneClass(Entry { class: 0, count }));
        counts.add(&mut node, 0);
        let half = count / 2;
        assert_eq!(counts.count(&node, 0), half + 1);
        counts.add(&mut node, 1);
        let Counts::List(total, start, ..) = &mut node.0 else {
            unreachable!("two classes make a list");
        };
        *total = count;
        counts.entries[*start as usize].count = count - 1;
        counts.add(&mut node, 1);
        let after: Vec<_> = counts.counts(&node).collect();
        assert_eq!(after, [(0, half), (1, 2)]);
        assert_eq!(node.total(), half + 2);
    }

    #[test]
    fn counts_of_many_nodes_do_not_mix() {
        let mut counts = ClassCounts::default();
        let mut rng = TreeRng::new(5, 0);
        let mut nodes = vec![(ClassSummary::default(), [0; 40]); 20];
        for _ in 0..20_000 {
            let [node, other] = [rng.below(20), rng.below(20)];
            let held: u32 = nodes[node].1.iter().sum();
            if held > 0 && rng.below(5) < 2 {
                let mut left = rng.below(held as usize) as u32;
                let class = nodes[node].1.iter().position(|&count| {
                    let here = left < count;
                    left -= count.min(left);
                    here
                });
                let class = class.expect("one of those held");
                counts.remove(&mut nodes[node].0, class as u32);
                nodes[node].1[class] -= 1;
            } else if rng.below(100) > 0 {
                let class = rng.below(rng.clone().below(40) + 1);
                counts.add(&mut nodes[node].0, class as u32);
                nodes[node].1[class] += 1;
            } else {
                let copy = (counts.copy(&nodes[other].0), nodes[other].1);
                counts.release(&mut nodes[node].0);
                nodes[node] = copy;
            }
            let (summary, expected) = &nodes[node];
            let own = (0..40).map(|class| counts.count(summary, class));
            assert!(own.eq(*expected));
            assert_eq!(summary.total(), expected.iter().sum::<u32>());
        }
        for (summary, expected) in &nodes {
            let own = (0..40).map(|class| counts.count(summary, class));
            assert!(own.eq(*expected));
        }
        let is_shaped = |known| counts.is_shaped(nodes.iter().map(|(summary, _)| summary), known);
        assert!(is_shaped(40) && !is_shaped(39));
        // No list is lost, and none has the place of another.
        let room = |(summary, _): &(ClassSummary, _)| match summary.0 {
            Counts::List(.., power) => capacity(power) as usize,
            Counts::OneClass(_) | Counts::Nothing => 0,
        };
        let free = counts.free.iter().enumerate();
        let free: usize = free
            .map(|(power, starts)| starts.len() << (power + 1))
            .sum();
        let used: usize = nodes.iter().map(room).sum();
        assert_eq!(used + free, counts.entries.len());
    }
}
