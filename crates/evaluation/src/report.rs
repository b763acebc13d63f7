//! Tables, charts and a page, made from records alone.

mod around;
mod charts;
mod html;
mod index;
mod markdown;
mod metrics_csv;
pub(crate) mod number;
mod output;
mod overall;
mod rank;
mod section;
mod summary;
mod summary_csv;
mod table;
mod terminal;

pub use charts::{NamedChart, charts};
pub use index::Index;
pub use output::{ReportError, write};
pub use overall::{Overall, overall};
pub use section::{Averages, Rank, Row, Section};
pub use summary::{sections, sections_by};
pub use table::legend;
pub use terminal::render as tables;
