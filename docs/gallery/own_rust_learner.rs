//! A learner written in Rust.
//!
//! A linear function that takes a small step for each row, beside two forests that are built by their names. Each row of Friedman's function is predicted
//! before it is learned; after 2,000 rows the function is mirrored at its mean. `mondrian` averages over both concepts, the others recover.
use comparison::plot::Picture as _;
use comparison::{Contender, Runner, comparisons, record::Protocol::Prequential, report};
use online_forests::{Regression, RowLearner};

#[derive(Default)]
struct LinearSteps([f64; 6]);
impl RowLearner<Regression> for LinearSteps {
    fn learn(&mut self, x: &[f32], y: f64, seen: u64) {
        let mut prediction = [0.0];
        self.predict(x, seen, &mut prediction);
        let step = 0.05 * (y - prediction[0]);
        let inputs = x.iter().chain([&1.0]);
        (self.0.iter_mut().zip(inputs)).for_each(|(w, &x)| *w += step * f64::from(x));
    }
    fn predict(&self, x: &[f32], _: u64, prediction: &mut [f64]) {
        let terms = self.0.iter().zip(x.iter().chain([&1.0]));
        prediction[0] = terms.map(|(w, &x)| w * f64::from(x)).sum();
    }
}

/// Returns the picture as SVG.
pub(crate) fn picture() -> Result<String, Box<dyn std::error::Error>> {
    let stream = "friedman:n=4000,d=5,test=0+flip=2000";
    let data = [datasets::open(stream, &Default::default())?];
    let own = Contender::by_row::<_, LinearSteps>("linear-steps");
    let all = [own, "mondrian".parse()?, "adaptive".parse()?];
    let comparisons = comparisons(&data, &all, &[Prequential], &Default::default())?;
    let sections = report::sections(&Runner::new(10, 1).records(&comparisons));
    let charts = report::charts(&sections);
    Ok(charts[0].last().ok_or("no run finished")?.chart.svg())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    picture().map(|picture| print!("{picture}"))
}
