//! What makes runs repetitions of one another, so that a mean may be taken over them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::record::{Outcome, Record, Setting};

/// The parameter of an algorithm that holds weights of features.
pub const WEIGHTS: &str = "weights";

type Params = BTreeMap<String, Value>;

/// Everything that decides what a run measures, but the seed: data by digest, task, protocol, split, preprocessing, the
/// algorithm with all of its parameters, trees. A comparison that goes on compares it to find what is missing, and a report
/// takes means over runs in which it is the same.
///
/// Not part of it: the seed, the date, limits of memory and time, processor and threads (results have the same bits for any
/// number of threads), and the revision of the code. Reports state revisions and machines where they differ.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    setting: &'a Setting,
    label: &'a str,
    trees: Trees,
    /// None of a run that failed: its learner may not have been built.
    params: Option<&'a Params>,
}

/// Trees that a run was asked to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trees {
    /// This number; 0 of an algorithm that has none.
    Known(usize),
    /// This number, if the algorithm has trees: what it has is known when it has learned.
    IfAny(usize),
}

impl<'a> Identity<'a> {
    /// Of a run that ended.
    pub fn of(record: &'a Record) -> Self {
        let asked = record.asked_trees.unwrap_or(record.trees);
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

    /// Of a run that is to come; `params` are all parameters, if they are known.
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

    /// Whether runs with these identities repeat one another. A run that failed repeats what it was asked to be.
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

    /// Whether it is that of a run that was measured.
    pub(crate) fn is_complete(&self) -> bool {
        self.params.is_some()
    }

    /// The parameters that do not come from the rows.
    pub(crate) fn params(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.params.into_iter().flat_map(decided)
    }

    /// Trees that were asked for; 0 of an algorithm that has none.
    pub(crate) fn trees(&self) -> usize {
        let (Trees::Known(trees) | Trees::IfAny(trees)) = self.trees;
        trees
    }
}

/// All but weights of features: they are in the label if they were given, else fitted on rows that the seed decides.
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

impl Setting {
    /// Whether it says which rows were learned. Records of older versions do not, so nothing is known to repeat them.
    pub fn names_its_rows(&self) -> bool {
        !self.rows_sha256.is_empty()
    }
}
