//! Intervals, paired differences, and comparisons of algorithms over data sets.
//!
//! J. Demšar, *Statistical comparisons of classifiers over multiple data sets*, JMLR 7, 2006: average ranks, the test of
//! Friedman with the statistic of Iman and Davenport, Nemenyi's critical difference, Wilcoxon's signed-rank test. Values that differ by
//! rounding only are equal in all of them; of few sets, the probabilities of Wilcoxon's test are exact.
//!
//! A. Benavoli, G. Corani, J. Demšar, M. Zaffalon, *Time for a change: a tutorial for comparing multiple classifiers through Bayesian
//! analysis*, JMLR 18, 2017: the signed-rank test with a region of practical equivalence ([`equivalence`]).
//!
//! ```
//! use comparison::statistics::{Friedman, Matrix, holm, nemenyi, wilcoxon};
//!
//! // Accuracies of three algorithms on five sets.
//! let mut matrix = Matrix::new("accuracy".parse()?, ["a", "b", "c"].map(str::to_owned).to_vec());
//! for (set, values) in [
//!     ("one", [0.9, 0.8, 0.7]),
//!     ("two", [0.8, 0.7, 0.7]),
//!     ("three", [0.7, 0.6, 0.5]),
//!     ("four", [0.9, 0.5, 0.6]),
//!     ("five", [0.8, 0.6, 0.5]),
//! ] {
//!     matrix.push(set, values.to_vec())?;
//! }
//! assert_eq!(matrix.average_ranks(), [1.0, 2.3, 2.7]);
//! assert!(Friedman::of(&matrix).unwrap().p < 0.05);
//! assert!(nemenyi(3, 5, 0.05) > 1.4);
//! let against_a = [1, 2].map(|other| wilcoxon(&matrix.differences(0, other)).p);
//! assert_eq!(holm(&against_a), [0.125, 0.125]); // five sets are too few for Wilcoxon's test
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod equivalence;
mod estimate;
mod friedman;
mod holm;
mod matrix;
mod nemenyi;
mod ties;
mod wilcoxon;

pub use equivalence::{Equivalence, equivalence};
pub use estimate::Estimate;
pub use friedman::Friedman;
pub use holm::holm;
pub use matrix::{Matrix, MatrixError};
pub use nemenyi::nemenyi;
pub(crate) use ties::{TOLERANCE, are_equal, largest};
pub use wilcoxon::{Wilcoxon, wilcoxon};
