//! Fetching named sets from where they are published.
//!
//! A file is downloaded to `<name>.part`, flushed to disk, compared with the manifest's checksums, and only then
//! renamed: a file under its own name is always complete and correct. An interrupted download leaves its part behind
//! and is resumed next time, if the server honours ranges and the part is still a prefix of the file.

mod download;
mod error;

use std::fs;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

pub use download::download;
pub(crate) use download::text;
pub use error::{FetchError, NetworkFault};

use crate::manifest::{FileState, NamedSet, SetFile, verify};

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
/// A progress bar is drawn on standard error while that is a terminal. Addresses of a file are tried in the
/// manifest's order until one delivers it.
///
/// # Errors
/// [`FetchError`]: the file cannot be downloaded in this form, every address failed (with each one's fault), or
/// the disk refused. An existing file with an unknown checksum is an error and never overwritten.
pub fn fetch<'a>(
    set: &'a NamedSet,
    data_dir: &Path,
) -> Result<Vec<(&'a SetFile, Fetched)>, FetchError> {
    let folder = set.folder(data_dir);
    let states = verify(set, data_dir).map_err(FetchError::Unreadable)?;
    let fetch = |(file, state)| Ok((file, fetch_file(set, file, state, &folder)?));
    states.into_iter().map(fetch).collect()
}

fn fetch_file(
    set: &NamedSet,
    file: &SetFile,
    state: FileState,
    folder: &Path,
) -> Result<Fetched, FetchError> {
    match state {
        FileState::Verified(..) => Ok(Fetched::AlreadyThere),
        FileState::Different(path) => Err(FetchError::Different { path }),
        FileState::Missing if file.urls.is_empty() => Err(FetchError::NotPublished {
            file: file.name.clone(),
            folder: folder.to_owned(),
            origin: set.source.clone(),
        }),
        FileState::Missing => {
            fs::create_dir_all(folder).map_err(|error| FetchError::disk(folder, error))?;
            fetch_from_any(file, &folder.join(&file.name))
        }
    }
}

/// Tries the addresses in order; only a fault of the network moves on to the next.
fn fetch_from_any(file: &SetFile, to: &Path) -> Result<Fetched, FetchError> {
    let progress = progress_bar(&file.name);
    let mut faults = Vec::new();
    for url in &file.urls {
        match download(url, to, &file.digests(), &progress) {
            Ok(()) => return Ok(Fetched::Downloaded),
            Err(FetchError::Network { url, fault }) => faults.push(format!("  {url}: {fault}")),
            Err(error) => return Err(error),
        }
    }
    progress.abandon();
    Err(FetchError::EveryAddress {
        file: file.name.clone(),
        faults: faults.join("\n"),
    })
}

/// Hidden by itself when standard error is not a terminal.
pub(crate) fn progress_bar(name: &str) -> ProgressBar {
    const TEMPLATE: &str = "{msg} [{bar:30}] {bytes}/{total_bytes} {bytes_per_sec} eta {eta}";
    let style = ProgressStyle::with_template(TEMPLATE).expect("a test draws with this template");
    ProgressBar::new(0)
        .with_style(style.progress_chars("=> "))
        .with_message(name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn progress_bar_template_is_valid() {
        assert_eq!(progress_bar("letter").message(), "letter");
    }

    #[test]
    fn derived_files_say_that_they_cannot_be_downloaded() {
        let folder = tempfile::tempdir().unwrap();
        let set = crate::manifest::find("airline").unwrap();
        let error = fetch(set, folder.path()).unwrap_err();
        assert!(matches!(error, FetchError::NotPublished { .. }), "{error}");
        assert!(!folder.path().join("airline").exists());
    }

    /// Returns a server that sends `content` to the first client that connects.
    fn serve_once(content: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            BufReader::new(&stream)
                .lines()
                .take_while(|line| line.as_ref().is_ok_and(|l| !l.is_empty()))
                .count();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n",
                content.len()
            );
            stream
                .write_all(&[head.as_bytes(), content].concat())
                .unwrap();
        });
        format!("http://{address}/")
    }

    fn abc(urls: Vec<String>) -> SetFile {
        let upstream = "md5:900150983cd24fb0d6963f7d28e17f72".parse().ok();
        SetFile {
            name: "abc".to_owned(),
            stand_in: None,
            urls,
            upstream,
            copy: None,
        }
    }

    #[test]
    fn addresses_are_tried_until_one_delivers() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("abc");
        let file = abc(vec![serve_once(b"not it"), serve_once(b"abc")]);
        assert_eq!(fetch_from_any(&file, &to).unwrap(), Fetched::Downloaded);
        assert_eq!(fs::read(&to).unwrap(), b"abc");
    }

    #[test]
    fn when_none_delivers_each_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let file = abc(vec![serve_once(b"not it"), serve_once(b"nor this")]);
        let error = fetch_from_any(&file, &folder.path().join("abc"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            error.matches("is not the expected one").count(),
            2,
            "{error}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_foreign_file_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let set = crate::manifest::find("letter").unwrap();
        let path = folder.path().join("letter/letter-recognition.data");
        fs::create_dir(folder.path().join("letter")).unwrap();
        fs::write(&path, "mine").unwrap();
        let error = fetch(set, folder.path()).unwrap_err();
        assert!(matches!(error, FetchError::Different { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }
}
