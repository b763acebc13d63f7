//! Experiments that need their own code, by name: each is a row of [`TABLE`].

mod arguments;
mod bodies;
mod cube;
mod curve;
mod lemmas;
mod offline_boundary;
mod plane;
mod recorded;
mod retrieval;

use anyhow::{Context, Result, ensure};
use forest_core::parameters::did_you_mean;

use crate::data::Library;
use crate::record::{CallTask, Row, Task};
use arguments::Arguments;

/// An experiment and its parameters, all of which are required.
pub(crate) struct Function {
    name: &'static str,
    parameters: &'static [&'static str],
    run: fn(&Arguments<'_>) -> Result<Vec<Row>>,
}

const TABLE: &[Function] = &[
    bodies::BODIES,
    cube::CUTS,
    curve::CURVE,
    lemmas::OBLIQUE_LINE,
    lemmas::SEPARATION,
    offline_boundary::OFFLINE_BOUNDARY_FOREST,
    plane::HULLS,
    recorded::RECORDED,
    retrieval::COMPARISONS,
    retrieval::COVER_TREE,
    retrieval::DIMENSIONS,
    retrieval::EQUIDISTANT,
    retrieval::RANKS,
];

pub(crate) fn call(call: &CallTask, task: &Task, library: &Library) -> Result<Vec<Row>> {
    let arguments = Arguments {
        call,
        seed: task.seed,
        x: task.x,
        library,
    };
    (find(&call.function)?.run)(&arguments)
}

/// Checks that the function exists and takes these parameters.
pub(crate) fn check(call: &CallTask) -> Result<()> {
    let function = find(&call.function)?;
    let place = || format!("[[function]] {}", function.name);
    let known = || function.parameters.join(", ");
    for name in call.parameters.keys() {
        ensure!(
            function.parameters.contains(&name.as_str()),
            "{}: unknown parameter `{name}`; expected {}",
            place(),
            known()
        );
    }
    for name in function.parameters {
        ensure!(
            call.parameters.contains_key(*name),
            "{}: the parameter `{name}` is missing; expected {}",
            place(),
            known()
        );
    }
    Ok(())
}

fn find(name: &str) -> Result<&'static Function> {
    let found = TABLE.iter().find(|function| function.name == name);
    found.with_context(|| {
        let names = TABLE.iter().map(|function| function.name);
        let similar = did_you_mean(name, names.clone());
        let known: Vec<_> = names.collect();
        format!(
            "unknown function `{name}`{similar}; available: {}",
            known.join(", ")
        )
    })
}

/// Returns the mean; NaN for an empty sequence.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    sum / count
}

/// Calls a function with these parameters.
#[cfg(test)]
fn rows_of(function: &Function, parameters: &[(&str, toml::Value)]) -> Vec<Row> {
    let parameters = parameters.iter();
    let call = CallTask {
        function: function.name.to_owned(),
        parameters: parameters
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
    };
    let arguments = Arguments {
        call: &call,
        seed: 0,
        x: None,
        library: &Library::new(std::path::Path::new("")),
    };
    (function.run)(&arguments).unwrap()
}
