//! `BFTrain`: every tree learns every sample; the trees of a thread share the distances from it.

use std::ops::Range;

use forest_core::{Rows, SampleId, threads};

use super::{BoundaryForest, Ground};
use crate::distances::{DistanceSource, Query, Scratch, run_query};
use crate::settings::{Insertion, Settings};
use crate::tree::BoundaryTree;
use crate::{LocallyClosest, Metric, Problem};

/// The most samples that are stored, learned and sorted out at a time: enough to share out among
/// threads, and few enough to stay in a cache until they are.
const STRETCH: usize = 256;

/// Records what a tree answered just before it learned each sample of a stretch.
pub(super) trait Recorder: Default + Send {
    /// Records one answer.
    fn record(&mut self, answer: impl FnOnce() -> Option<LocallyClosest>);
}

/// Discards answers.
impl Recorder for () {
    fn record(&mut self, _: impl FnOnce() -> Option<LocallyClosest>) {}
}

impl Recorder for Vec<Option<LocallyClosest>> {
    fn record(&mut self, answer: impl FnOnce() -> Option<LocallyClosest>) {
        self.push(answer());
    }
}

/// A tree that learns a stretch.
struct TreeInTraining<'a, R> {
    tree: &'a mut BoundaryTree,
    answers: R,
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Learns rows with their labels, one cell after another.
    pub(crate) fn learn_rows(&mut self, rows: &Rows<'_>, labels: &[P::Cell]) {
        self.learn_stretches::<()>(rows, labels, |_, _| {});
    }

    /// Learns rows; before each, tells what the trees answer there, in index order.
    pub(crate) fn learn_rows_telling(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        mut tell: impl FnMut(&Self, &[Option<LocallyClosest>]),
    ) {
        self.learn_stretches::<Vec<_>>(rows, labels, |forest, recorded| {
            for row in 0..recorded[0].len() {
                let answers: Vec<_> = recorded.iter().map(|answers| answers[row]).collect();
                tell(forest, &answers);
            }
        });
    }

    /// Learns rows, a stretch at a time; `use_answers` gets what each tree recorded.
    fn learn_stretches<R: Recorder>(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        mut use_answers: impl FnMut(&Self, &[R]),
    ) {
        let mut start = 0;
        while start < rows.len() {
            let end = rows
                .len()
                .min(start + STRETCH.min(self.rows_to_insertion()));
            let first = self.samples.len() - self.pending();
            let recorded = self.learn_stretch(rows, labels, start..end);
            use_answers(self, &recorded);
            if let Some(block) = self.complete_block() {
                self.insert_shuffled(block);
            }
            if self.pending() == 0 {
                self.forget_the_unkept(first);
            }
            start = end;
        }
    }

    /// Stores a stretch of rows and shows it to every tree; returns what each tree recorded.
    fn learn_stretch<R: Recorder>(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        stretch: Range<usize>,
    ) -> Vec<R> {
        let first = self.samples.len();
        self.store(rows, labels, stretch);
        let ground = Ground {
            settings: &self.settings,
            samples: &self.samples,
        };
        let in_training = |tree| TreeInTraining {
            tree,
            answers: R::default(),
        };
        let mut trees: Vec<_> = self.trees.iter_mut().map(in_training).collect();
        let ids = first..self.samples.len();
        let units = ids.len() * trees.len();
        threads::in_groups(&mut trees, units, |group| {
            let mut scratch = Scratch::default();
            for id in ids.clone().map(SampleId::new) {
                learn(group, id, ground, &mut scratch);
            }
        });
        trees.into_iter().map(|tree| tree.answers).collect()
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

/// A group of trees learns a sample that has just been stored.
fn learn<R: Recorder, P: Problem, M: Metric>(
    group: &mut [TreeInTraining<'_, R>],
    id: SampleId,
    ground: Ground<'_, P, M>,
    scratch: &mut Scratch,
) {
    let points = ground.samples.points();
    let step = TrainingStep {
        group,
        id,
        insertion: ground.settings.insertion(),
        ground,
    };
    run_query(points, points.at(id), scratch, step);
    for tree in group {
        if tree.tree.is_waiting() {
            initialise(tree.tree, ground, scratch);
        }
    }
}

/// `BFInitialization`, for one tree and as far as its points have arrived.
fn initialise<P: Problem, M: Metric>(
    tree: &mut BoundaryTree,
    ground: Ground<'_, P, M>,
    scratch: &mut Scratch,
) {
    for id in tree.admit_initial() {
        train(tree, id, ground, scratch);
    }
}

/// `BTTrain` of a single tree that has its root.
pub(super) fn train<P: Problem, M: Metric>(
    tree: &mut BoundaryTree,
    id: SampleId,
    ground: Ground<'_, P, M>,
    scratch: &mut Scratch,
) {
    let points = ground.samples.points();
    let mut tree = TreeInTraining { tree, answers: () };
    let step = TrainingStep {
        group: std::slice::from_mut(&mut tree),
        id,
        insertion: Insertion::AtOnce,
        ground,
    };
    run_query(points, points.at(id), scratch, step);
}

/// What every tree of a group does about a sample: walk, and, if it is inserted at once, correct
/// the answer if it was wrong.
struct TrainingStep<'l, 'a, R, P: Problem, M: Metric> {
    group: &'l mut [TreeInTraining<'a, R>],
    id: SampleId,
    insertion: Insertion,
    ground: Ground<'l, P, M>,
}

impl<R: Recorder, P: Problem, M: Metric> Query for TrainingStep<'_, '_, R, P, M> {
    type Answer = ();

    fn run(self, mut distances: impl DistanceSource) {
        for TreeInTraining { tree, answers } in self.group {
            if tree.is_waiting() || self.insertion != Insertion::AtOnce {
                answers.record(|| LocallyClosest::in_tree(tree, self.ground, &mut distances));
            } else {
                let found = tree.descend(self.ground.settings.max_children(), &mut distances);
                answers.record(|| Some(LocallyClosest::new::<M, _>(found, &mut distances)));
                if self.ground.is_corrected(self.id, found.place.sample) {
                    tree.correct(found.place.node, self.id);
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
