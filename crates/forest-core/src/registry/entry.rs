//! The table of algorithms: its rows, which the crates of a program submit.

use std::any::Any;
use std::sync::LazyLock;

use serde::{Serialize, de::DeserializeOwned};

use crate::parameters::{Parameter, Rule, Values};
use crate::registry::snapshot::{SnapshotError, decode_value, encode_value};
use crate::{
    Classification, ForestSettings, OnlineLearner, Regression, Retention, Schema, SettingError,
    Task, Vote,
};

/// A named algorithm: what it is, and how its learners are made.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// A description in one line.
    pub description: &'static str,
    /// The publication it comes from.
    pub paper: &'static str,
    /// What it is not suited for, a phrase each.
    pub limits: &'static [&'static str],
    /// Its part in comparisons.
    pub role: Role,
    /// The number of trees of its learners where none is asked for: as many as users of such forests expect.
    pub trees: usize,
    /// Its parameters, in groups, in the order in which they are written. Two of one name are those of the two tasks.
    pub parameters: &'static [&'static [Parameter]],
    /// Names of papers for it with some values of its parameters.
    pub aliases: &'static [Alias],
    /// How many levels of learners of the table are inside its own, at most; they hold those of lower levels only.
    pub nesting: u8,
    /// Builds its classifiers, if there are any.
    pub classes: Option<Build<Classification>>,
    /// Builds its regressors, if there are any.
    pub numbers: Option<Build<Regression>>,
}

/// Builds a learner of task `T` from the values of its parameters. A value that was given and is not read is an error.
pub type Build<T> = fn(&mut Values, Schema<T>, ForestSettings) -> Built<T>;

/// A learner of task `T`, or the setting that breaks its rule.
pub type Built<T> = Result<Box<dyn NamedLearner<T>>, SettingError>;

/// A learner that can be held by name: every one that is plain data.
pub trait NamedLearner<T: Task>: OnlineLearner<Task = T> + Any {
    /// Returns a copy.
    fn boxed(&self) -> Box<dyn NamedLearner<T>>;

    /// Returns the state as bytes.
    ///
    /// # Errors
    /// Returns an error if the codec cannot write it.
    fn save(&self) -> Result<Vec<u8>, SnapshotError>;

    /// Replaces the state by one that a learner of the same kind has saved.
    ///
    /// # Errors
    /// Returns an error if the bytes are others; then nothing changes.
    fn load(&mut self, state: &[u8]) -> Result<(), SnapshotError>;
}

impl<L> NamedLearner<L::Task> for L
where
    L: OnlineLearner + Clone + Serialize + DeserializeOwned + 'static,
{
    fn boxed(&self) -> Box<dyn NamedLearner<L::Task>> {
        Box::new(self.clone())
    }

    fn save(&self) -> Result<Vec<u8>, SnapshotError> {
        encode_value(self)
    }

    fn load(&mut self, state: &[u8]) -> Result<(), SnapshotError> {
        *self = decode_value(state)?;
        Ok(())
    }
}

/// Another name for an algorithm with some values of its parameters, as a paper has them.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// Its name.
    pub name: &'static str,
    /// A description in one line.
    pub description: &'static str,
    /// The publication it comes from.
    pub paper: &'static str,
    /// The values as `key=value,…`. Other values may be given beside them, or in place of them.
    pub preset: &'static str,
    /// The name of its task, if the publication has only one.
    pub task: Option<&'static str>,
}

/// The part of an algorithm in comparisons, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A forest, the one of its family that is compared if none is asked for.
    Forest,
    /// Another forest of the same family.
    Variant,
    /// It ignores the features: what every forest has to beat.
    Baseline,
    /// It sees all rows at once. The table has its name and parameters; comparisons fit it.
    Offline,
}

impl Entry {
    /// Returns a row without learners: [`classes`](Self::classes), [`numbers`](Self::numbers) or both have to be set.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            paper: "none",
            limits: &[],
            role: Role::Forest,
            trees: ForestSettings::TREES,
            parameters: &[],
            aliases: &[],
            nesting: 0,
            classes: None,
            numbers: None,
        }
    }

    /// Returns what makes its learners of task `T`, if there are any.
    pub(super) fn build<T: Task>(&self) -> Option<Build<T>> {
        // The field of this type: there is one for each task.
        let of_tasks: [&dyn Any; 2] = [&self.classes, &self.numbers];
        let mut own = of_tasks.iter().filter_map(|build| build.downcast_ref());
        *own.next()?
    }
}

/// What a tree votes with, which only classes have.
pub const VOTE: Parameter = Parameter::new(
    "vote",
    Rule::Words(&["frequencies", "majority"]),
    "frequencies",
    "what a tree votes with: the class frequencies of its leaf, or their majority alone",
)
.of(Classification::NAME);

/// The value of a parameter that sets no limit.
pub const UNLIMITED: &str = "unlimited";

/// The maximum number of nodes of a tree.
pub const MAX_NODES: Parameter = Parameter::new(
    "max_nodes",
    Rule::Or(&Rule::Count(1), &[UNLIMITED]),
    UNLIMITED,
    "maximum number of nodes of a tree; a full tree stops growing, drops its samples and keeps updating its leaf \
     statistics",
);

/// The number of latest samples that a forest remembers.
pub const WINDOW: Parameter = Parameter::new(
    "window",
    Rule::Or(&Rule::Count(1), &[UNLIMITED]),
    UNLIMITED,
    "samples remembered: older ones are forgotten",
);

/// Parameters that the forests of several crates have.
impl Values {
    /// Returns the value of [`VOTE`]; frequencies where it is not known.
    pub fn vote(&mut self) -> Vote {
        if self.knows(VOTE.name) && self.is(VOTE.name, "majority") {
            return Vote::Majority;
        }
        Vote::Frequencies
    }

    /// Returns `forest` with the retention that [`WINDOW`] states; unchanged without a window.
    #[must_use]
    pub fn window(&mut self, forest: ForestSettings) -> ForestSettings {
        match self.unless(WINDOW.name, UNLIMITED) {
            Some(samples) => forest.with_retention(Retention::Latest(samples)),
            None => forest,
        }
    }
}

/// Rows that are in the table of every program that links the crate which submits them.
#[doc(hidden)]
#[derive(Debug)]
pub struct Submission(pub &'static [&'static Entry]);

inventory::collect!(Submission);

/// Adds rows to the table of algorithms of every program that the crate is linked into. If a name is submitted twice,
/// the program panics when it first reads a name.
///
/// ```
/// use forest_core::registry::{Algorithm, Entry};
///
/// const AVERAGE: &Entry = &Entry { name: "average", ..*forest_core::registry::MEAN };
/// forest_core::submit!(&[AVERAGE]);
///
/// assert_eq!("average".parse::<Algorithm>()?.name(), "average");
/// # Ok::<(), forest_core::parameters::ParameterError>(())
/// ```
#[macro_export]
macro_rules! submit {
    ($rows:expr) => {
        $crate::registry::inventory::submit! { $crate::registry::Submission($rows) }
    };
}

/// Returns the rows by name, baselines and offline ones last, whatever the order in which crates are linked.
pub(crate) fn entries() -> &'static [&'static Entry] {
    static TABLE: LazyLock<Vec<&'static Entry>> = LazyLock::new(|| {
        let submitted = inventory::iter::<Submission>.into_iter();
        let mut table: Vec<_> = submitted.flat_map(|rows| rows.0).copied().collect();
        table.sort_by_key(|entry| (entry.role.max(Role::Variant), entry.name));
        let twice = table.windows(2).find(|pair| pair[0].name == pair[1].name);
        assert!(twice.is_none(), "algorithm submitted twice: {twice:?}");
        table
    });
    &TABLE
}
