//! `BFTrain`: every tree learns every sample; trees side by side share what a sample sees.

use std::ops::Range;

use forest_core::{Rows, SampleId, threads};

use super::{BoundaryForest, Ground};
use crate::settings::Settings;
use crate::sight::{Desk, Question, Sight, look};
use crate::tree::BoundaryTree;
use crate::{LocallyClosest, Metric, Problem};

/// Samples that are stored, learned and sorted out at a time: enough to share out among threads,
/// and few enough to stay in a cache until they are.
const STRETCH: usize = 256;

/// What a tree answered just before it learned each sample of a stretch, if anyone wants to know.
pub(super) trait Notes: Default + Send {
    /// Notes one answer.
    fn take(&mut self, answer: impl FnOnce() -> Option<LocallyClosest>);
}

/// Nobody does.
impl Notes for () {
    fn take(&mut self, _: impl FnOnce() -> Option<LocallyClosest>) {}
}

impl Notes for Vec<Option<LocallyClosest>> {
    fn take(&mut self, answer: impl FnOnce() -> Option<LocallyClosest>) {
        self.push(answer());
    }
}

/// A tree at work on a stretch.
struct Visit<'a, N> {
    tree: &'a mut BoundaryTree,
    notes: N,
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Learns rows with their labels, one cell after another.
    pub(crate) fn learn_rows(&mut self, rows: &Rows<'_>, labels: &[P::Cell]) {
        for stretch in stretches(rows.len()) {
            let first = self.samples.len();
            self.learn_stretch::<()>(rows, labels, stretch);
            self.forget_the_unkept(first);
        }
    }

    /// Learns rows; before each, tells what the trees answer there, in index order.
    pub(crate) fn learn_rows_telling(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        mut tell: impl FnMut(&Self, &[Option<LocallyClosest>]),
    ) {
        for stretch in stretches(rows.len()) {
            let (first, count) = (self.samples.len(), stretch.len());
            let notes = self.learn_stretch::<Vec<_>>(rows, labels, stretch);
            for row in 0..count {
                let answers: Vec<_> = notes.iter().map(|notes| notes[row]).collect();
                tell(self, &answers);
            }
            self.forget_the_unkept(first);
        }
    }

    /// Stores and learns a stretch of rows, and returns the notes of every tree.
    fn learn_stretch<N: Notes>(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        stretch: Range<usize>,
    ) -> Vec<N> {
        let first = self.samples.len();
        self.store(rows, labels, stretch);
        let ground = Ground {
            settings: &self.settings,
            samples: &self.samples,
        };
        let visit = |tree| Visit {
            tree,
            notes: N::default(),
        };
        let mut visits: Vec<_> = self.trees.iter_mut().map(visit).collect();
        let ids = first..self.samples.len();
        let units = ids.len() * visits.len();
        threads::in_groups(&mut visits, units, |group| {
            let mut desk = Desk::default();
            for id in ids.clone().map(SampleId::new) {
                learn(group, id, ground, &mut desk);
            }
        });
        visits.into_iter().map(|visit| visit.notes).collect()
    }

    fn store(&mut self, rows: &Rows<'_>, labels: &[P::Cell], stretch: Range<usize>) {
        let cells = |width: usize| stretch.start * width..stretch.end * width;
        let points = &rows.values()[cells(P::features(&self.schema))];
        let labels = &labels[cells(P::label_width(&self.schema))];
        self.samples.append(stretch.len(), points, labels);
        P::note(&mut self.schema, labels);
        self.seen += stretch.len() as u64;
    }
}

fn stretches(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..rows).step_by(STRETCH);
    starts.map(move |start| start..rows.min(start + STRETCH))
}

/// A group of trees learns one sample.
fn learn<N: Notes, P: Problem, M: Metric>(
    group: &mut [Visit<'_, N>],
    id: SampleId,
    ground: Ground<'_, P, M>,
    desk: &mut Desk,
) {
    let points = ground.samples.points();
    let lesson = Lesson { group, id, ground };
    look(points, points.at(id), desk, lesson);
    for visit in group {
        if visit.tree.is_waiting() {
            initialise(visit.tree, ground, desk);
        }
    }
}

/// `BFInitialization`, for one tree and as far as its points have arrived.
fn initialise<P: Problem, M: Metric>(
    tree: &mut BoundaryTree,
    ground: Ground<'_, P, M>,
    desk: &mut Desk,
) {
    for id in tree.admit_initial() {
        train(tree, id, ground, desk);
    }
}

/// `BTTrain` of a single tree that has its root.
pub(super) fn train<P: Problem, M: Metric>(
    tree: &mut BoundaryTree,
    id: SampleId,
    ground: Ground<'_, P, M>,
    desk: &mut Desk,
) {
    let points = ground.samples.points();
    let mut visit = Visit { tree, notes: () };
    let group = std::slice::from_mut(&mut visit);
    look(points, points.at(id), desk, Lesson { group, id, ground });
}

/// What every tree of a group does about a sample: walk, and correct the answer if it was wrong.
struct Lesson<'l, 'a, N, P: Problem, M: Metric> {
    group: &'l mut [Visit<'a, N>],
    id: SampleId,
    ground: Ground<'l, P, M>,
}

impl<N: Notes, P: Problem, M: Metric> Question for Lesson<'_, '_, N, P, M> {
    type Answer = ();

    fn put(self, mut sight: impl Sight) {
        for Visit { tree, notes } in self.group {
            if tree.is_waiting() {
                notes.take(|| LocallyClosest::in_tree(tree, self.ground, &mut sight));
            } else {
                let seen = tree.descend(self.ground.settings.max_children(), &mut sight);
                notes.take(|| Some(LocallyClosest::seen::<M, _>(seen, &mut sight)));
                if self.ground.is_corrected(self.id, seen.place.sample) {
                    tree.correct(seen.place.node, self.id);
                }
            }
        }
    }
}

impl<P: Problem, M: Metric> Ground<'_, P, M> {
    /// Whether the label of `sample` is too far from that of `answer`.
    fn is_corrected(&self, sample: SampleId, answer: SampleId) -> bool {
        let [sample, answer] = [sample, answer].map(|id| self.samples.label(id));
        P::differ(self.settings, sample, answer)
    }
}
