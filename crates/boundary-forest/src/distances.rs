//! The distances between one query and the stored points.

mod by_codes;
mod query_cache;
mod scratch;
#[cfg(test)]
mod tests;

use forest_core::SampleId;
use pulp::Arch;

use crate::codes::Codes;
use crate::table::Table;
use crate::tree::NodeRef;
use crate::{Metric, Problem, Samples};

pub(crate) use scratch::Scratch;

/// The nodes that a walk may go to next: the children of a node, and the node itself if the walk may end there.
#[derive(Clone, Copy)]
pub(crate) struct Candidates<'a> {
    pub(crate) children: &'a [NodeRef],
    pub(crate) node: Option<NodeRef>,
}

impl Candidates<'_> {
    /// Candidate `index`: the children first, oldest first, then the node itself.
    #[inline(always)]
    fn get(&self, index: usize) -> NodeRef {
        match self.node {
            Some(node) if index == self.children.len() => node,
            _ => self.children[index],
        }
    }
}

/// Compares one query with stored points, for all trees that are queried.
///
/// By the points themselves, or by their codes first: the results and draws are the same.
pub(crate) struct Distances<'a, M: Metric> {
    points: &'a Table<f32>,
    query: &'a [f32],
    codes: Option<&'a Codes<M>>,
    /// The most that the query and a point not clipped lost by quantization together, in steps.
    error: f64,
    arch: Arch,
    /// What is known of the node that a walk has reached: its proxy, or the difference of its code.
    proxy_here: f64,
    difference_here: u32,
    scratch: &'a mut Scratch,
}

impl<'a, M: Metric> Distances<'a, M> {
    /// Starts a query among all `samples`.
    pub(crate) fn new<P: Problem>(
        samples: &'a Samples<P, M>,
        query: &'a [f32],
        scratch: &'a mut Scratch,
    ) -> Self {
        let (points, codes) = (samples.points(), samples.codes());
        scratch.known_proxies.start_query(points.len());
        let error = codes.map_or(0.0, |codes| scratch.start_coded_query(codes, query));
        Self {
            points,
            query,
            codes,
            error,
            arch: Arch::new(),
            proxy_here: f64::INFINITY,
            difference_here: u32::MAX,
            scratch,
        }
    }

    /// Starts a walk at the node of `sample`.
    pub(crate) fn start_walk(&mut self, sample: SampleId) {
        match self.codes {
            Some(codes) => self.difference_here = self.difference(codes, sample),
            None => self.proxy_here = self.proxy_of_points(sample),
        }
    }

    /// Returns the closest of the candidates, of which there is at least one, and the last of which is where
    /// the walk is. Among `m` equally close ones
    /// `below(m)` decides, in their order; it is not called if there is only one.
    pub(crate) fn closest(
        &mut self,
        candidates: Candidates<'_>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> NodeRef {
        candidates.get(match self.codes {
            Some(codes) => self.closest_by_codes(codes, candidates, below),
            None => self.closest_by_points(candidates, below),
        })
    }

    fn closest_by_points(
        &mut self,
        candidates: Candidates<'_>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> usize {
        self.scratch.proxies.clear();
        for child in candidates.children {
            let proxy = self.proxy_of_points(child.sample);
            self.scratch.proxies.push(proxy);
        }
        let proxies = &mut self.scratch.proxies;
        proxies.extend(candidates.node.map(|_| self.proxy_here));
        let index = index_of_least(proxies, below);
        self.proxy_here = proxies[index];
        index
    }

    #[inline(always)]
    fn proxy_of_points(&mut self, sample: SampleId) -> f64 {
        let (points, query) = (self.points, self.query);
        let compute = || M::proxy(points.row(sample.index()), query);
        self.scratch.known_proxies.get_or_compute(sample, compute)
    }

    /// Returns the metric's distance of a sample.
    pub(crate) fn distance(&mut self, sample: SampleId) -> f64 {
        M::distance(self.proxy(sample))
    }
}

/// Returns the index of the least value. Among `m` equal ones, a draw `below(m)` decides.
fn index_of_least(values: &[f64], below: &mut impl FnMut(usize) -> usize) -> usize {
    let Some(least) = minimum(values) else {
        return 0;
    };
    let mut equal = equal_to(values, least);
    let first = equal.next().unwrap_or(0);
    match equal.count() {
        0 => first,
        others => nth_equal(values, least, below(others + 1)),
    }
}

#[cold]
fn nth_equal(values: &[f64], value: f64, nth: usize) -> usize {
    equal_to(values, value).nth(nth).unwrap_or(0)
}

#[inline(always)]
fn equal_to(values: &[f64], value: f64) -> impl Iterator<Item = usize> {
    let equal = values.iter().enumerate().filter(move |(_, v)| **v == value);
    equal.map(|(index, _)| index)
}

#[inline(always)]
fn minimum<V: Copy + PartialOrd>(values: &[V]) -> Option<V> {
    let smaller = |a: V, b: V| if b < a { b } else { a };
    values.iter().copied().reduce(smaller)
}
