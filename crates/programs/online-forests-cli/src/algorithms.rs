//! `algorithms`: lists the algorithms and their parameters.

mod limits;

use std::collections::BTreeMap;
use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use forest_core::parameters::Parameter;
use forest_model::CommandError;
use online_forests::{Algorithm, AlgorithmError, Classification, Regression, Task as _};

use crate::printed::print;

/// The exit code of an invalid command line.
const USAGE: u8 = 2;

/// List the algorithms; with NAME, show its parameters and limitations
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Algorithm whose parameters, with defaults and rules, and limitations are shown
    #[arg(value_name = "NAME")]
    pub algorithm: Option<String>,
}

/// The description of an algorithm.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its description, in one line.
    pub description: &'static str,
    /// The publication it comes from.
    pub paper: &'static str,
    /// The names of the tasks that it learns.
    pub tasks: Vec<&'static str>,
    /// How it learns.
    pub kind: Kind,
    /// The algorithm and parameters that the name is an alias of, as `NAME:KEY=VALUE,…`.
    pub alias_of: Option<String>,
    /// Its limitations, a phrase each.
    pub limits: &'static [&'static str],
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Of a parameter that means nothing beside the defaults of the others: with which value it does ([`Algorithm::condition`]).
    pub conditions: BTreeMap<&'static str, String>,
}

/// How an algorithm learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Row by row.
    Online,
    /// From all training rows at once.
    Offline,
    /// Row by row, without the features.
    Baseline,
}

impl From<&Algorithm> for Listed {
    fn from(algorithm: &Algorithm) -> Self {
        let classifies = algorithm.supports::<Classification>();
        let regresses = algorithm.supports::<Regression>();
        let tasks = [
            classifies.then_some(Classification::NAME),
            regresses.then_some(Regression::NAME),
        ];
        let alias_of = algorithm.alias_of();
        let parameters = algorithm.parameters();
        let names = parameters.iter().map(|parameter| parameter.name);
        let conditions = names.filter_map(|name| Some((name, algorithm.condition(name)?)));
        Self {
            conditions: conditions.collect(),
            name: algorithm.name().to_owned(),
            description: algorithm.description(),
            paper: algorithm.paper(),
            tasks: tasks.into_iter().flatten().collect(),
            kind: if algorithm.is_baseline() {
                Kind::Baseline
            } else {
                Kind::Online
            },
            alias_of: alias_of.map(|name| format!("{name}:{}", algorithm.preset())),
            limits: algorithm.limits(),
            parameters,
        }
    }
}

/// Lists the algorithms that `train` takes.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let all: Vec<Listed> = Algorithm::all().map(|one| Listed::from(&one)).collect();
    let one = args.algorithm.as_deref().map(str::parse::<Algorithm>);
    match one.transpose() {
        Ok(None) => print(&list(&all)),
        Ok(Some(one)) => print(&details(&Listed::from(&one), &all)),
        Err(error) => Ok(unknown(&error)),
    }
}

/// Reports an unknown algorithm, with the exit code of every invalid command line.
pub fn unknown(error: &AlgorithmError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(USAGE)
}

/// Returns a table of algorithms.
pub fn list(all: &[Listed]) -> String {
    let mut table = table(["name", "tasks", "kind", "what it is", "paper"]);
    table.add_rows(all.iter().map(|one| {
        [
            one.name.clone(),
            one.tasks.join(", "),
            one.kind_text(),
            one.description.to_owned(),
            one.paper.to_owned(),
        ]
    }));
    format!(
        "{table}\n\n`algorithms NAME` lists the parameters of one, with defaults, rules and limits.\n"
    )
}

/// Returns the description of one algorithm, which may have aliases among `all`.
pub fn details(one: &Listed, all: &[Listed]) -> String {
    let Listed {
        name,
        description,
        paper,
        ..
    } = one;
    let limits = limits::list(one).map(|limit| format!("limit: {limit}\n"));
    let limits: String = limits.collect();
    let (tasks, kind, aliases) = (one.tasks.join(", "), one.kind_text(), aliases(name, all));
    let parameters = parameters(one);
    format!(
        "{name}: {description}\npaper: {paper}\ntasks: {tasks}\nkind: {kind}\n{aliases}{limits}\n{parameters}\n"
    )
}

fn parameters(one: &Listed) -> String {
    let Some(first) = one.parameters.first() else {
        return "no parameters".to_owned();
    };
    let mut text = parameters_with(None, one).to_string();
    let mut conditions: Vec<&str> = one.conditions.values().map(String::as_str).collect();
    conditions.sort_unstable();
    conditions.dedup();
    for condition in conditions {
        let parameters = parameters_with(Some(condition), one);
        text += &format!("\n\nin addition with {condition}:\n{parameters}");
    }
    format!(
        "{text}\n\ngiven as `{}:{}=…`, several separated by commas",
        one.name, first.name
    )
}

/// Returns a table of the parameters that need this condition.
fn parameters_with(condition: Option<&str>, one: &Listed) -> Table {
    let condition_of = |name: &str| one.conditions.get(name).map(String::as_str);
    let parameters = one.parameters.iter();
    let parameters = parameters.filter(|parameter| condition_of(parameter.name) == condition);
    let mut table = table(["parameter", "default", "values", "meaning"]);
    table.add_rows(parameters.map(|parameter| {
        [
            parameter.name.to_owned(),
            parameter.default.to_owned(),
            parameter.rule.to_string(),
            parameter.meaning.to_owned(),
        ]
    }));
    table
}

/// Returns a line for each alias of the algorithm.
fn aliases(name: &str, all: &[Listed]) -> String {
    let with_values = format!("{name}:");
    let aliases = all.iter().filter_map(|other| {
        let preset = other.alias_of.as_ref()?;
        let is_its = preset.starts_with(&with_values);
        is_its.then(|| format!("alias: {} is {preset}\n", other.name))
    });
    aliases.collect()
}

impl Listed {
    fn kind_text(&self) -> String {
        let kind = match self.kind {
            Kind::Online => "online",
            Kind::Offline => "offline",
            Kind::Baseline => "baseline",
        };
        self.alias_of.clone().unwrap_or_else(|| kind.to_owned())
    }
}

/// Returns an empty table, as wide as the terminal at most.
fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}
