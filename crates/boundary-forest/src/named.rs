//! The boundary forest by name: the metric is a word, and a type for each word.

use std::marker::PhantomData;

use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError, Task};
use registry::parameters::{Field, Parameter, Rule, field, parsed};
use registry::{ByWord, Capabilities, Configuration, Entry, Named, Role, learner};

use crate::{
    BoundaryForest, ChildLimit, ClassifierSettings, Cosine, Euclidean, Insertion, Manhattan,
    Metric, Problem, RegressorSettings, SquaredEuclidean,
};

/// `boundary-forest`.
pub static BOUNDARY_FOREST: Entry = Entry {
    name: "boundary-forest",
    description: "trees of samples that their trees got wrong; answers by the nearest found",
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
            Supervised and Unsupervised Learning, AAAI 2015",
    role: Role::Forest,
    classification: Some(&ByMetric::<Classification>::MAKER),
    regression: Some(&ByMetric::<Regression>::MAKER),
};

/// The learners of each metric.
struct ByMetric<T>(PhantomData<T>);

impl<T: Task> ByMetric<T>
where
    BoundaryForest<T, Euclidean>: Named<Task = T>,
    BoundaryForest<T, SquaredEuclidean>: Named<Task = T>,
    BoundaryForest<T, Manhattan>: Named<Task = T>,
    BoundaryForest<T, Cosine>: Named<Task = T>,
    T: Problem,
{
    const MAKER: ByWord<T> = ByWord {
        parameter: &METRIC,
        makers: &[
            (Euclidean::WORD, learner::<BoundaryForest<T, Euclidean>>()),
            (
                SquaredEuclidean::WORD,
                learner::<BoundaryForest<T, SquaredEuclidean>>(),
            ),
            (Manhattan::WORD, learner::<BoundaryForest<T, Manhattan>>()),
            (Cosine::WORD, learner::<BoundaryForest<T, Cosine>>()),
        ],
    };
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

/// The parameters, for a metric.
struct Fields<M>(PhantomData<M>);

impl<M: NamedMetric> Fields<M> {
    const MAX_CHILDREN: Field<RegressorSettings> = Field {
        parameter: Parameter {
            name: "max_children",
            default: "50",
            meaning: "children a node may have (k)",
            rule: Rule::CountOr(2, UNLIMITED),
        },
        get: |settings| match settings.max_children {
            ChildLimit::Unlimited => UNLIMITED.to_owned(),
            ChildLimit::AtMost(children) => children.to_string(),
        },
        set: |settings, text| {
            settings.max_children = match text {
                UNLIMITED => ChildLimit::Unlimited,
                children => ChildLimit::AtMost(parsed(children)),
            }
        },
    };

    const SHUFFLE_BLOCK: Field<RegressorSettings> = Field {
        parameter: Parameter {
            name: "shuffle_block",
            default: NONE,
            meaning: "samples that wait and are then learned in a random order, for sorted \
                      streams, on which walks are long otherwise (ours)",
            rule: Rule::CountOr(2, NONE),
        },
        get: |settings| match settings.insertion {
            Insertion::AtOnce => NONE.to_owned(),
            Insertion::ShuffledBlocks(rows) => rows.to_string(),
        },
        set: |settings, text| {
            settings.insertion = match text {
                NONE => Insertion::AtOnce,
                rows => Insertion::ShuffledBlocks(parsed(rows)),
            }
        },
    };

    const EPSILON: Field<RegressorSettings> = field!(
        Parameter::new("epsilon", Rule::Number, "0",
            "error of the target up to which a sample is not kept (ε)"),
        settings => settings.epsilon
    );

    /// Another word is another type, so there is nothing to set.
    const METRIC: Field<RegressorSettings> = Field {
        parameter: METRIC,
        get: |_| M::WORD.to_owned(),
        set: |_, _| {},
    };
}

const UNLIMITED: &str = "unlimited";
const NONE: &str = "none";

const fn configuration(
    fields: &'static [&'static [Field<RegressorSettings>]],
) -> Configuration<RegressorSettings> {
    Configuration {
        entry: &BOUNDARY_FOREST,
        default: |_| RegressorSettings::default(),
        includes: |_| true,
        fields,
    }
}

impl<M: NamedMetric> Named for BoundaryForest<Classification, M> {
    type Settings = RegressorSettings;

    fn configurations() -> &'static [Configuration<RegressorSettings>] {
        const {
            &[configuration(&[&[
                Fields::<M>::MAX_CHILDREN,
                Fields::<M>::SHUFFLE_BLOCK,
                Fields::<M>::METRIC,
            ]])]
        }
    }

    fn build(
        schema: Schema<Classification>,
        settings: RegressorSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let settings = ClassifierSettings {
            max_children: settings.max_children,
            insertion: settings.insertion,
        };
        Self::new(schema, settings, forest)
    }

    fn settings(&self) -> RegressorSettings {
        (*self.settings()).into()
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            hard_vote: Some(self),
            ..Capabilities::default()
        }
    }
}

impl<M: NamedMetric> Named for BoundaryForest<Regression, M> {
    type Settings = RegressorSettings;

    fn configurations() -> &'static [Configuration<RegressorSettings>] {
        const {
            &[configuration(&[&[
                Fields::<M>::MAX_CHILDREN,
                Fields::<M>::SHUFFLE_BLOCK,
                Fields::<M>::EPSILON,
                Fields::<M>::METRIC,
            ]])]
        }
    }

    fn build(
        schema: Schema<Regression>,
        settings: RegressorSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn settings(&self) -> RegressorSettings {
        *self.settings()
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }
}
