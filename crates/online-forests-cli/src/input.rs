//! Tables as they arrive: a file, standard input, or a file that grows.

mod address;
mod following;
mod given;
mod queue;
mod reading;
mod row;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tables::{Fault, Header, Records, TableError, TableOptions};

pub use address::Address;
use following::Following;
pub use given::GivenOptions;
use queue::Queue;
pub(crate) use queue::Taken;
pub use reading::ReadingOptions;
pub(crate) use row::Outcome;
pub use row::Row;

use crate::CommandError;
use crate::console::Console;

/// How long to wait for a row before looking whether there is something else to do.
const WAIT: Duration = Duration::from_millis(100);

/// Which columns of a table are used; `None` if that cannot be said, which is an error later.
pub(crate) type Used<'a> = &'a dyn Fn(&Header) -> Option<Vec<usize>>;

/// The rows of a table, read by a thread of their own: while it waits for more, or parses, the others learn.
#[derive(Debug)]
pub struct Source {
    name: String,
    header: Header,
    queue: Arc<Queue>,
    reader: Option<JoinHandle<()>>,
    /// Rows that were looked at and put back.
    first: VecDeque<Row>,
}

impl Source {
    /// Opens a table and reads its header. Cells of columns that are not used may be empty.
    ///
    /// # Errors
    /// What cannot be opened, or has no header where there must be one.
    pub(crate) fn open(
        address: &Address,
        options: &TableOptions,
        follow: bool,
        used: Used<'_>,
        console: &Console,
    ) -> Result<Self, CommandError> {
        let name = address.to_string();
        let wrong = |source: TableError| CommandError::Table {
            data: address.to_string(),
            source,
        };
        let bytes = open(address, follow).map_err(|error| wrong(Fault::from(error).into()))?;
        let counted = console.bar().wrap_read(bytes);
        let mut records = Records::new(counted, options).map_err(wrong)?;
        if let Some(columns) = used(records.header()) {
            records.keep(&columns);
        }
        let (header, queue) = (records.header().clone(), Arc::new(Queue::default()));
        let filled = Filled(Arc::clone(&queue));
        let reader = thread::spawn(move || records.for_each(|row| filled.0.push(Row::new(row))));
        Ok(Self {
            name,
            header,
            queue,
            reader: Some(reader),
            first: VecDeque::new(),
        })
    }

    /// The file, or `standard input`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error of the table as a whole.
    pub(crate) fn wrong(&self, error: impl Into<TableError>) -> CommandError {
        CommandError::Table {
            data: self.name.clone(),
            source: error.into(),
        }
    }

    /// The columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// At most so many rows, as many as are there; waits a moment if there are none.
    ///
    /// # Errors
    /// A reader that ended by a fault of its own: what it has read is not all there is.
    pub(crate) fn take(&mut self, most: usize) -> Result<Taken, CommandError> {
        if !self.first.is_empty() {
            let count = most.min(self.first.len());
            return Ok(Taken::Rows(self.first.drain(..count).collect()));
        }
        let taken = self.queue.take(most, WAIT);
        if matches!(taken, Taken::End)
            && let Some(reader) = self.reader.take()
        {
            let data = self.name.clone();
            reader.join().map_err(|_| CommandError::Reader { data })?;
        }
        Ok(taken)
    }

    /// Whether no row is waiting to be taken.
    pub(crate) fn is_idle(&self) -> bool {
        self.first.is_empty() && self.queue.is_empty()
    }

    /// Rows to be taken again, before all others.
    pub(crate) fn put_back(&mut self, rows: Vec<Row>) {
        self.first = rows.into();
    }
}

/// A queue that ends when the reader does, even if it panics.
struct Filled(Arc<Queue>);

impl Drop for Filled {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Bytes of the file; `None` of what has no length.
pub fn length(address: &Address, follow: bool) -> Option<u64> {
    match address {
        Address::File(path) if !follow => std::fs::metadata(path).ok().map(|found| found.len()),
        _ => None,
    }
}

fn open(address: &Address, follow: bool) -> io::Result<Box<dyn Read + Send>> {
    Ok(match address {
        Address::StandardInput => Box::new(io::stdin()),
        Address::File(path) => {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            match follow {
                true => Box::new(Following::new(file)),
                false => Box::new(file),
            }
        }
    })
}
