//! Tables, charts and a page, made from records alone.

mod around;
mod charts;
mod conditions;
mod csv;
mod distinction;
mod equivalent;
mod html;
mod index;
mod labels;
mod latex;
mod markdown;
mod order;
mod origins;
mod output;
mod overall;
mod rank;
mod repetitions;
mod section;
mod summary;
mod table;
mod terminal;
mod trees;

pub use charts::{NamedChart, charts};
pub use index::Index;
pub use output::{ReportError, write};
pub use overall::{Overall, overall};
pub use section::{Averages, Rank, Row, Section};
pub use summary::{sections, sections_by};
pub use table::legend;
pub use terminal::render as tables;
