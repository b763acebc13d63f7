//! Compares a learner written here with two of ours: `cargo run --release -p forest-comparison --example own_learner`.
use comparison::{Contender, Runner, comparisons, report};
use comparison::{protocol::Design, record::Protocol};
use online_forests::{Classification, RowLearner};
/// Predicts the frequencies of the classes so far, whatever the row.
#[derive(Default)]
struct ClassFrequencies(Vec<f64>);

impl RowLearner<Classification> for ClassFrequencies {
    fn learn(&mut self, _: &[f32], class: u32, _: u64) {
        let classes = self.0.len().max(class as usize + 1);
        self.0.resize(classes, 0.0);
        self.0[class as usize] += 1.0;
    }
    fn predict(&self, _: &[f32], seen: u64, shares: &mut [f64]) {
        (shares.iter_mut().zip(&self.0)).for_each(|(share, count)| *share = count / seen as f64);
    }
}

/// Prints a table of accuracy, log loss, time and size.
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = [datasets::open("gaussian-mixture", &Default::default())?];
    let own = Contender::by_row::<_, ClassFrequencies>("class-frequencies");
    let all = [own, "mondrian".parse()?, "boundary-forest".parse()?];
    let comparisons = comparisons(&data, &all, &[Protocol::Holdout], &Design::default())?;
    let sections = report::sections(&Runner::new(10, 5).records(&comparisons));
    print!("{}", report::tables(&sections));
    Ok(())
}
