//! The distances between one query and the stored points.

mod by_codes;
mod query_cache;
mod scratch;
#[cfg(test)]
mod tests;

use forest_core::SampleId;
use pulp::Arch;

use crate::codes::Codes;
use crate::nodes::NodeRef;
use crate::table::Table;
use crate::{Metric, Problem, Samples};

pub(crate) use scratch::Scratch;

/// Compares one query with stored points, for all trees that answer it.
///
/// By the points themselves, or by their codes first: the answers and draws are the same.
pub(crate) struct Distances<'a, M: Metric> {
    points: &'a Table<f32>,
    query: &'a [f32],
    codes: Option<&'a Codes<M>>,
    /// The most that the query and a point not clipped lost by quantization together, in steps.
    error: f64,
    arch: Arch,
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
            scratch,
        }
    }

    /// The closest of `children` and of `node`, of which there is at least one. Among `m` equally
    /// close ones `below(m)` decides, in this order; it is not called if there is only one.
    pub(crate) fn closest(
        &mut self,
        children: &[NodeRef],
        node: Option<NodeRef>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> NodeRef {
        let index = match self.codes {
            Some(codes) => self.closest_by_codes(codes, children, node, below),
            None => self.closest_by_points(children, node, below),
        };
        candidate(children, node, index)
    }

    fn closest_by_points(
        &mut self,
        children: &[NodeRef],
        node: Option<NodeRef>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> usize {
        self.scratch.proxies.clear();
        for candidate in children.iter().chain(&node) {
            let proxy = self.proxy_of_points(candidate.sample);
            self.scratch.proxies.push(proxy);
        }
        index_of_least(&self.scratch.proxies, below)
    }

    #[inline(always)]
    fn proxy_of_points(&mut self, sample: SampleId) -> f64 {
        let (points, query) = (self.points, self.query);
        let compute = || M::proxy(points.row(sample.index()), query);
        self.scratch.known_proxies.get_or_compute(sample, compute)
    }

    /// The metric's distance of a sample.
    pub(crate) fn distance(&mut self, sample: SampleId) -> f64 {
        M::distance(self.proxy(sample))
    }
}

/// Candidate `index`: the children first, then the node itself.
#[inline(always)]
fn candidate(children: &[NodeRef], node: Option<NodeRef>, index: usize) -> NodeRef {
    match node {
        Some(node) if index == children.len() => node,
        _ => children[index],
    }
}

/// The index of the least value. Among `m` equal ones, a draw `below(m)` decides.
fn index_of_least(values: &[f64], below: &mut impl FnMut(usize) -> usize) -> usize {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let equal = || (0..values.len()).filter(|&index| values[index] == least);
    let nth = match equal().count() {
        0 | 1 => 0,
        several => below(several),
    };
    equal().nth(nth).unwrap_or(0)
}
