//! How a payload is written: the one file that calls a serialisation library.

use bincode::config;
use bincode::de::{Decode, Decoder};
use bincode::error::DecodeError;
use bincode::serde::Compat;
use serde::{Serialize, de::DeserializeOwned};

use crate::registry::snapshot::SnapshotError;

/// The code of this codec in the container.
pub(super) const BINCODE: u8 = 1;

/// bincode counts an integer by its width in memory, at most this many times what it takes in the payload.
const COUNTED_PER_BYTE: usize = size_of::<u128>();

/// Returns the bytes of a value: bincode 2.0.1 through serde, little-endian, integers of variable length.
///
/// # Errors
/// What bincode cannot write.
pub fn encode_value<T: Serialize>(value: &T) -> Result<Vec<u8>, SnapshotError> {
    let encoded = bincode::serde::encode_to_vec(value, config::standard());
    encoded.map_err(|error| SnapshotError::Codec("encoded", error.to_string()))
}

/// Returns the value that `payload` holds, no byte left over.
///
/// # Errors
/// Bytes that are not such a value.
pub fn decode_value<T: DeserializeOwned>(payload: &[u8]) -> Result<T, SnapshotError> {
    Payload(payload).last_value()
}

/// Puts a value in front of bytes, in the memory of the bytes: as [`encode_value`] writes the two as fields, one after the other.
///
/// # Errors
/// What bincode cannot write.
pub fn encode_value_before<T: Serialize>(
    value: &T,
    mut bytes: Vec<u8>,
) -> Result<Vec<u8>, SnapshotError> {
    let mut front = encode_value(value)?;
    front.extend(encode_value(&bytes.len())?);
    bytes.reserve_exact(front.len());
    bytes.splice(..0, front);
    Ok(bytes)
}

/// The payload of a snapshot, of which values are taken from the front.
pub struct Payload<'a>(pub &'a [u8]);

impl Payload<'_> {
    /// Returns the value in front, and nothing behind it.
    ///
    /// # Errors
    /// Bytes that are not such a value, or more than it.
    pub fn last_value<T: DeserializeOwned>(&mut self) -> Result<T, SnapshotError> {
        let value = self.value()?;
        match self.0.len() {
            0 => Ok(value),
            left => Err(undecoded(format!("{left} bytes are left over"))),
        }
    }

    /// Returns the value in front.
    ///
    /// Memory stays in proportion to the payload: serde grows a sequence as its elements arrive,
    /// and bincode, which trusts the stated length of a text, is held by a limit.
    ///
    /// # Errors
    /// Bytes that are not such a value.
    pub fn value<T: DeserializeOwned>(&mut self) -> Result<T, SnapshotError> {
        let limit = Limit(self.0.len().saturating_mul(COUNTED_PER_BYTE));
        let config = config::standard().with_limit::<{ usize::MAX }>();
        let decoded = bincode::decode_from_slice_with_context(self.0, config, limit);
        let (Within(value), read) = decoded.map_err(|error| undecoded(error.to_string()))?;
        self.0 = &self.0[read..];
        Ok(value)
    }

    /// The length of the bytes behind it, which are all that is left: they are taken next, as a payload of their own.
    ///
    /// # Errors
    /// Another length.
    pub fn expect_bytes(&mut self) -> Result<(), SnapshotError> {
        let (stated, left): (u64, _) = (self.value()?, self.0.len() as u64);
        if stated == left {
            return Ok(());
        }
        let what = format!("{stated} bytes are stated, but {left} are left");
        Err(undecoded(what))
    }
}

fn undecoded(reason: String) -> SnapshotError {
    SnapshotError::Codec("decoded", reason)
}

/// The bytes that a value may take, as bincode counts them.
struct Limit(usize);

/// A value that was read within the limit.
///
/// A limit is a type in bincode. So that one reader of a model serves payloads of every length, the limit is as wide
/// as possible, and what is beyond the payload's own is counted as read before anything is.
struct Within<T>(T);

impl<T: DeserializeOwned> Decode<Limit> for Within<T> {
    fn decode<D: Decoder<Context = Limit>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let beyond = usize::MAX - decoder.context().0;
        decoder.claim_bytes_read(beyond)?;
        let Compat(value) = Compat::decode(decoder)?;
        Ok(Self(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_crafted_bytes_do_not_become_an_allocation() {
        let endless = [253, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        assert!(decode_value::<String>(&endless).is_err());
        assert!(decode_value::<Vec<u64>>(&endless).is_err());
    }

    #[test]
    fn a_value_before_bytes_is_written_as_a_value_with_bytes() {
        let (value, inner) = (("name".to_owned(), Some(7u32)), vec![3u32; 300]);
        let bytes = encode_value(&inner).unwrap();
        let written = encode_value_before(&value, bytes.clone()).unwrap();
        assert_eq!(written, encode_value(&(&value, &bytes)).unwrap());
        let read = |written: &[u8]| {
            let mut payload = Payload(written);
            let first: (String, Option<u32>) = payload.value()?;
            payload.expect_bytes()?;
            Ok::<_, SnapshotError>((first, payload.last_value::<Vec<u32>>()?))
        };
        assert_eq!(read(&written), Ok((value, inner)));
        assert!((0..written.len()).all(|end| read(&written[..end]).is_err()));
        assert!(read(&[written, vec![0]].concat()).is_err());
    }

    /// The smallest integers in the widest type: what counts most against the limit.
    #[test]
    fn the_limit_never_refuses_what_was_written() {
        for length in (0..5000).step_by(7).chain([1 << 18]) {
            let zeros = vec![0u128; length];
            let written = encode_value(&zeros).unwrap();
            assert_eq!(decode_value::<Vec<u128>>(&written), Ok(zeros));
        }
    }

    #[test]
    fn a_text_longer_than_its_payload_is_refused_before_it_is_reserved() {
        let stated = |length: u64| [encode_value(&length).unwrap(), vec![b'a'; 1 << 16]].concat();
        assert!(decode_value::<String>(&stated(1 << 16)).is_ok());
        for length in [(1 << 16) + 1, 1 << 20, 1 << 40] {
            let mut refused = false;
            let taken = allocation_counter::measure(|| {
                refused = decode_value::<String>(&stated(length)).is_err();
            });
            assert!(refused && taken.bytes_max < 1 << 21, "{length}: {taken:?}");
        }
    }
}
