//! `cargo xtask algorithms`: what can be compared, and what each takes.

mod limits;

use std::process::ExitCode;

use anyhow::Result;
use datasets::TaskKind;
use evaluation::AnyAlgorithm;
use evaluation::record::task_name;

use crate::part::{self, Part};
use crate::terminal::{print, table};

/// Lists the algorithms, or says all about one.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// An algorithm: its parameters with defaults and rules, and its limits
    #[arg(value_name = "NAME", value_parser = part::algorithm)]
    algorithm: Option<AnyAlgorithm>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    Part::Baselines.require()?;
    let text = match &args.algorithm {
        None => list(),
        Some(algorithm) => details(algorithm),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let rows = AnyAlgorithm::all().map(|algorithm| {
        [
            algorithm.name().to_owned(),
            tasks(&algorithm),
            kind(&algorithm),
            algorithm.description().to_owned(),
            algorithm.paper().to_owned(),
        ]
    });
    let mut table = table(["name", "tasks", "kind", "what it is", "paper"]);
    table.add_rows(rows);
    format!(
        "{table}\n\n`cargo xtask algorithms NAME` lists the parameters of one, with defaults, rules and limits.\n"
    )
}

fn details(algorithm: &AnyAlgorithm) -> String {
    let name = algorithm.name();
    let (description, paper) = (algorithm.description(), algorithm.paper());
    let parameters = algorithm.parameters();
    let rows = parameters.iter().map(|parameter| {
        [
            parameter.name.to_owned(),
            parameter.default.to_owned(),
            parameter.rule.to_string(),
            parameter.meaning.to_owned(),
        ]
    });
    let mut table = table(["parameter", "default", "values", "meaning"]);
    table.add_rows(rows);
    let parameters = match parameters.first() {
        None => "no parameters".to_owned(),
        Some(first) => format!(
            "{table}\n\ngiven as `{name}:{}=…`, several separated by commas",
            first.name
        ),
    };
    let limits = limits::of(algorithm).map(|limit| format!("limit: {limit}\n"));
    let limits: String = limits.collect();
    let (tasks, kind, aliases) = (tasks(algorithm), kind(algorithm), aliases(algorithm));
    format!(
        "{name}: {description}\npaper: {paper}\ntasks: {tasks}\nkind: {kind}\n{aliases}{limits}\n{parameters}\n"
    )
}

fn tasks(algorithm: &AnyAlgorithm) -> String {
    let tasks = [TaskKind::Classification, TaskKind::Regression].into_iter();
    let able = tasks.filter(|task| algorithm.supports(*task));
    able.map(task_name).collect::<Vec<_>>().join(", ")
}

fn kind(algorithm: &AnyAlgorithm) -> String {
    if let Some(preset) = algorithm.alias_of() {
        return preset;
    }
    let kind = match (algorithm.is_baseline(), algorithm.is_offline()) {
        (true, _) => "baseline",
        (_, true) => "offline",
        _ => "online",
    };
    kind.to_owned()
}

/// Returns a line for each name that stands for the algorithm with values of its own.
fn aliases(algorithm: &AnyAlgorithm) -> String {
    let with_values = format!("{}:", algorithm.name());
    let aliases = AnyAlgorithm::all().filter_map(|other| {
        let preset = other.alias_of()?;
        let is_its = preset.starts_with(&with_values);
        is_its.then(|| format!("alias: {} is {preset}\n", other.name()))
    });
    aliases.collect()
}
