//! A table or figure of a paper: the file `xtask/experiments/<paper>/<item>.toml`, and the runs that it plans.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use comparison::Contender;
use datasets::manifest;
use forest_core::parameters::did_you_mean;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Value;

use crate::claim::Claim;
use crate::functions;
use crate::learn::{Data, Learn};
use crate::runs::{Parameters, Scale, Task, Work};

/// The names of fields are the keys of the file. Those of data, algorithms and functions may have variables.
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
    training_error: bool,
    /// A panel each.
    #[serde(default)]
    data: Vec<Value>,
    /// A line each.
    #[serde(default)]
    pub algorithms: Vec<Value>,
    #[serde(default)]
    functions: Vec<Parameters>,
    pub quick: Size,
    pub full: Size,
    #[serde(default)]
    pub published: Vec<Published>,
    pub claims: Vec<Claim>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AlgorithmSpec {
    name: String,
    /// As `compare --algorithm` takes it.
    #[serde(rename = "use")]
    algorithm: String,
    trees: Option<usize>,
    /// How often the rows are learned, each time but the first in another order.
    #[serde(default = "one")]
    passes: NonZeroUsize,
    /// The panels that it is on; all by default.
    on: Option<Vec<String>>,
    /// The most seeds.
    seeds: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
struct FunctionSpec {
    name: String,
    #[serde(flatten)]
    parameters: Parameters,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Size {
    #[serde(default = "one")]
    pub trees: NonZeroUsize,
    pub seeds: u64,
    /// Values of the variable `{x}`.
    #[serde(default)]
    x: Vec<f64>,
    /// Other variables.
    #[serde(default)]
    set: Parameters,
}

fn one() -> NonZeroUsize {
    NonZeroUsize::MIN
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

/// Values of variables.
type Set = BTreeMap<String, String>;

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

    /// Returns the names of the data.
    pub(crate) fn panels(&self) -> Vec<String> {
        self.data.iter().map(|data| text(data, "name")).collect()
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
        let mut fitting = self.published.iter().filter(fits);
        fitting.find_map(|one| one.values.get(series).copied())
    }

    /// Returns the panels whose data are missing, with the reason.
    pub(crate) fn missing(&self, folder: &Path) -> Vec<(String, String)> {
        let mut missing = Vec::new();
        for data in &self.data {
            let (panel, address, get) =
                (text(data, "name"), text(data, "address"), data.get("get"));
            let name = address.split([':', '+']).next().unwrap_or_default();
            if let Some(get) = get.and_then(Value::as_str) {
                if !folder.join(name).exists() {
                    missing.push((panel, format!("{name} is missing. {get}")));
                }
            } else if manifest::named(name).is_ok_and(|set| !set.is_present(folder)) {
                let reason = format!(
                    "`{name}` is not in the data folder: `cargo xtask-all data fetch {name}`"
                );
                missing.push((panel, reason));
            }
        }
        missing
    }

    /// Plans the runs at a scale without some panels, in the order in which tables show them.
    pub(crate) fn tasks(
        &self,
        scale: Scale,
        seeds: Option<u64>,
        missing: &[(String, String)],
    ) -> Result<Vec<Task>> {
        let size = self.size(scale);
        let xs = size.x.iter().copied().map(Some);
        let xs = xs.chain(size.x.is_empty().then_some(None));
        let mut tasks = Vec::new();
        for seed in 0..seeds.unwrap_or(size.seeds) {
            for x in xs.clone() {
                let mut set = Set::new();
                for (name, value) in &size.set {
                    let text = value.as_str().map(str::to_owned);
                    set.insert(name.clone(), text.unwrap_or_else(|| value.to_string()));
                }
                set.insert("seed".to_owned(), seed.to_string());
                set.extend(x.map(|x| ("x".to_owned(), x.to_string())));
                let mut add = |panel: &str, series: &str, work| {
                    let (item, panel, series) =
                        (self.address(), panel.to_owned(), series.to_owned());
                    tasks.push(Task {
                        item,
                        scale,
                        panel,
                        series,
                        x,
                        work,
                        seed,
                    });
                };
                let algorithms: Vec<AlgorithmSpec> = read_all(&self.algorithms, &set)?;
                let shown = |data: &Data| missing.iter().all(|(name, _)| *name != data.name);
                let data: Vec<Data> = read_all(&self.data, &set)?;
                for mut data in data.into_iter().filter(|data| shown(data)) {
                    // Name and source are not parts of runs.
                    let (panel, _) = (std::mem::take(&mut data.name), data.get.take());
                    for one in &algorithms {
                        let is_on = one.on.as_ref().is_none_or(|on| on.contains(&panel));
                        if !is_on || one.seeds.is_some_and(|seeds| seed >= seeds) {
                            continue;
                        }
                        let learn = Learn {
                            data: data.clone(),
                            algorithm: one.algorithm.clone(),
                            trees: one.trees.unwrap_or(size.trees.get()),
                            passes: one.passes.get(),
                            training_error: self.training_error,
                        };
                        add(&panel, &one.name, Work::Learn(Box::new(learn)));
                    }
                }
                for FunctionSpec { name, parameters } in read_all(&self.functions, &set)? {
                    let function = name.clone();
                    let work = Work::Call {
                        function,
                        parameters,
                    };
                    add("", &name, work);
                }
            }
        }
        Ok(tasks)
    }

    /// Checks names, rules and runs at both scales.
    fn check(&self) -> Result<()> {
        let mut names = self.algorithms.iter().map(|line| text(line, "name"));
        let (panels, lines): (Vec<String>, Vec<String>) = (self.panels(), names.by_ref().collect());
        let known = |place: &str, what: &str, name: &String, all: &[String]| {
            // Functions have panels and lines of their own.
            let is_known = !self.functions.is_empty() || all.contains(name);
            let all = all.join("; ");
            ensure!(
                is_known,
                "{place}: unknown {what} `{name}`; available: {all}"
            );
            Ok(())
        };
        for claim in &self.claims {
            let place = format!("claim `{}`", claim.text);
            for panel in claim.on.iter().flatten() {
                known(&place, "data", panel, &panels)?;
            }
            for line in &claim.lines {
                known(&place, "algorithm", line, &lines)?;
            }
        }
        for published in &self.published {
            let place = format!("published in {}", published.source);
            if let Some(panel) = &published.on {
                known(&place, "data", panel, &panels)?;
            }
            for line in published.values.keys() {
                known(&place, "algorithm", line, &lines)?;
            }
        }
        for scale in [Scale::Quick, Scale::Full] {
            let tasks = self.tasks(scale, Some(1), &[]);
            let tasks = tasks.with_context(|| scale.to_string())?;
            ensure!(
                !tasks.is_empty(),
                "nothing to run: add data and algorithms, or functions"
            );
            for task in tasks {
                let checked = match &task.work {
                    Work::Learn(learn) => learn
                        .algorithm
                        .parse::<Contender>()
                        .err()
                        .map(anyhow::Error::new),
                    Work::Call {
                        function,
                        parameters,
                    } => functions::read(function, parameters).err(),
                };
                if let Some(error) = checked {
                    return Err(error.context(format!("algorithm {}", task.series)));
                }
            }
        }
        Ok(())
    }
}

fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// Reads values after each `{name}` in their texts is replaced; a text that is nothing else is a number then.
fn read_all<V: DeserializeOwned>(values: &[impl Serialize], set: &Set) -> Result<Vec<V>> {
    let mut text = toml::to_string(&BTreeMap::from([("all", values)]))?;
    for (name, value) in set {
        text = text.replace(&format!("\"{{{name}}}\""), value);
        text = text.replace(&format!("{{{name}}}"), value);
    }
    if let Some((_, rest)) = text.split_once('{') {
        let known: Vec<&str> = set.keys().map(String::as_str).collect();
        let (name, known) = (
            rest.split(['}', '"']).next().unwrap_or_default(),
            known.join(", "),
        );
        bail!("unknown variable `{name}`; available: {known} (add it to `set` of quick and full)");
    }
    let mut read: BTreeMap<String, Vec<V>> = toml::from_str(&text)?;
    Ok(read.remove("all").unwrap_or_default())
}

/// Loads the items of these papers or addresses, all if there are none. Errors name the file, the place in it and what to do.
pub(crate) fn items(folder: &Path, asked: &[String]) -> Result<Vec<Item>> {
    let mut files = Vec::new();
    for paper in entries(folder)?.iter().filter(|path| path.is_dir()) {
        let entries = entries(paper)?.into_iter();
        files
            .extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")));
    }
    let address = |file: &PathBuf| names(file).join("/");
    let addresses: Vec<String> = files.iter().map(address).collect();
    let matches = |address: &str, asked: &String| {
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
    let wanted = files.iter().zip(&addresses);
    let wanted = wanted.filter(|(_, address)| {
        asked.is_empty() || asked.iter().any(|asked| matches(address, asked))
    });
    wanted.map(|(file, _)| read(file)).collect()
}

/// Returns the names of the folder and of the file.
fn names(file: &Path) -> [String; 2] {
    let folder = file.parent().and_then(Path::file_name);
    [folder, file.file_stem()].map(|name| name.unwrap_or_default().to_string_lossy().into_owned())
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
    [item.paper, item.name] = names(file);
    item.check().with_context(place)?;
    Ok(item)
}
