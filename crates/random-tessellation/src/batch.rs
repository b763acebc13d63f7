//! The batch random tessellation forest of Ge et al.

mod after_cuts;
mod ball;
mod forest;
mod history;
mod leaf;
mod likelihood;
mod model;
mod particle;
mod points;
mod sampler;
mod settings;
#[cfg(test)]
mod tests;
mod tree;

pub use ball::BallMass;
pub use forest::{BatchError, BatchForest};
pub use settings::{BatchSettings, Inference, Rates};
pub use tree::BatchTree;
