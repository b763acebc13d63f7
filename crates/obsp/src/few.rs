//! The first few points of a node, as they came: most leaves never need more.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

/// A node with at most so many points keeps them instead of hulls: a leaf of the paper's forests is
/// not cut before it has more.
pub(crate) const FEW: usize = 3;

/// Rows of a few points each, in one array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FewPoints {
    features: usize,
    cells: Arena<f32>,
    free: Arena<u32>,
}

/// Where a node's points are, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Handful {
    row: u32,
    len: u32,
}

impl Handful {
    pub(crate) fn has_room(self) -> bool {
        (self.len as usize) < FEW
    }
}

impl FewPoints {
    pub(crate) fn new(features: usize) -> Self {
        Self {
            features,
            cells: Arena::default(),
            free: Arena::default(),
        }
    }

    fn start(&self, Handful { row, len }: Handful) -> usize {
        (row as usize * FEW + len as usize) * self.features
    }

    /// A row without points.
    pub(crate) fn take(&mut self) -> Handful {
        let row = self.free.pop().unwrap_or_else(|| self.grow());
        Handful { row, len: 0 }
    }

    fn grow(&mut self) -> u32 {
        let row = self.rows();
        self.cells.resize((row + 1) * FEW * self.features, 0.0);
        u32::try_from(row).expect("a tree has at most 2³² nodes")
    }

    fn rows(&self) -> usize {
        self.cells.len() / (FEW * self.features)
    }

    /// Takes a row back.
    pub(crate) fn give(&mut self, handful: Handful) {
        self.free.push(handful.row);
    }

    /// A row with the points of another.
    pub(crate) fn copy(&mut self, handful: Handful) -> Handful {
        let first = Handful { len: 0, ..handful };
        let new = self.take();
        let (from, to, end) = (self.start(first), self.start(new), self.start(handful));
        self.cells.copy_within(from..end, to);
        Handful {
            len: handful.len,
            ..new
        }
    }

    /// Adds a point to a row that has room.
    pub(crate) fn push(&mut self, handful: Handful, x: &[f32]) -> Handful {
        let start = self.start(handful);
        self.cells[start..][..self.features].copy_from_slice(x);
        Handful {
            len: handful.len + 1,
            ..handful
        }
    }

    /// The points of a row, in the order they came.
    pub(crate) fn points(&self, handful: Handful) -> impl Iterator<Item = &[f32]> {
        let first = self.start(Handful { len: 0, ..handful });
        self.cells[first..self.start(handful)].chunks_exact(self.features)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes() + self.free.bytes()
    }

    /// Whether every row is either free or in use, once, and holds numbers.
    pub(crate) fn is_shared_by(
        &self,
        features: usize,
        used: impl Iterator<Item = Handful>,
    ) -> bool {
        let mut rows: Vec<u32> = self.free.to_vec();
        let mut fits = true;
        rows.extend(used.map(|handful| {
            fits &= handful.len as usize <= FEW;
            handful.row
        }));
        rows.sort_unstable();
        let each = rows
            .iter()
            .enumerate()
            .all(|(index, row)| index == *row as usize);
        let cells = rows.len() * FEW * features;
        let numbers = self.cells.iter().all(|value| value.is_finite());
        fits && each && numbers && self.features == features && self.cells.len() == cells
    }
}
