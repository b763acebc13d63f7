//! The version of what a model holds beside its pipeline.

use registry::snapshot::SnapshotError;

/// What a payload begins with. A payload of version 1 has no mark and begins with the number of its columns, which is never 0.
const MARK: u8 = 0;

/// What a model holds beside its pipeline, whose learner has versions of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// Columns without origins.
    One,
    /// The version that is written.
    Two,
}

impl Version {
    const WRITTEN: u8 = 2;

    /// The version, and what follows its mark.
    pub(super) fn of(payload: &[u8]) -> Result<(Self, &[u8]), SnapshotError> {
        match payload {
            [MARK, Self::WRITTEN, rest @ ..] => Ok((Self::Two, rest)),
            [MARK, found, ..] => Err(SnapshotError::UnknownVersion {
                found: u16::from(*found),
                newest: u16::from(Self::WRITTEN),
            }),
            unmarked => Ok((Self::One, unmarked)),
        }
    }
}

/// A value behind its mark.
pub(super) fn marked<T>(value: T) -> (u8, u8, T) {
    (MARK, Version::WRITTEN, value)
}

#[cfg(test)]
mod tests {
    use registry::snapshot::encode_value;

    use super::*;

    #[test]
    fn a_newer_version_is_named() {
        let written = encode_value(&marked(7u8)).unwrap();
        assert_eq!(Version::of(&written), Ok((Version::Two, &[7][..])));
        assert_eq!(Version::of(&[3, 1]), Ok((Version::One, &[3, 1][..])));
        let newer = Version::of(&[MARK, Version::WRITTEN + 1, 7]).unwrap_err();
        assert!(newer.to_string().contains("version 3"), "{newer}");
    }
}
