//! How far trees grow, and trees that grow in parallel.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use forest_core::parameters::{Parameter, Rule};
use forest_core::{ForestSettings, Task, TreeRng, threads};
use smartcore::error::Failed;

use super::failed;

use crate::{FitError, FitOptions, Training, settings};

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

/// Returns the bytes of `trees` trees that grow so far: their nodes, the training rows, and the working memory of those
/// that grow at the same time. `outputs` is 1 for regression; trees of classes queue lists of all rows, one for every second leaf of a
/// small tree, and fewer of a large one.
pub(crate) fn bytes_of_trees<T: Task>(
    growth: &Growth,
    training: &Training<'_, T>,
    trees: usize,
    outputs: usize,
) -> u64 {
    let (rows, features) = training.rows().dim();
    let most = growth.depth.and_then(|depth| 1_usize.checked_shl(depth));
    let leaves = (rows / growth.min_leaf).clamp(1, most.unwrap_or(usize::MAX)) as u64;
    let [rows, features, trees, outputs] = [rows, features, trees, outputs].map(|n| n as u64);
    let growing = trees.min(threads::count() as u64);
    let (queued, counts) = match outputs {
        1 => (0, 0),
        _ => ((4 * leaves).min(rows / 4), 48 * outputs),
    };
    let per_row = 8 * features + growing * (24 * features + queued);
    let per_leaf = 340 * trees + growing * (256 + counts);
    let of_rows = rows.saturating_mul(per_row);
    of_rows.saturating_add(leaves.saturating_mul(per_leaf))
}

/// A part of a forest, once it has grown.
struct Part<M> {
    index: usize,
    grown: Option<Result<M, Failed>>,
}

/// Grows `parts` parts of a forest in parallel, each from its number and its own seed.
pub(crate) fn grow<M: Send>(
    parts: usize,
    options: FitOptions<'_>,
    one: impl Fn(usize, u64) -> Result<M, Failed> + Sync,
) -> Result<Vec<M>, FitError> {
    ForestSettings::check_trees(options.trees)?;
    let mut forest: Vec<Part<M>> = (0..parts)
        .map(|index| Part { index, grown: None })
        .collect();
    let (complete, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    threads::each(&mut forest, usize::MAX, |part| {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let seed = TreeRng::new(options.seed, part.index).bits();
        part.grown = Some(one(part.index, seed));
        let complete = complete.fetch_add(1, Ordering::Relaxed) + 1;
        if (options.progress)(complete, parts) == ControlFlow::Break(()) {
            stopped.store(true, Ordering::Relaxed);
        }
    });
    let grown = forest.into_iter().map(|part| match part.grown {
        Some(grown) => grown.map_err(failed),
        None => Err(FitError::Stopped),
    });
    grown.collect()
}
