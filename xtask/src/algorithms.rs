//! `cargo xtask algorithms`: lists those of the program, and offline ones.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use datasets::TaskKind;
use evaluation::AnyAlgorithm;
use evaluation::record::task_name;
use online_forests_cli::algorithms::{Args, Kind, Listed, details, list, unknown};

use crate::part::Part;
use crate::terminal::print;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    Part::Baselines.require()?;
    let all: Vec<Listed> = AnyAlgorithm::all().map(|one| listed(&one)).collect();
    let one = args.algorithm.as_deref().map(str::parse::<AnyAlgorithm>);
    match one.transpose() {
        Ok(None) => print(&list(&all))?,
        Ok(Some(one)) => print(&details(&listed(&one), &all))?,
        Err(error) => return Ok(unknown(&error)),
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(algorithm: &AnyAlgorithm) -> Listed {
    if let AnyAlgorithm::Online(online) = algorithm {
        return online.into();
    }
    let tasks = [TaskKind::Classification, TaskKind::Regression].into_iter();
    let able = tasks.filter(|task| algorithm.supports(*task));
    Listed {
        name: algorithm.name().to_owned(),
        description: algorithm.description(),
        paper: algorithm.paper(),
        tasks: able.map(task_name).collect(),
        kind: Kind::Offline,
        alias_of: None,
        limits: algorithm.limits(),
        parameters: algorithm.parameters(),
        conditions: BTreeMap::new(),
    }
}
