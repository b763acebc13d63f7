//! The container proved on a toy: a tree of eight bins on the first feature. A sound toy keeps every
//! check; one with an injected fault fails the check that is meant to see it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use forest_core::{
    Classification, Footprint, Forest, ForestContext, ForestSettings, IdRemap, InvariantError,
    LabelSummary, OnlineTree, Regression, RetentionMask, SampleId, Schema, SettingError, Settings,
    Task, TreeRng,
};
use forest_testing::conformance;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Flaw {
    None,
    CountsBatches,
    CountsQuestions,
    IgnoresFeatures,
    VotesNothing,
    LosesCount,
}

impl<T: Task> Settings<T> for Flaw {
    fn check(&self, _: &Schema<T>) -> Result<(), SettingError> {
        Ok(())
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Bins<T: Task> {
    offset: Option<f64>,
    bins: Vec<LabelSummary>,
    kept: Vec<SampleId>,
    #[serde(skip)]
    batches: usize,
    #[serde(skip)]
    questions: AtomicU64,
    task: PhantomData<T>,
}

impl<T: Task> Clone for Bins<T> {
    fn clone(&self) -> Self {
        Self {
            offset: self.offset,
            bins: self.bins.clone(),
            kept: self.kept.clone(),
            batches: self.batches,
            questions: AtomicU64::new(self.questions.load(Ordering::Relaxed)),
            task: PhantomData,
        }
    }
}

impl<T: Task> Bins<T> {
    fn bin(&self, features: &[f32], flaw: Flaw) -> usize {
        if flaw == Flaw::IgnoresFeatures {
            return 0;
        }
        let mut place = f64::from(features[0]) * 8.0 + self.offset.unwrap_or(0.0);
        if flaw == Flaw::CountsBatches {
            place += 0.01 * self.batches as f64;
        }
        place.clamp(0.0, 7.0) as usize
    }
}

impl<T: Task> OnlineTree for Bins<T> {
    type Task = T;
    type Settings = Flaw;

    fn build(_: usize, _: &Schema<T>, _: &Flaw) -> Self {
        Self {
            offset: None,
            bins: vec![T::no_labels(); 8],
            kept: Vec::new(),
            batches: 0,
            questions: AtomicU64::new(0),
            task: PhantomData,
        }
    }

    fn boxed(&self) -> Box<dyn OnlineTree<Task = T>> {
        Box::new(self.clone())
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, T>, rng: &mut TreeRng) {
        self.offset.get_or_insert_with(|| rng.uniform());
        let bin = self.bin(context.samples.features(id), *context.settings());
        T::add_label(&mut self.bins[bin], context.samples.target(id), 1);
        if id.index() == 0 || context.samples.target(id) != context.samples.target(self.kept[0]) {
            self.kept.push(id);
        }
        if *context.settings::<Flaw>() == Flaw::LosesCount && self.bins[bin].samples() == 5 {
            self.bins[bin] = T::no_labels();
        }
    }

    fn vote(&self, features: &[f32], context: &ForestContext<'_, T>, accumulator: &mut [f64]) {
        let asked = self.questions.fetch_add(1, Ordering::Relaxed);
        accumulator.fill(0.0);
        let bin = &self.bins[self.bin(features, *context.settings())];
        match bin.samples() {
            0 if *context.settings::<Flaw>() == Flaw::VotesNothing => {}
            0 => T::prior_prediction(accumulator),
            _ => bin.predict(accumulator),
        }
        if *context.settings::<Flaw>() == Flaw::CountsQuestions && asked % 2 == 1 {
            accumulator.reverse();
        }
    }

    fn keep(&self, kept: &mut RetentionMask) {
        let first = kept.first();
        for &id in self.kept.iter().rev().take_while(|&&id| id >= first) {
            kept.keep(id);
        }
    }

    fn remap(&mut self, remap: &IdRemap) {
        let first = remap.first();
        for id in self.kept.iter_mut().rev().take_while(|id| **id >= first) {
            *id = remap.apply(*id);
        }
        self.batches += 1;
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            nodes: self.bins.len(),
            bytes: 4 * self.kept.len(),
            stored_samples: 0,
        }
    }

    fn check(&self, context: &ForestContext<'_, T>) -> Result<(), InvariantError> {
        let counted: u64 = self.bins.iter().map(|bin| bin.samples()).sum();
        let enough = counted >= self.kept.len() as u64;
        InvariantError::require(enough, "bins", "more samples kept than counted")?;
        let count = context.samples.len();
        let inside = self.kept.iter().all(|id| id.index() < count);
        InvariantError::require(inside, "kept", "a sample that is not stored")
    }
}

/// Forests of five toys with this flaw.
fn build<T: Task>(flaw: Flaw) -> impl Fn(Schema<T>, u64) -> Forest<Bins<T>> + Sync {
    conformance::forests(5, flaw)
}

#[test]
fn a_sound_tree_keeps_every_law() {
    conformance::check(&build::<Classification>(Flaw::None)).unwrap();
    conformance::check(&build::<Regression>(Flaw::None)).unwrap();
}

#[test]
fn a_sound_forest_survives_its_snapshots() {
    let save = |forest: &Forest<Bins<Regression>>| {
        forest_core::registry::snapshot::encode_value(forest).unwrap()
    };
    let load = |bytes: &[u8]| forest_core::registry::snapshot::decode_value(bytes).unwrap();
    conformance::a_snapshot_resumes(&build::<Regression>(Flaw::None), &save, &load).unwrap();
    conformance::the_same_bytes(&build::<Regression>(Flaw::None), &save).unwrap();
}

#[track_caller]
fn broken(check: &str, flaw: Flaw) {
    let variants = [Flaw::None, flaw];
    let seen = conformance::check_forests::<Bins<Classification>>(5, variants).unwrap_err();
    assert_eq!(seen.check, check, "{seen}");
    assert!(seen.how.contains(&format!("{flaw:?}")), "{seen}");
}

#[test]
fn each_injected_fault_fails_the_check_meant_for_it() {
    broken("batch_is_rows", Flaw::CountsBatches);
    broken("test_then_train_is_rows", Flaw::CountsQuestions);
    broken("odd_streams_survive", Flaw::LosesCount);
    broken("the_prior_is_beaten", Flaw::IgnoresFeatures);
    broken("predictions_are_well_formed", Flaw::VotesNothing);
}

#[test]
fn a_shard_has_some_of_the_trees() {
    let forest = ForestSettings::default().with_trees(4);
    let shard = |part| {
        let schema = Schema::new(1).unwrap();
        let shard = Forest::<Bins<Regression>>::shard(schema, Flaw::None, forest, part);
        shard.map(|shard| shard.trees().len())
    };
    assert_eq!(shard(0..4), Ok(4));
    assert_eq!(shard(3..4), Ok(1));
    assert!(shard(2..2).is_err() && shard(3..5).is_err());
}

#[test]
fn only_kept_samples_stay_in_the_store() {
    let mut forest = build::<Classification>(Flaw::None)(Schema::new(1).unwrap(), 1);
    let stream = conformance::Stream::<Classification>::uniform(500, 1, 2);
    stream.teach(&mut forest, 0, 500).unwrap();
    let is_other = |class: &&u32| **class != stream.targets[0];
    let others = stream.targets.iter().filter(is_other);
    assert_eq!(forest.samples().len(), 1 + others.count());
    let kept = forest.trees().next().unwrap().kept.clone();
    let names: Vec<_> = kept.iter().map(|id| id.index()).collect();
    assert_eq!(names, (0..kept.len()).collect::<Vec<_>>());
}
