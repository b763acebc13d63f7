//! Every distance computed from the points themselves.

use forest_core::SampleId;

use super::{Candidate, DistanceSource, Scratch, nth_candidate};
use crate::chance::Chance;
use crate::nodes::Place;
use crate::points::Points;
use crate::{Metric, choice};

/// Estimates are the metric's proxies.
pub(crate) struct Plain<'a, M: Metric> {
    points: &'a Points<M>,
    y: &'a [f32],
    scratch: &'a mut Scratch,
}

impl<'a, M: Metric> Plain<'a, M> {
    pub(super) fn at(points: &'a Points<M>, y: &'a [f32], scratch: &'a mut Scratch) -> Self {
        scratch.proxies.begin(points.len());
        Self { points, y, scratch }
    }
}

impl<M: Metric> DistanceSource for Plain<'_, M> {
    type Estimate = f64;

    #[inline(always)]
    fn estimate(&mut self, point: SampleId) -> f64 {
        let compute = || M::proxy(self.points.at(point), self.y);
        self.scratch.proxies.recall(point, compute)
    }

    fn closest(
        &mut self,
        children: &[Place],
        here: Option<Candidate<f64>>,
        chance: &mut impl Chance,
    ) -> Candidate<f64> {
        self.scratch.proxies_here.clear();
        for child in children {
            let proxy = self.estimate(child.sample);
            self.scratch.proxies_here.push(proxy);
        }
        let proxies = &mut self.scratch.proxies_here;
        proxies.extend(here.map(|here| here.estimate));
        let index = choice::least(proxies, chance);
        nth_candidate(children, here, index, proxies)
    }

    fn proxy(&mut self, candidate: Candidate<f64>) -> f64 {
        candidate.estimate
    }
}
