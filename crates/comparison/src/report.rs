//! Tables, charts and a page, made from records alone.

mod charts;
mod conditions;
mod distinction;
mod html;
mod index;
mod labels;
mod output;
mod overall;
mod rank;
mod repetitions;
mod section;
mod summary;
mod table;
mod trees;

pub use charts::{NamedChart, charts};
pub use index::Index;
pub use output::{ReportError, tables, write};
pub use overall::{Overall, SetCell, overall};
pub use section::{Averages, Rank, Row, Section, legend};
pub use summary::{sections, sections_by};
pub use table::{Cell, Mark, Table, TableRow};
