//! Every distance computed from the points themselves.

use forest_core::SampleId;

use super::{Desk, Seen, Sight, candidate};
use crate::arena::Place;
use crate::chance::Chance;
use crate::points::Points;
use crate::{Metric, choice};

/// Marks are the metric's proxies.
pub(crate) struct Plain<'a, M: Metric> {
    points: &'a Points<M>,
    y: &'a [f32],
    desk: &'a mut Desk,
}

impl<'a, M: Metric> Plain<'a, M> {
    pub(super) fn at(points: &'a Points<M>, y: &'a [f32], desk: &'a mut Desk) -> Self {
        desk.proxies.begin(points.len());
        Self { points, y, desk }
    }
}

impl<M: Metric> Sight for Plain<'_, M> {
    type Mark = f64;

    #[inline(always)]
    fn mark(&mut self, point: SampleId) -> f64 {
        let compute = || M::proxy(self.points.at(point), self.y);
        self.desk.proxies.recall(point, compute)
    }

    fn closest(
        &mut self,
        children: &[Place],
        here: Option<Seen<f64>>,
        chance: &mut impl Chance,
    ) -> Seen<f64> {
        self.desk.marks.clear();
        for child in children {
            let mark = self.mark(child.sample);
            self.desk.marks.push(mark);
        }
        let marks = &mut self.desk.marks;
        marks.extend(here.map(|here| here.mark));
        let index = choice::least(marks, chance);
        candidate(children, here, index, marks)
    }

    fn proxy(&mut self, seen: Seen<f64>) -> f64 {
        seen.mark
    }
}
