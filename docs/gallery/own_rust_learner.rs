//! A learner written in Rust.
//!
//! A linear function that takes a small step for each row, beside two forests that are built by their names. Each row
//! of Friedman's function is predicted before it is learned; after 2,000 rows the function is mirrored at its mean.
//! `mondrian` averages over both concepts, the others recover.
use comparison::{Contender, Runner, comparisons, protocol::Protocol::Prequential, report};
use online_forests::{Batch, OnlineLearner, Regression, Rows, Schema};

/// The stream, the number of rows learned, and a weight for each feature and for 1.
struct LinearSteps(Schema<Regression>, u64, [f64; 6]);
impl LinearSteps {
    fn at(&self, x: &[f32]) -> f64 {
        let terms = self.2.iter().zip(x.iter().chain([&1.0]));
        terms.map(|(w, &x)| w * f64::from(x)).sum()
    }
}
impl OnlineLearner for LinearSteps {
    type Task = Regression;
    fn schema(&self) -> &Schema<Regression> {
        &self.0
    }
    fn samples_seen(&self) -> u64 {
        self.1
    }
    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        for (x, y) in batch.iter() {
            let step = 0.05 * (y - self.at(x));
            let inputs = x.iter().chain([&1.0]);
            (self.2.iter_mut().zip(inputs)).for_each(|(w, &x)| *w += step * f64::from(x));
            self.1 += 1;
        }
    }
    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        (rows.iter().zip(predictions)).for_each(|(x, prediction)| *prediction = self.at(x));
    }
}

/// Returns the picture as SVG.
pub(crate) fn picture() -> Result<String, Box<dyn std::error::Error>> {
    let stream = "friedman:n=4000,d=5,test=0+flip=2000";
    let data = [datasets::open(stream, &Default::default())?];
    let own = Contender::new("linear-steps", |schema, _| {
        Ok(LinearSteps(schema, 0, [0.0; 6]))
    });
    let all = [own, "mondrian".parse()?, "adaptive".parse()?];
    let comparisons = comparisons(&data, &all, &[Prequential], &Default::default())?;
    let sections = report::sections(&Runner::new(10, 1).records(&comparisons));
    let charts = report::charts(&sections);
    let chart = &charts[0].last().ok_or("no run finished")?.chart;
    Ok(chart.picture().svg())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    picture().map(|picture| print!("{picture}"))
}
