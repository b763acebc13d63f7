//! Which samples a forest retains, and what its trees need of them.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::SettingError;

/// Which samples of the stream a forest retains.
///
/// | trees | `Everything` | `Nothing` | `Latest`, `Reservoir` |
/// |---|---|---|---|
/// | hold samples and can forget ([`ForgetTree`](crate::ForgetTree)) | all that some tree holds | refused | trees of exactly these samples |
/// | hold samples for good | all that some tree holds | refused | refused |
/// | hold none ([`OnlineTree::HOLDS_SAMPLES`](crate::OnlineTree::HOLDS_SAMPLES)) | no samples | no samples | trees of all samples; [`replace_tree`](crate::Forest::replace_tree) grows a fresh one from these |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Retention {
    /// All that some tree holds.
    #[default]
    Everything,
    /// No samples: for trees that hold none.
    Nothing,
    /// The latest n, 1 or more; older ones are forgotten as new ones arrive.
    Latest(usize),
    /// A uniform random sample of n, 1 or more, of all samples so far: each set of that size is
    /// equally likely (Vitter 1985, algorithm R). A sample that is replaced is forgotten before the
    /// new one is learned; one that is not taken is not learned. A sample that is forgotten on
    /// request leaves its slot empty until a new one is drawn in its place.
    Reservoir(usize),
}

impl Retention {
    /// Checks that there is a sample to hold, and that trees which hold samples in this way can do with these.
    pub(crate) fn check(self, held: HeldSamples) -> Result<(), SettingError> {
        let refuse = |rule| Err(SettingError::new("retention", rule, self));
        match self {
            Self::Latest(0) | Self::Reservoir(0) => refuse("must be of at least 1 sample"),
            Self::Nothing if held != HeldSamples::None => {
                refuse("must leave these trees the samples that they hold")
            }
            Self::Latest(_) | Self::Reservoir(_) if held == HeldSamples::ForGood => {
                refuse("must be everything, since these trees cannot forget")
            }
            _ => Ok(()),
        }
    }
}

impl Display for Retention {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => write!(f, "everything"),
            Self::Nothing => write!(f, "nothing"),
            Self::Latest(n) => write!(f, "the latest {n}"),
            Self::Reservoir(n) => write!(f, "a reservoir of {n}"),
        }
    }
}

/// What the trees of a kind do with stored samples once they have learned them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldSamples {
    /// They never read a sample again.
    None,
    /// They need the samples that they hold for as long as they live.
    ForGood,
    /// They hold samples, and can take one out as if it had never been learned.
    UntilForgotten,
}
