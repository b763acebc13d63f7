//! A table or figure of a paper: the file `xtask/experiments/<paper>/<item>.toml`, and the runs that it plans.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use forest_core::parameters::did_you_mean;
use indexmap::IndexSet;
use serde::Deserialize;
use toml::{Table, Value};

use crate::reproduce::claim::judge;
use crate::reproduce::functions;
use crate::reproduce::record::{Run, Scale, text};
use crate::reproduce::results::Results;

/// The names of fields are the keys of the file. Those of data, algorithms and functions may have variables.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Item {
    /// `<paper>/<item>`.
    #[serde(skip)]
    pub address: String,
    /// The file, whose variables have other values in each run.
    #[serde(skip)]
    file: String,
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
    /// A panel each.
    #[serde(default)]
    pub data: Vec<Table>,
    /// A line each, on every panel.
    #[serde(default)]
    pub algorithms: Vec<Table>,
    #[serde(default)]
    pub functions: Vec<Table>,
    pub quick: Size,
    pub full: Size,
    #[serde(default)]
    pub published: Vec<Published>,
    /// What is claimed, and the sentence that decides it.
    pub claims: Vec<[String; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Size {
    /// 1 by default.
    pub trees: Option<u32>,
    pub seeds: u64,
    /// Values of the variable `{x}`.
    #[serde(default)]
    x: Vec<f64>,
    /// Other variables.
    #[serde(default)]
    set: Table,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ChartSpec {
    /// Names of the axes.
    pub x: String,
    pub y: Vec<String>,
    /// Axes with logarithms: `x`, `y`.
    pub log: Vec<String>,
}

/// Values of the paper or of another library, by line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    pub source: String,
    on: Option<String>,
    metric: Option<String>,
    /// A number each, or a number and half of its interval.
    values: BTreeMap<String, Vec<f64>>,
}

impl Item {
    /// Reads a file, and checks rules, and runs at both scales. Errors name the place and what to do.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let file = fs::read_to_string(path)?;
        let mut item: Self = toml::from_str(&file)?;
        let folder = path.parent().and_then(Path::file_name);
        let names = [folder, path.file_stem()].map(|name| name.unwrap_or_default());
        item.address = names.map(|name| name.to_string_lossy()).join("/");
        item.file = file;
        item.judge(&Results::new(&[]))?;
        for scale in [Scale::Quick, Scale::Full] {
            for run in item.runs(scale, 1).with_context(|| scale.to_string())? {
                functions::read(&run.call).with_context(|| run.to_string())?;
            }
        }
        Ok(item)
    }

    pub(crate) fn paper(&self) -> &str {
        self.address.split('/').next().unwrap_or_default()
    }

    pub(crate) fn size(&self, scale: Scale) -> &Size {
        match scale {
            Scale::Quick => &self.quick,
            Scale::Full => &self.full,
        }
    }

    /// Returns the reference value of a line, perhaps with half of its interval.
    pub(crate) fn reference(&self, panel: &str, line: &str, metric: &str) -> Option<&Vec<f64>> {
        let mut all = self.published.iter().filter(|one| {
            one.on.as_ref().is_none_or(|on| on == panel)
                && one.metric.as_ref().unwrap_or(&self.metrics[0]) == metric
        });
        all.find_map(|one| one.values.get(line))
    }

    /// Returns the verdict on each claim, and the numbers or places behind it.
    pub(crate) fn judge(&self, results: &Results<'_>) -> Result<Vec<(&'static str, String)>> {
        let panels = self.data.iter().map(|data| text(data, "panel"));
        let panels: IndexSet<&str> = panels.chain(results.panels()).collect();
        let known = |panel: &str, line: &str, metric: &str| {
            self.reference(panel, line, metric).map(|values| values[0])
        };
        let judge = |[_, it]: &[String; 2]| judge(it, &self.metrics, &panels, results, &known);
        self.claims.iter().map(judge).collect()
    }

    /// Plans the runs at a scale, in the order in which tables show them.
    pub(crate) fn runs(&self, scale: Scale, seeds: u64) -> Result<Vec<Run>> {
        let size = self.size(scale);
        let mut xs: Vec<_> = size.x.iter().copied().map(Some).collect();
        xs.extend(xs.is_empty().then_some(None));
        let mut runs = Vec::new();
        for seed in 0..seeds {
            for &x in &xs {
                let mut set = size.set.clone();
                set.insert("seed".to_owned(), seed.to_string().into());
                set.extend(x.map(|x| ("x".to_owned(), x.to_string().into())));
                let mut file = self.file.clone();
                for (name, value) in &set {
                    let text = value.as_str().map(str::to_owned);
                    let value = text.unwrap_or_else(|| value.to_string());
                    // A text that consists of one variable becomes a number.
                    file = file.replace(&format!("\"{{{name}}}\""), &value);
                    file = file.replace(&format!("{{{name}}}"), &value);
                }
                let item: Self = toml::from_str(&file)?;
                for call in item.calls(scale, seed) {
                    runs.push(Run {
                        item: self.address.clone(),
                        scale,
                        x,
                        seed,
                        call,
                    });
                }
            }
        }
        Ok(runs)
    }

    /// Returns each algorithm on all data, and the functions, with their parameters.
    fn calls(self, scale: Scale, seed: u64) -> Vec<Table> {
        let mut calls = Vec::new();
        for data in &self.data {
            for algorithm in &self.algorithms {
                let mut call = data.clone();
                let trees = self.size(scale).trees.unwrap_or(1);
                call.insert("trees".to_owned(), trees.into());
                if self.metrics.iter().any(|metric| metric == "training_error") {
                    call.insert("training_error".to_owned(), true.into());
                }
                call.extend(algorithm.clone());
                let [on, seeds] = ["on", "seeds"].map(|key| call.remove(key));
                let panels = on.as_ref().and_then(Value::as_array);
                let is_on =
                    panels.is_none_or(|on| data.get("panel").is_some_and(|one| on.contains(one)));
                if is_on && seeds.is_none_or(|most| most.as_integer() > Some(seed as i64)) {
                    calls.push(call);
                }
            }
        }
        calls.extend(self.functions);
        calls
    }
}

pub(crate) fn items(folder: &Path) -> Result<Vec<Item>> {
    let mut files = Vec::new();
    let cannot = || format!("cannot read the folder {}", folder.display());
    for paper in fs::read_dir(folder).with_context(cannot)? {
        for file in fs::read_dir(paper?.path()).into_iter().flatten() {
            files.push(file?.path());
        }
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let read = |file: &PathBuf| Item::read(file).with_context(|| file.display().to_string());
    files.iter().map(read).collect()
}

/// Returns the items of these papers or addresses, all if there are none.
pub(crate) fn asked<'a>(items: &'a [Item], asked: &[String]) -> Result<Vec<&'a Item>> {
    let is = |item: &Item, asked: &str| item.address == asked || item.paper() == asked;
    for asked in asked {
        ensure!(
            items.iter().any(|item| is(item, asked)),
            "unknown paper or item `{asked}`{}; `cargo xtask-all reproduce --list` lists them",
            did_you_mean(asked, items.iter().map(|item| &item.address[..]))
        );
    }
    let is_asked = |item: &&Item| asked.is_empty() || asked.iter().any(|asked| is(item, asked));
    Ok(items.iter().filter(is_asked).collect())
}
