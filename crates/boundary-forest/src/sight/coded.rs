//! Codes first; points only where codes leave it open which is the closest.

use forest_core::SampleId;
use pulp::{Arch, NullaryFnOnce};

use super::{Desk, Seen, Sight, candidate};
use crate::arena::Place;
use crate::chance::Chance;
use crate::codes::Codes;
use crate::coding::Coding;
use crate::memo::Memo;
use crate::points::Points;
use crate::{Metric, choice};

/// Marks are differences of codes: whole numbers, exact on any machine.
pub(crate) struct Coded<'a, M: Metric> {
    points: &'a Points<M>,
    codes: &'a Codes<M::Coding>,
    y: &'a [f32],
    /// How far a point and the query are from their codes together, in steps of the grid.
    error: f64,
    arch: Arch,
    desk: &'a mut Desk,
}

impl<'a, M: Metric> Coded<'a, M> {
    pub(super) fn at(
        points: &'a Points<M>,
        codes: &'a Codes<M::Coding>,
        y: &'a [f32],
        desk: &'a mut Desk,
    ) -> Self {
        desk.code.resize(y.len(), 0);
        let error = codes.code_point(y, &mut desk.code) + codes.error();
        desk.differences.begin(points.len());
        desk.proxies.begin(points.len());
        Self {
            points,
            codes,
            y,
            error: error / codes.step(),
            arch: Arch::new(),
            desk,
        }
    }

    /// Fills `coded_marks` with the differences of the children's codes from the query's.
    #[inline(always)]
    fn mark_all(&mut self, children: &[Place]) {
        let Desk {
            code,
            differences,
            coded_marks,
            ..
        } = &mut *self.desk;
        coded_marks.clear();
        coded_marks.resize(children.len(), 0);
        self.arch.dispatch(Marking::<M::Coding> {
            codes: self.codes,
            code,
            children,
            differences,
            marks: coded_marks,
        });
    }

    /// Fills `rivals` with those that may be the closest, as far as codes tell.
    #[inline(always)]
    fn find_rivals(&mut self) {
        let Desk {
            coded_marks,
            rivals,
            ..
        } = &mut *self.desk;
        let least = choice::minimum(coded_marks).unwrap_or(0);
        let limit = match self.error {
            0.0 => least,
            error => M::Coding::limit(least, error),
        };
        rivals.clear();
        rivals.extend((0..coded_marks.len()).filter(|&index| coded_marks[index] <= limit));
    }

    /// Decides among several rivals: by their distances, or, if those are equal, by chance.
    #[cold]
    fn decide(
        &mut self,
        children: &[Place],
        here: Option<Seen<u32>>,
        chance: &mut impl Chance,
    ) -> usize {
        if self.error == 0.0 {
            return self.desk.rivals[chance.below(self.desk.rivals.len())];
        }
        self.desk.marks.clear();
        for nth in 0..self.desk.rivals.len() {
            let index = self.desk.rivals[nth];
            let seen = candidate(children, here, index, &self.desk.coded_marks);
            let proxy = self.proxy(seen);
            self.desk.marks.push(proxy);
        }
        self.desk.rivals[choice::least(&self.desk.marks, chance)]
    }
}

/// Taking the differences of many codes from one, with whatever vector instructions there are.
struct Marking<'a, C> {
    codes: &'a Codes<C>,
    code: &'a [u8],
    children: &'a [Place],
    differences: &'a mut Memo<u32>,
    marks: &'a mut [u32],
}

impl<C: Coding> NullaryFnOnce for Marking<'_, C> {
    type Output = ();

    /// Inlined, with everything it calls, into one version for each kind of machine.
    #[inline(always)]
    fn call(self) {
        for (mark, child) in self.marks.iter_mut().zip(self.children) {
            *mark = match self.differences.known(child.sample) {
                Some(known) => known,
                None => {
                    let difference = C::difference(self.codes.row(child.sample), self.code);
                    self.differences.note(child.sample, difference)
                }
            };
        }
    }
}

impl<M: Metric> Sight for Coded<'_, M> {
    type Mark = u32;

    fn mark(&mut self, point: SampleId) -> u32 {
        let (codes, code) = (self.codes, &self.desk.code);
        let compute = || M::Coding::difference(codes.row(point), code);
        self.desk.differences.recall(point, compute)
    }

    #[inline(always)]
    fn closest(
        &mut self,
        children: &[Place],
        here: Option<Seen<u32>>,
        chance: &mut impl Chance,
    ) -> Seen<u32> {
        self.mark_all(children);
        self.desk.coded_marks.extend(here.map(|here| here.mark));
        self.find_rivals();
        let index = match self.desk.rivals[..] {
            [only] => only,
            _ => self.decide(children, here, chance),
        };
        candidate(children, here, index, &self.desk.coded_marks)
    }

    fn proxy(&mut self, seen: Seen<u32>) -> f64 {
        if self.error == 0.0 {
            return M::Coding::proxy(seen.mark, self.codes.step());
        }
        let (points, y, point) = (self.points, self.y, seen.place.sample);
        let compute = || M::proxy(points.at(point), y);
        self.desk.proxies.recall(point, compute)
    }
}
