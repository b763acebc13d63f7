//! Trees of one run, each after another number of cuts.

use forest_core::ndarray::ArrayView2;
use forest_core::{Classification, ForestSettings, Schema};

use super::ball::BallMass;
use super::forest::{BatchError, prepare};
use super::sampler::Sampler;
use super::settings::BatchSettings;
use super::tree::BatchTree;

impl<D: BallMass> BatchTree<D> {
    /// Returns the trees that Algorithm 2 gives if it is stopped after each of these numbers of rounds, in which every
    /// particle is cut once: the heaviest particle then, as at the end. A particle that has nothing left to cut stays as it is.
    ///
    /// It is one run, with the random stream of the first tree of a forest: numbers of cuts, which must not fall, share
    /// their first cuts as far as resampling lets them. No `test_rows`: they take no part (inductive).
    ///
    /// # Errors
    /// As [`BatchForest::fit`](super::BatchForest::fit).
    pub fn after_cuts(
        schema: Schema<Classification>,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        test_rows: ArrayView2<'_, f32>,
        settings: &BatchSettings<D::Settings>,
        seed: u64,
        counts: &[usize],
    ) -> Result<Vec<Self>, BatchError> {
        let forest = ForestSettings::default().with_trees(1).with_seed(seed);
        prepare(
            schema,
            rows,
            targets,
            test_rows,
            settings,
            forest,
            |_, model| {
                let mut rng = forest_core::TreeRng::new(seed, 0);
                let mut sampler = Sampler::new(model, &mut rng);
                let mut rounds = 0;
                let tree = |&count: &usize| {
                    while rounds < count && !sampler.is_finished() {
                        if rounds > 0 {
                            sampler.resample();
                        }
                        sampler.advance();
                        rounds += 1;
                    }
                    sampler.tree()
                };
                counts.iter().map(tree).collect()
            },
        )
    }
}
