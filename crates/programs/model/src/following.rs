//! Reads a file that grows.

mod beginning;
mod followed;
mod passed_over;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use beginning::{Beginning, FirstLine};
use followed::Followed;

use crate::console::Console;
use crate::interrupt;

/// The time to wait before looking again.
const PAUSE: Duration = Duration::from_millis(100);

/// A replaced file is read until nothing has been written to it for this time: its writer may still have it open.
const GRACE: Duration = Duration::from_secs(5);

/// Reads a file and, at its end, waits for more until a signal. A file that replaces it, or that is rewritten, is read from
/// its start, without its header line if that equals the first file's.
///
/// A signal is an error here, not an end: the last line may be half written, and an end would make it a row.
#[derive(Debug)]
pub(crate) struct Following {
    path: PathBuf,
    file: Followed,
    /// Files that have replaced it since, the oldest first.
    next: VecDeque<Followed>,
    /// When the newest of these was last found at the path.
    looked: (Instant, SystemTime),
    /// When something was last read, or the file was found to be replaced.
    latest: Instant,
    first_line: FirstLine,
    /// Whether the first line is a header, once that is known.
    has_header: Arc<AtomicBool>,
    /// The beginning of a later file, until it is known whether it repeats the header.
    beginning: Option<Beginning>,
    /// Bytes that are returned before those of the file.
    ready: Vec<u8>,
    last: u8,
    console: Console,
}

impl Following {
    pub(crate) fn new(path: &Path, file: File, console: &Console) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            file: Followed::new(file)?,
            next: VecDeque::new(),
            looked: (Instant::now(), SystemTime::now()),
            latest: Instant::now(),
            first_line: FirstLine::default(),
            has_header: Arc::default(),
            beginning: None,
            ready: Vec::new(),
            last: b'\n',
            console: console.clone(),
        })
    }

    /// Returns the place to report that the first line is a header.
    pub(crate) fn has_header(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.has_header)
    }

    /// Returns the bytes that are available.
    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.ready.len().min(buffer.len());
        if ready > 0 {
            buffer[..ready].copy_from_slice(&self.ready[..ready]);
            self.ready.drain(..ready);
            return Ok(ready);
        }
        if let Some(unread) = self.file.rewritten()? {
            self.begin_again(&rewritten(&self.path, unread))?;
            self.file.rewind()?;
            return self.read_some(buffer);
        }
        let read = self.file.read(buffer)?;
        let Some(last) = buffer[..read].last() else {
            return Ok(0);
        };
        (self.last, self.latest) = (*last, Instant::now());
        match self.beginning.take() {
            None => self.first_line.note(&buffer[..read]),
            Some(beginning) => {
                self.begin(beginning, &buffer[..read]);
                return self.read_some(buffer);
            }
        }
        Ok(read)
    }

    /// Adds to the beginning of a later file, and releases it once it is known whether it repeats the header.
    fn begin(&mut self, mut beginning: Beginning, bytes: &[u8]) {
        beginning.add(bytes);
        match beginning.without(&self.first_line) {
            Some(rest) => self.ready.extend(rest),
            None => self.beginning = Some(beginning),
        }
    }

    /// Opens a file that has replaced the newest one, so that it is not lost if it is replaced in turn.
    fn look(&mut self) -> io::Result<()> {
        let now = (Instant::now(), SystemTime::now());
        if now.0.duration_since(self.looked.0) < PAUSE {
            return Ok(());
        }
        // Opening a pipe would wait for its writer, and consume its content.
        let is_regular = std::fs::metadata(&self.path).is_ok_and(|there| there.is_file());
        if !is_regular || !self.file.is_regular()? {
            return Ok(());
        }
        // A removed file without a successor may still be written to.
        let Ok(there) = File::open(&self.path).and_then(Followed::new) else {
            return Ok(());
        };
        if self.known().all(|known| !there.is_same(known)) {
            self.report_replaced(&there);
            self.next.push_back(there);
            self.latest = now.0;
        }
        self.looked = now;
        Ok(())
    }

    fn known(&self) -> impl Iterator<Item = &Followed> {
        std::iter::once(&self.file).chain(&self.next)
    }

    fn report_replaced(&self, there: &Followed) {
        let (path, seconds) = (self.path.display(), GRACE.as_secs());
        self.console.say(&format!(
            "{path} was replaced: reading the old file until nothing has been written to it for {seconds} s"
        ));
        let known: Vec<&Followed> = self.known().chain([there]).collect();
        for (passed, bytes) in passed_over::since(self.looked.1, &self.path, &known) {
            self.console.say(&format!(
                "warning: {path} was replaced more than once since it was last looked at: {} ({bytes} bytes) is not read; --update \
                 learns it",
                passed.display()
            ));
        }
    }

    /// Continues with the next file once the old one has been quiet for long enough.
    fn switch(&mut self) -> io::Result<bool> {
        if self.latest.elapsed() < GRACE {
            return Ok(false);
        }
        let Some(next) = self.next.pop_front() else {
            return Ok(false);
        };
        self.begin_again(&format!("{} was replaced", self.path.display()))?;
        (self.file, self.latest) = (next, Instant::now());
        Ok(true)
    }

    /// Prepares for the start of a file.
    fn begin_again(&mut self, why: &str) -> io::Result<()> {
        if self.first_line.is_wide() {
            return Err(io::Error::other(
                "the file was replaced or rewritten while it was followed, which is supported in UTF-8 only; start again",
            ));
        }
        // An unfinished line ends here.
        if self.last != b'\n' {
            self.ready.push(b'\n');
            self.last = b'\n';
        }
        let has_header = self.has_header.load(Ordering::Relaxed);
        self.beginning = has_header.then(Beginning::default);
        self.console.say(&format!(
            "{why}: continuing at the start of the new file (--update, not --resume, learns from it later)"
        ));
        Ok(())
    }
}

fn rewritten(path: &Path, unread: u64) -> String {
    let path = path.display();
    match unread {
        0 => format!("{path} was rewritten"),
        bytes => format!("{path} was rewritten, {bytes} bytes of the old content were not read"),
    }
}

impl Read for Following {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.look()?;
            let read = self.read_some(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if interrupt::is_requested() {
                return Err(io::Error::other("stopped by a signal"));
            }
            if !self.switch()? {
                thread::sleep(PAUSE);
            }
        }
    }
}
