//! The container: a labelled, measured and checked stretch of bytes. Integers are little-endian.

use std::fs::File;
use std::io::{self, Read as _};

use crate::registry::snapshot::{SnapshotError, codec};
use crate::{Classification, Regression, Task};

/// Not text, and broken by every transfer that takes it for text (the habit of PNG).
const MAGIC: &[u8; 8] = b"\x89OFST\r\n\x1a";

/// The format that is written and read.
const VERSION: u16 = 1;

/// Tasks by their code in the container.
const TASKS: [(u8, &str); 2] = [(1, Classification::NAME), (2, Regression::NAME)];

/// Bytes of magic, version, task, codec, and the lengths of label, payload and note.
const HEADER: usize = 36;

const CHECKSUM: usize = 4;

/// What a snapshot says about its payload, the payload, and what a library around this one has noted beside it.
pub(super) struct Container<'a> {
    pub(super) task: &'static str,
    pub(super) label: String,
    pub(super) payload: &'a [u8],
    pub(super) note: &'a [u8],
}

/// What stands before the label.
struct Header {
    task: u8,
    codec: u8,
    /// Bytes of the label, of the payload and of the note.
    lengths: [u64; 3],
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let known = MAGIC.len().min(bytes.len());
        if bytes[..known] != MAGIC[..known] {
            return Err(SnapshotError::NotASnapshot);
        }
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            let (stated, found) = (HEADER as u64, bytes.len() as u64);
            return Err(SnapshotError::Truncated { stated, found });
        };
        let found = u16::from_le_bytes([header[8], header[9]]);
        if found != VERSION {
            let newest = VERSION;
            return Err(SnapshotError::UnknownVersion { found, newest });
        }
        let mut lengths = [0; 3];
        for (length, bytes) in lengths.iter_mut().zip(header[12..].chunks_exact(8)) {
            *length = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        }
        let (task, codec) = (header[10], header[11]);
        Ok(Self {
            task,
            codec,
            lengths,
        })
    }

    /// Returns the bytes of the container.
    fn total(&self) -> u64 {
        let around = (HEADER + CHECKSUM) as u64;
        self.lengths.into_iter().fold(around, u64::saturating_add)
    }
}

/// Returns a container as bytes, in the memory of its payload; checksum last.
pub(super) fn seal(task: &str, label: &str, payload: Vec<u8>, note: &[u8]) -> Vec<u8> {
    let code = TASKS.iter().find(|(_, known)| *known == task);
    let code = code.expect("every task has a code").0;
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend([code, codec::BINCODE]);
    for length in [label.len(), payload.len(), note.len()] {
        header.extend((length as u64).to_le_bytes());
    }
    header.extend(label.as_bytes());
    let mut bytes = payload;
    bytes.reserve_exact(header.len() + note.len() + CHECKSUM);
    bytes.splice(..0, header);
    bytes.extend(note);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Returns the container in these bytes. What a label means is asked only after the checksum holds.
pub(super) fn open(bytes: &[u8]) -> Result<Container<'_>, SnapshotError> {
    let header = Header::read(bytes)?;
    let (stated, found) = (header.total(), bytes.len() as u64);
    if found < stated {
        return Err(SnapshotError::Truncated { stated, found });
    }
    if found > stated {
        return Err(SnapshotError::TooLong { stated, found });
    }
    let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
    if crc32fast::hash(content).to_le_bytes() != sum {
        return Err(SnapshotError::Checksum);
    }
    let [label, payload, _] = header.lengths.map(|length| length as usize);
    let (label, rest) = content[HEADER..].split_at(label);
    let (payload, note) = rest.split_at(payload);
    if header.codec != codec::BINCODE {
        let (what, code) = ("codec", header.codec);
        return Err(SnapshotError::Unknown { what, code });
    }
    let task = TASKS.iter().find(|(code, _)| *code == header.task);
    let (what, code) = ("task", header.task);
    let (_, task) = task.ok_or(SnapshotError::Unknown { what, code })?;
    let label = String::from_utf8_lossy(label).into_owned();
    Ok(Container {
        task,
        label,
        payload,
        note,
    })
}

/// Reads the bytes of a container from a file or a pipe, which may have no end: as many as the header states, and one more if there is
/// one. What is wrong with them is said when they are opened.
pub(super) fn read(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(HEADER as u64).read_to_end(&mut bytes)?;
    let rest = Header::read(&bytes).map_or(0, |header| header.total() - HEADER as u64);
    // A header may state anything: only what a file has is reserved.
    let there = file.metadata()?.len().saturating_sub(HEADER as u64);
    bytes.reserve_exact(rest.min(there) as usize + 1);
    file.take(rest.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
