//! The parameters of both forests, with the rule of each.

mod limits;
mod roles;
mod rules;
mod saffari;
mod stream;

pub use limits::{FringeLimit, Growth};
pub(crate) use roles::PointRole;
pub use roles::Streams;
pub(crate) use rules::is_full;
pub use saffari::SaffariSettings;
pub use stream::StreamSettings;
