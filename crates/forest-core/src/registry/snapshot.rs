//! Learners as bytes and files: the only place that knows a format.
//!
//! A snapshot is a labelled container with a checksum (`docs/snapshot-format.md`). Nothing is decoded before the
//! checksum holds, or handed out before it has passed [`check_invariants`](crate::OnlineLearner::check_invariants), and
//! a file takes its name only when all of it is on the disk.
//!
//! A learner that was saved in the middle of its stream and loaded again continues as if it had never stopped, bit for
//! bit. One that was built with typed settings has no name: it is written as [a value](encode_value).

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use bincode::config;
use bincode::de::{Decode, Decoder};
use bincode::error::DecodeError;
use bincode::serde::Compat;
use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::files::NewFile;
use crate::parameters::ParameterError;
use crate::{Classification, InvariantError, OnlineLearner, Regression, Task};

/// Learners that can be saved: those held by name, and pipelines around them.
pub trait Snapshot: OnlineLearner + Sized {
    /// Returns the text `name:key=value,…` from which such a learner could be built, with every parameter.
    fn label(&self) -> String;

    /// Returns the encoded content.
    ///
    /// # Errors
    /// Returns an error if the codec cannot write it.
    fn encode(&self) -> Result<Vec<u8>, SnapshotError>;

    /// Returns the learner that was encoded as `payload` and labelled with `label`.
    ///
    /// # Errors
    /// Returns an error if label or bytes are not those of such a learner.
    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError>;
}

/// Why a snapshot cannot be read or written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes are not those of a snapshot that this program has written, or a value cannot be written.
    #[error("{0}")]
    Damaged(String),
    /// Another learner was asked for, or one for another task.
    #[error(
        "the snapshot holds {label}, not {expected}; load it as what it is (`pipeline/…` as a Pipeline)"
    )]
    Other {
        /// The label found.
        label: String,
        /// What was asked for.
        expected: String,
    },
    /// The label names no algorithm of this program.
    #[error(
        "the snapshot's label: {0}; update this program if the snapshot comes from a newer one"
    )]
    Algorithm(#[from] ParameterError),
    /// The contents contradict themselves.
    #[error("the snapshot contradicts itself: {0}")]
    Inconsistent(#[from] InvariantError),
}

impl SnapshotError {
    /// Returns the error of a label that is not that of what is `expected`.
    pub fn other(label: &str, expected: &str) -> Self {
        Self::Other {
            label: label.to_owned(),
            expected: expected.to_owned(),
        }
    }
}

/// Why a snapshot could not be saved to a file or loaded from one.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SnapshotFileError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file was read, or would have been written, but the snapshot is not right.
    #[error("{}: {source}", path.display())]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: SnapshotError,
    },
}

/// Returns the snapshot of a learner.
///
/// # Errors
/// Returns an error if the codec cannot write it.
pub fn to_bytes<A: Snapshot>(learner: &A) -> Result<Vec<u8>, SnapshotError> {
    Ok(seal(A::Task::NAME, &learner.label(), learner.encode()?))
}

/// Returns the learner of a snapshot.
///
/// # Errors
/// Returns an error if the bytes are not a whole, unaltered snapshot of such a learner.
pub fn from_bytes<A: Snapshot>(bytes: &[u8]) -> Result<A, SnapshotError> {
    open(bytes)?.learner()
}

/// Saves a learner in a [file](NewFile) that takes its name only when it is complete and on the disk.
///
/// # Errors
/// As [`to_bytes`], or the error of the system.
pub fn save<A: Snapshot>(learner: &A, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
    let bytes = to_bytes(learner).map_err(|error| of_file(&path, error))?;
    save_bytes(&bytes, path)
}

/// Saves the bytes of a snapshot, as [`save`] does.
///
/// # Errors
/// Returns the error of the system.
pub fn save_bytes(bytes: &[u8], path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
    let written = NewFile::create(&path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.commit()
    });
    written.map_err(|error| refused("write", &path, error))
}

/// Loads a learner from a file, which may be a pipe.
///
/// # Errors
/// As [`from_bytes`], or the error of the system.
pub fn load<A: Snapshot>(path: impl AsRef<Path>) -> Result<A, SnapshotFileError> {
    let bytes = read(&path)?;
    from_bytes(&bytes).map_err(|error| of_file(&path, error))
}

/// Loads a learner of either of two kinds, for different tasks: the file says which.
///
/// # Errors
/// As [`load`].
pub fn load_either<A: Snapshot, B: Snapshot, M>(
    path: impl AsRef<Path>,
    first: impl FnOnce(A) -> M,
    second: impl FnOnce(B) -> M,
) -> Result<M, SnapshotFileError> {
    let bytes = read(&path)?;
    let loaded = open(&bytes).and_then(|container| match container.task {
        task if task == A::Task::NAME => container.learner().map(first),
        _ => container.learner().map(second),
    });
    loaded.map_err(|error| of_file(&path, error))
}

/// Returns the bytes of a snapshot; of anything else, such as a device without an end, only the first few.
fn read(path: &impl AsRef<Path>) -> Result<Vec<u8>, SnapshotFileError> {
    let mut bytes = Vec::new();
    let done = File::open(path).and_then(|mut file| {
        let mut first = (&mut file).take(MAGIC.len() as u64);
        first.read_to_end(&mut bytes)?;
        if bytes == *MAGIC {
            file.read_to_end(&mut bytes)?;
        }
        Ok(())
    });
    done.map_err(|error| refused("read", path, error))?;
    Ok(bytes)
}

fn refused(action: &'static str, path: &impl AsRef<Path>, source: io::Error) -> SnapshotFileError {
    let path = path.as_ref().to_path_buf();
    SnapshotFileError::Io {
        action,
        path,
        source,
    }
}

fn of_file(path: &impl AsRef<Path>, source: SnapshotError) -> SnapshotFileError {
    let path = path.as_ref().to_path_buf();
    SnapshotFileError::Snapshot { path, source }
}

// The container: a labelled, measured and checked stretch of bytes. Integers are little-endian.

/// Not text, and altered by every transfer that converts text, as the signature of PNG.
const MAGIC: &[u8; 8] = b"\x89OFST\r\n\x1a";

/// The format that is written and read.
const VERSION: u16 = 1;

/// Tasks by their code in the container.
const TASKS: [(u8, &str); 2] = [(1, Classification::NAME), (2, Regression::NAME)];

/// The code of bincode in the container.
const BINCODE: u8 = 1;

/// Bytes of magic, version, task, codec, and the lengths of label and payload.
const HEADER: usize = 28;

const CHECKSUM: usize = 4;

/// What a snapshot says about its payload, and the payload.
struct Container<'a> {
    task: &'static str,
    label: String,
    payload: &'a [u8],
}

impl Container<'_> {
    fn learner<A: Snapshot>(&self) -> Result<A, SnapshotError> {
        if self.task != A::Task::NAME {
            let label = format!("{} for {}", self.label, self.task);
            let expected = format!("a learner for {}", A::Task::NAME);
            return Err(SnapshotError::Other { label, expected });
        }
        let learner = A::decode(&self.label, self.payload)?;
        learner.check_invariants()?;
        Ok(learner)
    }
}

/// Returns a container as bytes, in the memory of its payload; checksum last.
fn seal(task: &str, label: &str, mut bytes: Vec<u8>) -> Vec<u8> {
    let code = TASKS.iter().find(|(_, known)| *known == task);
    let code = code.expect("every task has a code").0;
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend([code, BINCODE]);
    header.extend((label.len() as u64).to_le_bytes());
    header.extend((bytes.len() as u64).to_le_bytes());
    header.extend(label.as_bytes());
    bytes.reserve_exact(header.len() + CHECKSUM);
    bytes.splice(..0, header);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Returns the container in these bytes. What a label means is asked only after the checksum holds.
fn open(bytes: &[u8]) -> Result<Container<'_>, SnapshotError> {
    let damaged = |what: String| Err(SnapshotError::Damaged(what));
    let again = "copy it again from where it was saved";
    let found = bytes.len() as u64;
    let known = MAGIC.len().min(bytes.len());
    if bytes[..known] != MAGIC[..known] {
        let what = "this is not a snapshot of an online forest: it does not start like one";
        return damaged(what.to_owned());
    }
    let Some(header) = bytes.first_chunk::<HEADER>() else {
        return damaged(format!(
            "the snapshot is cut off after {found} bytes; {again}"
        ));
    };
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version != VERSION {
        return damaged(format!(
            "the snapshot has format version {version}, but this program reads versions up to {VERSION}; \
             load it with the version of online-forests that wrote it, or update this program"
        ));
    }
    let length = |at: usize| u64::from_le_bytes(*header[at..].first_chunk().expect("eight bytes"));
    let label_length = length(12);
    let payload_length = length(20);
    let around = (HEADER + CHECKSUM) as u64;
    let stated = label_length
        .saturating_add(payload_length)
        .saturating_add(around);
    if found < stated {
        return damaged(format!(
            "the snapshot is cut off after {found} of {stated} bytes; {again}"
        ));
    }
    if found > stated {
        return damaged(format!(
            "the snapshot should have {stated} bytes but has {found}; {again}"
        ));
    }
    let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
    if crc32fast::hash(content).to_le_bytes() != sum {
        return damaged(format!(
            "the snapshot's checksum does not fit its contents: it was damaged after it was written; {again}"
        ));
    }
    let mut tasks = TASKS.iter().filter(|_| header[11] == BINCODE);
    let Some(&(_, task)) = tasks.find(|(code, _)| *code == header[10]) else {
        return damaged(format!(
            "the snapshot's task {} or codec {} is unknown; update this program to load it",
            header[10], header[11]
        ));
    };
    let (label, payload) = content[HEADER..].split_at(label_length as usize);
    let label = String::from_utf8_lossy(label).into_owned();
    Ok(Container {
        task,
        label,
        payload,
    })
}

// The payload: bincode 2.0.1 through serde, little-endian, integers of variable length.

/// bincode counts an integer by its width in memory, at most this many times what it takes in the payload.
const COUNTED_PER_BYTE: usize = size_of::<u128>();

/// Returns the bytes of a value.
///
/// # Errors
/// Returns an error if bincode cannot write the value.
pub fn encode_value<T: Serialize>(value: &T) -> Result<Vec<u8>, SnapshotError> {
    let encoded = bincode::serde::encode_to_vec(value, config::standard());
    encoded.map_err(|error| {
        SnapshotError::Damaged(format!("the snapshot's payload cannot be encoded: {error}"))
    })
}

/// Puts a value in front of bytes, in the memory of the bytes; [`decode_front`] takes it off.
///
/// # Errors
/// Returns an error if bincode cannot write the value.
pub fn encode_value_before<T: Serialize>(
    value: &T,
    mut bytes: Vec<u8>,
) -> Result<Vec<u8>, SnapshotError> {
    let front = encode_value(value)?;
    bytes.reserve_exact(front.len());
    bytes.splice(..0, front);
    Ok(bytes)
}

/// Returns the value that `payload` holds, no byte left over.
///
/// # Errors
/// Returns an error if the bytes are not such a value.
pub fn decode_value<T: DeserializeOwned>(payload: &[u8]) -> Result<T, SnapshotError> {
    match decode_front(payload)? {
        (value, []) => Ok(value),
        (_, rest) => Err(undecoded(format_args!(
            "{} bytes are left over",
            rest.len()
        ))),
    }
}

/// Returns the value in front, and the bytes behind it. Memory stays in proportion to the payload: serde grows a
/// sequence as its elements arrive, and bincode, which trusts the stated length of a text, has a limit.
///
/// # Errors
/// Returns an error if the bytes do not begin with such a value.
pub fn decode_front<T: DeserializeOwned>(payload: &[u8]) -> Result<(T, &[u8]), SnapshotError> {
    let limit = Limit(payload.len().saturating_mul(COUNTED_PER_BYTE));
    let config = config::standard().with_limit::<{ usize::MAX }>();
    let decoded = bincode::decode_from_slice_with_context(payload, config, limit);
    let (Within(value), read) = decoded.map_err(undecoded)?;
    Ok((value, &payload[read..]))
}

fn undecoded(reason: impl Display) -> SnapshotError {
    SnapshotError::Damaged(format!(
        "the snapshot's payload cannot be decoded: {reason}"
    ))
}

/// The bytes that a value may take, as bincode counts them.
struct Limit(usize);

/// A value that was read within the limit. A limit is a type in bincode: it is as wide as possible, and what is beyond
/// the payload's own is counted as read before anything is.
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
    fn a_value_in_front_of_bytes_is_taken_off() {
        let value = ("name".to_owned(), Some(7u32));
        let written = encode_value_before(&value, vec![3; 300]).unwrap();
        let (read, rest) = decode_front::<(String, Option<u32>)>(&written).unwrap();
        assert_eq!((read, rest), (value, &[3; 300][..]));
        assert!(decode_value::<(String, Option<u32>)>(&written).is_err());
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
