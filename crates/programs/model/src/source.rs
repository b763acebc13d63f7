//! Tables as they arrive: a file, standard input, or a file that grows.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tables::{Header, Records, TableError, TableOptions};

use crate::address::Address;
use crate::console::Console;
use crate::error::CommandError;
use crate::following::Arriving;
use crate::interrupt;
use crate::queue::{Queue, Taken};
use crate::row::Row;

/// The time to wait for a row before checking for signals.
const WAIT: Duration = Duration::from_millis(100);

/// The number of bytes at the start of a file that reveal its format.
const MAGIC: u64 = 16;
/// Selects the columns that are used; `None` if that cannot be decided, which is an error later.
pub type Used<'a> = &'a dyn Fn(&Header) -> Option<Vec<usize>>;

/// The rows of a table, read by a thread of its own: while it waits for more, or parses, the caller learns.
#[derive(Debug)]
pub struct Source {
    name: String,
    header: Header,
    options: TableOptions,
    queue: Arc<Queue>,
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
        let queue = Arc::new(Queue::default());
        let filled = Filled(Arc::clone(&queue));
        let reader = thread::spawn(move || records.for_each(|row| filled.0.push(Row::new(row))));
        Ok(Self {
            name: address.to_string(),
            header,
            options,
            queue,
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
        if !self.first.is_empty() {
            let count = most.min(self.first.len());
            return Ok(Taken::Rows(self.first.drain(..count).collect()));
        }
        if self.is_cut {
            return Ok(Taken::End);
        }
        let taken = self.queue.take(most, WAIT);
        if matches!(taken, Taken::End)
            && let Some(reader) = self.reader.take()
            && reader.join().is_err()
        {
            return Err(CommandError::new(format!(
                "{}: the reader failed, which is a fault of this program; nothing after the last checkpoint was kept",
                self.name
            )));
        }
        Ok(taken)
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
    pub fn is_idle(&self) -> bool {
        self.first.is_empty() && self.queue.is_empty()
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

/// Closes the queue when the reader ends, even if it panics.
struct Filled(Arc<Queue>);

impl Drop for Filled {
    fn drop(&mut self) {
        self.0.end();
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
    check_growth(&file)?;
    Ok(Box::new(Arriving::Growing(file)))
}

/// Refuses to follow a file whose format marks its end: nothing can be appended to it.
fn check_growth(file: &File) -> io::Result<()> {
    let mut magic = Vec::new();
    if file.metadata()?.is_file() {
        file.try_clone()?.take(MAGIC).read_to_end(&mut magic)?;
        (&*file).rewind()?;
    }
    if tables::is_packed(&magic) || tables::is_columnar(&magic) {
        Err(io::Error::other(
            "compressed and columnar files cannot grow, so --follow would wait without end; leave it out",
        ))
    } else {
        Ok(())
    }
}
