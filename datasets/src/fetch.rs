//! Fetching named sets from where they are published.
//!
//! A file is downloaded to `<name>.part`, flushed to disk, compared with the manifest's checksums, and only then
//! renamed: a file under its own name is always complete and correct.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use ureq::Agent;

use crate::error::{Result, refuse};
use crate::manifest::{FileState, NamedSet, SetFile, verify};
use crate::readers::find_digest;
use crate::{DataError, Digest};

/// A server that has not begun to respond after this long is considered unavailable.
const PATIENCE: Duration = Duration::from_secs(30);

/// The outcome for one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fetched {
    /// It existed already, with a checksum the manifest knows.
    AlreadyThere,
    /// It was downloaded and verified.
    Downloaded,
}

/// Fetches every file of a set that does not exist yet into `<data_dir>/<set>/`, and returns the outcome for each.
///
/// Addresses of a file are tried in the manifest's order until one delivers it.
///
/// # Errors
/// Returns an error for a file that cannot be downloaded in this form, for which every address failed (with each one's
/// fault), or that cannot be written. An existing file with an unknown checksum is an error and never overwritten.
pub fn fetch<'a>(set: &'a NamedSet, data_dir: &Path) -> Result<Vec<(&'a SetFile, Fetched)>> {
    let folder = set.folder_in(data_dir);
    let mut fetched = Vec::new();
    for (file, state) in verify(set, data_dir)? {
        let name = &file.name;
        match state {
            FileState::Published(_) | FileState::Copy(_) => {
                fetched.push((file, Fetched::AlreadyThere));
            }
            FileState::Different(path) => refuse!(
                "`{}` exists, but its checksum is not in the manifest; move it away to fetch it again",
                path.display()
            ),
            FileState::Missing if file.urls.is_empty() => refuse!(
                "`{name}` is not published in this form; make it from: {}; and put it into `{}`",
                set.source,
                folder.display()
            ),
            FileState::Missing => {
                download_from_any(file, &folder.join(name))?;
                fetched.push((file, Fetched::Downloaded));
            }
        }
    }
    Ok(fetched)
}

/// Downloads a file from the first of its addresses that delivers it.
fn download_from_any(file: &SetFile, to: &Path) -> Result {
    let mut faults = String::new();
    for url in &file.urls {
        match download(url, to, &file.digests()) {
            Ok(()) => return Ok(()),
            Err(error) => faults.extend(["\n  ", &error.0]),
        }
    }
    let name = &file.name;
    refuse!("`{name}` could not be fetched from any address:{faults}");
}

/// Downloads `url` to the path `to` by way of `<to>.part`, and makes its folder. If there are checksums, the file must
/// have one of them.
///
/// # Errors
/// Returns an error for everything the server or the disk may do; then neither `to` nor its part exists.
pub fn download(url: &str, to: &Path, accepted: &[&Digest]) -> Result {
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let downloaded = receive(url, part, to, accepted);
    if downloaded.is_err() {
        // There may be none.
        let _ = fs::remove_file(part);
    }
    downloaded
}

fn receive(url: &str, part: &Path, to: &Path, accepted: &[&Digest]) -> Result {
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .build()
        .into();
    let response = agent.get(url).call();
    let response = response.map_err(|error| DataError(format!("{url}: no response ({error})")))?;
    let status = response.status().as_u16();
    if status != 200 {
        refuse!("{url}: the server responded with status {status}");
    }
    let unwritten =
        |error: io::Error| DataError(format!("`{}` cannot be written: {error}", part.display()));
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(unwritten)?;
    let mut file = File::create(part).map_err(unwritten)?;
    if let Err(error) = io::copy(&mut response.into_body().into_reader(), &mut file) {
        refuse!("{url}: interrupted ({error})");
    }
    file.sync_all().map_err(unwritten)?;
    if !accepted.is_empty() && find_digest(part, accepted)?.is_none() {
        let expected: Vec<String> = accepted.iter().map(|digest| digest.to_string()).collect();
        refuse!(
            "{url}: the checksum of the file is not the expected one ({}); nothing was kept",
            expected.join(" or ")
        );
    }
    fs::rename(part, to).map_err(unwritten)?;
    // The folder is flushed too, or the name could be lost with the power.
    let folder = File::open(folder).map_err(unwritten)?;
    folder.sync_all().map_err(unwritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_files_say_that_they_cannot_be_downloaded() {
        let folder = tempfile::tempdir().unwrap();
        let set = crate::manifest::find("airline").unwrap();
        let error = fetch(set, folder.path()).unwrap_err().to_string();
        assert!(error.contains("is not published in this form"), "{error}");
        assert!(!folder.path().join("airline").exists());
    }

    #[test]
    fn a_foreign_file_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let set = crate::manifest::find("letter").unwrap();
        let path = folder.path().join("letter/letter-recognition.data");
        fs::create_dir(folder.path().join("letter")).unwrap();
        fs::write(&path, "mine").unwrap();
        let error = fetch(set, folder.path()).unwrap_err().to_string();
        assert!(
            error.contains("its checksum is not in the manifest"),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }
}
