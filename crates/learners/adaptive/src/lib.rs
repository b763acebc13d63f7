//! For streams with concept drift: learners on windows of several lengths, weighted by their recent loss.
//!
//! Long memory lags behind drift; short memory is noisy. The right window depends on the stream and changes
//! over time. So [`Adaptive`] holds several *members*,
//! each a base learner of a table of algorithms on a window (the latest n rows, or all) behind a scaling
//! fitted on that window. It predicts their weighted mean, where each member's weight falls exponentially with its
//! discounted loss; how fast it falls is learned, too, from the errors of several rules ([`WeightsByRule`]). It depends on
//! [`OnlineLearner`](forest_core::OnlineLearner) and the table, and not on any algorithm.
//!
//! Intervals around any regressor are in [`conformal`].
//!
//! ```standalone_crate
//! use adaptive::{Adaptive, AdaptiveSettings};
//! use forest_core::{Classification, ForestSettings, OnlineLearner, Schema};
//!
//! forest_core::submit!(&[mondrian::MONDRIAN]);
//!
//! let members = ["mondrian@100@quantile", "mondrian@all@none"].map(str::to_owned);
//! let settings = AdaptiveSettings { members: members.into(), ..AdaptiveSettings::default() };
//! let schema = Schema::<Classification>::new(1)?;
//! let mut learner = Adaptive::<_>::new(schema, settings, ForestSettings::default())?;
//! // A label that flips after a thousand rows.
//! for row in 0..1500u32 {
//!     let x = (row * 37 % 100) as f32;
//!     let class = u32::from(x > 50.0);
//!     learner.learn_one(&[x], if row < 1000 { class } else { 1 - class })?;
//! }
//! let prediction = learner.predict_one(&[90.0])?;
//! assert!(prediction[0] > 0.9); // the new label
//! assert!(learner.weights()[0] > 0.9); // from the window
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The papers are: M. Herbster and M. Warmuth, *Tracking the Best Expert*, Machine Learning 32 (1998); A. Chernov
//! and F. Zhdanov, *Prediction with Expert Advice under Discounted Loss*, ALT 2010; J. Shin, A. Ramdas and A. Rinaldo, *E-detectors*, New England Journal
//! of Statistics in Data Science, 2023. [`Weights`] states which bound holds for what; [`WeightRule`] has their η and γ (Chernov and Zhdanov: α).
//!
//! # Which rows a member has seen
//!
//! A member has two *copies* of its base, which differ in their random numbers, and predicts their mean. A
//! copy is *built* by fitting the member's scaling (and weights of features) on some of the latest rows and
//! then learning these rows, in their order, from scratch. Until it is built again, scaling and
//! weights stay unchanged, and the copy learns each row as it arrives. Rows are counted from 1 here.
//!
//! - *With a window of n rows* it is built after rows 1, 2, 4, 8, … below n, from all rows so far; then every n rows from the latest n: the first
//!   copy after each row that n divides, the second ⌊n/2⌋ rows later. So the copy that was built after row b has seen, after row t, exactly the rows b − n + 1 to t:
//!   between n and 2n − 1 rows.
//! - *Without a window* it has seen all rows. If it has a scaling or weights, it is built after rows 1,
//!   2, 4, 8, … as long as all rows are in the store, which keeps 16,384 rows, and once more after that many. Without, it is built after row 1 alone.
//! - *Since the last change* (`change` in place of a window) it has seen all rows from some row f on, 0 at first, and is built as
//!   one without a window is, counted from f. The member's loss is compared with the mean loss, by their weights, of
//!   the members of the same base, scaling and weights whose window is at most half as long as what the member
//!   remembers. If these lose less for long enough, what is older than they remember has become wrong: the evidence is an e-CUSUM,
//!   whose false alarms are at least 10⁶ rows apart on average wherever remembering more does no harm, whatever
//!   the data. It is checked after every 32 rows; then both copies are built from the rows since the one from which the evidence has
//!   grown, f (the first that is still in the store, if that is later). [`members`](forest_core::OnlineLearner::members) reports f.
//!
//! A copy that is built is, bit for bit, the learner that the table builds with the settings of
//! [`MemberCopy::forest`] and that learns these rows. Predictions never depend on the row's own target or on later rows. Min–max scaling extrapolates linearly to rows that it was not fitted on, quantile scaling
//! returns 0 below all rows and 1 above, and a feature that was constant stays 0.
//!
//! # Cost
//!
//! A row is predicted and learned by two copies of each member, and learned once more, amortised, when a copy is built:
//! every n/2 rows, one row takes as long as learning n rows by the trees of one copy. Batches are cut there; within, copies learn in parallel.
//! Memory: one store of the rows of the longest window (or 16,384 rows, if some member has no window), and what
//! the copies' learners hold. With windows alone it is bounded; `retention` of [`ForestSettings`] applies to other members.

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
pub use weights::{WeightRule, Weights, WeightsByRule};

/// The rows of the table of algorithms.
pub const ALGORITHMS: &[&Entry] = &[ADAPTIVE, conformal::CONFORMAL];

/// The row of `adaptive`.
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
