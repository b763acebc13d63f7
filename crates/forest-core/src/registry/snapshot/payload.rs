//! What a snapshot holds, read from front to back.

use std::io::{self, BufRead as _, BufReader, Read};

use bincode::de::read::Reader;
use bincode::error::DecodeError;
use serde::de::DeserializeOwned;

use super::{SnapshotError, codec};

/// Bytes of a file that are held at a time.
const HELD: usize = 1 << 16;

/// The payload of a snapshot, of which values are taken from the front. That of a file is read as its values are, so that it
/// takes no memory beside them.
pub struct Payload<'a> {
    bytes: BufReader<Summed<Box<dyn Read + 'a>>>,
    left: u64,
    /// Of a file, which was read before to verify it.
    checksum: Option<u32>,
}

/// Bytes, and a checksum of those that have been read.
struct Summed<R> {
    reader: R,
    sum: crc32fast::Hasher,
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.sum.update(&buffer[..read]);
        Ok(read)
    }
}

impl<'a> Payload<'a> {
    /// Returns the bytes in memory.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::from_reader(bytes, bytes.len() as u64, None)
    }

    /// Returns the next `length` bytes of a file, which have this checksum.
    pub(crate) fn from_file(file: impl Read + 'a, length: u64, checksum: u32) -> Self {
        Self::from_reader(file.take(length), length, Some(checksum))
    }

    fn from_reader(reader: impl Read + 'a, left: u64, checksum: Option<u32>) -> Self {
        let summed = Summed {
            reader: Box::new(reader) as Box<dyn Read + 'a>,
            sum: crc32fast::Hasher::new(),
        };
        Self {
            bytes: BufReader::with_capacity(
                usize::try_from(left).map_or(HELD, |left| left.min(HELD)),
                summed,
            ),
            left,
            checksum,
        }
    }

    /// Returns the value in front, and nothing behind it.
    ///
    /// # Errors
    /// Bytes that are not such a value, or more than it.
    pub fn last_value<T: DeserializeOwned>(&mut self) -> Result<T, SnapshotError> {
        let value = self.value()?;
        self.expect_end()?;
        Ok(value)
    }

    /// Returns the value in front.
    ///
    /// # Errors
    /// Bytes that are not such a value.
    pub fn value<T: DeserializeOwned>(&mut self) -> Result<T, SnapshotError> {
        let limit = self.left;
        codec::decode_from(self, limit)
    }

    /// The length of the bytes behind it, which are all that is left: they are taken next, as a payload of their own.
    ///
    /// # Errors
    /// Another length.
    pub fn expect_bytes(&mut self) -> Result<(), SnapshotError> {
        let stated: u64 = self.value()?;
        if stated == self.left {
            Ok(())
        } else {
            Err(codec::failed(format!(
                "{stated} bytes are stated, but {} are left",
                self.left
            )))
        }
    }

    /// Returns the first bytes, which are taken all the same; fewer if there are fewer.
    pub fn peek(&mut self, count: usize) -> &[u8] {
        let bytes = self.bytes.fill_buf().unwrap_or_default();
        &bytes[..count.min(bytes.len())]
    }

    fn expect_end(&self) -> Result<(), SnapshotError> {
        match (self.left, self.checksum) {
            (0, Some(sum)) if sum != self.bytes.get_ref().sum.clone().finalize() => {
                Err(SnapshotError::Checksum)
            }
            (0, _) => Ok(()),
            (left, _) => Err(codec::failed(format!("{left} bytes are left over"))),
        }
    }
}

impl Reader for Payload<'_> {
    #[inline]
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), DecodeError> {
        let count = bytes.len();
        if let Some(there) = self.peek_read(count) {
            bytes.copy_from_slice(there);
            self.consume(count);
            return Ok(());
        }
        let missing = (count as u64).saturating_sub(self.left) as usize;
        if missing > 0 {
            return Err(DecodeError::UnexpectedEnd {
                additional: missing,
            });
        }
        self.left -= count as u64;
        Reader::read(&mut self.bytes, bytes)
    }

    #[inline]
    fn peek_read(&mut self, count: usize) -> Option<&[u8]> {
        self.bytes.buffer().get(..count)
    }

    #[inline]
    fn consume(&mut self, count: usize) {
        self.left -= count as u64;
        io::BufRead::consume(&mut self.bytes, count);
    }
}
