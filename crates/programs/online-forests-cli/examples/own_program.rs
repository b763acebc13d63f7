//! The program `online-forests` with a learner of your own: `cargo run -p online-forests-cli --example own_program -- train …`.
use online_forests::{ByRow, Entry, Regression, RowLearner, submit};

/// Predicts the mean of about the latest ten targets.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Recent(f64);

impl RowLearner<Regression> for Recent {
    fn learn(&mut self, _: &[f32], target: f64, seen: u64) {
        self.0 += (target - self.0) / seen.min(10) as f64;
    }
    fn predict(&self, _: &[f32], _: u64, prediction: &mut [f64]) {
        prediction[0] = self.0;
    }
}

const RECENT: &Entry = &Entry {
    numbers: Some(|_, schema, _| Ok(Box::new(ByRow::<_, Recent>::new(schema)))),
    ..Entry::new("recent", "the mean of about the latest ten targets")
};
submit!(&[RECENT]);

fn main() -> std::process::ExitCode {
    online_forests_cli::run()
}
