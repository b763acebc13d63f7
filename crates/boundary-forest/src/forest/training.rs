//! `BTTrain`: what the trees of a thread do about one sample, sharing the distances from it.

use forest_core::SampleId;

use super::ForestContext;
use crate::distances::{DistanceSource, Query, Scratch, run_query};
use crate::settings::{Insertion, Settings};
use crate::tree::BoundaryTree;
use crate::{LocallyClosest, Metric, Problem};

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
pub(super) struct TreeInTraining<'a, R> {
    pub(super) tree: &'a mut BoundaryTree,
    pub(super) answers: R,
}

/// A group of trees learns a sample that has just been stored.
pub(super) fn learn<R: Recorder, P: Problem, M: Metric>(
    group: &mut [TreeInTraining<'_, R>],
    id: SampleId,
    context: ForestContext<'_, P, M>,
    scratch: &mut Scratch,
) {
    let points = context.samples.points();
    let step = TrainingStep {
        group,
        id,
        insertion: context.settings.insertion(),
        context,
    };
    run_query(points, points.at(id), scratch, step);
    for tree in group {
        if tree.tree.is_waiting() {
            initialise(tree.tree, context, scratch);
        }
    }
}

/// `BFInitialization`, for one tree and as far as its points have arrived.
fn initialise<P: Problem, M: Metric>(
    tree: &mut BoundaryTree,
    context: ForestContext<'_, P, M>,
    scratch: &mut Scratch,
) {
    for id in tree.admit_initial() {
        train(tree, id, context, scratch);
    }
}

/// `BTTrain` of a single tree that has its root.
pub(super) fn train<P: Problem, M: Metric>(
    tree: &mut BoundaryTree,
    id: SampleId,
    context: ForestContext<'_, P, M>,
    scratch: &mut Scratch,
) {
    let points = context.samples.points();
    let mut tree = TreeInTraining { tree, answers: () };
    let step = TrainingStep {
        group: std::slice::from_mut(&mut tree),
        id,
        insertion: Insertion::AtOnce,
        context,
    };
    run_query(points, points.at(id), scratch, step);
}

/// What every tree of a group does about a sample: walk, and, if it is inserted at once, correct
/// the answer if it was wrong.
struct TrainingStep<'l, 'a, R, P: Problem, M: Metric> {
    group: &'l mut [TreeInTraining<'a, R>],
    id: SampleId,
    insertion: Insertion,
    context: ForestContext<'l, P, M>,
}

impl<R: Recorder, P: Problem, M: Metric> Query for TrainingStep<'_, '_, R, P, M> {
    type Answer = ();

    fn run(self, mut distances: impl DistanceSource) {
        for TreeInTraining { tree, answers } in self.group {
            if tree.is_waiting() || self.insertion != Insertion::AtOnce {
                answers.record(|| LocallyClosest::in_tree(tree, self.context, &mut distances));
            } else {
                let found = tree.descend(self.context.settings.max_children(), &mut distances);
                answers.record(|| Some(LocallyClosest::new::<M, _>(found, &mut distances)));
                if self.context.is_corrected(self.id, found.place.sample) {
                    tree.correct(found.place.node, self.id);
                }
            }
        }
    }
}

impl<P: Problem, M: Metric> ForestContext<'_, P, M> {
    /// Whether the label of `sample` is too far from that of `answer`.
    fn is_corrected(&self, sample: SampleId, answer: SampleId) -> bool {
        let [sample, answer] = [sample, answer].map(|id| self.samples.label(id));
        P::differ(self.settings, sample, answer)
    }
}
