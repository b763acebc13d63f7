//! Identities of runs: runs with the same identity are repetitions, so that a mean may be taken over them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::record::{Outcome, Record, Setting};

/// The parameter of an algorithm that holds weights of features.
pub const WEIGHTS: &str = "weights";

type Params = BTreeMap<String, Value>;

/// Everything but the seed that determines what a run measures: data by digest, task, protocol, split, preprocessing, the
/// algorithm with all of its parameters, trees. A resumed comparison uses it to find what is missing, and a report
/// takes means over runs in which it is the same.
///
/// Excluded are the seed, the date, limits of memory and time, processor and threads (results have the same bits for any
/// number of threads), and the revision of the code. Reports state revisions and machines where they differ.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    setting: &'a Setting,
    label: &'a str,
    trees: Trees,
    /// `None` for a run that failed: its learner may not have been built.
    params: Option<&'a Params>,
}

/// The requested number of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trees {
    /// This number; 0 for an algorithm without trees.
    Known(usize),
    /// This number, if the algorithm has trees, which is known only after it has learned.
    IfAny(usize),
}

impl<'a> Identity<'a> {
    /// Returns the identity of a run that ended.
    pub fn of(record: &'a Record) -> Self {
        let asked = record.asked_trees;
        let (trees, params) = match &record.outcome {
            Outcome::Measured(_) => (Trees::Known(asked), Some(&record.params)),
            Outcome::Failed { .. } => (Trees::IfAny(asked), None),
        };
        Self {
            setting: &record.setting,
            label: &record.label,
            trees,
            params,
        }
    }

    /// Returns the identity of a planned run; `params` are all parameters, if they are known.
    pub fn planned(
        setting: &'a Setting,
        label: &'a str,
        trees: usize,
        params: Option<&'a Params>,
    ) -> Self {
        Self {
            setting,
            label,
            trees: Trees::IfAny(trees),
            params,
        }
    }

    /// Returns whether runs with these identities are repetitions. A failed run is compared by what was requested.
    pub fn agrees(&self, other: &Self) -> bool {
        self.setting == other.setting
            && self.label == other.label
            && self.trees.agree(other.trees)
            && self.params_agree(other)
    }

    fn params_agree(&self, other: &Self) -> bool {
        match (self.params, other.params) {
            (Some(own), Some(others)) => decided(own).eq(decided(others)),
            _ => true,
        }
    }

    /// Returns whether it belongs to a run that was measured.
    pub(crate) fn is_complete(&self) -> bool {
        self.params.is_some()
    }

    /// Returns the parameters that do not come from the rows.
    pub(crate) fn params(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.params.into_iter().flat_map(decided)
    }

    /// Returns the requested number of trees; 0 for an algorithm without trees.
    pub(crate) fn trees(&self) -> usize {
        let (Trees::Known(trees) | Trees::IfAny(trees)) = self.trees;
        trees
    }
}

/// Returns all parameters but feature weights, which are in the label if they were set, else fitted on rows that the seed determines.
fn decided(params: &Params) -> impl Iterator<Item = (&String, &Value)> {
    params.iter().filter(|(name, _)| *name != WEIGHTS)
}

impl Trees {
    fn agree(self, other: Self) -> bool {
        match (self, other) {
            (Self::Known(own), Self::Known(others)) | (Self::IfAny(own), Self::IfAny(others)) => {
                own == others
            }
            (Self::Known(known), Self::IfAny(asked)) | (Self::IfAny(asked), Self::Known(known)) => {
                known == 0 || known == asked
            }
        }
    }
}
