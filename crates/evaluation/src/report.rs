//! Tables, charts and a page, made from records alone.

mod around;
mod charts;
mod html;
mod markdown;
mod metrics_csv;
pub(crate) mod number;
mod output;
mod overall;
mod rank;
mod summary;
mod summary_csv;
mod table;
mod terminal;

pub use charts::{NamedChart, charts};
pub use output::{Index, ReportError, write};
pub use overall::{Overall, overall};
pub use rank::Rank;
pub use summary::{Averages, Row, Section, sections, sections_by};
pub use table::legend;
pub use terminal::render as tables;
