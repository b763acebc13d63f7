//! The parameters of both forests, with the rule of each.

mod limits;
mod paper;
mod roles;
mod rules;
mod saffari;
mod stream;

pub use limits::{FringeLimit, Growth};
pub use paper::BITS_PER_NAT;
pub(crate) use roles::{PointRole, row_uniform};
pub use roles::{StreamChoice, Streams};
pub(crate) use rules::is_full;
pub use saffari::SaffariSettings;
pub use stream::StreamSettings;
