//! The points that some tree keeps, each stored once, with their codes beside them.

use forest_core::SampleId;
use serde::{Deserialize, Serialize, Serializer};

use crate::Metric;
use crate::codes::Codes;
use crate::table::Table;

/// Points in order of arrival, and what is derived from them to compare them faster.
#[derive(Clone, Debug, Deserialize)]
#[serde(bound = "", from = "Table<f32>")]
pub(crate) struct Points<M: Metric> {
    table: Table<f32>,
    codes: Option<Codes<M::Coding>>,
}

impl<M: Metric> Points<M> {
    pub(crate) fn new(width: usize) -> Self {
        let (table, codes) = (Table::new(width), Codes::for_width(width));
        Self { table, codes }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    #[inline]
    pub(crate) fn at(&self, id: SampleId) -> &[f32] {
        self.table.row(id.index())
    }

    /// The codes, where they are worth using.
    pub(crate) fn codes(&self) -> Option<&Codes<M::Coding>> {
        let codes = self.codes.as_ref();
        codes.filter(|codes| codes.usefulness().is_enough())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes() + self.codes.as_ref().map_or(0, Codes::bytes)
    }

    pub(crate) fn append(&mut self, rows: usize, cells: &[f32]) {
        self.table.append(rows, cells);
        if let Some(codes) = &mut self.codes {
            codes.follow(&self.table);
        }
    }

    pub(crate) fn retain_from(&mut self, first: usize, keep: &[bool]) {
        self.table.retain_from(first, keep);
        if let Some(codes) = &mut self.codes {
            codes.retain_from(first, keep);
        }
    }

    /// Whether these are finite points of this width: of interest after decoding.
    pub(crate) fn are_sound(&self, width: usize) -> bool {
        let finite = || self.table.cells_from(0).iter().all(|v| v.is_finite());
        self.table.is_whole() && self.table.width() == width && finite()
    }
}

/// Codes are made anew when points are read; a table that is not whole gets none, and is refused by
/// whoever checks it.
impl<M: Metric> From<Table<f32>> for Points<M> {
    fn from(table: Table<f32>) -> Self {
        let sound = table.is_whole() && table.len() > 0;
        let mut codes = Codes::for_width(table.width());
        if let (true, Some(codes)) = (sound, &mut codes) {
            codes.follow(&table);
        }
        Self { table, codes }
    }
}

/// Only the points are written.
impl<M: Metric> Serialize for Points<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.table.serialize(serializer)
    }
}
