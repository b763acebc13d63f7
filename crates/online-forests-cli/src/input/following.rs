//! A file that grows.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::thread;
use std::time::Duration;

use crate::interrupt;

/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(100);

/// Reads a file and, at its end, waits for more until Ctrl-C or SIGTERM.
///
/// A signal is an error here, not an end: the last line may be half written, and an end would make it a row.
#[derive(Debug)]
pub struct Following {
    file: File,
}

impl Following {
    pub fn new(file: File) -> Self {
        Self { file }
    }

    /// A file that has become shorter was written anew, and what was read of it is no longer there.
    fn check_length(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() < self.file.stream_position()? {
            return Err(io::Error::other(
                "the file became shorter while it was followed; start again with the new file",
            ));
        }
        Ok(())
    }
}

impl Read for Following {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.file.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if interrupt::is_requested() {
                return Err(io::Error::other("stopped by a signal"));
            }
            self.check_length()?;
            thread::sleep(PAUSE);
        }
    }
}
