//! `serve` as clients meet it: processes, sockets and signals.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

#[path = "../bench.rs"]
#[allow(dead_code, reason = "of the other commands")]
mod bench;
mod client;
#[path = "../data.rs"]
#[allow(dead_code, reason = "of the other commands")]
mod data;
mod deployed;
mod durable;
mod forms;
#[cfg(target_os = "linux")]
mod hostile;
mod kept;
mod load;
mod readme;
mod refused;
mod replica;
mod same;
mod service;
