//! Experiments that need their own code, by name: each is a row of [`TABLE`].

mod bodies;
mod cube;
mod lemmas;
mod plane;
mod recorded;
mod retrieval;
mod streams;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use datasets::{Dataset, Target};
use forest_core::ForestSettings;
use forest_core::parameters::did_you_mean;
use online_forests::Algorithm;
use toml::Value;

use crate::learn::Library;
use crate::runs::{Row, Task};

/// A function, with the names of all of its parameters.
struct Function {
    name: &'static str,
    parameters: &'static [&'static str],
    run: fn(&Arguments<'_>) -> Result<Vec<Row>>,
}

const TABLE: &[Function] = &[
    bodies::BODIES,
    cube::CUTS,
    streams::CURVE,
    lemmas::OBLIQUE_LINE,
    lemmas::SEPARATION,
    streams::OFFLINE_BOUNDARY_FOREST,
    plane::HULLS,
    recorded::RECORDED,
    retrieval::COMPARISONS,
    retrieval::COVER_TREE,
    retrieval::DIMENSIONS,
    retrieval::EQUIDISTANT,
    retrieval::RANKS,
];

type Parameters = BTreeMap<String, Value>;

/// Calls a function.
pub(crate) fn call(
    name: &str,
    parameters: &Parameters,
    task: &Task,
    library: &Library,
) -> Result<Vec<Row>> {
    let (seed, x) = (task.seed, task.x);
    (find(name)?.run)(&Arguments {
        parameters,
        seed,
        x,
        library,
    })
}

/// Checks that a function has these parameters, and no others.
pub(crate) fn check(name: &str, given: &Parameters) -> Result<()> {
    let Function {
        name, parameters, ..
    } = find(name)?;
    let known = || parameters.join(", ");
    let unknown = given.keys().find(|one| !parameters.contains(&one.as_str()));
    if let Some(unknown) = unknown {
        bail!(
            "function {name}: unknown parameter `{unknown}`; expected {}",
            known()
        );
    }
    let missing = parameters.iter().find(|one| !given.contains_key(**one));
    if let Some(missing) = missing {
        bail!(
            "function {name}: the parameter `{missing}` is missing; expected {}",
            known()
        );
    }
    Ok(())
}

fn find(name: &str) -> Result<&'static Function> {
    TABLE
        .iter()
        .find(|function| function.name == name)
        .with_context(|| {
            let names: Vec<&str> = TABLE.iter().map(|function| function.name).collect();
            let similar = did_you_mean(name, names.iter().copied());
            format!(
                "unknown function `{name}`{similar}; available: {}",
                names.join(", ")
            )
        })
}

/// Arguments of a function.
struct Arguments<'a> {
    parameters: &'a Parameters,
    seed: u64,
    x: Option<f64>,
    library: &'a Library,
}

impl Arguments<'_> {
    fn value(&self, name: &str) -> Result<&Value> {
        self.parameters
            .get(name)
            .with_context(|| format!("the parameter `{name}` is missing"))
    }

    fn number(&self, name: &str) -> Result<f64> {
        match self.value(name)? {
            Value::Integer(number) => Ok(*number as f64),
            Value::Float(number) => Ok(*number),
            other => bail!("`{name}`: {other} is not a number"),
        }
    }

    fn count(&self, name: &str) -> Result<usize> {
        let number = self.number(name)?;
        ensure!(
            number >= 1.0 && number.fract() == 0.0,
            "`{name}`: {number} is not an integer of at least 1"
        );
        Ok(number as usize)
    }

    fn text(&self, name: &str) -> Result<String> {
        let value = self.value(name)?;
        Ok(value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned))
    }

    fn algorithm(&self) -> Result<Algorithm> {
        Ok(self.text("algorithm")?.parse()?)
    }

    fn forest(&self) -> Result<ForestSettings> {
        Ok(self.forest_of(self.count("trees")?))
    }

    fn forest_of(&self, trees: usize) -> ForestSettings {
        ForestSettings::default()
            .with_trees(trees)
            .with_seed(self.seed)
    }

    fn dataset(&self) -> Result<Arc<Dataset>> {
        self.library.open(&self.text("data")?)
    }
}

fn labels(data: &Dataset) -> Result<&[u32]> {
    match &data.target {
        Target::Classes { labels, .. } => Ok(labels),
        Target::Values { .. } => bail!("`{}` is not a classification data set", data.name),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

#[cfg(test)]
fn rows_of(function: &Function, parameters: &[(&str, Value)]) -> Vec<Row> {
    let parameters = parameters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    let library = &Library::new(std::path::Path::new(""));
    let arguments = Arguments {
        parameters: &parameters.collect(),
        seed: 0,
        x: None,
        library,
    };
    (function.run)(&arguments).unwrap()
}
