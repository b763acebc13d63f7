//! Tables as they arrive: a file, standard input, or a file that grows.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tables::{Fault, Header, Records, TableError, TableOptions, Warning};

use crate::address::Address;
use crate::console::Console;
use crate::error::CommandError;
use crate::following::Following;
use crate::interrupt;
use crate::queue::{Queue, Taken};
use crate::row::Row;

/// How long to wait for a row before looking whether there is something else to do.
const WAIT: Duration = Duration::from_millis(100);

/// First bytes of a file that show its format.
const MAGIC: u64 = 16;
/// Which columns of a table are used; `None` if that cannot be said, which is an error later.
pub type Used<'a> = &'a dyn Fn(&Header) -> Option<Vec<usize>>;

/// The rows of a table, read by a thread of their own: while it waits for more, or parses, the others learn.
#[derive(Debug)]
pub struct Source {
    name: String,
    header: Header,
    queue: Arc<Queue>,
    /// Ends with what was left out of the rows.
    reader: Option<JoinHandle<Vec<Warning>>>,
    console: Console,
    /// Rows that were looked at and put back.
    first: VecDeque<Row>,
    /// Whether nothing comes after these.
    is_cut: bool,
}

impl Source {
    /// Opens a table and reads its header, by the columns that a model knows if there is one. Cells of columns that are not
    /// used may be empty. Reports what was guessed.
    ///
    /// # Errors
    /// What cannot be opened, or has no header where there must be one.
    pub fn open(
        address: &Address,
        options: &TableOptions,
        known: Option<&Header>,
        follow: bool,
        used: Used<'_>,
        console: &Console,
    ) -> Result<Self, CommandError> {
        let name = address.to_string();
        let wrong = |source: TableError| CommandError::Table {
            data: address.to_string(),
            source,
        };
        let opened = open(address, follow, console);
        let (bytes, has_header) = opened.map_err(|error| wrong(Fault::from(error).into()))?;
        let counted = console.bar().wrap_read(bytes);
        let records = match known {
            Some(known) => Records::like(known, counted, options),
            None => Records::new(counted, options),
        };
        let mut records = records.map_err(wrong)?;
        if let Some(columns) = used(records.header()) {
            records.keep(&columns);
        }
        let guessed = records.warnings();
        say(&guessed, console);
        let (header, queue) = (records.header().clone(), Arc::new(Queue::default()));
        has_header.store(header.is_named(), Ordering::Relaxed);
        let filled = Filled(Arc::clone(&queue));
        let reader = thread::spawn(move || filled.fill(records, guessed.len()));
        Ok(Self {
            name,
            header,
            queue,
            reader: Some(reader),
            console: console.clone(),
            first: VecDeque::new(),
            is_cut: false,
        })
    }

    /// The file, or `standard input`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error of the table as a whole.
    pub fn wrong(&self, error: impl Into<TableError>) -> CommandError {
        CommandError::Table {
            data: self.name.clone(),
            source: error.into(),
        }
    }

    /// The columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The rows that are there, at most `most`; waits a moment if there are none.
    ///
    /// # Errors
    /// A reader that ended by a fault of its own: what it has read is not all there is.
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
        {
            let data = self.name.clone();
            let left_out = reader.join().map_err(|_| CommandError::Reader { data })?;
            say(&left_out, &self.console);
        }
        Ok(taken)
    }

    /// Returns a row, good or bad; `None` of what a signal has cut off, which is no failure.
    ///
    /// # Errors
    /// An input that has failed here.
    pub fn checked(&self, row: Row) -> Result<Option<Row>, CommandError> {
        match row.into_failure() {
            Ok(row) => Ok(Some(row)),
            Err(_) if interrupt::is_requested() => Ok(None),
            Err(source) => Err(CommandError::Input {
                data: self.name.clone(),
                source,
            }),
        }
    }

    /// Whether no row is waiting to be taken.
    pub fn is_idle(&self) -> bool {
        self.first.is_empty() && self.queue.is_empty()
    }

    /// Ends the table after the rows that are put back: a signal has come.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Whether a signal has ended the table.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Rows to be taken again, before all others.
    pub fn put_back(&mut self, rows: Vec<Row>) {
        self.first = rows.into();
    }
}

/// A queue that ends when the reader does, even if it panics.
struct Filled(Arc<Queue>);

impl Filled {
    /// Adds all rows, and the warnings of the reader behind the first `reported`.
    fn fill(self, mut records: Records<'_>, said: usize) -> Vec<Warning> {
        records.by_ref().for_each(|row| self.0.push(Row::new(row)));
        records.warnings().split_off(said)
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        self.0.end();
    }
}

fn say(warnings: &[Warning], console: &Console) {
    for warning in warnings {
        console.say(&format!("warning: {warning}"));
    }
}

/// Bytes of the file; `None` of what has no length.
pub fn length(address: &Address, follow: bool) -> Option<u64> {
    match address {
        Address::File(path) if !follow => std::fs::metadata(path).ok().map(|found| found.len()),
        _ => None,
    }
}

/// The bytes, and where to say whether their first line is a header.
type Opened = (Box<dyn Read + Send>, Arc<AtomicBool>);

fn open(address: &Address, follow: bool, console: &Console) -> io::Result<Opened> {
    let path = match address {
        Address::StandardInput => return Ok((Box::new(io::stdin()), Arc::default())),
        Address::File(path) => path,
    };
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if !follow {
        return Ok((Box::new(file), Arc::default()));
    }
    check_growth(&file)?;
    let following = Following::new(path, file, console)?;
    let has_header = following.has_header();
    Ok((Box::new(following), has_header))
}

/// Refuses to follow a file whose end belongs to it: nothing can be added to it.
fn check_growth(file: &File) -> io::Result<()> {
    let mut magic = Vec::new();
    if file.metadata()?.is_file() {
        file.try_clone()?.take(MAGIC).read_to_end(&mut magic)?;
        (&*file).rewind()?;
    }
    match tables::is_packed(&magic) || tables::is_columnar(&magic) {
        true => Err(io::Error::other(
            "packed and columnar files cannot grow, so --follow would wait without end; leave it out",
        )),
        false => Ok(()),
    }
}
