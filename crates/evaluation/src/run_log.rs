//! Records as lines of a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::{FileError, write_atomically};
use crate::record::Record;

/// `runs.jsonl`: a JSON object a line, each written when its run ends.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
}

impl RunLog {
    /// An empty file.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let file = File::create(path).map_err(|source| FileError::write(path, source))?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// A file that goes on after these records, which it is left with: half a line at its end, of a program that was
    /// killed, goes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn resume(path: &Path, records: &[Record]) -> Result<Self, FileError> {
        let lines: String = records.iter().map(Record::to_line).collect();
        write_atomically(path, lines.as_bytes())?;
        let file = File::options().append(true).open(path);
        let file = file.map_err(|source| FileError::write(path, source))?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// Appends a line with one call, so that an interruption leaves whole lines.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn append(&mut self, record: &Record) -> Result<(), FileError> {
        let written = self.file.write_all(record.to_line().as_bytes());
        written.map_err(|source| FileError::write(&self.path, source))
    }
}

impl Record {
    /// One line of JSON, with its line break.
    pub fn to_line(&self) -> String {
        let json = serde_json::to_string(self).expect("every key is a string");
        format!("{json}\n")
    }
}

/// Every record of a file. Half a line at its end, of a program that was killed, is left out.
///
/// # Errors
/// The file cannot be read, or a line is no record: an error of kind [`io::ErrorKind::InvalidData`] that names it.
pub fn read_records(path: &Path) -> Result<Vec<Record>, FileError> {
    let read = std::fs::read_to_string(path).and_then(|text| {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = (1..).zip(whole.lines());
        lines
            .map(|(number, line)| read_line(number, line))
            .collect()
    });
    read.map_err(|source| {
        let path = path.to_owned();
        FileError::Read { path, source }
    })
}

fn read_line(number: usize, line: &str) -> io::Result<Record> {
    serde_json::from_str(line).map_err(|error| {
        let message = format!("line {number} is no record of a run: {error}");
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

#[cfg(test)]
mod tests {
    use datasets::{OpenOptions, open};

    use super::*;
    use crate::protocol::Design;
    use crate::record::{Outcome, Protocol};
    use crate::{AnyAlgorithm, Comparison, Runner};

    /// Finished and failed runs of both protocols.
    fn records() -> Vec<Record> {
        let options = OpenOptions::default();
        let data = ["gaussian-mixture:n=60,test=20", "friedman:n=60,test=20"];
        let datasets = data.map(|address| open(address, &options).unwrap());
        let algorithms: Vec<AnyAlgorithm> = ["no-change", "batch-urtf", "wurtf:weights=1/2"]
            .map(|name| name.parse().unwrap())
            .into();
        let protocols = [Protocol::Holdout, Protocol::Prequential];
        let pairs = datasets
            .iter()
            .flat_map(|data| protocols.map(|protocol| (data, protocol)));
        let comparisons: Vec<_> = pairs
            .map(|(data, protocol)| {
                Comparison::new(data, protocol, &algorithms, &Design::default()).unwrap()
            })
            .collect();
        Runner::new(2, 2).records(&comparisons)
    }

    #[test]
    fn what_was_written_is_read_back_to_the_last_bit() {
        let records = records();
        let failed = |record: &&Record| matches!(record.outcome, Outcome::Failed { .. });
        assert!(records.iter().any(|record| failed(&record)));
        assert!(records.iter().filter(|r| !failed(r)).count() > 4);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl");
        let mut log = RunLog::create(&path).unwrap();
        records
            .iter()
            .for_each(|record| log.append(record).unwrap());
        assert_eq!(read_records(&path).unwrap(), records);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        let whole = &records[..records.len() - 1];
        assert_eq!(
            read_records(&path).unwrap(),
            whole,
            "half a line is left out"
        );
        let mut log = RunLog::resume(&path, whole).unwrap();
        log.append(&records[records.len() - 1]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn a_line_that_is_no_record_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl");
        std::fs::write(&path, format!("{}{{}}\n", records()[0].to_line())).unwrap();
        let error = read_records(&path).unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.starts_with("line 2 is no record of a run"), "{cause}");
    }
}
