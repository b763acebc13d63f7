//! Files of runs and reports, which are complete or absent, and the folder of a comparison, whose runs are never lost.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use forest_core::files::{Lock, NewFile};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::record::Record;
use crate::{Request, host};

/// An error of a file or a folder of runs.
#[derive(Debug, Error)]
pub enum FileError {
    /// An error of the file system: what could not be done, and where.
    #[error("cannot {0} {path}", path = .1.display())]
    System(&'static str, PathBuf, #[source] io::Error),
    /// In words: another comparison writes to the folder, or it has runs and is not resumed.
    #[error("{0}")]
    Refused(String),
}

impl FileError {
    pub(crate) fn new(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::System(what, path.to_owned(), source)
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

/// Returns whether a file of records ends in half a line, which [`read_records`] skips.
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

/// Reads every record of a file, perhaps compressed by gzip; skips half a line at its end, left by a killed program.
///
/// # Errors
/// Returns an error if the file cannot be read, or a line is not a record (of kind [`io::ErrorKind::InvalidData`]).
pub fn read_records<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, FileError> {
    let read = || {
        let text = read_text(path)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut records = Vec::new();
        for (number, line) in (1..).zip(whole.lines()) {
            records.push(serde_json::from_str(line).map_err(|error| {
                let message = format!("line {number} is not a record of a run: {error}");
                io::Error::new(ErrorKind::InvalidData, message)
            })?);
        }
        Ok(records)
    };
    read().map_err(|source| FileError::new("read", path, source))
}

fn read_text(path: &Path) -> io::Result<String> {
    let bytes = fs::read(path)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        bytes.as_slice().read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Merges the runs of the parts of a grid, each run once; algorithms are in the order in which they went to the parts.
pub fn merged(files: &[Vec<Record>]) -> Vec<Record> {
    if let [only] = files {
        return only.clone();
    }
    let mut records: Vec<Record> = Vec::new();
    let mut places = BTreeMap::new();
    for turn in 0..files.iter().map(Vec::len).max().unwrap_or(0) {
        for record in files.iter().filter_map(|runs| runs.get(turn)) {
            if !records.contains(record) {
                let next = places.len();
                places.entry(record.label.clone()).or_insert(next);
                records.push(record.clone());
            }
        }
    }
    records.sort_by_key(|record| places[&record.label]);
    records
}

/// The parent of the folders of comparisons without `out`.
const RESULTS: &str = "results";

/// The folder of runs and report, with its earlier runs. It is locked while this lives.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// The runs that it had.
    pub finished: Vec<Record>,
    _lock: Lock,
}

impl Folder {
    /// Opens the folder that is asked for, or makes one with the date.
    ///
    /// # Errors
    /// Returns an error if it cannot be made, is in use, or has runs and is not to be resumed.
    pub fn open(request: &Request) -> Result<Self, FileError> {
        let path = request.out.clone().map_or_else(new_dated, Ok)?;
        let lock = lock(&path)?;
        let runs = runs(&path);
        let mut finished: Vec<Record> = Vec::new();
        if runs.is_file() {
            finished = read_records(&runs)?;
        }
        if !request.resume && !finished.is_empty() {
            return Err(FileError::Refused(format!(
                "{} has {} runs already; resume it (--resume) to run only what is missing, or name another \
                 folder (--out), such as {}",
                path.display(),
                finished.len(),
                dated().display()
            )));
        }
        Ok(Self {
            path,
            finished,
            _lock: lock,
        })
    }

    pub(crate) fn open_log(&self) -> Result<RunLog, FileError> {
        RunLog::open(&runs(&self.path))
    }
}

/// Returns the path of the runs of a folder.
pub fn runs(folder: &Path) -> PathBuf {
    folder.join("runs.jsonl")
}

/// Makes the folder if it does not exist, and locks it against other comparisons.
///
/// # Errors
/// Returns an error if it cannot be made, or is in use.
pub fn lock(folder: &Path) -> Result<Lock, FileError> {
    make_folder(folder)?;
    Lock::beside(&runs(folder)).map_err(|error| match error.kind() {
        ErrorKind::WouldBlock => FileError::Refused(format!(
            "{error} writes a comparison to {}; wait until it has ended, or name another folder (--out)",
            folder.display()
        )),
        _ => FileError::new("write to", folder, error),
    })
}

fn dated() -> PathBuf {
    Path::new(RESULTS).join(format!("compare-{}", host::stamp()))
}

fn new_dated() -> Result<PathBuf, FileError> {
    make_folder(Path::new(RESULTS))?;
    new_folder(&dated())
}

/// Makes a folder of this name, or, where there is one, of the name with `-2`, or with `-3`, ….
fn new_folder(first: &Path) -> Result<PathBuf, FileError> {
    let mut path = first.to_owned();
    let mut number = 1;
    loop {
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(FileError::new("make the folder", &path, error)),
        }
        path = PathBuf::from(format!("{}-{number}", first.display()));
    }
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
        let reason = std::error::Error::source(&error).unwrap().to_string();
        assert!(
            reason.starts_with("line 2 is not a record of a run"),
            "{reason}"
        );
    }

    #[test]
    fn folders_of_one_second_are_numbered() {
        let folder = tempfile::tempdir().unwrap();
        let first = folder.path().join("first");
        let made = [(); 3].map(|()| new_folder(&first).unwrap());
        let names = ["first", "first-2", "first-3"].map(|name| folder.path().join(name));
        assert_eq!(made, names);
        assert!(names.iter().all(|name| name.is_dir()));
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
