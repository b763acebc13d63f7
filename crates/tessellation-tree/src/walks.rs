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

/// Walks that go on side by side: while one waits for the memory that holds its next node, others step.
const LANES: usize = 8;

/// One of these walks, and what was read of the nodes that it passed.
struct Lane<'a, R> {
    row: usize,
    x: &'a [f32],
    below: Child,
    read: SmallVec<[R; 64]>,
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
        self.passed(|_| (), |row, _, leaf| found(row, leaf));
    }

    /// Tells as well what `read` answered for the inner nodes above the leaf, from the root.
    #[inline]
    pub fn passed<R>(
        &self,
        read: impl Fn(NodeId) -> R,
        mut found: impl FnMut(usize, &[R], Subtree),
    ) {
        let mut waiting = self.rows.iter().enumerate();
        let lane = |(row, x)| Lane {
            row,
            x,
            below: self.root,
            read: SmallVec::new(),
        };
        let mut lanes: SmallVec<[Lane<'_, R>; LANES]> =
            waiting.by_ref().take(LANES).map(lane).collect();
        while !lanes.is_empty() {
            let mut index = 0;
            while let Some(lane) = lanes.get_mut(index) {
                if let Subtree::Inner(node) = lane.below.get() {
                    lane.read.push(read(node));
                    lane.below = self.structure.next(node, lane.x);
                    index += 1;
                    continue;
                }
                found(lane.row, &lane.read, lane.below.get());
                lane.read.clear();
                match waiting.next() {
                    Some((row, x)) => (lane.row, lane.x, lane.below) = (row, x, self.root),
                    None => drop(lanes.swap_remove(index)),
                }
            }
        }
    }
}
