//! Compares a learner written here with two of ours: `cargo run --release -p forest-comparison --example own_learner`.
use comparison::{Contender, Runner, comparisons, report};
use comparison::{protocol::Design, record::Protocol};
use online_forests::{Batch, OnlineLearner, Regression, Rows, Schema};
/// Predicts the mean of the targets so far, whatever the row, from their number and their sum.
struct Mean(Schema<Regression>, u64, f64);

impl OnlineLearner for Mean {
    type Task = Regression;
    fn schema(&self) -> &Schema<Regression> {
        &self.0
    }
    fn samples_seen(&self) -> u64 {
        self.1
    }
    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        batch
            .iter()
            .for_each(|(_, y)| (self.1, self.2) = (self.1 + 1, self.2 + y));
    }
    fn predict_rows(&self, _: &Rows<'_>, predictions: &mut [f64]) {
        predictions.fill(self.2 / self.1.max(1) as f64);
    }
}

/// Prints a table of errors, time and size.
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = [datasets::open("friedman", &Default::default())?];
    let own = Contender::new("own-mean", |schema, _| Ok(Mean(schema, 0, 0.0)));
    let all = [own, "mondrian".parse()?, "boundary-forest".parse()?];
    let comparisons = comparisons(&data, &all, &[Protocol::Holdout], &Design::default())?;
    let sections = report::sections(&Runner::new(10, 5).records(&comparisons));
    print!("{}", report::tables(&sections));
    Ok(())
}
