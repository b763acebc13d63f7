//! Which samples a forest holds on to, and what its trees need of them.

use std::fmt::{self, Debug, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::{Forest, Forget, OnlineTree, SettingError};

/// Which samples of the stream a forest holds on to.
///
/// | trees | `Everything` | `Nothing` | `Latest`, `Reservoir` |
/// |---|---|---|---|
/// | hold samples and can forget ([`CanForget`]) | all that some tree holds | refused | trees of exactly these samples |
/// | hold samples for good ([`CannotForget`]) | all that some tree holds | refused | refused |
/// | hold none ([`HoldsNone`]) | no samples | no samples | trees of all samples; [`replace_tree`](crate::Forest::replace_tree) grows a fresh one from these |
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
    /// request leaves a gap until a new one is drawn in its place.
    Reservoir(usize),
}

impl Retention {
    /// Checks that there is a sample to hold, and that trees of kind `F` can do with these samples.
    pub(crate) fn check<F: Forgetting>(self) -> Result<(), SettingError> {
        let refuse = |rule| Err(SettingError::new("retention", rule, self));
        match self {
            Self::Latest(0) | Self::Reservoir(0) => refuse("must be of at least 1 sample"),
            Self::Nothing if F::HOLDS_SAMPLES => {
                refuse("must leave these trees the samples that they hold")
            }
            Self::Latest(_) | Self::Reservoir(_) if F::HOLDS_SAMPLES && F::PROOF.is_none() => {
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

/// What a tree does with stored samples once it has learned them, as a type: [`CanForget`],
/// [`CannotForget`] or [`HoldsNone`].
///
/// A value of the type is a proof that the tree can forget: a method that takes one cannot be called
/// for other trees, since only [`CanForget`] has a value.
pub trait Forgetting: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// Whether the tree reads samples again after it has learned them.
    const HOLDS_SAMPLES: bool;

    /// The proof, if there is one.
    const PROOF: Option<Self>;

    /// A forest of such trees as what can forget, if they can.
    fn forgetter<K: OnlineTree<Forgets = Self>>(
        forest: &mut Forest<K>,
    ) -> Option<&mut dyn Forget<Task = K::Task>> {
        let _ = forest;
        None
    }
}

/// Kinds of trees that hold samples: [`CanForget`] and [`CannotForget`].
pub trait HoldsSamples: Forgetting {}

/// The tree holds samples, and can take one out as if it had never been learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanForget;

/// The tree needs the samples it holds for as long as it lives. There is no value of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotForget {}

/// The tree never reads a sample again, nor can it take one out. There is no value of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldsNone {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::CanForget {}
    impl Sealed for super::CannotForget {}
    impl Sealed for super::HoldsNone {}
}

impl Forgetting for CanForget {
    const HOLDS_SAMPLES: bool = true;
    const PROOF: Option<Self> = Some(Self);

    fn forgetter<K: OnlineTree<Forgets = Self>>(
        forest: &mut Forest<K>,
    ) -> Option<&mut dyn Forget<Task = K::Task>> {
        Some(forest)
    }
}

impl Forgetting for CannotForget {
    const HOLDS_SAMPLES: bool = true;
    const PROOF: Option<Self> = None;
}

impl Forgetting for HoldsNone {
    const HOLDS_SAMPLES: bool = false;
    const PROOF: Option<Self> = None;
}

impl HoldsSamples for CanForget {}
impl HoldsSamples for CannotForget {}
