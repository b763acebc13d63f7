//! Codes first; points only where codes leave it open which is the closest.

use forest_core::SampleId;
use pulp::{Arch, NullaryFnOnce};

use super::{Candidate, DistanceSource, Scratch, nth_candidate};
use crate::chance::Chance;
use crate::codes::Codes;
use crate::coding::Coding;
use crate::memo::Memo;
use crate::nodes::Place;
use crate::points::Points;
use crate::{Metric, choice};

/// Estimates are differences of codes: whole numbers, exact on any machine.
pub(crate) struct Coded<'a, M: Metric> {
    points: &'a Points<M>,
    codes: &'a Codes<M::Coding>,
    y: &'a [f32],
    /// How far a point and the query are from their codes together, in steps of the grid.
    error: f64,
    arch: Arch,
    scratch: &'a mut Scratch,
}

impl<'a, M: Metric> Coded<'a, M> {
    pub(super) fn at(
        points: &'a Points<M>,
        codes: &'a Codes<M::Coding>,
        y: &'a [f32],
        scratch: &'a mut Scratch,
    ) -> Self {
        scratch.code.resize(y.len(), 0);
        let error = codes.code_point(y, &mut scratch.code) + codes.error();
        scratch.differences.begin(points.len());
        scratch.proxies.begin(points.len());
        (scratch.compared, scratch.undecided) = (0, 0);
        Self {
            points,
            codes,
            y,
            error: error / codes.step(),
            arch: Arch::new(),
            scratch,
        }
    }

    /// Fills `differences_here` with the differences of the children's codes from the query's.
    #[inline(always)]
    fn compute_differences(&mut self, children: &[Place]) {
        let Scratch {
            code,
            differences,
            differences_here,
            ..
        } = &mut *self.scratch;
        differences_here.clear();
        differences_here.resize(children.len(), 0);
        self.arch.dispatch(Differences::<M::Coding> {
            codes: self.codes,
            code,
            children,
            known: differences,
            differences: differences_here,
        });
    }

    /// Fills `rivals` with the candidates that may be the closest, as far as codes tell.
    #[inline(always)]
    fn find_rivals(&mut self) {
        let Scratch {
            differences_here: differences,
            rivals,
            ..
        } = &mut *self.scratch;
        let least = choice::minimum(differences).unwrap_or(0);
        let limit = match self.error {
            0.0 => least,
            error => M::Coding::limit(least, error),
        };
        rivals.clear();
        rivals.extend((0..differences.len()).filter(|&index| differences[index] <= limit));
    }

    /// Whether nothing was lost, so that the difference of codes tells the distance of this point.
    fn is_exact(&self, point: SampleId) -> bool {
        self.error == 0.0 && !self.codes.is_beyond(point)
    }

    /// Where all candidates with the least difference are beyond the grid, their distance has no
    /// bound, so any candidate may be closer: all are rivals.
    #[cold]
    fn admit_all_if_unbounded(&mut self, children: &[Place], here: Option<Candidate<u32>>) {
        let least = choice::minimum(&self.scratch.differences_here);
        let is_bound = |&index: &usize| {
            let rival = nth_candidate(children, here, index, &self.scratch.differences_here);
            Some(rival.estimate) == least && !self.codes.is_beyond(rival.place.sample)
        };
        if !self.scratch.rivals.iter().any(is_bound) {
            self.scratch.rivals.clear();
            self.scratch
                .rivals
                .extend(0..self.scratch.differences_here.len());
        }
    }

    /// Decides among several rivals: by their distances, or, if those are equal, by chance.
    #[cold]
    fn decide(
        &mut self,
        children: &[Place],
        here: Option<Candidate<u32>>,
        chance: &mut impl Chance,
    ) -> usize {
        if self.error == 0.0 && !self.codes.any_beyond() {
            return self.scratch.rivals[chance.below(self.scratch.rivals.len())];
        }
        self.scratch.proxies_here.clear();
        for nth in 0..self.scratch.rivals.len() {
            let index = self.scratch.rivals[nth];
            let rival = nth_candidate(children, here, index, &self.scratch.differences_here);
            self.scratch.undecided += usize::from(!self.is_exact(rival.place.sample));
            let proxy = self.proxy(rival);
            self.scratch.proxies_here.push(proxy);
        }
        self.scratch.rivals[choice::least(&self.scratch.proxies_here, chance)]
    }
}

/// Taking the differences of many codes from one, with whatever vector instructions there are.
struct Differences<'a, C> {
    codes: &'a Codes<C>,
    code: &'a [u8],
    children: &'a [Place],
    known: &'a mut Memo<u32>,
    differences: &'a mut [u32],
}

impl<C: Coding> NullaryFnOnce for Differences<'_, C> {
    type Output = ();

    /// Inlined, with everything it calls, into one version for each kind of machine.
    #[inline(always)]
    fn call(self) {
        for (slot, child) in self.differences.iter_mut().zip(self.children) {
            *slot = match self.known.known(child.sample) {
                Some(known) => known,
                None => {
                    let difference = C::difference(self.codes.row(child.sample), self.code);
                    self.known.note(child.sample, difference)
                }
            };
        }
    }
}

impl<M: Metric> DistanceSource for Coded<'_, M> {
    type Estimate = u32;

    fn estimate(&mut self, point: SampleId) -> u32 {
        let (codes, code) = (self.codes, &self.scratch.code);
        let compute = || M::Coding::difference(codes.row(point), code);
        self.scratch.differences.recall(point, compute)
    }

    #[inline(always)]
    fn closest(
        &mut self,
        children: &[Place],
        here: Option<Candidate<u32>>,
        chance: &mut impl Chance,
    ) -> Candidate<u32> {
        self.compute_differences(children);
        let here_difference = here.map(|here| here.estimate);
        self.scratch.differences_here.extend(here_difference);
        self.scratch.compared += self.scratch.differences_here.len();
        self.find_rivals();
        if self.codes.any_beyond() {
            self.admit_all_if_unbounded(children, here);
        }
        let index = match self.scratch.rivals[..] {
            [only] => only,
            _ => self.decide(children, here, chance),
        };
        nth_candidate(children, here, index, &self.scratch.differences_here)
    }

    fn proxy(&mut self, candidate: Candidate<u32>) -> f64 {
        if self.is_exact(candidate.place.sample) {
            return M::Coding::proxy(candidate.estimate, self.codes.step());
        }
        let (points, y, point) = (self.points, self.y, candidate.place.sample);
        let compute = || M::proxy(points.at(point), y);
        self.scratch.proxies.recall(point, compute)
    }
}
