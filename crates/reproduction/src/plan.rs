//! Plans the runs of an item at a scale, in the order in which tables show them.

use std::collections::BTreeMap;
use std::mem;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use comparison::Part;
use toml::Value;

use crate::data::{DataSpec, DataTask};
use crate::item::{AlgorithmSpec, FunctionSpec, Item, TrainingError};
use crate::log::Log;
use crate::record::{CallTask, LearnTask, Scale, Task, Work};

/// The runs of an item, and its missing data.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub tasks: Vec<Task>,
    /// The requested number of seeds.
    pub seeds: u64,
    /// Missing panels, and what to do.
    pub missing: Vec<(String, String)>,
}

/// Variables and their texts.
struct Variables(BTreeMap<String, String>);

impl Plan {
    /// Plans an item; `seeds` replaces the number in the file.
    pub(crate) fn new(
        item: &Item,
        scale: Scale,
        seeds: Option<u64>,
        folder: &Path,
    ) -> Result<Self> {
        let data = item.data.iter().filter_map(|data| {
            let reason = data.missing(folder)?;
            Some((data.name.clone(), reason))
        });
        Self::without(data.collect(), item, scale, seeds)
    }

    /// Returns the runs of a part. Those of each seed go to other parts than those of the previous seed.
    pub(crate) fn part(mut self, part: Part) -> Self {
        let first = self.tasks.first().map(|task| task.seed);
        let block = self
            .tasks
            .iter()
            .filter(|task| Some(task.seed) == first)
            .count();
        let mut runs = 0..;
        self.tasks
            .retain(|_| runs.next().is_some_and(|run| part.has(run, block)));
        self
    }

    /// Adds runs that are in the log although their data are missing here.
    pub(crate) fn with_recorded(mut self, item: &Item, scale: Scale, log: &Log) -> Result<Self> {
        let whole = Self::without(Vec::new(), item, scale, Some(self.seeds))?;
        let planned = mem::take(&mut self.tasks);
        let tasks = whole.tasks.into_iter();
        let tasks = tasks.filter(|task| log.find(task).is_some() || planned.contains(task));
        self.tasks = tasks.collect();
        let shows = |name: &str| self.tasks.iter().any(|task| task.panel == name);
        self.missing.retain(|(name, _)| !shows(name));
        Ok(self)
    }

    /// Returns the runs of the first seed, whether or not their data exist.
    pub(crate) fn everything(item: &Item, scale: Scale) -> Result<Vec<Task>> {
        Ok(Self::without(Vec::new(), item, scale, Some(1))?.tasks)
    }

    fn without(
        missing: Vec<(String, String)>,
        item: &Item,
        scale: Scale,
        seeds: Option<u64>,
    ) -> Result<Self> {
        let size = item.size(scale);
        let mut plan = Self {
            tasks: Vec::new(),
            seeds: seeds.unwrap_or(size.seeds),
            missing,
        };
        for seed in 0..plan.seeds {
            for x in size.xs() {
                let variables = Variables::new(&size.set, x, seed);
                let base = Base {
                    item,
                    scale,
                    x,
                    seed,
                };
                plan.learn(&base, &variables)?;
                for function in &item.function {
                    plan.tasks.push(base.call(function, &variables)?);
                }
            }
        }
        Ok(plan)
    }

    fn lacks(&self, name: &str) -> bool {
        self.missing.iter().any(|(missing, _)| missing == name)
    }

    /// Plans every algorithm on every data set that exists.
    fn learn(&mut self, base: &Base<'_>, variables: &Variables) -> Result<()> {
        for data in &base.item.data {
            if self.lacks(&data.name) {
                continue;
            }
            let takes_part = |algorithm: &&AlgorithmSpec| {
                let on = algorithm
                    .on
                    .as_ref()
                    .is_none_or(|on| on.contains(&data.name));
                on && algorithm.seeds.is_none_or(|seeds| base.seed < seeds)
            };
            for algorithm in base.item.algorithm.iter().filter(takes_part) {
                self.tasks.push(base.learn(data, algorithm, variables)?);
            }
        }
        Ok(())
    }
}

/// The settings that the runs of one `x` and seed share.
struct Base<'a> {
    item: &'a Item,
    scale: Scale,
    x: Option<f64>,
    seed: u64,
}

impl Base<'_> {
    fn task(&self, panel: &str, series: &str, work: Work) -> Task {
        Task {
            item: self.item.address(),
            scale: self.scale,
            panel: panel.to_owned(),
            series: series.to_owned(),
            x: self.x,
            work,
            seed: self.seed,
        }
    }

    fn learn(
        &self,
        data: &DataSpec,
        algorithm: &AlgorithmSpec,
        variables: &Variables,
    ) -> Result<Task> {
        let trees = self.item.size(self.scale).trees;
        let passes = algorithm.passes.as_ref().map(|passes| {
            let passes = variables.number(passes)?;
            ensure!(
                passes >= 1.0 && passes.fract() == 0.0,
                "{passes} is not an integer of at least 1"
            );
            Ok(passes as usize)
        });
        let passes = passes.transpose();
        let passes = passes.with_context(|| format!("[[algorithm]] {}, passes", algorithm.name))?;
        let work = LearnTask {
            data: data_task(data, variables)?,
            algorithm: variables.replace(&algorithm.text)?,
            trees: algorithm.trees.unwrap_or(trees),
            passes: passes.unwrap_or(1),
            training_error: self.item.training == TrainingError::Measured,
        };
        Ok(self.task(&data.name, &algorithm.name, Work::Learn(work)))
    }

    fn call(&self, function: &FunctionSpec, variables: &Variables) -> Result<Task> {
        let replaced = function.parameters.iter().map(|(name, value)| {
            let value = variables.value(value);
            let value = value.with_context(|| format!("parameter `{name}` of `{}`", function.name));
            Ok((name.clone(), value?))
        });
        let work = CallTask {
            function: function.name.clone(),
            parameters: replaced.collect::<Result<_>>()?,
        };
        Ok(self.task("", &function.name, Work::Call(work)))
    }
}

fn data_task(data: &DataSpec, variables: &Variables) -> Result<DataTask> {
    let number = |value: &Option<Value>| value.as_ref().map(|v| variables.number(v)).transpose();
    Ok(DataTask {
        address: variables.replace(&data.address)?,
        split: data.split,
        train: number(&data.train).context("train")?,
        test: number(&data.test).context("test")?,
        pca: data.pca,
        scale: data.scale,
        columns: data.columns.clone(),
        target: data.target.clone(),
        weights: data.weights,
    })
}

impl Variables {
    fn new(set: &BTreeMap<String, Value>, x: Option<f64>, seed: u64) -> Self {
        let mut all: BTreeMap<_, _> = set.iter().map(|(k, v)| (k.clone(), text(v))).collect();
        all.insert("seed".to_owned(), seed.to_string());
        if let Some(x) = x {
            all.insert("x".to_owned(), x.to_string());
        }
        Self(all)
    }

    /// Returns `text` with each `{name}` replaced by the value of the variable.
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
                "`{text}`: unknown variable `{name}`; available: {} (add it to `set` of [quick] and [full])",
                known.join(", ")
            );
        };
        Ok(format!("{before}{value}{}", self.replace(after)?))
    }

    /// Replaces a text that consists of one variable by the value of the variable.
    fn value(&self, value: &Value) -> Result<Value> {
        let Value::String(text) = value else {
            return Ok(value.clone());
        };
        let text = self.replace(text)?;
        let number = text.parse::<i64>().map(Value::Integer);
        let number = number.or_else(|_| text.parse::<f64>().map(Value::Float));
        Ok(number.unwrap_or(Value::String(text)))
    }

    fn number(&self, value: &Value) -> Result<f64> {
        match self.value(value)? {
            Value::Integer(number) => Ok(number as f64),
            Value::Float(number) => Ok(number),
            other => bail!("{other} is not a number"),
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
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

    /// `king_county_sales` reads the files of another set.
    #[test]
    fn data_exist_if_their_files_do() {
        let folder = tempfile::tempdir().unwrap();
        let data: DataSpec =
            toml::from_str("name = 'sales'\naddress = 'king_county_sales'").unwrap();
        let reason = data.missing(folder.path()).unwrap();
        assert!(reason.contains("data fetch king_county_sales"), "{reason}");
        let files = folder.path().join("king_county_housing");
        std::fs::create_dir(&files).unwrap();
        assert!(data.missing(folder.path()).is_some());
        std::fs::write(files.join("kc_house_data.csv.gz"), "").unwrap();
        assert_eq!(data.missing(folder.path()), None);
    }
}
