//! For streams that change.

mod base;
mod copy;
mod learner;
mod member;
mod named;
mod scaling;
mod schedule;
mod settings;
mod store;
mod task;
mod weights;

pub use copy::MemberCopy;
pub use learner::Adaptive;
pub use member::{MemberSettings, MembersError, members_of_toml};
pub use named::InTable;
pub use settings::{AdaptiveSettings, FeatureWeights, MemberScaling, Update, Window};
pub use task::{AdaptiveTask, ClassLoss, SquaredError, TargetSpread};
pub use weights::{WeightRule, Weights};

/// The name in a table of algorithms.
pub const NAME: &str = "adaptive";
