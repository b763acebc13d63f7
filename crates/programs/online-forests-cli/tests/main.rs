//! The commands as users meet them: processes with arguments, files and signals.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod bad_rows;
mod bench;
mod data;
#[cfg(unix)]
mod destinations;
mod explaining;
mod extremes;
mod frozen;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod killed;
#[cfg(target_os = "linux")]
mod memory;
mod predicting;
mod reading;
mod readme;
mod refused;
mod same_bytes;
mod values;
