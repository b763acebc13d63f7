//! Tables, charts and a page, made from records alone.

mod around;
mod charts;
mod html;
mod markdown;
pub(crate) mod number;
mod output;
mod rank;
mod summary;
mod summary_csv;
mod table;
mod terminal;

pub use charts::{NamedChart, charts};
pub use output::{Index, ReportError, remove_earlier, write};
pub use rank::Rank;
pub use summary::{Averages, Row, Section, sections};
pub use table::legend;
pub use terminal::render as tables;
