//! `cargo xtask plot partition …` and `cargo xtask plot chart …`.

mod chart;
mod partition;
mod table;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    picture: Picture,
}

#[derive(Debug, Subcommand)]
enum Picture {
    /// How one tree divides the plane: cells, cuts, hulls and points, as samples arrive
    Partition(partition::Args),
    /// Lines through the rows of a table
    Chart(chart::Args),
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.picture {
        Picture::Partition(args) => partition::run(args)?,
        Picture::Chart(args) => chart::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
