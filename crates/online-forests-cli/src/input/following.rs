//! A file that grows.

mod beginning;

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use same_file::Handle;

use crate::console::Console;
use crate::interrupt;
use beginning::{Beginning, FirstLine};

/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(100);

/// Reads a file and, at its end, waits for more until a signal. A file that takes its place, or that is written anew, is
/// read from its start, without its header line if it is that of the first file.
///
/// A signal is an error here, not an end: the last line may be half written, and an end would make it a row.
#[derive(Debug)]
pub struct Following {
    path: PathBuf,
    file: File,
    /// What tells this file from another one under the same name.
    identity: Handle,
    first_line: FirstLine,
    /// Whether the first line is a header, once that is known.
    has_header: Arc<AtomicBool>,
    /// The beginning of a file that came later, until it is known whether it has the header again.
    beginning: Option<Beginning>,
    /// Bytes that are handed out before those of the file.
    ready: Vec<u8>,
    last: u8,
    console: Console,
}

/// Why the file is read from its start.
#[derive(Clone, Copy, Debug)]
enum Change {
    Replaced,
    Rewritten,
}

impl Following {
    pub fn new(path: &Path, file: File, console: &Console) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            identity: Handle::from_file(file.try_clone()?)?,
            file,
            first_line: FirstLine::default(),
            has_header: Arc::default(),
            beginning: None,
            ready: Vec::new(),
            last: b'\n',
            console: console.clone(),
        })
    }

    /// Where to say that the first line is a header.
    pub fn has_header(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.has_header)
    }

    /// Bytes that are there.
    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.ready.len().min(buffer.len());
        if ready > 0 {
            buffer[..ready].copy_from_slice(&self.ready[..ready]);
            self.ready.drain(..ready);
            return Ok(ready);
        }
        let read = self.file.read(buffer)?;
        let Some(last) = buffer[..read].last() else {
            return Ok(0);
        };
        self.last = *last;
        match self.beginning.take() {
            None => self.first_line.note(&buffer[..read]),
            Some(beginning) => {
                self.begin(beginning, &buffer[..read]);
                return self.read_some(buffer);
            }
        }
        Ok(read)
    }

    /// Adds to the beginning of a later file, and hands it out once it is known whether it has the header again.
    fn begin(&mut self, mut beginning: Beginning, bytes: &[u8]) {
        beginning.add(bytes);
        match beginning.without(&self.first_line) {
            Some(rest) => self.ready.extend(rest),
            None => self.beginning = Some(beginning),
        }
    }

    /// Whether the file was replaced or written anew since; `None` of a pipe, too, which has no length.
    fn change(&mut self) -> io::Result<Option<Change>> {
        let now = self.file.metadata()?;
        if !now.is_file() {
            return Ok(None);
        }
        if self.is_replaced() {
            return Ok(Some(Change::Replaced));
        }
        let is_shorter = |now: &Metadata, read: u64| now.len() < read;
        Ok(is_shorter(&now, self.file.stream_position()?).then_some(Change::Rewritten))
    }

    /// A file that was taken away and has no successor yet may still be written to.
    fn is_replaced(&self) -> bool {
        Handle::from_path(&self.path).is_ok_and(|there| there != self.identity)
    }

    fn start_anew(&mut self, change: Change) -> io::Result<()> {
        if self.first_line.is_wide() {
            return Err(io::Error::other(
                "the file was replaced or written anew while it was followed, which is followed in UTF-8 only; start again",
            ));
        }
        match change {
            Change::Replaced => {
                self.file = File::open(&self.path)?;
                self.identity = Handle::from_file(self.file.try_clone()?)?;
            }
            Change::Rewritten => drop(self.file.seek(SeekFrom::Start(0))?),
        }
        // A line that was not finished ends here.
        if self.last != b'\n' {
            self.ready.push(b'\n');
            self.last = b'\n';
        }
        let has_header = self.has_header.load(Ordering::Relaxed);
        self.beginning = has_header.then(Beginning::default);
        self.console.say(&change.message(&self.path));
        Ok(())
    }
}

impl Change {
    fn message(self, path: &Path) -> String {
        let what = match self {
            Self::Replaced => "was replaced",
            Self::Rewritten => "was written anew",
        };
        let path = path.display();
        format!(
            "{path} {what}: going on at the start of the new file (--update, not --resume, learns from it later)"
        )
    }
}

impl Read for Following {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.read_some(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if interrupt::is_requested() {
                return Err(io::Error::other("stopped by a signal"));
            }
            match self.change()? {
                // What was written just before is read first.
                Some(Change::Replaced) if self.has_more()? => {}
                Some(change) => self.start_anew(change)?,
                None => thread::sleep(PAUSE),
            }
        }
    }
}

impl Following {
    fn has_more(&mut self) -> io::Result<bool> {
        Ok(self.file.stream_position()? < self.file.metadata()?.len())
    }
}
