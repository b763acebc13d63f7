//! One file from one address.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::ProgressBar;
use ureq::http::{Response, StatusCode, header};
use ureq::{Agent, Body};

use super::{FetchError, NetworkFault};
use crate::Digest;
use crate::readers::find_digest;

/// A server that has not begun to respond after this long is considered unavailable.
const PATIENCE: Duration = Duration::from_secs(30);
const CHUNK: usize = 1 << 16;

/// Downloads `url` to the path `to` by way of `<to>.part`, accepting it only with one of the checksums.
///
/// # Errors
/// [`FetchError::Network`] for everything the server may do, [`FetchError::Disk`] for everything the disk may.
/// After an error, `to` does not exist; the part of an interrupted download stays for the next attempt.
pub fn download(
    url: &str,
    to: &Path,
    accepted: &[&Digest],
    progress: &ProgressBar,
) -> Result<(), FetchError> {
    let transfer = Transfer {
        url,
        to,
        part: part_path(to),
        accepted,
        progress,
    };
    let resumed = transfer.receive()?;
    if transfer.is_accepted()? {
        return transfer.keep();
    }
    transfer.discard()?;
    // The old part may have belonged to another version of the file: one clean attempt decides.
    if resumed == Start::Resumed {
        transfer.receive()?;
        if transfer.is_accepted()? {
            return transfer.keep();
        }
        transfer.discard()?;
    }
    Err(transfer.wrong_checksum())
}

/// Downloads a short text, such as a description, to the path `to`, and makes its folder.
///
/// # Errors
/// Returns the errors of [`download`]; after an error, `to` does not exist.
pub(crate) fn text(url: &str, to: &Path) -> Result<(), FetchError> {
    let transfer = Transfer {
        url,
        to,
        part: part_path(to),
        accepted: &[],
        progress: &ProgressBar::hidden(),
    };
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| FetchError::disk(folder, error))?;
    let response = transfer.request(0)?;
    match response.status() {
        StatusCode::OK => transfer.write(response, 0)?,
        status => return Err(transfer.network(NetworkFault::Status(status.as_u16()))),
    }
    transfer.keep()
}

fn part_path(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Where a transfer began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Fresh,
    Resumed,
}

struct Transfer<'a> {
    url: &'a str,
    to: &'a Path,
    part: PathBuf,
    accepted: &'a [&'a Digest],
    progress: &'a ProgressBar,
}

impl Transfer<'_> {
    /// Completes the part file.
    fn receive(&self) -> Result<Start, FetchError> {
        let have = fs::metadata(&self.part).map_or(0, |part| part.len());
        let response = self.request(have)?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if continues_at(&response, have) => {
                self.write(response, have)?;
                Ok(Start::Resumed)
            }
            StatusCode::OK => {
                self.write(response, 0)?;
                Ok(Start::Fresh)
            }
            // The part is as long as the file or longer, or the server continues somewhere else.
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if have > 0 => {
                self.discard()?;
                self.receive()
            }
            status => Err(self.network(NetworkFault::Status(status.as_u16()))),
        }
    }

    fn request(&self, have: u64) -> Result<Response<Body>, FetchError> {
        let agent: Agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .build()
            .into();
        let request = agent.get(self.url);
        let request = match have {
            0 => request,
            _ => request.header(header::RANGE, format!("bytes={have}-")),
        };
        request
            .call()
            .map_err(|error| self.network(NetworkFault::NoReply(error.to_string())))
    }

    /// Writes the body to the part file from `offset` on, and flushes it to disk.
    fn write(&self, response: Response<Body>, offset: u64) -> Result<(), FetchError> {
        let (parts, body) = response.into_parts();
        let length = parts
            .headers
            .get(header::CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        self.progress.set_length(offset + length.unwrap_or(0));
        self.progress.set_position(offset);
        let mut file = self.open_part(offset)?;
        let copied = self.copy(&mut body.into_reader(), &mut file, offset);
        file.sync_all().map_err(|error| self.disk(error))?;
        copied
    }

    fn copy(&self, body: &mut impl Read, file: &mut File, offset: u64) -> Result<(), FetchError> {
        let mut chunk = vec![0; CHUNK];
        let mut got = offset;
        loop {
            match body.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(n) => {
                    file.write_all(&chunk[..n])
                        .map_err(|error| self.disk(error))?;
                    got += n as u64;
                    self.progress.set_position(got);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(self.network(NetworkFault::Interrupted {
                        got,
                        cause: error.to_string(),
                    }));
                }
            }
        }
    }

    fn open_part(&self, offset: u64) -> Result<File, FetchError> {
        let mut options = OpenOptions::new();
        match offset {
            0 => options.write(true).create(true).truncate(true),
            _ => options.append(true),
        };
        options.open(&self.part).map_err(|error| self.disk(error))
    }

    fn is_accepted(&self) -> Result<bool, FetchError> {
        let found = find_digest(&self.part, self.accepted).map_err(FetchError::Unreadable)?;
        Ok(found.is_some())
    }

    /// Gives the finished part its name. The folder is flushed too, or the name could be lost with the power.
    fn keep(&self) -> Result<(), FetchError> {
        let sync_folder = || File::open(self.to.parent().unwrap_or(Path::new(".")))?.sync_all();
        fs::rename(&self.part, self.to)
            .and_then(|()| sync_folder())
            .map_err(|error| self.disk(error))?;
        self.progress.finish_and_clear();
        Ok(())
    }

    fn discard(&self) -> Result<(), FetchError> {
        fs::remove_file(&self.part).map_err(|error| self.disk(error))
    }

    fn wrong_checksum(&self) -> FetchError {
        let expected: Vec<String> = self
            .accepted
            .iter()
            .map(|digest| digest.to_string())
            .collect();
        self.network(NetworkFault::WrongChecksum {
            expected: expected.join(" or "),
        })
    }

    fn network(&self, fault: NetworkFault) -> FetchError {
        FetchError::Network {
            url: self.url.to_owned(),
            fault,
        }
    }

    fn disk(&self, cause: io::Error) -> FetchError {
        FetchError::disk(&self.part, cause)
    }
}

/// Returns whether a partial response begins where our part ends: `Content-Range: bytes <have>-…`.
fn continues_at(response: &Response<Body>, have: u64) -> bool {
    let range = response
        .headers()
        .get(header::CONTENT_RANGE)
        .and_then(|value| value.to_str().ok());
    let start = range.and_then(|range| {
        range
            .strip_prefix("bytes ")?
            .split('-')
            .next()?
            .parse()
            .ok()
    });
    start == Some(have)
}
