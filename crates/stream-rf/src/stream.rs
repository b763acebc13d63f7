//! The stream-partitioned tree.

mod active;
mod check;
mod fringe;
mod leaf;
mod learn;
mod queue;
mod tree;
mod view;

pub use tree::StreamTree;
pub use view::NodeView;
