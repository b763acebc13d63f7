//! Several points on their way down one tree.

pub(crate) mod ahead;
pub(crate) mod path;

use forest_core::{LARGER_THAN_A_CACHE, Rows};
use smallvec::SmallVec;

use crate::structure::node::{Child, NodeId, Subtree, Turn};
use crate::structure::view::View;
use crate::{CutDistribution, Path};

/// The ways of a block of points from the root of a tree to their leaves.
#[derive(Debug)]
pub struct Walks<'a, D: CutDistribution> {
    pub(crate) structure: View<'a, D>,
    pub(crate) root: Child,
    pub(crate) end: f64,
    pub(crate) rows: &'a Rows<'a>,
}

/// Walks that proceed side by side: while one waits for the memory that holds its next node, others step.
pub(crate) const LANES: usize = 16;

/// One of these walks: where it is, and what is noted of it.
pub(crate) struct Lane<'a, N> {
    pub(crate) x: &'a [f32],
    pub(crate) below: Child,
    pub(crate) notes: N,
}

/// Walks every lane down. `pass` notes an inner node that is passed, and is given what comes below; `arrive` is given a
/// lane whose walk has ended, and may start another in it: otherwise it returns `false`.
#[inline]
pub(crate) fn side_by_side<'a, D: CutDistribution, N>(
    structure: View<'_, D>,
    mut lanes: &mut [Lane<'a, N>],
    pass: impl Fn(&mut N, Turn, Child),
    mut arrive: impl FnMut(&mut Lane<'a, N>) -> bool,
) {
    while !lanes.is_empty() {
        let mut index = 0;
        while let Some(lane) = lanes.get_mut(index) {
            if let Some(turn) = structure.pass(&mut lane.below, lane.x) {
                pass(&mut lane.notes, turn, lane.below);
                index += 1;
            } else if !arrive(lane) {
                let last = lanes.len() - 1;
                lanes.swap(index, last);
                lanes = &mut std::mem::take(&mut lanes)[..last];
            }
        }
    }
}

impl<'a, D: CutDistribution> Walks<'a, D> {
    /// Returns the paths, one for each point, to be walked one after another.
    pub fn paths(&self) -> impl Iterator<Item = Path<'a, D>> {
        let (structure, root, end) = (self.structure, self.root, self.end);
        let points = self.rows.iter();
        points.map(move |x| Path::new(structure, root, x, end))
    }

    /// Reports the leaf of every point, with the number of its row, in no stated order.
    #[inline]
    pub fn leaves(&self, mut found: impl FnMut(usize, Subtree)) {
        self.fold(|| (), |(), _| (), |_| (), |row, (), leaf| found(row, leaf));
    }

    /// Takes notes on the way: `pass` is given the inner nodes above a leaf, from the root, and `found` the leaf, after
    /// which the notes are those of another point. Several points are on their way at the same time, each with
    /// notes of its own, which are `empty` at first. In a large tree `ahead` is given an inner node some time before `pass` is, and may
    /// [ask for memory](forest_core::prefetch).
    #[inline]
    pub fn fold<N>(
        &self,
        empty: impl FnMut() -> N,
        pass: impl Fn(&mut N, NodeId),
        ahead: impl Fn(NodeId),
        found: impl FnMut(usize, &mut N, Subtree),
    ) {
        let structure = self.structure;
        let pass = |notes: &mut N, turn: Turn| pass(notes, turn.node);
        // Each with a loop of its own: in a small tree it costs up to a tenth to ask whether it is large, and a third to prefetch. In a tree of
        // 10⁶ rows prefetching saves a seventh, of `amf` a quarter.
        if structure.nodes.bytes() > LARGER_THAN_A_CACHE {
            let pass = |notes: &mut N, turn, below: Child| {
                structure.prefetch(below);
                if let Subtree::Inner(node) = below.get() {
                    ahead(node);
                }
                pass(notes, turn);
            };
            self.walk(empty, pass, found);
        } else {
            self.walk(empty, |notes, turn, _| pass(notes, turn), found);
        }
    }

    /// Walks all points, each lane from `empty` notes; `found` is given a row, what was noted on its way, and its leaf.
    #[inline]
    fn walk<N>(
        &self,
        mut empty: impl FnMut() -> N,
        pass: impl Fn(&mut N, Turn, Child),
        mut found: impl FnMut(usize, &mut N, Subtree),
    ) {
        let mut waiting = self.rows.iter().enumerate();
        let lane = |(row, x)| Lane {
            x,
            below: self.root,
            notes: (row, empty()),
        };
        let mut lanes: SmallVec<[_; LANES]> = waiting.by_ref().take(LANES).map(lane).collect();
        let pass = |(_, notes): &mut (usize, N), turn, below| pass(notes, turn, below);
        side_by_side(self.structure, &mut lanes, pass, |lane| {
            let (row, notes) = &mut lane.notes;
            found(*row, notes, lane.below.get());
            let Some((next, x)) = waiting.next() else {
                return false;
            };
            (*row, lane.x, lane.below) = (next, x, self.root);
            true
        });
    }
}
