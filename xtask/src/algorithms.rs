//! `cargo xtask algorithms`: lists what `compare` takes, offline learners included.

use std::process::ExitCode;

use anyhow::Result;
use comparison::Contender;
use comparison::record::task_name;
use datasets::TaskKind;

use crate::compare::algorithm;
use crate::terminal::{print, table};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Algorithm whose parameters, with defaults and rules, and limitations are shown
    #[arg(value_name = "NAME", value_parser = algorithm)]
    algorithm: Option<Contender>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    print(&match &args.algorithm {
        None => list(),
        Some(one) => details(one),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let mut algorithms = table(["name", "tasks", "kind", "what it is", "paper"]);
    algorithms.add_rows(Contender::all().map(|one| {
        let (tasks, kind, about) = (tasks(&one), kind(&one), one.about());
        let [name, what, paper] = [one.name(), about.description, about.paper].map(str::to_owned);
        [name, tasks, kind, what, paper]
    }));
    format!(
        "{algorithms}\n\n`algorithms NAME` lists the parameters of one, with defaults, rules and limits.\n"
    )
}

fn details(one: &Contender) -> String {
    let about = one.about();
    let (name, what, paper) = (one.name(), about.description, about.paper);
    let (tasks, kind) = (tasks(one), kind(one));
    let mut text = format!("{name}: {what}\npaper: {paper}\ntasks: {tasks}\nkind: {kind}\n");
    for other in Contender::all() {
        let preset = other.about().alias_of.unwrap_or_default();
        if preset.split(':').next() == Some(name) {
            text += &format!("alias: {} is {preset}\n", other.name());
        }
    }
    for limit in about.limits {
        text += &format!("limit: {limit}\n");
    }
    let mut parameters = table(["parameter", "default", "values", "meaning"]);
    parameters.add_rows(about.parameters.iter().map(|parameter| {
        [
            parameter.name.to_owned(),
            parameter.default.to_owned(),
            parameter.rule.to_string(),
            parameter.meaning.to_owned(),
        ]
    }));
    format!("{text}\n{parameters}\n")
}

fn tasks(one: &Contender) -> String {
    let mut tasks = vec![TaskKind::Classification, TaskKind::Regression];
    tasks.retain(|task| one.supports(*task));
    tasks
        .into_iter()
        .map(task_name)
        .collect::<Vec<_>>()
        .join(", ")
}

fn kind(one: &Contender) -> String {
    let kind = match (one.is_offline(), one.is_baseline()) {
        (true, _) => "offline: sees all training rows at once",
        (_, true) => "baseline: ignores the features",
        _ => "online",
    };
    one.about().alias_of.unwrap_or_else(|| kind.to_owned())
}
