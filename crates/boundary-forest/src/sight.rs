//! Comparing a query with stored points: all that a walk needs to know of them.

mod coded;
mod plain;

use forest_core::SampleId;

use crate::Metric;
use crate::arena::Place;
use crate::chance::Chance;
use crate::memo::Memo;
use crate::points::Points;

use coded::Coded;
use plain::Plain;

/// A query among the stored points, the same for all trees that are asked it.
///
/// There are two, [`Plain`] and [`Coded`], which see the same and draw the same.
pub(crate) trait Sight {
    /// What is known of a point's distance.
    type Mark: Copy;

    /// Looks at one point.
    fn mark(&mut self, point: SampleId) -> Self::Mark;

    /// The closest of `children` and of `here`, which has been looked at already, chosen at random
    /// among equals. There is at least one of them.
    fn closest(
        &mut self,
        children: &[Place],
        here: Option<Seen<Self::Mark>>,
        chance: &mut impl Chance,
    ) -> Seen<Self::Mark>;

    /// The metric's proxy of a point that was looked at.
    fn proxy(&mut self, seen: Seen<Self::Mark>) -> f64;
}

/// A place in a tree, and what is known of the distance of its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen<K> {
    pub(crate) place: Place,
    pub(crate) mark: K,
}

/// Candidate `index`: children first, then `here`.
fn candidate<K: Copy>(
    children: &[Place],
    here: Option<Seen<K>>,
    index: usize,
    marks: &[K],
) -> Seen<K> {
    match (children.get(index), here) {
        (None, Some(here)) => here,
        _ => Seen {
            place: children[index],
            mark: marks[index],
        },
    }
}

/// Working memory for queries, one after another.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    code: Vec<u8>,
    differences: Memo<u32>,
    coded_marks: Vec<u32>,
    rivals: Vec<usize>,
    proxies: Memo<f64>,
    marks: Vec<f64>,
}

/// Something to be found out at one point of space, by whichever sight the stored points allow.
pub(crate) trait Question {
    /// What is found out.
    type Answer;

    /// Finds it out.
    fn put(self, sight: impl Sight) -> Self::Answer;
}

/// Puts `question` at `y`.
pub(crate) fn look<M: Metric, Q: Question>(
    points: &Points<M>,
    y: &[f32],
    desk: &mut Desk,
    question: Q,
) -> Q::Answer {
    match points.codes() {
        None => question.put(Plain::at(points, y, desk)),
        Some(codes) => question.put(Coded::at(points, codes, y, desk)),
    }
}
