//! Finds files that came and went between two looks.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::followed::Followed;

/// The most by which clocks of file systems are behind.
const BEHIND: Duration = Duration::from_millis(20);

/// Returns unknown files beside `path` that were written to since a point in time, with their lengths. Rotated logs
/// have its name and a suffix.
pub(super) fn since(time: SystemTime, path: &Path, known: &[&Followed]) -> Vec<(PathBuf, u64)> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Vec::new();
    };
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let named = entries.filter(|entry| {
        let found = entry.file_name();
        found
            .as_encoded_bytes()
            .starts_with(name.as_encoded_bytes())
    });
    let passed = named.filter_map(|entry| {
        let path = entry.path();
        // Opening a pipe would wait for its writer.
        entry.metadata().ok().filter(|found| found.is_file())?;
        let file = File::open(&path).ok().filter(is_text)?;
        let file = Followed::new(file).ok()?;
        let (written, bytes) = file.written()?;
        let is_new = written + BEHIND >= time && known.iter().all(|known| !file.is_same(known));
        is_new.then_some((path, bytes))
    });
    passed.collect()
}

/// Returns whether it may be a log: neither compressed, nor a model that is saved beside it.
fn is_text(file: &File) -> bool {
    let mut first = Vec::new();
    let read = file.take(16).read_to_end(&mut first);
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    read.is_ok() && !first.iter().any(is_control) && !tables::is_packed(&first)
}
