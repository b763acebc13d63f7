//! The boundary forest by name: the metric is a word, and a type for each word.

use forest_core::{
    Classification, ForestSettings, HardVote, Regression, Schema, SettingError, Task,
};
use registry::parameters::{Field, Parameter, Rule, field};
use registry::{
    ByWord, Capabilities, Configuration, Entry, MAX_NODES, Maker, Named, Role, UNLIMITED, learner,
};

use crate::{
    AveragedLabel, BoundaryForest, ChildLimit, Cosine, Euclidean, Insertion, Manhattan, Metric,
    RegressorSettings, SettingsOf, SquaredEuclidean, TreeSettings,
};

/// `boundary-forest`.
pub static BOUNDARY_FOREST: Entry = Entry {
    name: "boundary-forest",
    description: "trees of samples that their trees got wrong; answers by the nearest found",
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
            Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them, or give `shuffle_block` \
         (docs/results/boundary-forest/sorted.md)",
        "at most 2³⁰ samples",
    ],
    role: Role::Forest,
    classification: Some(by_metric::<Classification>()),
    regression: Some(by_metric::<Regression>()),
};

/// The learners of each metric.
const fn by_metric<P: NamedProblem>() -> &'static ByWord<P> {
    const {
        &ByWord {
            parameter: &METRIC,
            makers: &[
                of_metric::<P, Euclidean>(),
                of_metric::<P, SquaredEuclidean>(),
                of_metric::<P, Manhattan>(),
                of_metric::<P, Cosine>(),
            ],
        }
    }
}

const fn of_metric<P: NamedProblem, M: NamedMetric>() -> (&'static str, &'static dyn Maker<P>) {
    (M::WORD, learner::<BoundaryForest<P, M>>())
}

/// A metric that has a name in `metric=…`.
pub trait NamedMetric: Metric {
    /// The word.
    const WORD: &'static str;
}

impl NamedMetric for Euclidean {
    const WORD: &'static str = "euclidean";
}

impl NamedMetric for SquaredEuclidean {
    const WORD: &'static str = "squared-euclidean";
}

impl NamedMetric for Manhattan {
    const WORD: &'static str = "manhattan";
}

impl NamedMetric for Cosine {
    const WORD: &'static str = "cosine";
}

const METRIC: Parameter = Parameter {
    name: "metric",
    default: Euclidean::WORD,
    meaning: "distance between points (d)",
    rule: Rule::Words(&[
        Euclidean::WORD,
        SquaredEuclidean::WORD,
        Manhattan::WORD,
        Cosine::WORD,
    ]),
};

const NONE: &str = "none";

impl<E: 'static> TreeSettings<E> {
    const MAX_CHILDREN: Field<Self> = field!(
        Parameter::new("max_children", Rule::CountOr(2, UNLIMITED), "50",
            "children a node may have (k)"),
        settings => settings.max_children, UNLIMITED => ChildLimit::Unlimited, ChildLimit::AtMost
    );

    const SHUFFLE_BLOCK: Field<Self> = field!(
        Parameter::new("shuffle_block", Rule::CountOr(2, NONE), NONE,
            "samples that wait and are then learned in a random order, for sorted \
             streams, on which walks are long otherwise (ours)"),
        settings => settings.insertion, NONE => Insertion::AtOnce, Insertion::ShuffledBlocks
    );

    const NODE_BOUND: Field<Self> =
        field!(MAX_NODES, settings => settings.max_nodes, UNLIMITED => None, Some);

    /// Another word is another type, so there is nothing to set.
    const fn metric<M: NamedMetric>() -> Field<Self> {
        Field {
            parameter: METRIC,
            get: |_| M::WORD.to_owned(),
            set: |_, _| {},
        }
    }
}

const EPSILON: Field<RegressorSettings> = field!(
    Parameter::new("epsilon", Rule::Number, "0",
        "error of the target up to which a sample is not kept (ε)"),
    settings => settings.epsilon
);

/// What is learned, and how the forests that learn it differ.
trait NamedProblem: Task<Target: AveragedLabel> {
    /// The parameters of this problem alone.
    const FIELDS: &'static [Field<SettingsOf<Self>>];

    /// Votes of whole trees, if classes are learned.
    fn as_hard_vote<M: Metric>(forest: &BoundaryForest<Self, M>) -> Option<&dyn HardVote>;
}

impl NamedProblem for Classification {
    const FIELDS: &'static [Field<SettingsOf<Self>>] = &[];

    fn as_hard_vote<M: Metric>(forest: &BoundaryForest<Self, M>) -> Option<&dyn HardVote> {
        Some(forest)
    }
}

impl NamedProblem for Regression {
    const FIELDS: &'static [Field<SettingsOf<Self>>] = &[EPSILON];

    fn as_hard_vote<M: Metric>(_: &BoundaryForest<Self, M>) -> Option<&dyn HardVote> {
        None
    }
}

impl<P: NamedProblem, M: NamedMetric> Named for BoundaryForest<P, M> {
    type Settings = SettingsOf<P>;

    fn configurations() -> &'static [Configuration<SettingsOf<P>>] {
        const {
            &[Configuration {
                entry: &BOUNDARY_FOREST,
                default: |_| TreeSettings::default(),
                includes: |_| true,
                fields: &[
                    &[
                        TreeSettings::MAX_CHILDREN,
                        TreeSettings::SHUFFLE_BLOCK,
                        TreeSettings::NODE_BOUND,
                    ],
                    P::FIELDS,
                    &[TreeSettings::metric::<M>()],
                ],
            }]
        }
    }

    fn build(
        schema: Schema<P>,
        settings: SettingsOf<P>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn settings(&self) -> SettingsOf<P> {
        *self.settings()
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            hard_vote: P::as_hard_vote(self),
            ..Capabilities::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forest_tells_its_number_of_trees() {
        let settings = ForestSettings {
            trees: 7,
            ..ForestSettings::default()
        };
        let schema = Schema::<Regression>::new(1).unwrap();
        let forest: BoundaryForest<_, Euclidean> =
            Named::build(schema, RegressorSettings::default(), settings).unwrap();
        assert_eq!(Named::trees(&forest), 7);
    }
}
