//! Snapshots of format versions 1 and 2, in which each law was a type of its own and was not named in the payload.

use registry::snapshot::reading;

/// The newest version of the format in which the law is not named.
const UNNAMED_UP_TO: u16 = 2;

/// A law of an old file, by the name of its algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldLaw {
    Uniform,
    Weighted,
    Sparse,
    Finite,
}

impl OldLaw {
    /// The law of the learner that this thread reads, if it is of an old file.
    pub(crate) fn of_file() -> Option<Self> {
        reading(|version, algorithm| match version <= UNNAMED_UP_TO {
            true => Self::of_algorithm(algorithm),
            false => None,
        })
    }

    fn of_algorithm(name: &str) -> Option<Self> {
        match name {
            "urtf" | "urtf-increasing" | "aggregated-urtf" => Some(Self::Uniform),
            "wurtf" | "wurtf-increasing" => Some(Self::Weighted),
            "sparse" | "sparse-increasing" => Some(Self::Sparse),
            "directions" | "directions-increasing" | "aggregated-directions" => Some(Self::Finite),
            _ => None,
        }
    }
}
