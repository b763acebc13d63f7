//! `cargo xtask algorithms`: lists what `compare` takes, offline learners included.

use std::process::ExitCode;

use anyhow::Result;
use comparison::record::task_name;
use comparison::{Contender, Kind};
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
    let mut rows = table(["name", "tasks", "kind", "what it is", "paper"]);
    for one in Contender::all() {
        let (what, paper) = about(&one);
        let (tasks, kind) = (tasks(&one), kind(&one));
        rows.add_row([one.name(), &tasks, &kind, what, paper]);
    }
    let more = "`algorithms NAME` lists the parameters of one, with defaults, rules and limits.";
    format!("{rows}\n\n{more}\n")
}

fn details(one: &Contender) -> String {
    let (name, (what, paper)) = (one.name(), about(one));
    let mut text = format!("{name}: {what}\npaper: {paper}\n");
    text += &format!("tasks: {}\nkind: {}\n", tasks(one), kind(one));
    for other in Contender::all() {
        let preset = kind(&other);
        if matches!(other.kind(), Kind::Online(known) if known.alias_of() == Some(name)) {
            text += &format!("alias: {} is {preset}\n", other.name());
        }
    }
    let (limits, known) = match one.kind() {
        Kind::Online(known) => (known.limits(), known.parameters()),
        Kind::Offline(row, _) => (row.limits, row.parameters.to_vec()),
        Kind::Own(_) => (&[][..], Vec::new()),
    };
    for limit in limits {
        text += &format!("limit: {limit}\n");
    }
    let mut rows = table(["parameter", "default", "values", "meaning"]);
    for one in known {
        let rule = one.rule.to_string();
        rows.add_row([one.name, one.default, &rule, one.meaning]);
    }
    format!("{text}\n{rows}\n")
}

/// Returns what it is, and its source.
fn about(one: &Contender) -> (&'static str, &'static str) {
    match one.kind() {
        Kind::Online(known) => (known.description(), known.paper()),
        Kind::Offline(row, _) => (row.description, row.paper),
        Kind::Own(_) => ("the caller's own learner", "none"),
    }
}

fn tasks(one: &Contender) -> String {
    let tasks = [TaskKind::Classification, TaskKind::Regression];
    let able = tasks.into_iter().filter(|task| one.supports(*task));
    able.map(task_name).collect::<Vec<_>>().join(", ")
}

/// Returns what its name stands for, or how it learns.
fn kind(one: &Contender) -> String {
    if let Kind::Online(known) = one.kind()
        && let Some(name) = known.alias_of()
    {
        return format!("{name}:{}", known.preset());
    }
    let kind = match (one.is_offline(), one.is_baseline()) {
        (true, _) => "offline: sees all training rows at once",
        (_, true) => "baseline: ignores the features",
        _ => "online",
    };
    kind.to_owned()
}
