//! Comparing codes first, and points only where codes leave it open which is the closest.
//!
//! What this buys: on MNIST, learning takes 0.17 and predicting 0.19 times the time that distances of
//! points take, and 100 uniform features in 0.58 and 0.51 times.

use forest_core::SampleId;
use pulp::NullaryFnOnce;

use super::query_cache::QueryCache;
use super::{Candidates, Distances, Scratch, index_of_least, minimum};
use crate::Metric;
use crate::codes::Codes;
use crate::tree::NodeRef;

impl Scratch {
    /// Encodes the query; returns the error of `Distances`.
    pub(super) fn start_coded_query<M: Metric>(&mut self, codes: &Codes<M>, query: &[f32]) -> f64 {
        self.known_differences.start_query(codes.len());
        self.code.resize(query.len(), 0);
        codes.encode_query(query, &mut self.code)
    }
}

impl<M: Metric> Distances<'_, M> {
    /// Returns the index of the closest candidate.
    #[inline(always)]
    pub(super) fn closest_by_codes(
        &mut self,
        codes: &Codes<M>,
        candidates: Candidates<'_>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> usize {
        self.compute_differences(codes, candidates);
        self.find_remaining(codes, candidates);
        let index = match self.scratch.remaining[..] {
            [only] => only,
            _ => self.decide(candidates, below),
        };
        // The walk moves to this candidate, which takes part in the next comparison as the node.
        self.difference_here = self.scratch.differences[index];
        index
    }

    /// Fills `differences` with those between the codes of candidates and the query's.
    #[inline(always)]
    fn compute_differences(&mut self, codes: &Codes<M>, candidates: Candidates<'_>) {
        let Candidates { children, node } = candidates;
        let scratch = &mut *self.scratch;
        scratch.differences.clear();
        scratch.differences.resize(children.len(), 0);
        self.arch.dispatch(ComputeDifferences {
            codes,
            code: &scratch.code,
            children,
            known: &mut scratch.known_differences,
            differences: &mut scratch.differences,
        });
        scratch
            .differences
            .extend(node.map(|_| self.difference_here));
    }

    pub(super) fn difference(&mut self, codes: &Codes<M>, sample: SampleId) -> u32 {
        let scratch = &mut *self.scratch;
        let compute = || M::FORM.difference(codes.row(sample), &scratch.code);
        scratch.known_differences.get_or_compute(sample, compute)
    }

    /// Fills `remaining` with the candidates that may be the closest, as far as codes decide.
    #[inline(always)]
    fn find_remaining(&mut self, codes: &Codes<M>, candidates: Candidates<'_>) {
        let scratch = &mut *self.scratch;
        let (differences, remaining) = (&scratch.differences, &mut scratch.remaining);
        // `None` only if there are no candidates, which then keep none.
        let least = minimum(differences).unwrap_or(0);
        let limit = M::FORM.limit(least, self.error);
        remaining.clear();
        remaining.extend((0..differences.len()).filter(|&index| differences[index] <= limit));
        // The difference of a clipped point does not say how far from the query it is at most.
        let bounds_others = |&index: &usize| {
            let clipped = codes.is_clipped(candidates.get(index).sample);
            differences[index] == least && !clipped
        };
        // Clipping may make a far point look near; unless an unclipped one is as near, the least difference bounds nothing.
        if codes.any_clipped() && !remaining.iter().any(bounds_others) {
            remaining.clear();
            remaining.extend(0..differences.len());
        }
    }

    /// Decides among several remaining candidates by their distances, at random among equals.
    #[cold]
    fn decide(
        &mut self,
        candidates: Candidates<'_>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> usize {
        self.scratch.proxies.clear();
        for nth in 0..self.scratch.remaining.len() {
            let sample = candidates.get(self.scratch.remaining[nth]).sample;
            let proxy = self.proxy(sample);
            self.scratch.proxies.push(proxy);
        }
        self.scratch.remaining[index_of_least(&self.scratch.proxies, below)]
    }

    /// Returns whether nothing was lost, so that the difference of codes gives the distance of this point.
    fn is_exact(&self, codes: &Codes<M>, sample: SampleId) -> bool {
        self.error == 0.0 && !codes.is_clipped(sample)
    }

    /// Returns the metric's proxy of a sample.
    pub(super) fn proxy(&mut self, sample: SampleId) -> f64 {
        match self.codes {
            Some(codes) if self.is_exact(codes, sample) => {
                M::FORM.proxy(self.difference(codes, sample), codes.step())
            }
            _ => self.proxy_of_points(sample),
        }
    }
}

/// Differences of the codes of many nodes from the query's, by the vector instructions there are.
///
/// A struct, since `pulp` compiles `call` once for each kind of processor if it is inlined there with
/// everything it calls. A closure is compiled for any x86-64 alone: at 784 features 160 nanoseconds
/// a difference instead of 18 to 33.
struct ComputeDifferences<'a, M> {
    codes: &'a Codes<M>,
    code: &'a [u8],
    children: &'a [NodeRef],
    known: &'a mut QueryCache<u32>,
    differences: &'a mut [u32],
}

impl<M: Metric> NullaryFnOnce for ComputeDifferences<'_, M> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (difference, child) in self.differences.iter_mut().zip(self.children) {
            *difference = match self.known.get(child.sample) {
                Some(known) => known,
                None => {
                    let difference = M::FORM.difference(self.codes.row(child.sample), self.code);
                    self.known.insert(child.sample, difference)
                }
            };
        }
    }
}
