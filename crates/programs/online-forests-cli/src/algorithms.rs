//! `algorithms`: lists the algorithms and their parameters.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use forest_model::print;
use online_forests::{Algorithm, Classification, Regression, Task as _};

/// Lists the algorithms that `train` takes, or describes the one of this name.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn run(name: Option<&str>) -> anyhow::Result<ExitCode> {
    match name.map(str::parse::<Algorithm>) {
        None => print(&list()),
        Some(Ok(algorithm)) => print(&details(&algorithm)),
        Some(Err(error)) => {
            // As for every invalid command line.
            eprintln!("error: {error}");
            Ok(ExitCode::from(2))
        }
    }
}

fn list() -> String {
    let mut table = table(["name", "tasks", "kind", "what it is", "paper"]);
    for one in Algorithm::all() {
        table.add_row([
            one.name(),
            tasks(&one),
            &kind(&one),
            one.description(),
            one.paper(),
        ]);
    }
    format!(
        "{table}\n\n`algorithms NAME` lists the parameters of one, with defaults, rules and limits.\n"
    )
}

fn details(one: &Algorithm) -> String {
    let name = one.name();
    let mut text = format!("{name}: {}\n", one.description());
    text += &format!("paper: {}\n", one.paper());
    text += &format!("tasks: {}\n", tasks(one));
    text += &format!("kind: {}\n", kind(one));
    for alias in Algorithm::all().filter(|other| other.alias_of() == Some(name)) {
        text += &format!("alias: {} is {name}:{}\n", alias.name(), alias.preset());
    }
    let takes = |name| one.parameters().iter().any(|it| it.name == name);
    if one.is_baseline() {
        text += "limit: ignores the features: it is there to be beaten\n";
    }
    if takes("budget") || takes("budget_scale") {
        text += "limit: finite budgets expect features in [0, 1], as --scale minmax (the default) makes them\n";
    }
    if takes("max_nodes") {
        text += "limit: keeps every sample and grows with the stream, unless `max_nodes` or `window` is given\n";
    }
    for limit in one.limits() {
        text += &format!("limit: {limit}\n");
    }
    format!("{text}\n{}\n", parameters(one))
}

fn tasks(one: &Algorithm) -> &'static str {
    if !one.supports::<Regression>() {
        Classification::NAME
    } else if !one.supports::<Classification>() {
        Regression::NAME
    } else {
        "classification, regression"
    }
}

fn kind(one: &Algorithm) -> String {
    match one.alias_of() {
        Some(name) => format!("{name}:{}", one.preset()),
        None if one.is_baseline() => "baseline".to_owned(),
        None => "online".to_owned(),
    }
}

fn parameters(one: &Algorithm) -> String {
    let parameters = one.parameters();
    let Some(first) = parameters.first() else {
        return "no parameters".to_owned();
    };
    // Some mean nothing beside the defaults of the others: they are listed by the value with which they do.
    let mut conditions: Vec<_> = parameters.iter().map(|it| one.condition(it.name)).collect();
    conditions.sort_unstable();
    conditions.dedup();
    let mut text = String::new();
    for condition in conditions {
        if let Some(condition) = &condition {
            text += &format!("\n\nin addition with {condition}:\n");
        }
        let mut table = table(["parameter", "default", "values", "meaning"]);
        for it in &parameters {
            if one.condition(it.name) != condition {
                continue;
            }
            table.add_row([it.name, it.default, &it.rule.to_string(), it.meaning]);
        }
        text += &table.to_string();
    }
    format!(
        "{text}\n\ngiven as `{}:{}=…`, several separated by commas",
        one.name(),
        first.name
    )
}

/// Returns an empty table, as wide as the terminal at most.
fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}
