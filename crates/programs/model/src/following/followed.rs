//! One of the followed files, and how it is recognised.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::time::SystemTime;

use same_file::Handle;

/// The number of bytes that are compared at the start of a file, and before the position up to which it is read. A header
/// of many columns may be longer than the first ones, and may be repeated.
const COMPARED: usize = 1 << 10;

/// A file that is read while it is written.
#[derive(Debug)]
pub(super) struct Followed {
    file: File,
    /// The file itself, whatever its name. The inode of an open file is not given to another one.
    identity: Handle,
    read: u64,
    /// The first bytes that were read.
    first: Vec<u8>,
    /// The last bytes that were read.
    latest: Vec<u8>,
    /// Length and modification time when the content was last compared.
    compared: (u64, Option<SystemTime>),
}

impl Followed {
    pub(super) fn new(file: File) -> io::Result<Self> {
        Ok(Self {
            identity: Handle::from_file(file.try_clone()?)?,
            file,
            read: 0,
            first: Vec::new(),
            latest: Vec::new(),
            compared: (0, None),
        })
    }

    /// Returns whether it is the same file, under whatever name.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.identity == other.identity
    }

    /// Returns whether it can be replaced or rewritten: not a pipe.
    pub(super) fn is_regular(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.is_file())
    }

    /// Returns when something was last written to it, and its length in bytes.
    pub(super) fn written(&self) -> Option<(SystemTime, u64)> {
        let found = self.file.metadata().ok()?;
        Some((found.modified().ok()?, found.len()))
    }

    /// Returns whether it was rewritten since it was read, as by a program that truncates a file after copying it: the file is
    /// shorter than what was read, or what was read is not in it any more. Returns the number of bytes that were not read.
    pub(super) fn rewritten(&mut self) -> io::Result<Option<u64>> {
        let found = self.file.metadata()?;
        let now = (found.len(), found.modified().ok());
        if now == self.compared || !found.is_file() {
            return Ok(None);
        }
        if self.has_content(&found)? {
            self.compared = now;
            return Ok(None);
        }
        Ok(Some(self.compared.0.saturating_sub(self.read)))
    }

    /// Returns whether the bytes that were read are still in the file.
    fn has_content(&mut self, found: &Metadata) -> io::Result<bool> {
        let latest = self.read - self.latest.len() as u64;
        let has = found.len() >= self.read
            && self.has(0, &self.first)?
            && self.has(latest, &self.latest)?;
        self.file.seek(SeekFrom::Start(self.read))?;
        Ok(has)
    }

    fn has(&self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))?;
        let mut found = Vec::new();
        file.take(bytes.len() as u64).read_to_end(&mut found)?;
        Ok(found == bytes)
    }

    /// Starts again from the beginning.
    pub(super) fn rewind(&mut self) -> io::Result<()> {
        self.read = self.file.seek(SeekFrom::Start(0))?;
        self.first.clear();
        self.latest.clear();
        self.compared = (0, None);
        Ok(())
    }

    fn note(&mut self, bytes: &[u8]) {
        self.read += bytes.len() as u64;
        let left = (COMPARED - self.first.len()).min(bytes.len());
        self.first.extend(&bytes[..left]);
        self.latest
            .extend(&bytes[bytes.len().saturating_sub(COMPARED)..]);
        let superfluous = self.latest.len().saturating_sub(COMPARED);
        self.latest.drain(..superfluous);
    }
}

impl Read for Followed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.note(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    fn read_all(file: &mut Followed) -> String {
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_file_that_is_rewritten_is_seen_whatever_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let header = "h".repeat(2 * COMPARED);
        let old = format!("{header}\n1\n2\n");
        let same_header = format!("{header}\n{}", "3\n".repeat(2000));
        for new in ["", "1\n", &same_header, &"5\n".repeat(4000)] {
            fs::write(&path, &old).unwrap();
            let mut file = Followed::new(File::open(&path).unwrap()).unwrap();
            assert_eq!(file.rewritten().unwrap(), None);
            assert_eq!(read_all(&mut file), old);
            let mut log = fs::OpenOptions::new().append(true).open(&path).unwrap();
            log.write_all(b"more\n").unwrap();
            assert_eq!(file.rewritten().unwrap(), None);
            assert_eq!(read_all(&mut file), "more\n");
            log.write_all(b"unread\n").unwrap();
            assert_eq!(file.rewritten().unwrap(), None);
            log.set_len(0).unwrap();
            log.write_all(new.as_bytes()).unwrap();
            assert_eq!(file.rewritten().unwrap(), Some(7), "{new:.5}");
            file.rewind().unwrap();
            assert_eq!(file.rewritten().unwrap(), None);
            assert_eq!(read_all(&mut file), new);
        }
    }
}
