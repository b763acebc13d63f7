//! Trees of a forest in several processes, on one machine or on several.
//!
//! The first process reads the data, learns each batch in its own trees and sends it on; the others do the same with theirs, in
//! the order of the trees. All save their trees after the same rows ([`Checkpoints`](crate::Checkpoints)), and resume from there
//! when they are started again. `docs/beyond-one-machine.md` describes how to use it and what it costs.

mod args;
mod beginning;
mod error;
mod head;
mod join;
mod launch;
mod parcel;
mod part;
mod predict;
mod predictions;
mod sending;
mod stage;
mod train;

pub use args::{JoinArgs, PlaceOptions, TrainOptions};
pub use error::ShardsError;
pub use head::All;
pub use join::join;
pub use predict::{Predicted, predict};
pub use train::train;
