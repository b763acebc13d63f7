//! A row of the table of algorithms.

use crate::parameters::{Parameter, Values};
use crate::{Classification, ForestSettings, Regression, Task};

use crate::registry::{Kind, Learners, Selector};

/// A named algorithm: what it is, and how its learners are made.
#[derive(Clone, Copy, Debug)]
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
    /// The number of trees of its learners where none is asked for: as many as users of such forests expect.
    pub trees: usize,
    /// Names of papers for it with some values of its parameters.
    pub aliases: &'static [Alias],
    /// Its classifiers, if there are any.
    pub classification: Option<Learners<Classification>>,
    /// Its regressors, if there are any.
    pub regression: Option<Learners<Regression>>,
}

/// Another name for an algorithm with some values of its parameters, as a paper has them.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// What it is called.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// The publication it comes from.
    pub paper: &'static str,
    /// The values as `key=value,…`. Other values may be given beside them, or in place of them.
    pub preset: &'static str,
    /// The name of its task, if the publication has only one.
    pub task: Option<&'static str>,
}

impl Alias {
    /// Returns the value of a parameter in the preset, if it is there.
    pub(crate) fn value(&self, parameter: &str) -> Option<&'static str> {
        let mut values = self
            .preset
            .split(',')
            .filter_map(|pair| pair.split_once('='));
        values
            .find(|(name, _)| *name == parameter)
            .map(|(_, value)| value)
    }

    /// Returns whether it learns task `T`.
    pub(crate) fn learns<T: Task>(&self) -> bool {
        self.task.is_none_or(|only| only == T::NAME)
    }
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

/// A task whose learners can be made by name: [`Classification`] and [`Regression`].
pub trait NamedTask: Task {
    /// Whether trees vote for classes, so that forests may have the parameter `vote`.
    const HAS_VOTE: bool;

    /// Returns the learners of `entry` for this task, if there are any.
    fn learners(entry: &Entry) -> Option<Learners<Self>>;
}

impl NamedTask for Classification {
    const HAS_VOTE: bool = true;

    fn learners(entry: &Entry) -> Option<Learners<Self>> {
        entry.classification
    }
}

impl NamedTask for Regression {
    const HAS_VOTE: bool = false;

    fn learners(entry: &Entry) -> Option<Learners<Self>> {
        entry.regression
    }
}

impl Entry {
    /// Returns a row of an algorithm of one's own, which learns nothing until its learners are added.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            paper: "none",
            limits: &[],
            role: Role::Forest,
            trees: ForestSettings::TREES,
            aliases: &[],
            classification: None,
            regression: None,
        }
    }

    /// Returns the kinds of its learners of task `T`; none if it does not support that task.
    pub(crate) fn kinds<T: NamedTask>(&self) -> Vec<Kind<T>> {
        T::learners(self).map_or(Vec::new(), |kinds| kinds())
    }

    /// Returns the kind of learners that these values choose.
    pub(crate) fn kind<T: NamedTask>(&self, values: &Values) -> Option<Kind<T>> {
        let mut kinds = self.kinds().into_iter();
        kinds.find(|kind| kind.is_chosen_by(values))
    }

    /// Returns how many levels of learners are inside its own ([`Named::NESTING`](crate::registry::Named::NESTING)).
    pub(crate) fn nesting(&self) -> u8 {
        let of_classes = self.kinds::<Classification>();
        let of_numbers = self.kinds::<Regression>();
        let of_classes = of_classes.iter().map(|kind| kind.nesting);
        let levels = of_classes.chain(of_numbers.iter().map(|kind| kind.nesting));
        levels.max().unwrap_or(0)
    }

    /// Returns the parameters that some task knows, in the order of the task that knows more. Where two of one name
    /// have different rules it is that of the task that knows fewer, whose default serves both.
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

    /// Returns the parameters that mean something in task `T`; those of the kind that is chosen by default come first.
    pub(crate) fn known_to<T: NamedTask>(&self) -> Vec<&'static Parameter> {
        let mut all = self.known_beside::<T>(&Values::default());
        for parameter in self.kinds::<T>().iter().flat_map(|kind| &kind.parameters) {
            if all.iter().all(|known| known.name != parameter.name) {
                all.push(parameter);
            }
        }
        all
    }

    /// Returns those of them that mean something beside these values.
    fn known_beside<T: NamedTask>(&self, given: &Values) -> Vec<&'static Parameter> {
        self.kind::<T>(given)
            .map_or(Vec::new(), |kind| kind.parameters)
    }

    /// Returns the selector whose value leaves no room for a parameter: with another one, a kind has it.
    pub(crate) fn selector_without(&self, parameter: &str, values: &Values) -> Selector {
        let of_classes = self.selectors_with::<Classification>(parameter);
        let of_numbers = self.selectors_with::<Regression>(parameter);
        let mut selectors = of_classes.into_iter().chain(of_numbers).flatten();
        let other = selectors.find(|selector| !selector.is_chosen_by(selector.value(values)));
        other.expect("a parameter that no chosen kind has belongs to a kind that is not chosen")
    }

    fn selectors_with<T: NamedTask>(&self, parameter: &str) -> Vec<Vec<Selector>> {
        let kinds = self.kinds::<T>().into_iter();
        let has = |kind: &Kind<T>| kind.parameters.iter().any(|one| one.name == parameter);
        kinds.filter(has).map(|kind| kind.selectors).collect()
    }
}
