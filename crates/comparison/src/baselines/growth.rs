//! How far trees grow, and trees that grow in parallel.

use forest_core::parameters::{Parameter, Rule};
use forest_core::{ForestSettings, TreeRng, threads};
use smartcore::error::Failed;

use super::failed;

use crate::{FitError, FitOptions, settings};

/// How far a tree grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The most levels of cuts; no limit if `None`.
    pub depth: Option<u32>,
    /// The fewest samples of a leaf.
    pub min_leaf: usize,
}

impl Growth {
    /// Returns the depth as smartcore takes it: a depth beyond its type is unlimited.
    pub(crate) fn max_depth(&self) -> Option<u16> {
        self.depth.and_then(|depth| depth.try_into().ok())
    }
}

settings! {
    Growth {
        depth: Parameter::new("depth", Rule::Or(&Rule::Count(1), &[UNLIMITED]), UNLIMITED, "the most levels of splits"),
            UNLIMITED => None, Some;
        min_leaf: Parameter::new("min_leaf", Rule::Count(1), "1", "the fewest samples of a leaf");
    }
}

pub(crate) const FEATURES: Parameter = Parameter::new(
    "features",
    Rule::Or(&Rule::Count(1), &[ROOT]),
    ROOT,
    "features that a split chooses from: their square root, rounded down, by default",
);

const UNLIMITED: &str = "unlimited";
pub(crate) const ROOT: &str = "root";

/// Returns the number of features that a split chooses from, at most all of them.
pub(crate) fn features(asked: Option<usize>, all: usize) -> usize {
    let root = (all as f64).sqrt() as usize;
    asked.unwrap_or(root).min(all)
}

/// Grows trees in parallel, each from a seed of its own.
pub(crate) fn grow<M: Send>(
    options: FitOptions,
    one: impl Fn(u64) -> Result<M, Failed> + Sync,
) -> Result<Vec<M>, FitError> {
    ForestSettings::check_trees(options.trees)?;
    let mut forest: Vec<(usize, Option<Result<M, Failed>>)> =
        (0..options.trees).map(|tree| (tree, None)).collect();
    threads::each(&mut forest, usize::MAX, |(tree, grown)| {
        *grown = Some(one(TreeRng::new(options.seed, *tree).bits()));
    });
    let grown = forest.into_iter().filter_map(|(_, grown)| grown);
    grown.map(|grown| grown.map_err(failed)).collect()
}
