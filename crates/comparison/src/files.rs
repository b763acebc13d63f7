//! Files of runs and reports: they are either complete or absent, and hold a record a line.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use forest_core::files::NewFile;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// An error of the file system.
#[derive(Debug, Error)]
#[error("cannot {what} {}", path.display())]
pub struct FileError {
    what: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl FileError {
    pub(crate) fn new(what: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self { what, path, source }
    }
}

/// Makes a folder and its parents.
///
/// # Errors
/// An error of the file system.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|source| FileError::new("make the folder", path, source))
}

/// Writes a file that takes its name when it is complete ([`NewFile`]).
///
/// # Errors
/// An error of the file system.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let write = || {
        let mut file = NewFile::create(path)?;
        file.write_all(content)?;
        file.commit()
    };
    write().map_err(|source| FileError::new("write", path, source))
}

/// The file `runs.jsonl`: a JSON object per line, each written when its run ends.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
}

impl RunLog {
    /// Opens the file at this path, in a folder that is made if it is missing. Existing lines are unchanged; half a
    /// line at the end, left by a program that was killed, is cut off.
    ///
    /// # Errors
    /// Returns an error if the file cannot be made, read or cut.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        path.parent().map_or(Ok(()), make_folder)?;
        let open_and_cut = || {
            let file = File::options().create(true).append(true).open(path)?;
            let whole = fs::read(path)?.iter().rposition(|&byte| byte == b'\n');
            file.set_len(whole.map_or(0, |end| end as u64 + 1))?;
            Ok(file)
        };
        let file = open_and_cut().map_err(|source| FileError::new("write", path, source))?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// Appends a line by a single call, so that an interruption leaves whole lines.
    ///
    /// # Errors
    /// Returns an error if the line cannot be written.
    pub fn append<R: Serialize>(&mut self, record: &R) -> Result<(), FileError> {
        let written = self.file.write_all(to_line(record).as_bytes());
        written.map_err(|source| FileError::new("write", &self.path, source))
    }
}

/// Returns one line of JSON, with its line break.
///
/// # Panics
/// Panics if a key of the record is not a string.
pub fn to_line<R: Serialize>(record: &R) -> String {
    serde_json::to_string(record).expect("every key is a string") + "\n"
}

/// Returns whether a file of records ends in half a line, left by a program that was killed, which [`read_records`]
/// skips.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn has_unfinished_line(path: &Path) -> Result<bool, FileError> {
    let text = read_text(path).map_err(|source| FileError::new("read", path, source))?;
    Ok(!text.is_empty() && !text.ends_with('\n'))
}

/// Writes the records as lines of a file compressed by gzip, which takes its name when it is complete.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_packed<R: Serialize>(
    path: &Path,
    records: impl IntoIterator<Item = R>,
) -> Result<(), FileError> {
    let pack = || {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        for record in records {
            packed.write_all(to_line(&record).as_bytes())?;
        }
        packed.finish()
    };
    let packed = pack().map_err(|source| FileError::new("write", path, source))?;
    write_atomically(path, &packed)
}

/// Reads every record of a file, which may be compressed by gzip. Half a line at its end, left by a program that was
/// killed, is skipped.
///
/// # Errors
/// Returns an error if the file cannot be read, or a line is not a record: one of kind [`io::ErrorKind::InvalidData`]
/// that names the line.
pub fn read_records<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, FileError> {
    let read = || {
        let text = read_text(path)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut records = Vec::new();
        for (number, line) in (1..).zip(whole.lines()) {
            records.push(serde_json::from_str(line).map_err(|error| {
                let message = format!("line {number} is not a record of a run: {error}");
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?);
        }
        Ok(records)
    };
    read().map_err(|source| FileError::new("read", path, source))
}

fn read_text(path: &Path) -> io::Result<String> {
    let (bytes, mut text) = (fs::read(path)?, String::new());
    if bytes.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        bytes.as_slice().read_to_string(&mut text)?;
    }
    Ok(text)
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
        for record in &records {
            log.append(record).unwrap();
        }
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
        fs::write(&path, "1.0\n{}\n").unwrap();
        let error = read_records::<f64>(&path).unwrap_err();
        let reason = error.source.to_string();
        assert!(
            reason.starts_with("line 2 is not a record of a run"),
            "{reason}"
        );
    }

    #[test]
    fn packed_records_are_read_back_and_a_file_that_is_cut_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl.gz");
        let records: Vec<f64> = (0..1000).map(f64::from).collect();
        write_packed(&path, &records).unwrap();
        assert_eq!(read_records::<f64>(&path).unwrap(), records);
        assert!(!has_unfinished_line(&path).unwrap());
        let packed = fs::read(&path).unwrap();
        assert!(packed.len() < 3 * records.len(), "{}", packed.len());
        fs::write(&path, &packed[..packed.len() / 2]).unwrap();
        assert!(read_records::<f64>(&path).is_err());
    }
}
