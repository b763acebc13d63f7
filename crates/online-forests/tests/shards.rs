//! Shards of every forest, in any number, give the predictions and the snapshot of the whole forest, bit for bit.

use forest_core::{Refused, Task, VoteSums};
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::ndarray::Array2;
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression, Schema,
    snapshot,
};

use super::common::every;

const TREES: usize = 5;
const ROWS: usize = 150;

type Predictions = Vec<Vec<u64>>;

fn built<T: Task>(algorithm: &Algorithm) -> AnyLearner<T> {
    let forest = ForestSettings::default().with_trees(TREES).with_seed(3);
    algorithm.build(Schema::new(2).unwrap(), forest).unwrap()
}

/// Learns in as many shards as there can be up to `most`.
fn split<T: Task>(whole: &AnyLearner<T>, most: usize) -> Vec<AnyLearner<T>> {
    let of = whole.part().unwrap().of;
    let parts = most.min(of);
    let part = |index| {
        let mut shard = whole.clone();
        let trees = index * of / parts..(index + 1) * of / parts;
        shard.keep_trees(trees.clone()).unwrap();
        assert_eq!(shard.part().unwrap().trees, trees);
        shard
    };
    (0..parts).map(part).collect()
}

fn joined<T: Task>(shards: Vec<AnyLearner<T>>) -> AnyLearner<T> {
    let join = |mut joined: AnyLearner<T>, next| {
        joined.join(next).unwrap();
        joined
    };
    shards.into_iter().reduce(join).unwrap()
}

fn bits<'a>(rows: impl Iterator<Item = &'a [f64]>) -> Predictions {
    let bits = |row: &[f64]| row.iter().map(|value| value.to_bits()).collect();
    rows.map(bits).collect()
}

/// Returns a batch through all shards: its predictions before it learns.
fn pass<T: ConformanceTask>(
    shards: &mut [AnyLearner<T>],
    stream: &Stream<T>,
    rows: std::ops::Range<usize>,
) -> Predictions {
    let (features, targets) = stream.part(rows.start, rows.end);
    let mut sums = VoteSums::default();
    for shard in shards.iter_mut() {
        let added = shard.add_votes_then_learn(features, targets, &mut sums);
        added.unwrap();
    }
    bits(shards[0].finish_votes(&sums).unwrap().iter())
}

fn asked<T: Task>(shards: &[AnyLearner<T>], features: &Array2<f32>) -> Predictions {
    let mut sums = VoteSums::default();
    for shard in shards {
        shard.add_votes(features.view(), &mut sums).unwrap();
    }
    bits(shards[0].finish_votes(&sums).unwrap().iter())
}

/// Two shards, then three, then one, in batches of this size.
fn in_shards<T: ConformanceTask>(
    algorithm: &Algorithm,
    stream: &Stream<T>,
    batch: usize,
) -> (AnyLearner<T>, Predictions) {
    let mut shards = split(&built(algorithm), 2);
    let mut predictions = Predictions::new();
    for start in (0..ROWS).step_by(batch) {
        for (row, parts) in [(ROWS / 3, 3), (2 * ROWS / 3, 1)] {
            if (row..row + batch).contains(&start) {
                shards = split(&joined(shards), parts);
            }
        }
        predictions.extend(pass(&mut shards, stream, start..ROWS.min(start + batch)));
        for shard in &shards {
            assert_eq!(shard.check_invariants(), Ok(()), "{algorithm}, row {start}");
        }
    }
    let shards = split(&joined(shards), 3);
    let together = asked(&shards, &stream.features);
    let whole = joined(shards);
    let alone = whole.predict(stream.features.view()).unwrap();
    let alone = bits(alone.rows().into_iter().map(|row| row.to_slice().unwrap()));
    assert_eq!(together, alone, "{algorithm}");
    (whole, predictions)
}

fn shards_are_the_forest<T: ConformanceTask>() {
    let stream = Stream::<T>::uniform(ROWS, 2, 12);
    let mut forests = 0;
    for algorithm in every::<T>() {
        let mut whole = built::<T>(&algorithm);
        if whole.part().is_none() {
            continue;
        }
        forests += 1;
        let (features, targets) = stream.part(0, ROWS);
        let expected = whole.predict_then_learn(features, targets).unwrap();
        let expected = bits(expected.iter());
        for batch in [1, 7, ROWS] {
            let (joined, predictions) = in_shards(&algorithm, &stream, batch);
            assert!(predictions == expected, "{algorithm}, batches of {batch}");
            let bytes = |learner| snapshot::to_bytes(learner).unwrap();
            let same = bytes(&joined) == bytes(&whole);
            assert!(same, "{algorithm}, batches of {batch}: another snapshot");
        }
    }
    assert!(forests > 20, "{forests}");
}

#[test]
fn shards_are_the_forest_bit_for_bit() {
    shards_are_the_forest::<Classification>();
    shards_are_the_forest::<Regression>();
}

#[test]
fn a_batch_passes_through_all_shards_in_their_order_or_is_refused() {
    let stream = Stream::<Regression>::uniform(20, 2, 12);
    let (rows, targets) = stream.part(0, 20);
    let mut shards = split::<Regression>(&built(&"mondrian".parse().unwrap()), 2);
    let refused = |result: Result<(), Refused>, expected, got| {
        let text = result.unwrap_err().to_string();
        let said = format!("first {got} trees or parts, but {expected} were");
        assert!(text.contains(&said), "{text}");
    };
    let mut sums = VoteSums::default();
    let early = shards[1].add_votes_then_learn(rows, targets, &mut sums);
    refused(early, 2, 0);
    assert_eq!(shards[1].samples_seen(), 0);
    let [first, late] = [0, 1].map(|index| &shards[index]);
    first.add_votes(rows, &mut sums).unwrap();
    refused(first.finish_votes(&sums).map(drop), 5, 2);
    let of_other_rows = late.add_votes(stream.part(0, 19).0, &mut sums);
    let said = of_other_rows.unwrap_err().to_string();
    assert!(said.contains("of other rows or of another kind"), "{said}");
    late.add_votes(rows, &mut sums).unwrap();
    refused(late.add_votes(rows, &mut sums), 2, 5);
}

/// Sums of the same number of trees, each of which votes with other numbers.
#[test]
fn votes_of_another_kind_of_forest_are_refused() {
    let mut sums = Vec::new();
    for text in ["mondrian", "stream-rf", "mondrian-2016"] {
        let forest = built::<Regression>(&text.parse().unwrap());
        let mut own = VoteSums::default();
        forest
            .add_votes(Array2::zeros((3, 2)).view(), &mut own)
            .unwrap();
        assert!(forest.finish_votes(&own).is_ok());
        sums.push(own);
        for others in &sums[..sums.len() - 1] {
            assert!(forest.finish_votes(others).is_err(), "{text}");
        }
    }
}

#[test]
fn what_is_not_a_forest_has_no_shards() {
    let mut learner = built::<Classification>(&"boundary-forest".parse().unwrap());
    assert!(learner.part().is_none() && learner.keep_trees(0..1).is_err());
    let other = built(&"mondrian".parse().unwrap());
    assert_eq!(learner.join(learner.clone()), Err(Refused::sharding()));
    assert_eq!(learner.join(other.clone()), Err(Refused::sharding()));
    let mut forest = built::<Classification>(&"amf".parse().unwrap());
    assert!(forest.join(other).is_err());
    let shard = &mut forest;
    for trees in [2..2, 3..6, 7..9] {
        assert!(shard.keep_trees(trees).is_err());
    }
    shard.keep_trees(1..4).unwrap();
    assert!(shard.keep_trees(0..2).is_err());
    let part = shard.part().unwrap();
    assert_eq!(part.trees, 1..4);
    assert_eq!(part.of, TREES);
}
