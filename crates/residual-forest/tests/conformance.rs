//! Every law of the contract.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{ForestSettings, Regression, Schema};
use forest_testing::conformance;
use residual_forest::{ResidualForest, ResidualSettings, snapshot};

const CHAINS: [&str; 3] = [
    "20x1/1+40x4/10/3/3+ridge/40x2/10/3/3",
    "1x1/1",
    "ridge/1x2/3/1",
];

#[test]
fn learners_keep_every_law() {
    for chains in CHAINS {
        let settings = ResidualSettings {
            chains: chains.to_owned(),
            ..ResidualSettings::default()
        };
        let build = |schema: Schema<Regression>, seed| {
            let forest = ForestSettings {
                trees: 5,
                seed,
                ..ForestSettings::default()
            };
            ResidualForest::new(schema, settings.clone(), forest).unwrap()
        };
        let save = |learner: &ResidualForest| snapshot::to_bytes(learner).unwrap();
        let load = |bytes: &[u8]| snapshot::from_bytes::<ResidualForest>(bytes).unwrap();
        let kept = conformance::check(&build)
            .and_then(|()| conformance::a_snapshot_goes_on(&build, &save, &load))
            .and_then(|()| conformance::the_same_bytes(&build, &save));
        assert_eq!(kept, Ok(()), "{chains}");
    }
}
