//! What must hold for every algorithm of any table.

use forest_core::registry::{Algorithm, AnyLearner, snapshot};
use forest_testing::conformance::{self, Broken, ConformanceTask};

use super::{ForestSettings, Schema};

/// Everything that [`conformance`] checks, and that snapshots continue.
pub(crate) fn conforms<T: ConformanceTask>(algorithm: &Algorithm) -> Result<(), Broken> {
    let build = |schema: Schema<T>, seed| {
        let forest = ForestSettings::default().with_trees(3).with_seed(seed);
        algorithm.build(schema, forest).unwrap()
    };
    if algorithm.is_baseline() || sees_directions_alone(algorithm) {
        conformance::check_all_but_the_prior(&build)?;
    } else {
        conformance::check(&build)?;
    }
    let save = |learner: &AnyLearner<T>| snapshot::to_bytes(learner).unwrap();
    let load = |bytes: &[u8]| snapshot::from_bytes::<AnyLearner<T>>(bytes).unwrap();
    conformance::a_snapshot_resumes(&build, &save, &load)?;
    conformance::the_same_bytes(&build, &save)?;
    conformance::a_refusal_leaves_the_same_bytes(&build, &save)
}

/// Returns whether the metric is the cosine, which cannot distinguish points of one direction and so need not beat the
/// prior.
fn sees_directions_alone(algorithm: &Algorithm) -> bool {
    let mut given = algorithm.explicit_values();
    given.any(|given| given == ("metric", "cosine"))
}
