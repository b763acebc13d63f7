//! Inputs that are packed with gzip, bzip2, xz or Zstandard.

use std::io::{self, BufReader, Read};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use crate::error::Damage;
use crate::input::peek;

/// Memory that a decoder of xz may take, in KiB: `xz -9` needs 64 MiB, and a file may claim 4 GiB.
const MAX_XZ_MEMORY: u32 = 1 << 20;

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Codec {
    Gzip,
    Bzip2,
    Xz,
    #[cfg(feature = "columnar")]
    Zstandard,
}

/// Returns the bytes, unpacked if the first of them say that they are packed with gzip, bzip2, xz or (with the feature `columnar`)
/// Zstandard.
///
/// Damage comes as an `io::Error` from which [`Fault::from`](crate::Fault) makes a fault of the input.
///
/// # Errors
/// If the first bytes cannot be read.
pub fn unpacked<'a>(input: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    let (magic, input) = peek(input)?;
    Ok(match Codec::of(&magic) {
        None => Box::new(input),
        Some(Codec::Gzip) => Box::new(Unpacker {
            decoder: MultiGzDecoder::new(input),
            codec: "gzip",
        }),
        Some(Codec::Bzip2) => Box::new(Unpacker {
            decoder: MultiBzDecoder::new(input),
            codec: "bzip2",
        }),
        Some(Codec::Xz) => Box::new(Unpacker {
            decoder: XzReader::new_mem_limit(BufReader::new(input), true, MAX_XZ_MEMORY),
            codec: "xz",
        }),
        #[cfg(feature = "columnar")]
        Some(Codec::Zstandard) => Box::new(Unpacker {
            decoder: zstd::Decoder::new(input)?,
            codec: "Zstandard",
        }),
    })
}

/// Returns whether content is packed in a way that [`unpacked`] knows, by its first bytes.
pub fn is_packed(content: &[u8]) -> bool {
    Codec::of(content).is_some()
}

impl Codec {
    fn of(magic: &[u8]) -> Option<Self> {
        match magic {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            // A frame, or one that decoders skip, with which some writers begin.
            #[cfg(feature = "columnar")]
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Some(Self::Zstandard)
            }
            _ => None,
        }
    }
}

/// A decoder whose faults say which codec found them.
struct Unpacker<D> {
    decoder: D,
    codec: &'static str,
}

impl<D: Read> Read for Unpacker<D> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(out).map_err(|error| {
            let (codec, cause) = (self.codec, error.to_string());
            io::Error::other(Damage { codec, cause })
        })
    }
}
