//! A row of a table of algorithms, and the table.

use std::fmt::Debug;

use forest_core::{Classification, Forest, HardVote, OnlineTree, Regression, Task};
use parameters::{Parameter, Values};

use crate::{ClassLabels, Labels, Maker, NumberLabels};

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
    /// Makes its classifiers, if there are any.
    pub classification: Option<&'static dyn Maker<Classification>>,
    /// Makes its regressors, if there are any.
    pub regression: Option<&'static dyn Maker<Regression>>,
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

    /// What makes the learners of `entry` for this task, if anything does.
    fn maker(entry: &Entry) -> Option<&'static dyn Maker<Self>>;

    /// Votes of whole trees, if they vote for classes.
    fn as_hard_vote<K: OnlineTree<Task = Self>>(forest: &Forest<K>) -> Option<&dyn HardVote>;
}

impl NamedTask for Classification {
    const HAS_VOTE: bool = true;
    type Labels = ClassLabels;

    fn maker(entry: &Entry) -> Option<&'static dyn Maker<Self>> {
        entry.classification
    }

    fn as_hard_vote<K: OnlineTree<Task = Self>>(forest: &Forest<K>) -> Option<&dyn HardVote> {
        Some(forest)
    }
}

impl NamedTask for Regression {
    const HAS_VOTE: bool = false;
    type Labels = NumberLabels;

    fn maker(entry: &Entry) -> Option<&'static dyn Maker<Self>> {
        entry.regression
    }

    fn as_hard_vote<K: OnlineTree<Task = Self>>(_: &Forest<K>) -> Option<&dyn HardVote> {
        None
    }
}

impl Entry {
    /// How many levels of learners are inside its own ([`Named::NESTING`](crate::Named::NESTING)).
    pub(crate) fn nesting(&self) -> u8 {
        let of_classes = self.classification.map(|maker| maker.nesting());
        let of_numbers = self.regression.map(|maker| maker.nesting());
        of_classes.max(of_numbers).unwrap_or(0)
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

    /// The parameters that mean something in task `T`.
    pub(crate) fn known_to<T: NamedTask>(&self) -> Vec<&'static Parameter> {
        T::maker(self).map_or(Vec::new(), |maker| maker.parameters(self.name))
    }

    /// Those of them that mean something beside these values.
    pub(crate) fn known_beside<T: NamedTask>(&self, given: &Values) -> Vec<&'static Parameter> {
        T::maker(self).map_or(Vec::new(), |maker| {
            maker.parameters_beside(self.name, given)
        })
    }
}
