//! The table of algorithms: one module each, with its configurations and how they are built.

use crate::configuration::Configuration;

mod boundary;
mod mondrian;
mod obsp;
mod prior;
mod random_tessellation;
mod stream;
mod tessellation;

pub use boundary::ByMetric;
pub(crate) use tessellation::window_text;

/// Every named configuration, in the order in which they are listed to users: baselines last.
pub(crate) static ALL: &[&Configuration] = &[
    &mondrian::MONDRIAN,
    &mondrian::MONDRIAN_INCREASING,
    &obsp::OBSP,
    &obsp::OBSP_FIXED,
    &obsp::OBSP_REDRAW,
    &random_tessellation::URTF,
    &random_tessellation::WURTF,
    &random_tessellation::SPARSE,
    &random_tessellation::DIRECTIONS,
    &boundary::BOUNDARY_FOREST,
    &stream::STREAM_RF,
    &stream::SAFFARI,
    &prior::MAJORITY,
    &prior::MEAN,
];
