//! Shards of parts: the predictions and the bytes of the whole, and what is refused.

use forest_core::{Classification, InputError, JoinError, OnlineLearner, Schema, Shard, VoteSums};
use forest_testing::conformance::Stream;
use registry::snapshot;
use row_parts::RowParts;

use crate::learner;

type Learner = RowParts<Classification>;

const ROWS: usize = 60;

fn whole(seed: u64) -> Learner {
    learner(Schema::new(2).unwrap(), ("amf", 5), seed)
}

fn kept(whole: &Learner, part: std::ops::Range<usize>) -> Learner {
    let mut shard = whole.clone();
    shard.keep_trees(part).unwrap();
    shard
}

#[test]
fn shards_learn_only_their_rows_and_are_the_whole_together() {
    let stream = Stream::<Classification>::uniform(ROWS, 2, 12);
    let (mut alone, mut shards) = (whole(3), [kept(&whole(3), 0..2), kept(&whole(3), 2..5)]);
    // The first batches end before every part has learned a row.
    for rows in [0..1, 1..2, 2..4, 4..25, 25..ROWS] {
        let (features, targets) = stream.part(rows.start, rows.end);
        let mut sums = VoteSums::default();
        for shard in &mut shards {
            shard
                .add_votes_then_learn(features, targets, &mut sums)
                .unwrap();
            shard.check_invariants().unwrap();
        }
        let predictions = shards[1].finish(&sums).unwrap();
        assert_eq!(
            predictions,
            alone.predict_then_learn(features, targets).unwrap()
        );
        let mut sums = VoteSums::default();
        for shard in &shards {
            shard.add_votes(stream.features.view(), &mut sums).unwrap();
        }
        let predictions = shards[0].finish(&sums).unwrap();
        let expected = alone.predict(stream.features.view()).unwrap();
        assert!(
            predictions.iter().eq(expected
                .rows()
                .into_iter()
                .map(|row| row.to_slice().unwrap()))
        );
    }
    let samples = shards
        .each_ref()
        .map(|shard| shard.footprint().stored_samples);
    let of_whole = alone.footprint().stored_samples;
    assert!(
        samples[0] < samples[1] && samples.iter().sum::<usize>() == of_whole,
        "{samples:?}"
    );
    let [mut joined, next] = shards;
    joined.join(next).unwrap();
    let bytes = |learner| snapshot::to_bytes::<Learner>(learner).unwrap();
    assert!(bytes(&joined) == bytes(&alone));
}

#[test]
fn shards_that_do_not_fit_are_refused() {
    let stream = Stream::<Classification>::uniform(ROWS, 2, 12);
    let (rows, targets) = stream.part(0, ROWS);
    let [mut first, mut next] = [kept(&whole(3), 0..2), kept(&whole(3), 2..5)];
    assert_eq!((next.part(), next.total_trees()), (2..5, 5));
    for part in [3..3, 1..4, 4..6] {
        assert!(next.keep_trees(part).is_err());
    }
    let mut sums = VoteSums::default();
    let refused = next.add_votes_then_learn(rows, targets, &mut sums);
    assert_eq!(
        refused,
        Err(InputError::VotesMismatch {
            expected: 2,
            got: 0
        })
    );
    assert!(
        next.add_votes_then_learn(rows, &targets[1..], &mut sums)
            .is_err()
    );
    assert_eq!(next.samples_seen(), 0);
    let join = |first: &Learner, next: Learner| first.clone().join(next);
    let other = |what| Err(JoinError::Different(what));
    let seeds = "trees, seeds or retentions";
    assert_eq!(join(&first, kept(&whole(4), 2..5)), other(seeds));
    let base = learner(Schema::new(2).unwrap(), ("mondrian", 5), 3);
    assert_eq!(join(&first, kept(&base, 2..5)), other("settings"));
    let not_next = Err(JoinError::NotNext {
        expected: 2,
        got: 3,
    });
    assert_eq!(join(&first, kept(&next, 3..5)), not_next);
    first.learn(rows, targets).unwrap();
    assert_eq!(join(&first, next.clone()), Err(JoinError::OtherStream));
    // All classes are known after half of the rows: their number alone differs.
    let mut behind = next.clone();
    let (some, their_targets) = stream.part(0, ROWS / 2);
    behind.learn(some, their_targets).unwrap();
    assert_eq!(behind.schema(), first.schema());
    assert_eq!(join(&first, behind), Err(JoinError::OtherStream));
    next.learn(rows, targets).unwrap();
    assert_eq!(join(&first, next), Ok(()));
}
