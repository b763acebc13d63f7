//! Intervals with their nominal coverage, around any online regressor.
//!
//! [`Conformal`] holds a *base* learner of a table of algorithms and predicts as it does, bit for bit. Just before a row
//! is learned it records the row's *nonconformity score*, s = |y − mean| / deviation, where mean and deviation (√variance) are the base's
//! prediction; a base without variances has deviation 1, and the error itself is the deviation where the base has none to predict (a single
//! target, or equal ones, came before). The interval at level p reaches q deviations to each
//! side of the mean, where q is the ⌈(n + 1)p⌉-th smallest of the latest n scores, and is infinite if there are fewer: below 9
//! scores at 90 %, below 99 at 99 %. So the width of an interval follows the base, and how often it covers follows from
//! the stream so far, whatever the noise is. The base may be `adaptive`, for concept drift.
//!
//! ```
//! use adaptive::conformal::{Conformal, ConformalSettings};
//! use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
//! use forest_core::registry::Intervals;
//!
//! forest_core::submit!(&[mondrian::MONDRIAN]);
//!
//! let forest = ForestSettings::default().with_trees(10);
//! let schema = Schema::<Regression>::new(1)?;
//! let mut learner = Conformal::new(schema, ConformalSettings::default(), forest)?;
//! let target = |row: u32| f64::from(row * 37 % 101) / 10.0; // from 0 to 10
//! for row in 0..1000 {
//!     learner.learn_one(&[0.5], target(row))?;
//! }
//! let bounds = learner.central_intervals(ndarray::array![[0.5]].view(), 0.8)?;
//! let covered = (1000..2000).filter(|&row| (bounds[[0, 0]]..=bounds[[0, 1]]).contains(&target(row)));
//! assert!((780..820).contains(&covered.count()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guarantees
//!
//! If the score of a new row and the n latest are exchangeable, the interval covers the target with probability ⌈(n + 1)p⌉ / (n + 1),
//! and with more if scores tie: at least p, and less than 1 / (n + 1) above it. Nothing is assumed of the base or of the noise. Scores of a
//! learner that still learns are nearly exchangeable only, and those of a stream that changes until the window has seen the
//! change; [`ConformalSettings::scores`] is the number of rows that takes. Coverage is a mean over all rows: where the base's
//! deviations are wrong for one region and right for another, so are the intervals there.
//!
//! The papers are: V. Vovk, A. Gammerman and G. Shafer, *Algorithmic Learning in a Random World*, 2005; J. Lei, M. G'Sell, A.
//! Rinaldo, R. Tibshirani and L. Wasserman, *Distribution-Free Predictive Inference for Regression*, JASA 2018 (section 5.2: scores over
//! deviations). Their scores come from rows that are held back, ours from the stream itself.
//!
//! # Cost
//!
//! Learning a row costs one more prediction of the base, and about 0.2 µs for a thousand scores (AMD EPYC, `cargo xtask compare
//! --protocol holdout --threads 1 --data sine-product:n=200000 --algorithm mean --algorithm conformal:base=mean`), which take 16 kB
//! in the whole learner. An interval costs no more than the base's mean and variance.

mod contract;
mod intervals;
mod learner;
mod named;
mod scores;

pub use learner::{Conformal, ConformalSettings};
pub use named::CONFORMAL;

/// The base may be `adaptive`, whose members hold no learners.
const NESTING: u8 = 2;
