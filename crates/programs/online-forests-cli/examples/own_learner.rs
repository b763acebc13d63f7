//! The program `online-forests` with a learner of one's own: `cargo run -p online-forests-cli --example own_learner -- train …`.
use online_forests::{ByRow, Entry, NamedRowLearner, Regression, RowLearner, learner, submit};
use serde::{Deserialize, Serialize};

/// Predicts the largest target so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Largest(f64);

impl RowLearner<Regression> for Largest {
    fn learn(&mut self, _: &[f32], target: f64, seen: u64) {
        self.0 = if seen == 1 {
            target
        } else {
            self.0.max(target)
        };
    }
    fn predict(&self, _: &[f32], _: u64, prediction: &mut [f64]) {
        prediction[0] = self.0;
    }
}

const LARGEST: &Entry = &Entry {
    regression: Some(learner::<ByRow<Regression, Largest>>),
    ..Entry::new("largest", "the largest target so far")
};
impl NamedRowLearner<Regression> for Largest {
    const ROWS: &'static [&'static Entry] = &[LARGEST];
}
submit!(&[LARGEST]);

fn main() -> std::process::ExitCode {
    online_forests_cli::run()
}
