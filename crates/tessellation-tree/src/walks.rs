//! Several points on their way down one tree.

use forest_core::Rows;
use smallvec::SmallVec;

use crate::node::{Child, NodeId, Subtree};
use crate::search::Structure;
use crate::{CutDistribution, Path};

/// The ways of a block of points from the root of a tree to their leaves.
#[derive(Debug)]
pub struct Walks<'a, D: CutDistribution> {
    pub(crate) structure: Structure<'a, D>,
    pub(crate) root: Child,
    pub(crate) end: f64,
    pub(crate) rows: &'a Rows<'a>,
}

/// The inner nodes that a point passes, from the root.
pub type Passed = SmallVec<[NodeId; 64]>;

/// Walks that go on side by side: while one waits for the memory that holds its next node, others step.
const LANES: usize = 8;

/// One of these walks, and what is noted on it.
struct Lane<'a, N> {
    row: usize,
    x: &'a [f32],
    below: Child,
    notes: N,
}

impl<'a, D: CutDistribution> Walks<'a, D> {
    /// The paths, one for each point, to be walked one after another.
    pub fn paths(&self) -> impl Iterator<Item = Path<'a, D>> {
        let (structure, root, end) = (self.structure, self.root, self.end);
        let points = self.rows.iter();
        points.map(move |x| Path::new(structure, root, x, end))
    }

    /// Tells the leaf of every point, with the number of its row, in no stated order.
    #[inline]
    pub fn leaves(&self, mut found: impl FnMut(usize, Subtree)) {
        self.walk(|(), _| {}, |row, (), leaf| found(row, leaf));
    }

    /// Tells the inner nodes above the leaf of every point as well.
    #[inline]
    pub fn passed(&self, mut found: impl FnMut(usize, &Passed, Subtree)) {
        self.walk(Passed::push, |row, passed, leaf| found(row, passed, leaf));
    }

    #[inline]
    fn walk<N: Default>(
        &self,
        note: impl Fn(&mut N, NodeId),
        mut found: impl FnMut(usize, &N, Subtree),
    ) {
        let mut waiting = self.rows.iter().enumerate().map(|(row, x)| Lane {
            row,
            x,
            below: self.root,
            notes: N::default(),
        });
        let mut lanes: SmallVec<[Lane<'_, N>; LANES]> = waiting.by_ref().take(LANES).collect();
        while !lanes.is_empty() {
            let mut index = 0;
            while let Some(lane) = lanes.get_mut(index) {
                if let Subtree::Inner(node) = lane.below.get() {
                    note(&mut lane.notes, node);
                    lane.below = self.structure.next(node, lane.x);
                    index += 1;
                    continue;
                }
                found(lane.row, &lane.notes, lane.below.get());
                match waiting.next() {
                    Some(next) => *lane = next,
                    None => drop(lanes.swap_remove(index)),
                }
            }
        }
    }
}
