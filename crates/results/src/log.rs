//! Records as lines of a file, whatever they are records of.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::files::{FileError, make_folder};

/// `runs.jsonl`: a JSON object a line, each written when its run ends.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
}

impl RunLog {
    /// The file at this path, in a folder that is made if it is not there. Lines that are there stay as they are; half a line
    /// at the end, of a program that was killed, is cut off.
    ///
    /// # Errors
    /// The file cannot be made, read or cut.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        path.parent().map_or(Ok(()), make_folder)?;
        let file = open_and_repair(path).map_err(|source| FileError::write(path, source))?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// Appends a line with one call, so that an interruption leaves whole lines.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn append<R: Serialize>(&mut self, record: &R) -> Result<(), FileError> {
        let written = self.file.write_all(to_line(record).as_bytes());
        written.map_err(|source| FileError::write(&self.path, source))
    }
}

fn open_and_repair(path: &Path) -> io::Result<File> {
    let file = File::options().create(true).append(true).open(path)?;
    let text = fs::read(path)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n');
    file.set_len(whole.map_or(0, |end| end as u64 + 1))?;
    Ok(file)
}

/// One line of JSON, with its line break.
///
/// # Panics
/// If a key of the record is no text.
pub fn to_line<R: Serialize>(record: &R) -> String {
    let json = serde_json::to_string(record).expect("every key is a string");
    format!("{json}\n")
}

/// Whether a file of records ends in half a line, of a program that was killed, which [`read_records`] leaves out.
///
/// # Errors
/// The file cannot be read.
pub fn has_unfinished_line(path: &Path) -> Result<bool, FileError> {
    let last_byte = || {
        let mut file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(b'\n');
        }
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last).map(|()| last[0])
    };
    let last = last_byte().map_err(|source| {
        let path = path.to_owned();
        FileError::Read { path, source }
    })?;
    Ok(last != b'\n')
}

/// Every record of a file. Half a line at its end, of a program that was killed, is left out.
///
/// # Errors
/// The file cannot be read, or a line is no record: an error of kind [`io::ErrorKind::InvalidData`] that names it.
pub fn read_records<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, FileError> {
    let read = fs::read_to_string(path).and_then(|text| {
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

fn read_line<R: DeserializeOwned>(number: usize, line: &str) -> io::Result<R> {
    serde_json::from_str(line).map_err(|error| {
        let message = format!("line {number} is no record of a run: {error}");
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_and_half_a_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/runs.jsonl");
        let records = [0.1, 1.0 / 3.0, 2.5e-300];
        let mut log = RunLog::open(&path).unwrap();
        records
            .iter()
            .for_each(|record| log.append(record).unwrap());
        assert_eq!(read_records::<f64>(&path).unwrap(), records);
        let text = fs::read_to_string(&path).unwrap();
        assert!(!has_unfinished_line(&path).unwrap());
        fs::write(&path, &text[..text.len() - 4]).unwrap();
        assert!(has_unfinished_line(&path).unwrap());
        assert_eq!(read_records::<f64>(&path).unwrap(), records[..2]);
        let mut log = RunLog::open(&path).unwrap();
        log.append(&records[2]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        fs::write(&path, "1").unwrap();
        drop(RunLog::open(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
    }

    #[test]
    fn a_line_that_is_no_record_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl");
        fs::write(&path, "1.0\n{}\n").unwrap();
        let error = read_records::<f64>(&path).unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.starts_with("line 2 is no record of a run"), "{cause}");
    }
}
