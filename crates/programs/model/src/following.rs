//! Bytes that arrive while a program learns: from a pipe, or at the end of a file that grows.

use std::fs::File;
use std::io::{self, Read, Seek as _, Stdin};
use std::thread;
use std::time::Duration;

use crate::interrupt;

/// The time to wait before a growing file is read again.
const PAUSE: Duration = Duration::from_millis(100);

/// Reads a pipe to its end, or a file that grows until a signal.
///
/// A signal makes the end an error: the last line may be half written, since programs before this one in the pipe end by the
/// same signal, and an end would make it a row.
#[derive(Debug)]
pub(crate) enum Arriving {
    Pipe(Stdin),
    Growing(File),
}

impl Read for Arriving {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match self {
                Self::Pipe(pipe) => pipe.read(buffer)?,
                Self::Growing(file) => file.read(buffer)?,
            };
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if interrupt::is_requested() {
                return Err(io::Error::other("stopped by a signal"));
            }
            match self {
                Self::Pipe(_) => return Ok(0),
                Self::Growing(file) => check_length(file)?,
            }
            thread::sleep(PAUSE);
        }
    }
}

fn check_length(file: &mut File) -> io::Result<()> {
    let found = file.metadata()?;
    if found.is_file() && found.len() < file.stream_position()? {
        return Err(io::Error::other(
            "the file was cut off while it was followed; `tail -F FILE | online-forests train --data -` follows files that are rotated",
        ));
    }
    Ok(())
}
