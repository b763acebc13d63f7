//! Nodes whose samples have weights that are not whole numbers.

use forest_core::SampleWeight;

use super::{ClassCounts, ClassSummary, Counts, Entry};

/// Units of a weight of 1.
const COPY: u64 = SampleWeight::ONE.units();

impl Counts {
    pub(super) fn one_weighted(class: u32, units: u64) -> Self {
        let [high, low] = halves(units);
        Self::OneClassWeighted { class, high, low }
    }
}

impl ClassSummary {
    /// Returns whether counts are in units of weights, since some weight of the node is not a whole number.
    #[inline]
    pub fn is_weighted(&self) -> bool {
        matches!(
            self.0,
            Counts::OneClassWeighted { .. } | Counts::WeightedList { .. }
        )
    }

    /// Start, length and power of its list, if it has one.
    pub(super) fn list(&self) -> Option<(u32, u32, u8)> {
        match self.0 {
            Counts::List {
                start,
                length,
                power,
                ..
            }
            | Counts::WeightedList {
                start,
                length,
                power,
            } => Some((start, length, power)),
            Counts::Nothing | Counts::OneClass(_) | Counts::OneClassWeighted { .. } => None,
        }
    }

    /// Returns whether these are entries of a list with its total; of weights, whether there are two entries a class.
    pub(super) fn is_total_of(&self, entries: &[Entry]) -> bool {
        match self.0 {
            Counts::List { total, .. } => {
                let counted: u64 = entries.iter().map(|entry| u64::from(entry.count)).sum();
                counted == u64::from(total)
            }
            _ => {
                let pairs = entries.chunks(2);
                let mut same = pairs.map(|pair| pair.len() == 2 && pair[0].class == pair[1].class);
                same.all(|same| same)
            }
        }
    }
}

impl ClassCounts {
    /// Returns the classes that came, each with its count in units of weights, in the order of their first samples.
    pub(super) fn units<'a>(
        &'a self,
        summary: &'a ClassSummary,
    ) -> impl Iterator<Item = (u32, u64)> + 'a {
        let copies = self.entries(summary).iter();
        let copies = copies.map(|entry| (entry.class, u64::from(entry.count) * COPY));
        let one = match summary.0 {
            Counts::OneClassWeighted { class, high, low } => Some((class, whole([high, low]))),
            _ => None,
        };
        let pairs = self.weighted_entries(summary).chunks_exact(2);
        let pairs = pairs.map(|pair| (pair[0].class, whole([pair[0].count, pair[1].count])));
        copies.chain(one).chain(pairs)
    }

    /// Returns the classes that came, each with its count, in whole numbers.
    pub(crate) fn counts_rounded_up<'a>(
        &'a self,
        summary: &'a ClassSummary,
    ) -> impl Iterator<Item = (u32, u64)> + 'a {
        let units = self.units(summary);
        units.map(|(class, units)| (class, units.div_ceil(COPY)))
    }

    fn weighted_entries(&self, summary: &ClassSummary) -> &[Entry] {
        match summary.0 {
            Counts::WeightedList { start, length, .. } => {
                &self.entries[start as usize..(start + length) as usize]
            }
            _ => &[],
        }
    }

    pub(super) fn total_units(&self, summary: &ClassSummary) -> u128 {
        let units = self.units(summary);
        units.map(|(_, units)| u128::from(units)).sum()
    }

    /// Returns the sum of the weights of a node. `O(1)` where they are whole numbers, else `O(classes that came)`.
    #[inline]
    pub fn total_weight(&self, summary: &ClassSummary) -> f64 {
        if summary.is_weighted() {
            self.total_units(summary) as f64 / COPY as f64
        } else {
            f64::from(summary.total())
        }
    }

    /// Returns the weight of one class. `O(classes that came)`.
    #[inline]
    pub fn weight(&self, summary: &ClassSummary, class: u32) -> f64 {
        if !summary.is_weighted() {
            return f64::from(self.count(summary, class));
        }
        let found = self
            .weights(summary)
            .find(|(known, _)| *known == class as usize);
        found.map_or(0.0, |(_, weight)| weight)
    }

    /// Returns the weight of one class, and the sum of all: what a node predicts a sample with. `O(classes that came)`.
    #[inline]
    pub fn weight_and_total(&self, summary: &ClassSummary, class: u32) -> (f64, f64) {
        match summary.copies() {
            Some(total) => (f64::from(self.count(summary, class)), f64::from(total)),
            None => self.weight_and_total_in_units(summary, class),
        }
    }

    /// The same where counts are in units. Not a part of its caller, which stays small: a sample passes it once a level.
    #[cold]
    fn weight_and_total_in_units(&self, summary: &ClassSummary, class: u32) -> (f64, f64) {
        (self.weight(summary, class), self.total_weight(summary))
    }

    /// Returns the classes that came, each with its weight, in the order of their first samples.
    pub fn weights<'a>(
        &'a self,
        summary: &'a ClassSummary,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let units = self.units(summary);
        units.map(|(class, units)| (class as usize, units as f64 / COPY as f64))
    }

    /// Adds a sample to a node that counts in units of weights, or does from now on.
    #[cold]
    pub(super) fn add_weight(
        &mut self,
        summary: &mut ClassSummary,
        class: u32,
        weight: SampleWeight,
    ) {
        self.count_in_units(summary);
        let new = weight.units();
        match summary.0 {
            Counts::OneClassWeighted {
                class: only,
                high,
                low,
            } if only == class => {
                let sum = whole([high, low]).saturating_add(new);
                summary.0 = Counts::one_weighted(class, sum);
            }
            Counts::OneClassWeighted {
                class: only,
                high,
                low,
            } => {
                let start = self.take(1);
                self.put(start, 0, only, whole([high, low]));
                self.put(start, 1, class, new);
                summary.0 = Counts::WeightedList {
                    start,
                    length: 4,
                    power: 1,
                };
            }
            Counts::WeightedList { .. } => self.add_to_list(summary, class, new),
            _ => summary.0 = Counts::one_weighted(class, new),
        }
    }

    fn add_to_list(&mut self, summary: &mut ClassSummary, class: u32, new: u64) {
        let mut known = self.weighted_entries(summary).chunks_exact(2);
        let place = known.position(|pair| pair[0].class == class);
        let Counts::WeightedList {
            start,
            length,
            power,
        } = &mut summary.0
        else {
            return;
        };
        let Some(place) = place else {
            // Lengths and capacities are even: there is room for two entries or for none.
            self.grow_if_full(start, *length, power);
            self.put(*start, *length / 2, class, new);
            *length += 2;
            return;
        };
        let [high, low] = [0, 1].map(|part| self.entries[*start as usize + 2 * place + part].count);
        match whole([high, low]).checked_add(new) {
            Some(sum) => self.put(*start, place as u32, class, sum),
            None => self.halve_list(*start, *length / 2),
        }
    }

    /// As with counts beyond 32 bits: halves keep the frequencies, and the sample that did not fit is one of 2³⁴ and is dropped.
    #[cold]
    fn halve_list(&mut self, start: u32, pairs: u32) {
        for pair in 0..pairs {
            let [first, second] =
                [0, 1].map(|part| self.entries[(start + 2 * pair + part) as usize]);
            let half = whole([first.count, second.count]).div_ceil(2);
            self.put(start, pair, first.class, half);
        }
    }

    /// Makes counts of copies counts in units.
    fn count_in_units(&mut self, summary: &mut ClassSummary) {
        match summary.0 {
            Counts::OneClass(Entry { class, count }) => {
                summary.0 = Counts::one_weighted(class, u64::from(count) * COPY);
            }
            Counts::List { power, .. } => {
                let all: Vec<(u32, u64)> = self.units(summary).collect();
                self.release(summary);
                let (start, power) = (self.take(power + 1), power + 1);
                for (pair, &(class, units)) in (0..).zip(&all) {
                    self.put(start, pair, class, units);
                }
                let length = 2 * all.len() as u32;
                summary.0 = Counts::WeightedList {
                    start,
                    length,
                    power,
                };
            }
            Counts::Nothing | Counts::OneClassWeighted { .. } | Counts::WeightedList { .. } => {}
        }
    }

    /// Writes the count of a class into a list, as two entries.
    fn put(&mut self, start: u32, pair: u32, class: u32, units: u64) {
        let entries = halves(units).map(|count| Entry { class, count });
        self.entries[(start + 2 * pair) as usize..][..2].copy_from_slice(&entries);
    }
}

fn halves(units: u64) -> [u32; 2] {
    [(units >> 32) as u32, units as u32]
}

fn whole([high, low]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}
