//! The table of algorithms: one module each, with its configurations and how they are planted.

use crate::configuration::Configuration;

mod boundary;
mod prior;

/// Every named configuration, in the order in which they are listed to users.
pub(crate) static ALL: &[&Configuration] =
    &[&boundary::BOUNDARY_FOREST, &prior::MAJORITY, &prior::MEAN];
