//! `cargo xtask algorithms`: lists what `compare` takes, offline learners included.

use std::process::ExitCode;

use anyhow::Result;
use comparison::Contender;
use comparison::record::task_name;
use datasets::TaskKind;
use online_forests::Algorithm;

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
    let mut rows = table(["name", "tasks", "kind", "what it is", "paper"]);
    for one in Contender::all() {
        let (what, paper) = about(&one);
        rows.add_row([one.name(), &tasks(&one), &kind(&one), what, paper]);
    }
    let more = "`algorithms NAME` lists the parameters of one, with defaults, rules and limits.";
    format!("{rows}\n\n{more}\n")
}

fn details(one: &Contender) -> String {
    let name = one.name();
    let (what, paper) = about(one);
    let mut text = format!("{name}: {what}\npaper: {paper}\n");
    text += &format!("tasks: {}\nkind: {}\n", tasks(one), kind(one));
    for other in Contender::all() {
        if other.algorithm().and_then(Algorithm::alias_of) == Some(name) {
            text += &format!("alias: {} is {}\n", other.name(), kind(&other));
        }
    }
    for limit in one.algorithm().map_or(&[][..], Algorithm::limits) {
        text += &format!("limit: {limit}\n");
    }
    let mut rows = table(["parameter", "default", "values", "meaning"]);
    for one in one.algorithm().map_or(Vec::new(), Algorithm::parameters) {
        rows.add_row([one.name, one.default, &one.rule.to_string(), one.meaning]);
    }
    format!("{text}\n{rows}\n")
}

fn about(one: &Contender) -> (&'static str, &'static str) {
    let known = one.algorithm();
    known.map_or(("", ""), |known| (known.description(), known.paper()))
}

fn tasks(one: &Contender) -> String {
    let tasks = [TaskKind::Classification, TaskKind::Regression];
    let able = tasks.into_iter().filter(|task| one.supports(*task));
    able.map(task_name).collect::<Vec<_>>().join(", ")
}

/// Returns the algorithm and the parameters that an alias is short for, or how the algorithm learns.
fn kind(one: &Contender) -> String {
    let known = one.algorithm();
    match known.and_then(|known| Some((known.alias_of()?, known.preset()))) {
        Some((name, preset)) => format!("{name}:{preset}"),
        None if one.is_offline() => "offline: sees all training rows at once".to_owned(),
        None if one.is_baseline() => "baseline: ignores the features".to_owned(),
        None => "online".to_owned(),
    }
}
