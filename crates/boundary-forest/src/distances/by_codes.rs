//! Comparing codes first, and points only where codes leave it open which is the closest.

use forest_core::SampleId;
use pulp::NullaryFnOnce;

use super::query_cache::QueryCache;
use super::{Distances, Scratch, candidate, index_of_least};
use crate::Metric;
use crate::codes::Codes;
use crate::nodes::NodeRef;

impl Scratch {
    /// Encodes the query; the error of `Distances`.
    pub(super) fn start_coded_query<M: Metric>(&mut self, codes: &Codes<M>, query: &[f32]) -> f64 {
        self.known_differences.start_query(codes.len());
        (self.compared, self.undecided) = (0, 0);
        self.code.resize(query.len(), 0);
        codes.encode_query(query, &mut self.code)
    }
}

impl<M: Metric> Distances<'_, M> {
    /// The index of the closest candidate.
    #[inline(always)]
    pub(super) fn closest_by_codes(
        &mut self,
        codes: &Codes<M>,
        children: &[NodeRef],
        node: Option<NodeRef>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> usize {
        self.compute_differences(codes, children, node);
        self.find_remaining(codes, children, node);
        match self.scratch.remaining[..] {
            [only] => only,
            _ => self.decide(codes, children, node, below),
        }
    }

    /// Fills `differences` with those between the codes of candidates and the query's.
    #[inline(always)]
    fn compute_differences(
        &mut self,
        codes: &Codes<M>,
        children: &[NodeRef],
        node: Option<NodeRef>,
    ) {
        let Scratch {
            code,
            known_differences,
            differences,
            ..
        } = &mut *self.scratch;
        differences.clear();
        differences.resize(children.len(), 0);
        self.arch.dispatch(ComputeDifferences {
            codes,
            code,
            children,
            known: known_differences,
            differences,
        });
        if let Some(node) = node {
            let difference = self.difference(codes, node.sample);
            self.scratch.differences.push(difference);
        }
        self.scratch.compared += self.scratch.differences.len();
    }

    fn difference(&mut self, codes: &Codes<M>, sample: SampleId) -> u32 {
        let Scratch {
            code,
            known_differences,
            ..
        } = &mut *self.scratch;
        known_differences.get_or_compute(sample, || M::FORM.difference(codes.row(sample), code))
    }

    /// Fills `remaining` with the candidates that may be the closest, as far as codes tell.
    #[inline(always)]
    fn find_remaining(&mut self, codes: &Codes<M>, children: &[NodeRef], node: Option<NodeRef>) {
        let Scratch {
            differences,
            remaining,
            ..
        } = &mut *self.scratch;
        let least = differences.iter().copied().min().unwrap_or(0);
        // The difference of a clipped point says nothing about how far from the query it can be.
        let bounds_others = |index: usize| {
            let sample = candidate(children, node, index).sample;
            differences[index] == least && !codes.is_clipped(sample)
        };
        let limit = match !codes.any_clipped() || (0..differences.len()).any(bounds_others) {
            true => M::FORM.limit(least, self.error),
            false => u32::MAX,
        };
        remaining.clear();
        remaining.extend((0..differences.len()).filter(|&index| differences[index] <= limit));
    }

    /// Decides among several remaining candidates: by their distances, and at random among equals.
    #[cold]
    fn decide(
        &mut self,
        codes: &Codes<M>,
        children: &[NodeRef],
        node: Option<NodeRef>,
        below: &mut impl FnMut(usize) -> usize,
    ) -> usize {
        let count = self.scratch.remaining.len();
        if self.error == 0.0 && !codes.any_clipped() {
            return self.scratch.remaining[below(count)];
        }
        self.scratch.proxies.clear();
        for nth in 0..count {
            let sample = candidate(children, node, self.scratch.remaining[nth]).sample;
            self.scratch.undecided += usize::from(!self.is_exact(codes, sample));
            let proxy = self.proxy(sample);
            self.scratch.proxies.push(proxy);
        }
        self.scratch.remaining[index_of_least(&self.scratch.proxies, below)]
    }

    /// Whether nothing was lost, so that the difference of codes tells the distance of this point.
    fn is_exact(&self, codes: &Codes<M>, sample: SampleId) -> bool {
        self.error == 0.0 && !codes.is_clipped(sample)
    }

    /// The metric's proxy of a sample.
    pub(super) fn proxy(&mut self, sample: SampleId) -> f64 {
        match self.codes {
            Some(codes) if self.is_exact(codes, sample) => {
                M::FORM.proxy(self.difference(codes, sample), codes.step())
            }
            _ => self.proxy_of_points(sample),
        }
    }
}

/// Tells the codes how much they decided.
impl<M: Metric> Drop for Distances<'_, M> {
    fn drop(&mut self) {
        if let Some(codes) = self.codes {
            let Scratch {
                compared,
                undecided,
                ..
            } = *self.scratch;
            codes.undecided_share().record(compared, undecided);
        }
    }
}

/// Differences of the codes of many nodes from the query's, by the vector instructions there are.
///
/// A struct, since `pulp` compiles one version of `call` for each kind of processor only if it is
/// inlined there with everything it calls; a closure is compiled once, four times slower.
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
            let sample = child.sample;
            *difference = match self.known.get(sample) {
                Some(known) => known,
                None => {
                    let difference = M::FORM.difference(self.codes.row(sample), self.code);
                    self.known.insert(sample, difference)
                }
            };
        }
    }
}
