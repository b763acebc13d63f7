//! Bad input is refused, and the learner is as it was.

use ndarray::{Array2, array};

use super::stream::answers;
use super::{Broken, LawTask, Stream, schema};
use crate::{OnlineLearner, Schema};

const LAW: &str = "bad_input_is_harmless";

/// NaN, infinities, a wrong width, too few targets and impossible targets are refused, wherever in
/// a batch they stand, by every entrance; nothing of the batch is learned.
///
/// # Errors
/// If one is accepted or leaves a trace.
pub fn bad_input_is_harmless<T: LawTask, L: OnlineLearner<Task = T>>(
    plant: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(120, 2, 8);
    let (mut tried, mut spared) = (plant(schema(2), 9), plant(schema(2), 9));
    for start in (0..120).step_by(40) {
        refuse_everything(&mut tried)?;
        stream
            .teach(&mut tried, start, start + 40)
            .expect("the stream is acceptable");
        stream
            .teach(&mut spared, start, start + 40)
            .expect("the stream is acceptable");
    }
    let same = answers(&tried) == answers(&spared) && tried.footprint() == spared.footprint();
    Broken::unless(same, LAW, || "a refused batch left a trace".into())
}

fn refuse_everything<T: LawTask, L: OnlineLearner<Task = T>>(
    learner: &mut L,
) -> Result<(), Broken> {
    let good = T::target(&[0.5, 0.5]);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let rows = array![[0.1, 0.2], [0.3, bad]];
        refuse(learner, &rows, &[good, good], "a value that is not finite")?;
        refuse_questions(learner, &rows)?;
    }
    let rows = array![[0.1, 0.2], [0.3, 0.4]];
    refuse(learner, &rows, &[good], "a missing target")?;
    refuse(
        learner,
        &rows,
        &[good, T::refused()],
        "an impossible target",
    )?;
    let wide = array![[0.1, 0.2, 0.3]];
    refuse(learner, &wide, &[good], "a wrong width")?;
    refuse_questions(learner, &wide)
}

fn refuse<T: LawTask, L: OnlineLearner<Task = T>>(
    learner: &mut L,
    rows: &Array2<f32>,
    targets: &[T::Target],
    what: &str,
) -> Result<(), Broken> {
    let learned = learner.learn(rows.view(), targets).is_ok();
    let tested = learner.predict_then_learn(rows.view(), targets).is_ok();
    Broken::unless(!learned && !tested, LAW, || format!("{what} was accepted"))
}

fn refuse_questions<T: LawTask, L: OnlineLearner<Task = T>>(
    learner: &L,
    rows: &Array2<f32>,
) -> Result<(), Broken> {
    let answered = learner.predict(rows.view()).is_ok();
    Broken::unless(!answered, LAW, || format!("{rows} was answered"))
}
