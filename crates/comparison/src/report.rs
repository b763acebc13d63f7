//! Tables, charts and a page, made from records alone.

mod charts;
mod html;
mod names;
mod output;
mod overall;
mod rank;
mod section;
mod summary;
mod table;

pub use charts::{NamedChart, charts};
pub use output::{Index, ReportError, tables, write};
pub use overall::{Overall, SetCell, overall};
pub use section::{Averages, Rank, Row, Section, legend};
pub use summary::{sections, sections_by};
pub use table::{Cell, Mark, Table, TableRow, escape};
