//! Tables as they arrive: a file, standard input, or a file that grows.

use std::fs::File;
use std::io::{self, Read, Seek as _, Stdin};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{anyhow, bail};
use tables::{Columns, Header, Layout, Records, TableError, TableOptions};

use crate::console::Console;
use crate::interrupt;
use crate::rows::Row;

/// The time to wait for a row before checking for signals, and before a growing file is read again.
const WAIT: Duration = Duration::from_millis(100);

/// The number of bytes at the start of a file that reveal its format.
const MAGIC: u64 = 16;

/// The most that waits between the threads is a mebibyte of text, in slots, and one row, however long it is.
const SLOTS: usize = 8192;
const SLOT_BYTES: usize = 128;

/// The rows of a table, read by a thread of its own: while it waits for more, or parses, the caller learns.
#[derive(Debug)]
pub struct Source {
    /// The file, or `standard input`.
    pub name: String,
    /// The columns.
    pub header: Header,
    /// The options of the table, whose separator and header are decided: another table like this one is read by them.
    pub options: TableOptions,
    /// Where messages are shown.
    pub console: Console,
    /// A row takes as many slots as its text is long, all but one of them empty.
    rows: Receiver<Option<Row>>,
    /// Returns the error that ended the table.
    reader: Option<JoinHandle<Option<TableError>>>,
}

impl Source {
    /// Opens a table, a file or `-` for standard input, and reads its header. Reports what was guessed. `used` selects
    /// the columns that are needed; cells of other columns may be empty. If it returns `None`, all cells are read. With
    /// `follow`, a file has no end before a signal: rows are read as they are appended.
    ///
    /// # Errors
    /// Returns an error if the table cannot be opened, or lacks a header that is required.
    pub fn open(
        path: &Path,
        options: &TableOptions,
        follow: bool,
        used: impl FnOnce(&Header) -> Option<Vec<usize>>,
    ) -> anyhow::Result<Self> {
        let is_file = path != Path::new("-");
        let length = std::fs::metadata(path).map(|found| found.len()).ok();
        let console = Console::new(length.filter(|_| is_file && !follow));
        let name = if is_file {
            path.display().to_string()
        } else {
            "standard input".to_owned()
        };
        let wrong = |error: TableError| anyhow!("{name}: {error}");
        let bytes = open(is_file.then_some(path), follow).map_err(|error| wrong(error.into()))?;
        let mut records = Records::new(console.bar.wrap_read(bytes), options).map_err(wrong)?;
        if let Some(columns) = used(records.header()) {
            records.keep(&columns);
        }
        for warning in records.warnings() {
            console.say(&format!("warning: {warning}"));
        }
        let header = records.header().clone();
        let options = records.decided(options);
        let (sender, rows) = mpsc::sync_channel(SLOTS);
        let reader = thread::spawn(move || {
            for record in records {
                let row = match record {
                    Err(error) if error.ends_the_table() => return Some(error),
                    record => Row::new(record),
                };
                for _ in 0..(row.bytes() / SLOT_BYTES).min(SLOTS - 1) {
                    sender.send(None).ok()?;
                }
                sender.send(Some(row)).ok()?;
            }
            None
        });
        Ok(Self {
            name,
            header,
            options,
            console,
            rows,
            reader: Some(reader),
        })
    }

    /// Returns an error about the table as a whole.
    pub fn wrong(&self, error: TableError) -> anyhow::Error {
        anyhow!("{}: {error}", self.name)
    }

    /// Returns where the columns of a model are in the table.
    ///
    /// # Errors
    /// Returns an error if a column is missing.
    pub fn layout(&self, columns: &Columns) -> anyhow::Result<Layout> {
        let layout = columns.layout(&self.header);
        layout.map_err(|fault| self.wrong(fault))
    }

    /// Returns the rows that are available, at most `most`: an empty list if no row arrives within a moment, and `None`
    /// at the end of the table, or where a signal has cut it off.
    ///
    /// # Errors
    /// Returns an error if the input has failed before its end.
    pub fn take(&mut self, most: usize) -> anyhow::Result<Option<Vec<Row>>> {
        let mut taken = Vec::new();
        while taken.is_empty() {
            match self.rows.recv_timeout(WAIT) {
                Ok(row) => taken.extend(row),
                Err(RecvTimeoutError::Timeout) => return Ok(Some(taken)),
                Err(RecvTimeoutError::Disconnected) => return self.end(),
            }
        }
        let more = most - taken.len();
        taken.extend(self.rows.try_iter().flatten().take(more));
        Ok(Some(taken))
    }

    fn end(&mut self) -> anyhow::Result<Option<Vec<Row>>> {
        match self.reader.take().map(JoinHandle::join) {
            None | Some(Ok(None)) => Ok(None),
            Some(Ok(Some(_))) if interrupt::is_requested() => Ok(None),
            Some(Ok(Some(error))) => bail!("{}, {error}", self.name),
            Some(Err(_)) => bail!(
                "{}: the reader failed, which is a fault of this program; nothing after the last checkpoint was kept",
                self.name
            ),
        }
    }
}

/// Opens a file, or standard input.
fn open(path: Option<&Path>, follow: bool) -> io::Result<Box<dyn Read + Send>> {
    let Some(path) = path else {
        return Ok(Box::new(Pipe {
            input: io::stdin(),
            last: b'\n',
        }));
    };
    let mut file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !follow {
        return Ok(Box::new(file));
    }
    let mut magic = Vec::new();
    if file.metadata()?.is_file() {
        let mut start = Read::by_ref(&mut file).take(MAGIC);
        start.read_to_end(&mut magic)?;
        file.rewind()?;
    }
    if tables::is_packed(&magic) || tables::is_columnar(&magic) {
        let text = "compressed and columnar files cannot grow, so --follow would wait without end; leave it out";
        return Err(io::Error::other(text));
    }
    Ok(Box::new(Growing(file)))
}

/// Reads standard input to its end.
struct Pipe {
    input: Stdin,
    /// The last byte that was read.
    last: u8,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        if let Some(&last) = buffer[..read].last() {
            self.last = last;
            return Ok(read);
        }
        if self.last != b'\n' {
            // Half a line is there because the program before this one was ended: the signal may still be on its way.
            thread::sleep(WAIT);
        }
        unless_interrupted().map(|()| 0)
    }
}

/// Reads a file that grows until a signal.
struct Growing(File);

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.0.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            unless_interrupted()?;
            let found = self.0.metadata()?;
            if found.is_file() && found.len() < self.0.stream_position()? {
                let text = "the file was cut off while it was followed; \
                            `tail -F FILE | online-forests train --data -` follows files that are rotated";
                return Err(io::Error::other(text));
            }
            thread::sleep(WAIT);
        }
    }
}

/// Makes an end after a signal an error: the last line may be half written, since programs before this one in the pipe
/// end by the same signal, and an end would make it a row.
fn unless_interrupted() -> io::Result<()> {
    if interrupt::is_requested() {
        return Err(io::Error::other("stopped by a signal"));
    }
    Ok(())
}
