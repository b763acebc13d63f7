//! What a forest does for its trees: it stores what any of them keeps, passes on the classes known
//! at each row, and gives each its own random stream.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::Array2;
use forest_core::{
    Classification, Footprint, Forest, ForestContext, ForestSettings, IdRemap, InvariantError,
    OnlineLearner, OnlineTree, RetentionMask, SampleId, Schema, SettingError, Settings, TreeRng,
    threads,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct NoSettings;

impl Settings<Classification> for NoSettings {
    fn check(&self, _: &Schema<Classification>) -> Result<(), SettingError> {
        Ok(())
    }
}

/// Keeps about a third of the samples, chosen by its own draws, and records its calls.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Recorder {
    draws: Vec<u64>,
    known: Vec<u32>,
    /// Samples kept, with the feature that each had when it arrived.
    kept: Vec<(SampleId, f32)>,
}

impl OnlineTree for Recorder {
    type Task = Classification;
    type Settings = NoSettings;

    fn build(_: usize, _: &Schema<Classification>, _: &NoSettings) -> Self {
        Self::default()
    }

    fn boxed(&self) -> Box<dyn OnlineTree<Task = Classification>> {
        Box::new(self.clone())
    }

    fn learn(
        &mut self,
        id: SampleId,
        context: &ForestContext<'_, Classification>,
        rng: &mut TreeRng,
    ) {
        self.draws.push(rng.bits());
        self.known.push(context.outputs.known());
        if rng.below(3) == 0 {
            self.kept.push((id, context.samples.features(id)[0]));
        }
    }

    /// Votes with the number of classes known, in every cell.
    fn vote(
        &self,
        _: &[f32],
        context: &ForestContext<'_, Classification>,
        accumulator: &mut [f64],
    ) {
        accumulator.fill(f64::from(context.outputs.known()));
    }

    fn keep(&self, kept: &mut RetentionMask) {
        let first = kept.first();
        for (id, _) in self.kept.iter().filter(|(id, _)| *id >= first) {
            kept.keep(*id);
        }
    }

    fn remap(&mut self, remap: &IdRemap) {
        for (id, _) in &mut self.kept {
            *id = remap.apply(*id);
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint::default()
    }

    fn check(&self, context: &ForestContext<'_, Classification>) -> Result<(), InvariantError> {
        let same = |(id, feature): &(SampleId, f32)| {
            id.index() < context.samples.len() && context.samples.features(*id) == [*feature]
        };
        let all_same = self.kept.iter().all(same);
        InvariantError::require(all_same, "kept", "another sample")
    }
}

fn forest(seed: u64) -> Forest<Recorder> {
    Forest::new(
        Schema::new(1).unwrap(),
        NoSettings,
        ForestSettings::default().with_trees(5).with_seed(seed),
    )
    .unwrap()
}

#[test]
fn the_store_holds_what_any_tree_keeps_and_no_more() {
    let mut forest = forest(1);
    let mut start = 0;
    for size in [1, 2, 40, 3, 64, 10] {
        let rows = Array2::from_shape_fn((size, 1), |(row, _)| (start + row) as f32);
        forest.learn(rows.view(), &vec![0; size]).unwrap();
        start += size;
        forest.check_invariants().unwrap();
        let kept = forest.trees().flat_map(|tree| &tree.kept);
        let mut kept: Vec<_> = kept.map(|(_, x)| *x).collect();
        kept.sort_by(f32::total_cmp);
        kept.dedup();
        let samples = forest.samples();
        let stored: Vec<_> = samples.ids().map(|id| samples.features(id)[0]).collect();
        assert_eq!(stored, kept);
        let most = forest.trees().map(|tree| tree.kept.len()).max();
        assert!(start < 50 || Some(stored.len()) > most, "trees differ");
    }
}

/// A forest of five trees, after ten samples, with these words of its JSON replaced.
fn altered(from: &str, to: &str) -> Result<(), InvariantError> {
    let mut forest = forest(3);
    let rows = Array2::zeros((10, 1));
    forest.learn(rows.view(), &[0; 10]).unwrap();
    let json = serde_json::to_string(&forest).unwrap();
    assert!(json.contains(from), "{json}");
    let altered: Forest<Recorder> = serde_json::from_str(&json.replace(from, to)).unwrap();
    altered.check_invariants()
}

#[test]
fn a_snapshot_holds_as_many_trees_as_it_says_or_some_of_them() {
    for total in [0, 1, 4, 5, 6, 100] {
        let checked = altered("\"total_trees\":5", &format!("\"total_trees\":{total}"));
        assert_eq!(checked.is_ok(), total >= 5, "{total}");
    }
    altered("\"first_tree\":0", "\"first_tree\":1").unwrap_err();
}

/// The votes of all trees on all 256 rows would take 205 MB, and their predictions take 41; whether the classes are
/// known or come with the last row. On one thread, since what other threads allocate is not counted.
#[test]
fn many_classes_do_not_make_testing_and_learning_hold_gigabytes() {
    let open = Schema::new(1).unwrap().with_class_cap(20_000).unwrap();
    let rows = Array2::zeros((256, 1));
    let mut labels = [0; 256];
    labels[255] = 19_999;
    for schema in [open.with_classes(20_000).unwrap(), open] {
        let trees = ForestSettings::default().with_trees(5);
        let mut forest = Forest::<Recorder>::new(schema, NoSettings, trees).unwrap();
        let mut learn = || forest.predict_then_learn(rows.view(), &labels).map(drop);
        let taken = allocation_counter::measure(|| threads::alone(&mut learn).unwrap());
        assert!(taken.bytes_max < 150 << 20, "{taken:?}");
    }
}

#[test]
fn trees_receive_the_classes_known_before_a_question_and_after_a_sample() {
    let classes = [0, 0, 3, 1, 7, 7, 2];
    let before = [0, 1, 1, 4, 4, 8, 8];
    let after = [1, 1, 4, 4, 8, 8, 8];
    let mut forest = forest(2);
    let rows = Array2::zeros((classes.len(), 1));
    let predictions = forest.predict_then_learn(rows.view(), &classes).unwrap();
    for (prediction, known) in predictions.iter().zip(before) {
        assert_eq!(prediction, vec![f64::from(known); known as usize]);
    }
    for tree in forest.trees() {
        assert_eq!(tree.known, after);
    }
    assert_eq!(forest.predict_one(&[0.0]).unwrap(), [8.0; 8]);
    let mut learned = self::forest(2);
    learned.learn(rows.view(), &classes).unwrap();
    assert!(learned.trees().all(|tree| tree.known == after));
}
