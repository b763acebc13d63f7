//! A row of a table of algorithms, and the table.

use std::fmt::Debug;

use forest_core::{Classification, Forest, HardVote, OnlineTree, Regression, Task};
use parameters::{Parameter, Values};

use crate::{ClassLabels, Kind, Labels, Learners, NumberLabels};

/// A named algorithm: what it is, and how its learners are made.
#[derive(Debug)]
pub struct Entry {
    /// What it is called.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// The publication it comes from.
    pub paper: &'static str,
    /// What it is not made for, a phrase each.
    pub limits: &'static [&'static str],
    /// What it is there for.
    pub role: Role,
    /// Its classifiers, if there are any.
    pub classification: Option<Learners<Classification>>,
    /// Its regressors, if there are any.
    pub regression: Option<Learners<Regression>>,
}

/// What an algorithm is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A forest, the one of its family that is compared if none is asked for.
    Forest,
    /// Another of the same family.
    Variant,
    /// It ignores the features: what every forest has to beat.
    Baseline,
}

/// A table of algorithms, as a type: it is where texts are looked up.
pub trait Registry: Copy + Debug + 'static {
    /// The rows, in the order in which they are listed to users. Names are unique.
    const ENTRIES: &'static [&'static Entry];
}

/// A task whose learners can be made by name: [`Classification`] and [`Regression`].
pub trait NamedTask: Task {
    /// Whether trees vote for classes, so that forests may have the parameter `vote`.
    const HAS_VOTE: bool;

    /// Labels of samples, added up.
    type Labels: Labels<Target = Self::Target>;

    /// The learners of `entry` for this task, if there are any.
    fn learners(entry: &Entry) -> Option<Learners<Self>>;

    /// Votes of whole trees, if they vote for classes.
    fn as_hard_vote<K: OnlineTree<Task = Self>>(forest: &Forest<K>) -> Option<&dyn HardVote>;
}

impl NamedTask for Classification {
    const HAS_VOTE: bool = true;
    type Labels = ClassLabels;

    fn learners(entry: &Entry) -> Option<Learners<Self>> {
        entry.classification
    }

    fn as_hard_vote<K: OnlineTree<Task = Self>>(forest: &Forest<K>) -> Option<&dyn HardVote> {
        Some(forest)
    }
}

impl NamedTask for Regression {
    const HAS_VOTE: bool = false;
    type Labels = NumberLabels;

    fn learners(entry: &Entry) -> Option<Learners<Self>> {
        entry.regression
    }

    fn as_hard_vote<K: OnlineTree<Task = Self>>(_: &Forest<K>) -> Option<&dyn HardVote> {
        None
    }
}

impl Entry {
    /// What makes its learners of task `T`; nothing if it does not do that task.
    pub(crate) fn kinds<T: NamedTask>(&self) -> Vec<Kind<T>> {
        T::learners(self).map_or(Vec::new(), |kinds| kinds())
    }

    /// What makes the learners that these values choose.
    pub(crate) fn kind<T: NamedTask>(&self, values: &Values) -> Option<Kind<T>> {
        let mut kinds = self.kinds().into_iter();
        kinds.find(|kind| kind.is_chosen_by(values))
    }

    /// How many levels of learners are inside its own ([`Named::NESTING`](crate::Named::NESTING)).
    pub(crate) fn nesting(&self) -> u8 {
        let of_classes = self.kinds::<Classification>();
        let of_numbers = self.kinds::<Regression>();
        let of_classes = of_classes.iter().map(|kind| kind.nesting);
        let levels = of_classes.chain(of_numbers.iter().map(|kind| kind.nesting));
        levels.max().unwrap_or(0)
    }

    /// The parameters that some task knows, in the order of the task that knows more. Where two of one name
    /// have different rules it is that of the task that knows fewer, whose default tells both.
    pub fn parameters(&self) -> Vec<&'static Parameter> {
        let (mut longer, mut shorter) = (
            self.known_to::<Classification>(),
            self.known_to::<Regression>(),
        );
        if longer.len() < shorter.len() {
            std::mem::swap(&mut longer, &mut shorter);
        }
        for parameter in shorter {
            let same = longer.iter_mut().find(|known| known.name == parameter.name);
            match same {
                None => longer.push(parameter),
                Some(known) if known.rule == parameter.rule => {}
                Some(known) => *known = parameter,
            }
        }
        longer
    }

    /// The parameters that mean something in task `T`; those of the kind that is chosen by default come first.
    fn known_to<T: NamedTask>(&self) -> Vec<&'static Parameter> {
        let mut all = self.known_beside::<T>(&Values::default());
        for parameter in self.kinds::<T>().iter().flat_map(|kind| &kind.parameters) {
            if all.iter().all(|known| known.name != parameter.name) {
                all.push(parameter);
            }
        }
        all
    }

    /// Those of them that mean something beside these values.
    pub(crate) fn known_beside<T: NamedTask>(&self, given: &Values) -> Vec<&'static Parameter> {
        self.kind::<T>(given)
            .map_or(Vec::new(), |kind| kind.parameters)
    }
}
