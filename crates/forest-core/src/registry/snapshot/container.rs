//! The container: a labelled, measured and checked stretch of bytes. Integers are little-endian.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom};

use crate::{Classification, Regression, Task};

use super::{Payload, SnapshotError, codec};

/// Not text, and broken by every transfer that takes it for text (the habit of PNG).
const MAGIC: &[u8; 8] = b"\x89OFST\r\n\x1a";

/// The format that is written and read.
const VERSION: u16 = 1;

/// Tasks by their code in the container.
const TASKS: [(u8, &str); 2] = [(1, Classification::NAME), (2, Regression::NAME)];

const CHECKSUM_BYTES: usize = 4;

/// Magic, version, task, codec and three lengths.
const LONGEST_HEADER: u64 = 36;

/// What a snapshot says about its payload, the payload, and a note beside it.
pub(crate) struct Container<'a> {
    pub(crate) task: &'static str,
    pub(crate) label: String,
    pub(crate) payload: Payload<'a>,
    /// What a library around this one has noted about the learner.
    pub(crate) note: Vec<u8>,
}

/// What stands before the label.
struct Header {
    task: u8,
    codec: u8,
    /// Bytes of the label.
    label: u64,
    /// Bytes of the payload.
    payload: u64,
    /// Bytes of the note.
    note: u64,
    /// Bytes of the header itself.
    length: usize,
}

impl Header {
    /// Returns the header at the front of a container of `total` bytes, of which `bytes` are the first.
    fn read(bytes: &[u8], total: u64) -> Result<Self, SnapshotError> {
        let header = Self::parse(bytes, total)?;
        header.expect_total(total)?;
        Ok(header)
    }

    /// Returns the same, whatever the length of what follows.
    fn parse(bytes: &[u8], total: u64) -> Result<Self, SnapshotError> {
        let mut cursor = Cursor {
            bytes,
            total,
            at: 0,
        };
        cursor.expect_magic()?;
        cursor.expect_version()?;
        let [task] = cursor.array()?;
        let [codec] = cursor.array()?;
        let label = u64::from_le_bytes(cursor.array()?);
        let payload = u64::from_le_bytes(cursor.array()?);
        let note = u64::from_le_bytes(cursor.array()?);
        Ok(Self {
            task,
            codec,
            label,
            payload,
            note,
            length: cursor.at,
        })
    }

    /// Returns the bytes of the container, as the header states them.
    fn total(&self) -> u64 {
        let header = (self.length + CHECKSUM_BYTES) as u64;
        let lengths = [self.label, self.payload, self.note];
        lengths.into_iter().fold(header, u64::saturating_add)
    }

    /// Checks that what follows the header is exactly as long as the header says.
    fn expect_total(&self, found: u64) -> Result<(), SnapshotError> {
        let stated = self.total();
        match found.cmp(&stated) {
            Ordering::Less => Err(SnapshotError::Truncated { stated, found }),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(SnapshotError::TooLong { stated, found }),
        }
    }

    fn container<'a>(
        &self,
        label: &[u8],
        payload: Payload<'a>,
        note: Vec<u8>,
    ) -> Result<Container<'a>, SnapshotError> {
        expect_codec(self.codec)?;
        Ok(Container {
            task: task_name(self.task)?,
            label: String::from_utf8_lossy(label).into_owned(),
            payload,
            note,
        })
    }
}

/// Returns a container as bytes, in the memory of its payload; checksum last.
pub(crate) fn seal(task: &str, label: &str, payload: Vec<u8>, note: &[u8]) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.push(task_code(task));
    header.push(codec::BINCODE);
    header.extend((label.len() as u64).to_le_bytes());
    header.extend((payload.len() as u64).to_le_bytes());
    header.extend((note.len() as u64).to_le_bytes());
    header.extend(label.as_bytes());
    let mut bytes = payload;
    bytes.reserve_exact(header.len() + note.len() + CHECKSUM_BYTES);
    bytes.splice(..0, header);
    bytes.extend(note);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

impl<'a> Container<'a> {
    /// Returns a container in memory. What a label means is asked only after the checksum holds.
    pub(crate) fn from_bytes(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        let header = Header::read(bytes, bytes.len() as u64)?;
        let (content, stored) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        expect_checksum(crc32fast::hash(content), stored)?;
        let (label, rest) = content[header.length..].split_at(header.label as usize);
        let (payload, note) = rest.split_at(header.payload as usize);
        header.container(label, Payload::new(payload), note.to_vec())
    }

    /// Reads the bytes of a container from a pipe or a device, which may have no end: as many as the header states, and one more if
    /// there is one.
    pub(crate) fn bytes_of(mut stream: impl Read) -> Result<Vec<u8>, LoadError> {
        let mut bytes = Vec::new();
        stream
            .by_ref()
            .take(LONGEST_HEADER)
            .read_to_end(&mut bytes)?;
        let header = Header::parse(&bytes, bytes.len() as u64)?;
        let rest = header.total().saturating_sub(bytes.len() as u64);
        stream
            .take(rest.saturating_add(1))
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns the container that a file is. It is read twice: to verify it, and then as the payload is decoded.
    pub(crate) fn from_file(file: &'a mut File) -> Result<Self, LoadError> {
        let mut first = Vec::new();
        file.take(LONGEST_HEADER).read_to_end(&mut first)?;
        let header = Header::read(&first, file.metadata()?.len())?;
        let front = header.length as u64 + header.label;
        file.rewind()?;
        let mut bytes = BufReader::with_capacity(1 << 16, &mut *file);
        let mut sum = checksum(bytes.by_ref().take(front))?;
        let of_payload = checksum(bytes.by_ref().take(header.payload))?;
        sum.combine(&of_payload);
        let mut note = Vec::new();
        bytes.by_ref().take(header.note).read_to_end(&mut note)?;
        sum.update(&note);
        let mut stored = [0; CHECKSUM_BYTES];
        bytes.read_exact(&mut stored)?;
        expect_checksum(sum.finalize(), &stored)?;
        file.seek(SeekFrom::Start(header.length as u64))?;
        let mut label = Vec::new();
        file.take(header.label).read_to_end(&mut label)?;
        let payload = Payload::from_file(file, header.payload, of_payload.finalize());
        Ok(header.container(&label, payload, note)?)
    }
}

/// The reason why a file is not a container.
#[derive(Debug)]
pub(crate) enum LoadError {
    Io(io::Error),
    Snapshot(SnapshotError),
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<SnapshotError> for LoadError {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

fn task_code(name: &str) -> u8 {
    let code = TASKS.iter().find(|(_, known)| *known == name);
    code.expect("every task has a code").0
}

fn task_name(code: u8) -> Result<&'static str, SnapshotError> {
    let name = TASKS.iter().find(|(known, _)| *known == code);
    name.map(|(_, name)| *name)
        .ok_or(SnapshotError::UnknownTask { code })
}

fn expect_codec(code: u8) -> Result<(), SnapshotError> {
    match code {
        codec::BINCODE => Ok(()),
        _ => Err(SnapshotError::UnknownCodec { code }),
    }
}

fn expect_checksum(found: u32, stored: &[u8]) -> Result<(), SnapshotError> {
    if found.to_le_bytes() == stored {
        Ok(())
    } else {
        Err(SnapshotError::Checksum)
    }
}

fn checksum(mut bytes: impl BufRead) -> io::Result<crc32fast::Hasher> {
    let mut sum = crc32fast::Hasher::new();
    loop {
        let some = bytes.fill_buf()?;
        let count = some.len();
        if count == 0 {
            return Ok(sum);
        }
        sum.update(some);
        bytes.consume(count);
    }
}

/// Where reading stands.
struct Cursor<'a> {
    /// The first bytes, as far as they are needed.
    bytes: &'a [u8],
    /// Bytes in all.
    total: u64,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], SnapshotError> {
        let rest = &self.bytes[self.at..];
        if rest.len() < count {
            return Err(self.truncated(self.at as u64 + count as u64));
        }
        self.at += count;
        Ok(&rest[..count])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().expect("as many bytes as were taken"))
    }

    fn expect_magic(&mut self) -> Result<(), SnapshotError> {
        let known = MAGIC.len().min(self.bytes.len());
        if self.bytes[..known] != MAGIC[..known] {
            return Err(SnapshotError::NotASnapshot);
        }
        self.take(MAGIC.len()).map(drop)
    }

    fn expect_version(&mut self) -> Result<(), SnapshotError> {
        let found = u16::from_le_bytes(self.array()?);
        if found == VERSION {
            return Ok(());
        }
        let newest = VERSION;
        Err(SnapshotError::UnknownVersion { found, newest })
    }

    fn truncated(&self, stated: u64) -> SnapshotError {
        let found = self.total;
        SnapshotError::Truncated { stated, found }
    }
}
