//! Tables as they arrive: a file, standard input, or a file that grows.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, Read, Seek as _, Stdin};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tables::{Header, Records, TableError, TableOptions};

use crate::console::{CommandError, Console};
use crate::interrupt;
use crate::row::Row;

/// The time to wait for a row before checking for signals.
const WAIT: Duration = Duration::from_millis(100);

/// The number of bytes at the start of a file that reveal its format.
const MAGIC: u64 = 16;

/// The most that waits between the threads is a mebibyte of text, in slots, and one row, however long it is.
const SLOTS: usize = 8192;
const SLOT_BYTES: usize = 128;

/// The result of [`Source::take`].
#[derive(Debug)]
pub enum Taken {
    /// One row or more.
    Rows(Vec<Row>),
    /// No row arrived in time.
    Nothing,
    /// The table has ended.
    End,
}

/// Selects the columns that are used; `None` if that cannot be decided, which is an error later.
pub type Used<'a> = &'a dyn Fn(&Header) -> Option<Vec<usize>>;

/// The rows of a table, read by a thread of its own: while it waits for more, or parses, the caller learns.
#[derive(Debug)]
pub struct Source {
    name: String,
    header: Header,
    options: TableOptions,
    /// A row takes as many slots as its text is long, all but one of them empty.
    rows: Receiver<Option<Row>>,
    reader: Option<JoinHandle<()>>,
    /// Rows that were taken and put back.
    first: VecDeque<Row>,
    /// Whether nothing follows these.
    is_cut: bool,
}

impl Source {
    /// Opens a table and reads its header. Cells of unused columns may be empty. Reports what was guessed.
    ///
    /// # Errors
    /// Returns an error if the table cannot be opened, or lacks a header that is required.
    pub fn open(
        address: &Address,
        options: &TableOptions,
        follow: bool,
        used: Used<'_>,
        console: &Console,
    ) -> Result<Self, CommandError> {
        let wrong = |error: TableError| CommandError::new(format!("{address}: {error}"));
        let bytes = open(address, follow).map_err(|error| wrong(error.into()))?;
        let counted = console.bar().wrap_read(bytes);
        let mut records = Records::new(counted, options).map_err(wrong)?;
        if let Some(columns) = used(records.header()) {
            records.keep(&columns);
        }
        for warning in records.warnings() {
            console.say(&format!("warning: {warning}"));
        }
        let (header, options) = (records.header().clone(), records.decided(options));
        let (sender, rows) = mpsc::sync_channel(SLOTS);
        let reader = thread::spawn(move || {
            for record in records {
                let row = Row::new(record);
                let empty = (row.bytes() / SLOT_BYTES).min(SLOTS - 1);
                let mut slots = (0..empty).map(|_| None).chain([Some(row)]);
                if slots.any(|slot| sender.send(slot).is_err()) {
                    return;
                }
            }
        });
        Ok(Self {
            name: address.to_string(),
            header,
            options,
            rows,
            reader: Some(reader),
            first: VecDeque::new(),
            is_cut: false,
        })
    }

    /// Returns the options of the table, whose separator and header are decided: another table like this one is read by them.
    pub fn options(&self) -> &TableOptions {
        &self.options
    }

    /// Returns the file, or `standard input`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns an error about the table as a whole.
    pub fn wrong(&self, error: TableError) -> CommandError {
        CommandError::new(format!("{}: {error}", self.name))
    }

    /// Returns the columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the rows that are available, at most `most`; waits a moment if there are none.
    ///
    /// # Errors
    /// Returns an error if the reader failed by a fault of its own: what it has read is not everything.
    pub fn take(&mut self, most: usize) -> Result<Taken, CommandError> {
        let mut taken: Vec<Row> = self.first.drain(..most.min(self.first.len())).collect();
        while taken.is_empty() && !self.is_cut {
            match self.rows.recv_timeout(WAIT) {
                Ok(row) => taken.extend(row),
                Err(RecvTimeoutError::Timeout) => return Ok(Taken::Nothing),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if !taken.is_empty() {
            let more = if self.is_cut { 0 } else { most - taken.len() };
            taken.extend(self.rows.try_iter().flatten().take(more));
            return Ok(Taken::Rows(taken));
        }
        let reader = self.reader.take_if(|_| !self.is_cut);
        if reader.is_some_and(|reader| reader.join().is_err()) {
            return Err(CommandError::new(format!(
                "{}: the reader failed, which is a fault of this program; nothing after the last checkpoint was kept",
                self.name
            )));
        }
        Ok(Taken::End)
    }

    /// Returns a row, good or bad; `None` for a row that a signal has cut off, which is not a failure.
    ///
    /// # Errors
    /// Returns an error if the input has failed here.
    pub fn checked(&self, row: Row) -> Result<Option<Row>, CommandError> {
        match row.into_failure() {
            Ok(row) => Ok(Some(row)),
            Err(_) if interrupt::is_requested() => Ok(None),
            Err(error) => Err(CommandError::new(format!("{}, {error}", self.name))),
        }
    }

    /// Returns whether no row is waiting to be taken.
    pub fn is_idle(&mut self) -> bool {
        if self.first.is_empty() {
            self.first.extend(self.rows.try_iter().flatten().next());
        }
        self.first.is_empty()
    }

    /// Ends the table after the rows that were put back: a signal was received.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Returns whether a signal has ended the table.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Puts rows back, to be taken again before all others.
    pub fn put_back(&mut self, rows: Vec<Row>) {
        self.first = rows.into();
    }
}

/// Returns the bytes of the file; `None` for what has no length.
pub fn length(address: &Address, follow: bool) -> Option<u64> {
    match address {
        Address::File(path) if !follow => std::fs::metadata(path).ok().map(|found| found.len()),
        _ => None,
    }
}

fn open(address: &Address, follow: bool) -> io::Result<Box<dyn Read + Send>> {
    let path = match address {
        Address::StandardInput => return Ok(Box::new(Arriving::Pipe(io::stdin()))),
        Address::File(path) => path,
    };
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if !follow {
        return Ok(Box::new(file));
    }
    let mut magic = Vec::new();
    if file.metadata()?.is_file() {
        file.try_clone()?.take(MAGIC).read_to_end(&mut magic)?;
        (&file).rewind()?;
    }
    if tables::is_packed(&magic) || tables::is_columnar(&magic) {
        return Err(io::Error::other(
            "compressed and columnar files cannot grow, so --follow would wait without end; leave it out",
        ));
    }
    Ok(Box::new(Arriving::Growing(file)))
}

/// The address of a table: a file, whose path need not be UTF-8, or standard input, which is written `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file, compressed or not.
    File(PathBuf),
    /// The output of another program.
    StandardInput,
}

impl Address {
    /// Returns the path of a file.
    pub fn path(&self) -> Option<&Path> {
        if let Self::File(path) = self {
            Some(path)
        } else {
            None
        }
    }
}

impl From<OsString> for Address {
    fn from(text: OsString) -> Self {
        if text == "-" {
            Self::StandardInput
        } else {
            Self::File(text.into())
        }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::StandardInput => f.write_str("standard input"),
        }
    }
}

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
