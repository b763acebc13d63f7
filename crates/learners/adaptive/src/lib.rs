#![doc = include_str!("../README.md")]
//!
//! Long memory lags behind drift; short memory is noisy. So [`Adaptive`] holds several *members*. Each is a base
//! learner of the table of algorithms on a window (the latest n rows, or all), with a scaling that is fitted on that
//! window. The prediction is the weighted mean of the members, whose weights decrease exponentially with their
//! discounted losses; the rate of the decrease is learned from the errors of several rules.
//!
//! Intervals around any regressor are in [`conformal`].
//!
//! The papers are: M. Herbster and M. Warmuth, *Tracking the Best Expert*, Machine Learning 32 (1998); A. Chernov and
//! F. Zhdanov, *Prediction with Expert Advice under Discounted Loss*, ALT 2010; J. Shin, A. Ramdas and A. Rinaldo,
//! *E-detectors*, New England Journal of Statistics in Data Science, 2023. Bounds are stated in `weights.rs`.
//!
//! # Which rows a member has seen
//!
//! A member has two *copies* of its base, which differ in their random numbers, and predicts their mean. A copy is
//! *built* by fitting the member's scaling (and weights of features) on some of the latest rows and then learning these
//! rows from scratch; until it is rebuilt, it learns each row as it arrives. Here, rows are counted from 1.
//!
//! - *With a window of n rows* a copy is built after rows 1, 2, 4, 8, … below n, from all rows so far; then every n
//!   rows from the latest n: the first copy after each multiple of n, the second ⌊n/2⌋ rows later. So a copy that was
//!   built after row b has seen, after row t, exactly the rows b − n + 1 to t: between n and 2n − 1 rows.
//! - *Without a window* (`all`) a copy has seen all rows. With a scaling or weights of features it is built after rows
//!   1, 2, 4, 8, … up to 16,384, the size of the store; otherwise after row 1 alone.
//! - *Since the last change* (`change`) a copy has seen all rows from some row f on, 0 at first, and is built as one
//!   without a window, counted from f. The member's loss is compared with the weighted mean loss of the members of the
//!   same base, scaling and weights whose window is at most half as long as the memory of this member. If their losses
//!   are lower for long enough, a change is accepted, and both copies are built from the rows since the one from which
//!   the evidence has grown, f (or from the first that is still in the store). The evidence is an e-CUSUM, checked
//!   after every 32 rows: wherever a longer memory does no harm, false alarms are at least 10⁶ rows apart on average,
//!   for any data. [`members`](forest_core::OnlineLearner::members) reports f.
//!
//! A copy is, bit for bit, the learner that the table builds with the settings of [`MemberCopy::forest`] and that
//! learns these rows. Predictions never depend on the row's own target or on later rows. Min–max scaling extrapolates
//! linearly, quantile scaling returns 0 below all rows and 1 above, and a feature that was constant stays 0.
//!
//! # Cost
//!
//! Each row is predicted and learned by two copies of each member, and learned once more by each copy, amortised, when
//! it is rebuilt: with a window of n rows, one row in n/2 takes as long as learning n rows. Memory: one store of the
//! rows of the longest window (16,384 rows, if a member has no window), and the learners of the copies, bounded if all
//! members have windows; `retention` of [`ForestSettings`] applies to the others.

mod change;
pub mod conformal;
mod learner;
mod member;
mod settings;
mod task;
mod weights;

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry};
use forest_core::{ForestSettings, Schema};

pub use learner::Adaptive;
pub use member::MemberCopy;
pub use settings::{AdaptiveSettings, MemberSettings, Window};
pub use task::AdaptiveTask;

/// The rows of the table of algorithms.
pub const ALGORITHMS: &[&Entry] = &[ADAPTIVE, conformal::CONFORMAL];

/// The row of `adaptive` in the table of algorithms.
pub const ADAPTIVE: &Entry = &Entry {
    paper: "Herbster, Warmuth: Tracking the Best Expert, Machine Learning 1998; Chernov, \
            Zhdanov: Prediction with Expert Advice under Discounted Loss, ALT 2010",
    limits: &[
        "holds two copies of every member: time and memory are those of twice as many forests",
    ],
    parameters: &[settings::PARAMETERS],
    nesting: member::NESTING,
    classes: Some(build),
    numbers: Some(build),
    ..Entry::new(
        "adaptive",
        "for concept drift: learners on windows of several lengths, weighted by their recent loss",
    )
};

fn build<T: AdaptiveTask>(v: &mut Values, schema: Schema<T>, forest: ForestSettings) -> Built<T> {
    let learner = Adaptive::new(schema, AdaptiveSettings::of(v), forest)?;
    Ok(Box::new(learner))
}
