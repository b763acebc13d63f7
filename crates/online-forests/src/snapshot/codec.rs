//! How a payload is written. The one file that calls a serialisation library.

use std::fmt;

use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};

use super::SnapshotError;

/// How the payload of a snapshot is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// bincode 2.0.1 through serde: little-endian, integers of variable length.
    Bincode,
    /// postcard 1.
    Postcard,
}

/// bincode counts an integer by its width in memory, at most this many times what it takes in the payload.
const COUNTED_PER_BYTE: usize = size_of::<u128>();

const SMALL: usize = 1 << 16;
const LARGE: usize = 1 << 28;
const HUGE: usize = 1 << 40;

impl Codec {
    pub(crate) const ALL: [Self; 2] = [Self::Bincode, Self::Postcard];

    /// Its code in the container.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Bincode => 1,
            Self::Postcard => 2,
        }
    }

    pub(crate) fn from_code(code: u8) -> Result<Self, SnapshotError> {
        let codec = Self::ALL.into_iter().find(|codec| codec.code() == code);
        codec.ok_or(SnapshotError::UnknownCodec { code })
    }

    pub(crate) fn encode<T: Serialize>(self, value: &T) -> Result<Vec<u8>, SnapshotError> {
        match self {
            Self::Bincode => bincode::serde::encode_to_vec(value, config::standard())
                .map_err(|error| self.encode_error(error)),
            Self::Postcard => {
                postcard::to_allocvec(value).map_err(|error| self.encode_error(error))
            }
        }
    }

    /// The value that `payload` holds, no byte left over.
    ///
    /// Memory stays in proportion to the payload: serde grows a sequence as its elements arrive,
    /// and bincode, which trusts the stated length of a text, is held by a limit.
    pub(crate) fn decode<T: DeserializeOwned>(self, payload: &[u8]) -> Result<T, SnapshotError> {
        let (value, left) = match self {
            Self::Bincode => bincode_limited(payload).map_err(|error| self.decode_error(error))?,
            Self::Postcard => postcard::take_from_bytes(payload)
                .map(|(value, rest)| (value, rest.len()))
                .map_err(|error| self.decode_error(error))?,
        };
        if left == 0 {
            Ok(value)
        } else {
            Err(self.decode_error(format_args!("{left} bytes are left over")))
        }
    }

    fn encode_error(self, reason: impl fmt::Display) -> SnapshotError {
        SnapshotError::Encode {
            codec: self,
            reason: reason.to_string(),
        }
    }

    fn decode_error(self, reason: impl fmt::Display) -> SnapshotError {
        SnapshotError::Decode {
            codec: self,
            reason: reason.to_string(),
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bincode => "bincode",
            Self::Postcard => "postcard",
        })
    }
}

type Decoded<T> = Result<(T, usize), bincode::error::DecodeError>;

/// Decodes within the smallest limit that the payload could need; limits are types in bincode, so there are few.
fn bincode_limited<T: DeserializeOwned>(payload: &[u8]) -> Decoded<T> {
    let (standard, needed) = (
        config::standard(),
        payload.len().saturating_mul(COUNTED_PER_BYTE),
    );
    if needed <= SMALL {
        bincode_within(payload, standard.with_limit::<SMALL>())
    } else if needed <= LARGE {
        bincode_within(payload, standard.with_limit::<LARGE>())
    } else {
        bincode_within(payload, standard.with_limit::<HUGE>())
    }
}

fn bincode_within<T: DeserializeOwned>(payload: &[u8], config: impl Config) -> Decoded<T> {
    let (value, read) = bincode::serde::decode_from_slice(payload, config)?;
    Ok((value, payload.len() - read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_crafted_bytes_do_not_become_an_allocation() {
        let endless = [253, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        for codec in Codec::ALL {
            assert!(codec.decode::<String>(&endless).is_err());
            assert!(codec.decode::<Vec<u64>>(&endless).is_err());
        }
    }

    /// The smallest integers in the widest type: what counts most against the limit.
    #[test]
    fn the_limit_never_refuses_what_was_written() {
        for length in (0..5000).step_by(7).chain([1 << 18]) {
            let zeros = vec![0u128; length];
            let written = Codec::Bincode.encode(&zeros).unwrap();
            assert_eq!(Codec::Bincode.decode::<Vec<u128>>(&written), Ok(zeros));
        }
    }

    #[test]
    fn payloads_beyond_the_large_limit_are_read() {
        let ones = vec![1u8; LARGE / COUNTED_PER_BYTE + 1];
        let written = Codec::Bincode.encode(&ones).unwrap();
        assert_eq!(Codec::Bincode.decode::<Vec<u8>>(&written), Ok(ones));
    }
}
