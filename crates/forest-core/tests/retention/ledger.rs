//! A tree of any kind that records the samples it was given.

use std::fmt::Debug;
use std::marker::PhantomData;

use forest_core::{
    Ability, Footprint, Forest, ForestContext, ForestSettings, IdRemap, InvariantError, OnlineTree,
    Regression, Retention, RetentionMask, SampleId, Schema, SettingError, Settings, TreeRng,
};
use serde::{Deserialize, Serialize};

/// The samples learned and not forgotten, each with its feature, in order of learning.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Ledger<K> {
    pub entries: Vec<(SampleId, f32)>,
    /// A sum of all draws.
    draws: u64,
    #[serde(skip)]
    pub remaps: usize,
    /// The most samples it had at a time.
    #[serde(skip)]
    pub most: usize,
    kind: PhantomData<K>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NoSettings;

impl Settings<Regression> for NoSettings {
    fn check(&self, _: &Schema<Regression>) -> Result<(), SettingError> {
        Ok(())
    }
}

/// What a ledger does with its samples.
pub(super) trait Kind: Clone + Debug + Send + Sync + 'static {
    const HOLDS_SAMPLES: bool = true;

    const FORGETS: bool = false;
}

#[derive(Clone, Debug)]
pub(super) enum CanForget {}

#[derive(Clone, Debug)]
pub(super) enum CannotForget {}

#[derive(Clone, Debug)]
pub(super) enum HoldsNone {}

impl Kind for CanForget {
    const FORGETS: bool = true;
}

impl Kind for CannotForget {}

impl Kind for HoldsNone {
    const HOLDS_SAMPLES: bool = false;
}

impl<K: Kind> OnlineTree for Ledger<K> {
    type Task = Regression;
    type Settings = NoSettings;

    fn boxed(&self) -> Box<dyn OnlineTree<Task = Regression>> {
        Box::new(self.clone())
    }

    fn holds_samples(&self) -> bool {
        K::HOLDS_SAMPLES
    }

    fn can(&self, ability: Ability) -> bool {
        ability == Ability::Forget && K::FORGETS
    }

    fn build(_: usize, _: &Schema<Regression>, NoSettings: &NoSettings) -> Self {
        Self {
            entries: Vec::new(),
            draws: 0,
            remaps: 0,
            most: 0,
            kind: PhantomData,
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Regression>, rng: &mut TreeRng) {
        self.draws = self.draws.wrapping_mul(3).wrapping_add(rng.bits());
        let feature = context.samples.features(id)[0];
        assert_eq!(context.samples.target(id), f64::from(feature));
        // A tree that holds no samples may not hold on to their identifiers either.
        let id = if K::HOLDS_SAMPLES {
            id
        } else {
            SampleId::new(0)
        };
        self.entries.push((id, feature));
        self.most = self.most.max(self.entries.len());
    }

    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, Regression>, rng: &mut TreeRng) {
        self.draws = self.draws.wrapping_mul(5).wrapping_add(rng.bits());
        let entry = (id, context.samples.features(id)[0]);
        let place = self.entries.iter().position(|other| *other == entry);
        let place = place.expect("only what was learned is forgotten");
        self.entries.remove(place);
    }

    /// Votes with a number that depends on all that happened to the tree.
    fn vote(&self, x: &[f32], _: &ForestContext<'_, Regression>, accumulator: &mut [f64]) {
        let entries = self.entries.iter().map(|(_, feature)| f64::from(*feature));
        let sum = entries.fold(self.draws as f64, |sum, feature| 0.9 * sum + feature);
        accumulator.fill(sum + f64::from(x[0]));
    }

    fn keep(&self, kept: &mut RetentionMask) {
        kept.keep_all();
    }

    fn remap(&mut self, remap: &IdRemap) {
        self.remaps += 1;
        for (id, _) in &mut self.entries {
            *id = remap.apply(*id);
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint::default()
    }

    /// A tree that holds samples holds those of the store, and no others.
    fn check(&self, context: &ForestContext<'_, Regression>) -> Result<(), InvariantError> {
        let ids = self.entries.iter().map(|(id, _)| *id);
        let same = |(id, feature): &(SampleId, f32)| context.samples.features(*id) == [*feature];
        let sound = ids.eq(context.samples.ids()) && self.entries.iter().all(same);
        let what = "its samples are not those of the store";
        InvariantError::require(!K::HOLDS_SAMPLES || sound, "entries", what)
    }
}

pub(super) fn settings(seed: u64, retention: Retention) -> ForestSettings {
    let settings = ForestSettings::default().with_trees(3);
    settings.with_seed(seed).with_retention(retention)
}

pub(super) fn forest<K: Kind>(seed: u64, retention: Retention) -> Forest<Ledger<K>> {
    let schema = Schema::new(1).expect("one feature");
    Forest::new(schema, NoSettings, settings(seed, retention)).expect("settings are valid")
}
