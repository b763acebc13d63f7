//! A forest whose trees are in several processes, or on several machines.
//!
//! A *shard* is a contiguous range of a forest's trees (`forest_core::Shard`). Rows go from shard to shard as on a
//! conveyor, with a sum of votes to which each shard adds those of its trees; so predictions, and what is learned, are those
//! of one process, bit for bit. The lower layers know neither forests nor tables; `shards` on top of them trains and predicts
//! with a model file ([`train`], [`predict`], [`join`]). The crate has
//!
//! | what | where |
//! |---|---|
//! | the processes and their addresses | [`Hosts`] |
//! | messages from the first process through all others and back to it | [`run`], [`Conveyor`] |
//! | when to give up on the others | [`Deadlines`] |
//! | which trees a process has | [`parts`] |
//! | snapshots that all shards have, with a marker once everything before it is on disk | [`Checkpoints`] |
//!
//! # What it promises
//!
//! - Messages arrive in the order in which they were sent, at most [`MOST_IN_FLIGHT`] are on their way.
//! - If a process ends, a connection breaks, or nothing arrives on one any more, [`run`] ends with an error in all
//!   processes: [`RunError::is_temporary`] says that starting all of them again may help.
//! - Committed [`Checkpoints`] are complete on all disks, and so is everything else that was written before
//!   [`Checkpoints::commit`].
//!
//! # What it does not promise
//!
//! Connections are not encrypted, and messages are not authenticated: anyone who can change messages in transit can change what is
//! learned. Use a private network. Anyone who only reaches a port cannot take the place of a process if all have a
//! secret ([`Hosts::with_secret`]): both sides of a connection prove that they know it, and which places they have.
//!
//! The engine is timely dataflow (Murray et al., *Naiad: a timely dataflow system*, SOSP 2013), by its crate `timely`: each
//! process is one worker, a chain of operators takes each message through them.

mod checkpoints;
#[cfg(feature = "timely")]
mod clock;
#[cfg(feature = "timely")]
mod connect;
#[cfg(feature = "timely")]
mod conveyor;
mod error;
#[cfg(feature = "timely")]
mod greeting;
mod hosts;
#[cfg(feature = "timely")]
mod panics;
mod parts;
#[cfg(feature = "timely")]
mod run;
#[cfg(feature = "timely")]
mod shards;

pub use checkpoints::{Checkpoints, Committed};
#[cfg(feature = "timely")]
pub use clock::Deadlines;
#[cfg(feature = "timely")]
pub use conveyor::{Conveyor, MOST_IN_FLIGHT};
pub use error::CheckpointError;
#[cfg(feature = "timely")]
pub use error::RunError;
pub use hosts::{Hosts, HostsError};
pub use parts::parts;
#[cfg(feature = "timely")]
pub use run::{Place, run};
#[cfg(feature = "timely")]
pub use shards::{
    All, JoinArgs, PlaceOptions, Predicted, ShardsError, TrainOptions, join, predict, train,
};
