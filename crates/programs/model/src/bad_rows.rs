//! Rows that cannot be read: counted, and written where the user wants them.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use csv::StringRecord;
use registry::Destination;

use crate::console::Console;
use crate::error::{CommandError, csv_error};
use crate::share::Share;

/// The number of bad rows that are shown on standard error if there is no file for them.
const SHOWN: u64 = 5;

/// What to do with rows that cannot be read.
#[derive(Clone, Debug, clap::Args)]
pub struct BadRowOptions {
    /// Write line number and reason of every row that cannot be read to this file, as CSV [default: the first five
    /// are shown, all are counted]
    #[arg(long, value_name = "FILE")]
    pub bad_rows: Option<PathBuf>,

    /// Maximum share of bad rows. If it is exceeded, the exit code is 1; the other rows are learned or predicted
    /// nevertheless (100%: no limit)
    #[arg(long, value_name = "SHARE%", default_value = "10%")]
    pub max_bad_rows: Share,

    /// Stop with an error at the first bad row
    #[arg(long)]
    pub strict: bool,
}

/// Where bad rows are written.
#[derive(Debug)]
pub struct BadRows {
    strict: bool,
    most: Share,
    file: Option<(PathBuf, csv::Writer<File>)>,
    count: u64,
    console: Console,
}

impl BadRows {
    /// Creates an empty file, if one was requested.
    pub fn new(options: &BadRowOptions, console: &Console) -> Result<Self, CommandError> {
        Self::resume(0, options, console)
    }

    /// Continues a file that holds `kept` rows of an earlier run, and possibly rows that will be read again.
    pub fn resume(
        kept: u64,
        options: &BadRowOptions,
        console: &Console,
    ) -> Result<Self, CommandError> {
        let opened = options.bad_rows.as_ref().map(|path| {
            let file = open(path, kept);
            file.map(|file| (path.clone(), file))
                .map_err(|source| CommandError::io("write", path, source))
        });
        Ok(Self {
            strict: options.strict,
            most: options.max_bad_rows,
            file: opened.transpose()?,
            count: 0,
            console: console.clone(),
        })
    }

    /// Records a row that cannot be read.
    ///
    /// # Errors
    /// Returns the row's error if the command is strict, or an error of the file.
    pub fn add(&mut self, line: u64, reason: &str) -> Result<(), CommandError> {
        if self.strict {
            let reason = reason.to_owned();
            return Err(CommandError::BadRow { line, reason });
        }
        self.count += 1;
        match &mut self.file {
            Some((path, file)) => file
                .write_record([&line.to_string(), reason])
                .map_err(|error| CommandError::io("write", path, csv_error(error))),
            None => {
                self.show(line, reason);
                Ok(())
            }
        }
    }

    fn show(&self, line: u64, reason: &str) {
        if self.count <= SHOWN {
            self.console.say(&format!("line {line}: {reason}"));
        }
        if self.count == SHOWN {
            let all = "more rows like these are only counted; --bad-rows FILE lists all";
            self.console.say(all);
        }
    }

    /// Flushes the file to disk: no later than the model that counts these rows.
    pub fn sync(&mut self) -> Result<(), CommandError> {
        let Some((path, file)) = &mut self.file else {
            return Ok(());
        };
        let synced = file.flush().and_then(|()| put_on_disk(file.get_ref()));
        synced.map_err(|source| CommandError::io("write", path, source))
    }

    /// Checks that the share of bad rows is within the limit, once all rows were read.
    ///
    /// # Errors
    /// Returns an error if it is exceeded.
    pub fn check(&self, bad: u64, rows: u64, done: &'static str) -> Result<(), CommandError> {
        if self.most.is_exceeded(bad, rows) {
            Err(CommandError::TooManyBadRows {
                bad,
                rows,
                most: self.most.percent(),
                done,
            })
        } else {
            Ok(())
        }
    }

    /// Returns `3 bad rows (in bad.csv)`, or nothing.
    pub fn summary(&self) -> Option<String> {
        let rows = counted(self.count, "bad row");
        let place = self.file.as_ref();
        let place = place.map(|(path, _)| format!(" (see {})", path.display()));
        (self.count > 0).then(|| rows + &place.unwrap_or_default())
    }
}

/// Returns `3 cells of new categories`, or nothing.
pub fn unseen_text(cells: u64) -> Option<String> {
    let text = format!(
        "{} of categories that the rows fitted on did not have",
        counted(cells, "cell")
    );
    (cells > 0).then_some(text)
}

/// Returns `1 row`, `2 rows`.
pub fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// Flushes a file; a pipe or a device has nothing to flush.
fn put_on_disk(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.sync_all()
    } else {
        Ok(())
    }
}

/// Opens the file and keeps its header and the first `kept` of its rows. They are never removed in between: they may
/// be all that a killed run has left.
fn open(path: &Path, kept: u64) -> io::Result<csv::Writer<File>> {
    if let Destination::Stream(path) = Destination::new(path)? {
        let stream = OpenOptions::new().append(true).open(path)?;
        return with_header(stream);
    }
    if kept > 0 && path.exists() {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(find_end(path, kept)?)?;
        file.seek(SeekFrom::End(0))?;
        return Ok(csv::Writer::from_writer(file));
    }
    with_header(File::create(path)?)
}

fn with_header(file: File) -> io::Result<csv::Writer<File>> {
    let mut file = csv::Writer::from_writer(file);
    file.write_record(["line", "reason"])?;
    Ok(file)
}

/// Returns the offset at which the first `rows` rows end, or the end of the file if it has fewer.
fn find_end(path: &Path, rows: u64) -> io::Result<u64> {
    let mut file = csv::Reader::from_path(path)?;
    file.headers()?;
    let mut row = StringRecord::new();
    for _ in 0..rows {
        if !file.read_record(&mut row)? {
            break;
        }
    }
    Ok(file.position().byte())
}
