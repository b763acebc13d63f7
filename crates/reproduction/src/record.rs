//! Records of runs: each is a line of `runs.jsonl`. The names of fields are the JSON keys.

use std::collections::BTreeMap;
use std::fmt;

use comparison::record::Host;
use serde::{Deserialize, Serialize};
use toml::Value;

use crate::data::DataTask;

/// The scale of the runs, which selects the sizes in an item's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Scale {
    /// All items in under 20 minutes on two cores.
    Quick,
    /// The paper's sizes, where two cores can do it in a few hours.
    Full,
}

/// The identity of a run: a run whose record has all of this is not repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub item: String,
    pub scale: Scale,
    pub panel: String,
    pub series: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    #[serde(flatten)]
    pub work: Work,
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Work {
    /// A learner learns rows and is tested on others.
    Learn(LearnTask),
    /// A function is called.
    Call(CallTask),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LearnTask {
    pub data: DataTask,
    pub algorithm: String,
    pub trees: usize,
    pub passes: usize,
    pub training_error: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallTask {
    pub function: String,
    pub parameters: BTreeMap<String, Value>,
}

/// A run that ended, and its measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    #[serde(flatten)]
    pub task: Task,
    pub host: Host,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Rows(Vec<Row>),
    /// The reason for a failure. Such a run is tried again.
    Error(String),
}

/// Named numbers of one place of a figure or table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub panel: String,
    pub series: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    pub values: BTreeMap<String, f64>,
}

impl Row {
    pub(crate) fn new(panel: &str, series: &str, x: Option<f64>) -> Self {
        Self {
            panel: panel.to_owned(),
            series: series.to_owned(),
            x,
            values: BTreeMap::new(),
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: f64) -> Self {
        self.values.insert(name.to_owned(), value);
        self
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
        })
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {} · {}", self.item, self.panel, self.series)?;
        match self.x {
            Some(x) => write!(f, " · {x} · seed {}", self.seed),
            None => write!(f, " · seed {}", self.seed),
        }
    }
}
