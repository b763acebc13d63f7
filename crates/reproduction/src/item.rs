//! A table or figure of a paper: the file `xtask/experiments/<paper>/<item>.toml`, and the runs that it plans.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use comparison::Contender;
use forest_core::parameters::did_you_mean;
use serde::Deserialize;
use toml::Value;

use crate::claim::Claim;
use crate::functions;
use crate::learn::{Data, Number};
use crate::runs::{Scale, Task, Work};

/// The names of fields are the keys of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Item {
    /// Its folder and the name of its file.
    #[serde(skip)]
    pub paper: String,
    #[serde(skip)]
    pub name: String,
    pub title: String,
    /// The place in the paper.
    pub source: String,
    /// What is shown, with every deviation.
    pub caption: String,
    /// Where results differ, and what was tried.
    pub note: Option<String>,
    /// What is shown of each run; claims are about the first unless they name another.
    pub metrics: Vec<String>,
    #[serde(default)]
    pub chart: ChartSpec,
    /// Whether learners are also tested on the rows that they have learned.
    #[serde(default)]
    pub training_error: bool,
    /// A panel each.
    #[serde(default)]
    pub data: Vec<Data>,
    /// A line each.
    #[serde(default)]
    pub algorithms: Vec<AlgorithmSpec>,
    #[serde(default)]
    pub functions: Vec<FunctionSpec>,
    pub quick: Size,
    pub full: Size,
    #[serde(default)]
    pub published: Vec<Published>,
    pub claims: Vec<Claim>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AlgorithmSpec {
    pub name: String,
    /// As `compare --algorithm` takes it.
    #[serde(rename = "use")]
    text: String,
    trees: Option<usize>,
    /// How often the rows are learned, each time but the first in another order.
    passes: Option<Number>,
    /// The panels that it is on; all by default.
    on: Option<Vec<String>>,
    /// The most seeds.
    seeds: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FunctionSpec {
    name: String,
    #[serde(flatten)]
    parameters: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Size {
    #[serde(default = "one_tree")]
    pub trees: usize,
    pub seeds: u64,
    /// Values of the variable `{x}`.
    #[serde(default)]
    x: Vec<f64>,
    /// Other variables.
    #[serde(default)]
    set: BTreeMap<String, Value>,
}

fn one_tree() -> usize {
    1
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChartSpec {
    /// Names of the axes.
    #[serde(default)]
    pub x: String,
    #[serde(default)]
    pub y: Vec<String>,
    /// Axes with logarithms: `x`, `y`.
    #[serde(default)]
    pub log: Vec<String>,
    /// The metric across, in place of x.
    pub against: Option<String>,
}

/// Values of the paper or of another library.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    pub source: String,
    on: Option<String>,
    x: Option<f64>,
    metric: Option<String>,
    values: BTreeMap<String, Reference>,
}

/// A reference value, alone or with half of its interval.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Reference {
    Alone(f64),
    WithInterval([f64; 2]),
}

impl Reference {
    pub(crate) fn value(self) -> f64 {
        match self {
            Self::Alone(value) | Self::WithInterval([value, _]) => value,
        }
    }
}

/// Values of variables by name.
struct Variables(BTreeMap<String, String>);

impl Item {
    pub(crate) fn address(&self) -> String {
        format!("{}/{}", self.paper, self.name)
    }

    pub(crate) fn size(&self, scale: Scale) -> &Size {
        match scale {
            Scale::Quick => &self.quick,
            Scale::Full => &self.full,
        }
    }

    pub(crate) fn main_metric(&self) -> &str {
        &self.metrics[0]
    }

    /// Returns the reference value of a line at a place.
    pub(crate) fn reference(
        &self,
        panel: &str,
        series: &str,
        x: Option<f64>,
        metric: &str,
    ) -> Option<Reference> {
        let fits = |one: &&Published| {
            one.on.as_ref().is_none_or(|on| on == panel)
                && one.metric.as_deref().unwrap_or(self.main_metric()) == metric
                && (one.x.is_none() || one.x == x)
        };
        self.published
            .iter()
            .filter(fits)
            .find_map(|one| one.values.get(series).copied())
    }

    /// Returns the panels whose data are missing, with the reason.
    pub(crate) fn missing(&self, folder: &Path) -> Vec<(String, String)> {
        let missing = |data: &Data| Some((data.name.clone(), data.missing(folder)?));
        self.data.iter().filter_map(missing).collect()
    }

    /// Plans the runs at a scale without some panels, in the order in which tables show them.
    pub(crate) fn tasks(
        &self,
        scale: Scale,
        seeds: Option<u64>,
        missing: &[(String, String)],
    ) -> Result<Vec<Task>> {
        let size = self.size(scale);
        let xs = if size.x.is_empty() {
            vec![None]
        } else {
            size.x.iter().copied().map(Some).collect()
        };
        let mut tasks = Vec::new();
        for seed in 0..seeds.unwrap_or(size.seeds) {
            for &x in &xs {
                let variables = Variables::new(&size.set, x, seed);
                let task = |panel: &str, series: &str, work| Task {
                    item: self.address(),
                    scale,
                    panel: panel.to_owned(),
                    series: series.to_owned(),
                    x,
                    work,
                    seed,
                };
                for data in self
                    .data
                    .iter()
                    .filter(|data| missing.iter().all(|(name, _)| *name != data.name))
                {
                    for algorithm in &self.algorithms {
                        let is_on = algorithm
                            .on
                            .as_ref()
                            .is_none_or(|on| on.contains(&data.name));
                        if is_on && algorithm.seeds.is_none_or(|seeds| seed < seeds) {
                            let work = self.learn(data, algorithm, size, &variables);
                            let work =
                                work.with_context(|| format!("algorithm {}", algorithm.name))?;
                            tasks.push(task(&data.name, &algorithm.name, work));
                        }
                    }
                }
                for FunctionSpec { name, parameters } in &self.functions {
                    let replace = |(key, value): (&String, &Value)| {
                        Ok((key.clone(), variables.value(value)?))
                    };
                    let parameters: Result<_> = parameters.iter().map(replace).collect();
                    let parameters = parameters.with_context(|| format!("function {name}"))?;
                    tasks.push(task(
                        "",
                        name,
                        Work::Call {
                            function: name.clone(),
                            parameters,
                        },
                    ));
                }
            }
        }
        Ok(tasks)
    }

    fn learn(
        &self,
        data: &Data,
        algorithm: &AlgorithmSpec,
        size: &Size,
        variables: &Variables,
    ) -> Result<Work> {
        let number =
            |number: &Option<Number>| number.as_ref().map(|one| variables.number(one)).transpose();
        let passes = number(&algorithm.passes).context("passes")?.unwrap_or(1.0);
        ensure!(
            passes >= 1.0 && passes.fract() == 0.0,
            "passes: {passes} is not an integer of at least 1"
        );
        let mut replaced = data.clone();
        replaced.name.clear();
        replaced.get = None;
        replaced.address = variables.replace(&data.address)?;
        replaced.train = number(&data.train).context("train")?.map(Number::Value);
        replaced.test = number(&data.test).context("test")?.map(Number::Value);
        Ok(Work::Learn {
            data: Box::new(replaced),
            algorithm: variables.replace(&algorithm.text)?,
            trees: algorithm.trees.unwrap_or(size.trees),
            passes: passes as usize,
            training_error: self.training_error,
        })
    }

    /// Checks names, rules and runs at both scales.
    fn check(&self) -> Result<()> {
        ensure!(
            !self.metrics.is_empty(),
            "metrics: list at least one, such as [\"accuracy\"]"
        );
        ensure!(
            self.data.is_empty() == self.algorithms.is_empty(),
            "data and algorithms need each other: use both or neither"
        );
        ensure!(
            !self.data.is_empty() || !self.functions.is_empty(),
            "nothing to run: add data and algorithms, or functions"
        );
        let panels: Vec<&str> = self.data.iter().map(|data| data.name.as_str()).collect();
        let lines: Vec<&str> = self
            .algorithms
            .iter()
            .map(|line| line.name.as_str())
            .collect();
        // Functions have panels and lines of their own.
        let known = |what: &str, name: &str, names: &[&str]| {
            ensure!(
                !self.functions.is_empty() || names.contains(&name),
                "unknown {what} `{name}`; available: {}",
                names.join("; ")
            );
            Ok(())
        };
        for algorithm in &self.algorithms {
            for panel in algorithm.on.iter().flatten() {
                known("data", panel, &panels)
                    .with_context(|| format!("algorithm {}", algorithm.name))?;
            }
        }
        for claim in &self.claims {
            let place = || format!("claim `{}`", claim.text);
            for panel in claim.on.iter().flatten() {
                known("data", panel, &panels).with_context(place)?;
            }
            for line in claim.rule.lines() {
                known("algorithm", line, &lines).with_context(place)?;
            }
        }
        for published in &self.published {
            let place = || format!("published in {}", published.source);
            if let Some(panel) = &published.on {
                known("data", panel, &panels).with_context(place)?;
            }
            for line in published.values.keys() {
                known("algorithm", line, &lines).with_context(place)?;
            }
        }
        for scale in [Scale::Quick, Scale::Full] {
            ensure!(
                self.size(scale).seeds > 0,
                "{scale}: seeds must be at least 1"
            );
            for task in self
                .tasks(scale, Some(1), &[])
                .with_context(|| scale.to_string())?
            {
                match &task.work {
                    Work::Learn { algorithm, .. } => {
                        let contender = algorithm.parse::<Contender>();
                        contender.with_context(|| format!("algorithm {}", task.series))?;
                    }
                    Work::Call {
                        function,
                        parameters,
                    } => functions::check(function, parameters)?,
                }
            }
        }
        Ok(())
    }
}

impl Variables {
    fn new(set: &BTreeMap<String, Value>, x: Option<f64>, seed: u64) -> Self {
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in set {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            all.insert(name.clone(), text);
        }
        all.insert("seed".to_owned(), seed.to_string());
        all.extend(x.map(|x| ("x".to_owned(), x.to_string())));
        Self(all)
    }

    /// Replaces each `{name}`.
    fn replace(&self, text: &str) -> Result<String> {
        let Some((before, rest)) = text.split_once('{') else {
            return Ok(text.to_owned());
        };
        let Some((name, after)) = rest.split_once('}') else {
            bail!("`{text}` has an unclosed brace; add the missing `}}`");
        };
        let Some(value) = self.0.get(name) else {
            let known: Vec<_> = self.0.keys().map(String::as_str).collect();
            bail!(
                "`{text}`: unknown variable `{name}`; available: {} (add it to `set` of quick and full)",
                known.join(", ")
            );
        };
        Ok(format!("{before}{value}{}", self.replace(after)?))
    }

    fn value(&self, value: &Value) -> Result<Value> {
        let Value::String(text) = value else {
            return Ok(value.clone());
        };
        let text = self.replace(text)?;
        let number = text.parse::<i64>().map(Value::Integer);
        let number = number.or_else(|_| text.parse::<f64>().map(Value::Float));
        Ok(number.unwrap_or(Value::String(text)))
    }

    fn number(&self, number: &Number) -> Result<f64> {
        match number {
            Number::Value(value) => Ok(*value),
            Number::Text(text) => {
                let text = self.replace(text)?;
                text.parse()
                    .with_context(|| format!("`{text}` is not a number"))
            }
        }
    }
}

/// Loads the items of these papers or addresses, all if there are none. Errors name the file, the place in it and what to do.
pub(crate) fn items(folder: &Path, asked: &[String]) -> Result<Vec<Item>> {
    let mut files = Vec::new();
    for paper in entries(folder)?.iter().filter(|path| path.is_dir()) {
        let toml = |path: &PathBuf| path.extension() == Some(OsStr::new("toml"));
        files.extend(entries(paper)?.into_iter().filter(toml));
    }
    let address = |file: &PathBuf| {
        let (paper, name) = names(file);
        format!("{paper}/{name}")
    };
    let addresses: Vec<String> = files.iter().map(address).collect();
    let matches = |address: &String, asked: &String| {
        let asked = asked.trim_end_matches('/');
        address == asked || address.split('/').next() == Some(asked)
    };
    for asked in asked {
        ensure!(
            addresses.iter().any(|address| matches(address, asked)),
            "unknown paper or item `{asked}`{}; `cargo xtask-all reproduce --list` lists them",
            did_you_mean(asked, addresses.iter().map(String::as_str))
        );
    }
    let mut items = Vec::new();
    for (file, address) in files.iter().zip(&addresses) {
        if asked.is_empty() || asked.iter().any(|asked| matches(address, asked)) {
            items.push(read(file)?);
        }
    }
    Ok(items)
}

fn names(file: &Path) -> (String, String) {
    let text = |name: Option<&OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
    (
        text(file.parent().and_then(Path::file_name)),
        text(file.file_stem()),
    )
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read the folder {}", folder.display());
    let entries = fs::read_dir(folder).with_context(cannot)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>>>().with_context(cannot)?;
    paths.sort();
    Ok(paths)
}

pub(crate) fn read(file: &Path) -> Result<Item> {
    let place = || file.display().to_string();
    let text = fs::read_to_string(file).with_context(place)?;
    let mut item: Item = toml::from_str(&text).with_context(place)?;
    (item.paper, item.name) = names(file);
    item.check().with_context(place)?;
    Ok(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_and_unknown_ones_named() {
        let set = [("n".to_owned(), Value::Integer(500))].into();
        let variables = Variables::new(&set, Some(0.25), 3);
        let replaced = variables.replace("friedman:n={n},seed={seed},noise={x}");
        assert_eq!(replaced.unwrap(), "friedman:n=500,seed=3,noise=0.25");
        assert_eq!(
            variables.value(&Value::from("{n}")).unwrap(),
            Value::from(500)
        );
        let error = variables.replace("{m}").unwrap_err().to_string();
        assert!(
            error.contains("`m`") && error.contains("n, seed, x"),
            "{error}"
        );
        assert!(variables.replace("{n").is_err());
    }
}
