//! Results of runs: records as lines of a file, and everything that is made of them. This crate does not depend on learners, so it is
//! compiled in parallel with them; `evaluation` and `reproduction` run them and write records.
//!
//! | concept | items |
//! |---|---|
//! | a run of a comparison | [`record::Record`], [`Identity`] |
//! | records of any kind in a file | [`RunLog`], [`read_records`], [`write_packed`], [`to_line`] |
//! | the host of a run | [`record::Host`], [`host`] |
//! | metrics, and which values are better | [`metric`] |
//! | intervals, tests and ranks | [`statistics`], [`report::Rank`], [`report::overall`] |
//! | tables and the page of a comparison | [`report`] |
//! | pictures | [`plot`] |
//! | streams that change | [`AroundChange`]: where to measure before and after |
//!
//! ```
//! use results::plot::Picture as _;
//! use results::plot::axis::{Axis, AxisScale};
//! use results::plot::chart::{Chart, Series, Shape};
//! use results::plot::stroke::stroke;
//!
//! let points = vec![(1.0, 0.5), (10.0, 0.2), (100.0, 0.1)];
//! let x = Axis::spanning("rows", AxisScale::Log, points.iter().map(|point| point.0));
//! let y = Axis::spanning("error", AxisScale::Linear, points.iter().map(|point| point.1));
//! let series = vec![Series::new("mine", stroke(0), Shape::MarkedLine(points))];
//! assert!(Chart::with_legend((400, 300), x, y, series).svg().starts_with("<svg"));
//! ```

mod changes;
pub mod files;
pub mod host;
mod identity;
mod log;
pub mod markdown;
mod mean;
pub mod metric;
pub mod notice;
pub mod number;
mod part;
pub mod plot;
pub mod record;
pub mod report;
pub mod statistics;

pub use changes::AroundChange;
pub use identity::{Identity, WEIGHTS};
pub use log::{RunLog, has_unfinished_line, read_records, to_line, write_packed};
pub use part::{NoPart, Part};
