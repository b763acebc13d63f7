//! Saved, loaded, continued = never stopped.

use super::stream::prediction_bits;
use super::{Broken, ConformanceTask, Stream, schema};
use forest_core::{OnlineLearner, Schema, TreeRng};

const ROWS: usize = 300;
const WIDTH: usize = 3;

/// Checks that a learner saved in the middle of the stream and loaded again ends with the same predictions,
/// and the same bytes, as one that was never stopped.
///
/// # Errors
/// If a bit differs.
pub fn a_snapshot_resumes<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
    save: &impl Fn(&L) -> Vec<u8>,
    load: &impl Fn(&[u8]) -> L,
) -> Result<(), Broken> {
    let check = "a_snapshot_resumes";
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 23);
    let mut never_stopped = build(schema(WIDTH), 24);
    stream.feed(&mut never_stopped, 0, ROWS);
    for middle in [0, 1, 2, 60, 299] {
        let mut stopped = build(schema(WIDTH), 24);
        stream.feed(&mut stopped, 0, middle);
        let mut loaded = load(&save(&stopped));
        stream.feed(&mut loaded, middle, ROWS);
        let same = prediction_bits(&loaded) == prediction_bits(&never_stopped);
        Broken::require(same, check, || {
            format!("stopped after {middle}: predictions differ")
        })?;
        let same = save(&loaded) == save(&never_stopped);
        Broken::require(same, check, || {
            format!("stopped after {middle}: bytes differ")
        })?;
    }
    Ok(())
}

/// Checks that the same seed and stream give the same snapshot, byte for byte, however the stream was cut.
///
/// # Errors
/// If a byte differs.
pub fn the_same_bytes<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
    save: &impl Fn(&L) -> Vec<u8>,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 25);
    let learned = |step: usize| {
        let mut learner = build(schema(WIDTH), 26);
        for start in (0..ROWS).step_by(step) {
            let end = ROWS.min(start + step);
            stream.feed(&mut learner, start, end);
        }
        save(&learner)
    };
    let same = learned(ROWS) == learned(ROWS) && learned(ROWS) == learned(7);
    Broken::require(same, "the_same_bytes", || {
        "two runs with one seed save other bytes".into()
    })
}

/// Returns these bytes with one to three of them replaced: what a decoded learner must refuse or survive.
///
/// # Panics
/// If `bytes` is empty.
#[must_use]
pub fn altered(bytes: &[u8], rng: &mut TreeRng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len());
        bytes[at] = match rng.below(3) {
            0 => rng.below(256) as u8,
            1 => bytes[at].wrapping_add(1),
            _ => bytes[at].wrapping_sub(1),
        };
    }
    bytes
}
