//! The program `online-forests` with a learner of your own: `cargo run -p online-forests-cli --example own_program`.
use online_forests::{Batch, Entry, OnlineLearner, Regression, Rows, Schema, submit};

/// Predicts the mean of about the latest ten targets; it knows the stream, how many rows it has learned, and that mean.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Recent(Schema<Regression>, u64, f64);

impl OnlineLearner for Recent {
    type Task = Regression;
    fn schema(&self) -> &Schema<Regression> {
        &self.0
    }
    fn samples_seen(&self) -> u64 {
        self.1
    }
    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        for (_, target) in batch.iter() {
            self.1 += 1;
            self.2 += (target - self.2) / self.1.min(10) as f64;
        }
    }
    fn predict_rows(&self, _: &Rows<'_>, predictions: &mut [f64]) {
        predictions.fill(self.2);
    }
}

const RECENT: &Entry = &Entry {
    numbers: Some(|_, schema, _| Ok(Box::new(Recent(schema, 0, 0.0)))),
    ..Entry::new("recent", "the mean of about the latest ten targets")
};
submit!(&[RECENT]);

fn main() -> std::process::ExitCode {
    online_forests_cli::run()
}
