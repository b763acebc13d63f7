//! The container: a labelled, measured and checked stretch of bytes. Integers are little-endian.

use forest_core::{Classification, Regression, Task};

use super::{SnapshotError, codec};

/// Not text, and broken by every transfer that takes it for text (the habit of PNG).
const MAGIC: &[u8; 8] = b"\x89OFST\r\n\x1a";

/// The format that is written, and the newest that is read. Version 1 has no byte for the codec: there was one. Up to version
/// 2 the payload of cuts of any direction does not name the law of their normals.
pub(super) const VERSION: u16 = 3;

/// Tasks by their code in the container.
const TASKS: [(u8, &str); 2] = [(1, Classification::NAME), (2, Regression::NAME)];

const CHECKSUM_BYTES: usize = 4;

/// What a snapshot says about its payload, and the payload.
#[derive(Debug)]
pub(crate) struct Container<'a> {
    /// The version of the format it was read in.
    pub(crate) version: u16,
    pub(crate) task: &'static str,
    pub(crate) label: String,
    pub(crate) payload: &'a [u8],
}

impl<'a> Container<'a> {
    /// The container as bytes, checksum last.
    pub(crate) fn seal(&self) -> Vec<u8> {
        let label = self.label.as_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.push(task_code(self.task));
        bytes.push(codec::BINCODE);
        bytes.extend((label.len() as u64).to_le_bytes());
        bytes.extend((self.payload.len() as u64).to_le_bytes());
        bytes.extend(label);
        bytes.extend(self.payload);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a container. What a label means is asked only after the checksum holds.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        let mut cursor = Cursor { bytes, at: 0 };
        cursor.expect_magic()?;
        let version = cursor.expect_version()?;
        let [task] = cursor.array()?;
        let [codec] = match version {
            1 => [codec::BINCODE],
            _ => cursor.array()?,
        };
        let label_len = u64::from_le_bytes(cursor.array()?);
        let payload_len = u64::from_le_bytes(cursor.array()?);
        cursor.expect_rest(label_len, payload_len)?;
        verify_checksum(bytes)?;
        expect_codec(codec)?;
        let label = cursor.take(label_len as usize)?;
        Ok(Self {
            version,
            task: task_name(task)?,
            label: String::from_utf8_lossy(label).into_owned(),
            payload: cursor.take(payload_len as usize)?,
        })
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

fn verify_checksum(bytes: &[u8]) -> Result<(), SnapshotError> {
    let (content, stored) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
    let found = crc32fast::hash(content);
    if found.to_le_bytes() == stored {
        Ok(())
    } else {
        Err(SnapshotError::Checksum)
    }
}

/// Where reading stands.
struct Cursor<'a> {
    bytes: &'a [u8],
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

    fn expect_version(&mut self) -> Result<u16, SnapshotError> {
        let found = u16::from_le_bytes(self.array()?);
        if (1..=VERSION).contains(&found) {
            return Ok(found);
        }
        let newest = VERSION;
        Err(SnapshotError::UnknownVersion { found, newest })
    }

    /// Checks that what follows the header is exactly as long as the header says.
    fn expect_rest(&self, label: u64, payload: u64) -> Result<(), SnapshotError> {
        let header = (self.at + CHECKSUM_BYTES) as u64;
        let stated = header.saturating_add(label).saturating_add(payload);
        let found = self.bytes.len() as u64;
        match found.cmp(&stated) {
            std::cmp::Ordering::Less => Err(self.truncated(stated)),
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => Err(SnapshotError::TooLong { stated, found }),
        }
    }

    fn truncated(&self, stated: u64) -> SnapshotError {
        let found = self.bytes.len() as u64;
        SnapshotError::Truncated { stated, found }
    }
}
