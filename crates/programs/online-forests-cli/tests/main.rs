//! The commands as users meet them: processes with arguments, files and signals.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod algorithms;
mod bad_rows;
mod bench;
mod data;
#[cfg(unix)]
mod destinations;
mod explaining;
mod extremes;
mod first_rows;
#[cfg(unix)]
mod following;
mod formats;
mod frozen;
#[cfg(unix)]
mod interrupted;
mod kept;
#[cfg(unix)]
mod killed;
mod later_rows;
#[cfg(unix)]
mod locked;
#[cfg(target_os = "linux")]
mod memory;
mod parts;
mod predicting;
mod processors;
mod reading;
mod readme;
mod refused;
mod same_bytes;
mod values;
mod written;
