//! How a payload is written: the one file that calls a serialisation library.

use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};

use super::SnapshotError;

/// The code of this codec in the container.
pub(crate) const BINCODE: u8 = 1;

/// bincode counts an integer by its width in memory, at most this many times what it takes in the payload.
const COUNTED_PER_BYTE: usize = size_of::<u128>();

const SMALL: usize = 1 << 16;
const LARGE: usize = 1 << 28;
const HUGE: usize = 1 << 40;

/// The bytes of a value: bincode 2.0.1 through serde, little-endian, integers of variable length.
///
/// # Errors
/// What bincode cannot write.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, SnapshotError> {
    bincode::serde::encode_to_vec(value, config::standard()).map_err(|error| {
        SnapshotError::Encode {
            reason: error.to_string(),
        }
    })
}

/// The value that `payload` holds, no byte left over.
///
/// Memory stays in proportion to the payload: serde grows a sequence as its elements arrive,
/// and bincode, which trusts the stated length of a text, is held by a limit.
///
/// # Errors
/// Bytes that are not such a value.
pub fn decode<T: DeserializeOwned>(payload: &[u8]) -> Result<T, SnapshotError> {
    let failed = |reason: String| SnapshotError::Decode { reason };
    let (value, left) = within_limit(payload).map_err(|error| failed(error.to_string()))?;
    match left {
        0 => Ok(value),
        _ => Err(failed(format!("{left} bytes are left over"))),
    }
}

type Decoded<T> = Result<(T, usize), bincode::error::DecodeError>;

/// Decodes within the smallest limit that the payload could need; limits are types in bincode, so there are few.
fn within_limit<T: DeserializeOwned>(payload: &[u8]) -> Decoded<T> {
    let (standard, needed) = (
        config::standard(),
        payload.len().saturating_mul(COUNTED_PER_BYTE),
    );
    if needed <= SMALL {
        decode_within(payload, standard.with_limit::<SMALL>())
    } else if needed <= LARGE {
        decode_within(payload, standard.with_limit::<LARGE>())
    } else {
        decode_within(payload, standard.with_limit::<HUGE>())
    }
}

fn decode_within<T: DeserializeOwned>(payload: &[u8], config: impl Config) -> Decoded<T> {
    let (value, read) = bincode::serde::decode_from_slice(payload, config)?;
    Ok((value, payload.len() - read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_crafted_bytes_do_not_become_an_allocation() {
        let endless = [253, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        assert!(decode::<String>(&endless).is_err());
        assert!(decode::<Vec<u64>>(&endless).is_err());
    }

    /// The smallest integers in the widest type: what counts most against the limit.
    #[test]
    fn the_limit_never_refuses_what_was_written() {
        for length in (0..5000).step_by(7).chain([1 << 18]) {
            let zeros = vec![0u128; length];
            let written = encode(&zeros).unwrap();
            assert_eq!(decode::<Vec<u128>>(&written), Ok(zeros));
        }
    }

    #[test]
    fn payloads_beyond_the_large_limit_are_read() {
        let ones = vec![1u8; LARGE / COUNTED_PER_BYTE + 1];
        let written = encode(&ones).unwrap();
        assert_eq!(decode::<Vec<u8>>(&written), Ok(ones));
    }
}
