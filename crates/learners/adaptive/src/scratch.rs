//! Working memory for one row, and sums of predictions.

/// Working memory for one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) prediction: Vec<f64>,
    pub(crate) of_member: Vec<f64>,
    /// The prediction of each rule, one after the other.
    pub(crate) of_rules: Vec<f64>,
    pub(crate) losses: Vec<f64>,
    pub(crate) errors: Vec<f64>,
}

impl Scratch {
    pub(crate) fn bytes(&self) -> usize {
        let Self {
            prediction,
            of_member,
            of_rules,
            losses,
            errors,
        } = self;
        let lists = [prediction, of_member, of_rules, losses, errors];
        let cells: usize = lists.map(Vec::capacity).iter().sum();
        cells * size_of::<f64>()
    }
}

pub(crate) fn zeros(cells: &mut Vec<f64>, count: usize) {
    cells.clear();
    cells.resize(count, 0.0);
}

pub(crate) fn add(values: &[f64], factor: f64, sum: &mut [f64]) {
    for (cell, value) in sum.iter_mut().zip(values) {
        *cell += factor * value;
    }
}
