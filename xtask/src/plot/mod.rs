//! `cargo xtask plot partition …` and `cargo xtask plot chart …`.

mod chart;
mod panel;
mod partition;
mod record;
mod table;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use crate::draw::style;

/// What to draw.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// How one tree divides the plane: cells, cuts, hulls and points, as samples arrive
    Partition(partition::Args),
    /// Lines through the rows of a table
    Chart(chart::Args),
}

/// Draws it.
///
/// # Errors
/// What cannot be drawn, and why.
pub fn run(args: &Args) -> Result<ExitCode> {
    style::register_font()?;
    match &args.what {
        What::Partition(args) => partition::run(args)?,
        What::Chart(args) => chart::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
