//! Prepares the rows of a run: divided, preprocessed, with their targets.

use anyhow::{Context, Result, bail, ensure};
use comparison::protocol::{Fold, Preprocessing, Table, Weights, shuffled};
use datasets::{Dataset, Target};
use ndarray::{Array2, Axis, s};
use tables::preprocessing::Scaling;

use super::{Columns, DataTask, ScaleKind, SplitKind, TargetStep, WeightKind};

impl DataTask {
    /// Returns the rows to learn and those to test, preprocessed. Learners learn `observed`; `truth` may be without noise.
    pub(crate) fn fold<V: Copy>(
        &self,
        dataset: &Dataset,
        observed: &[V],
        truth: &[V],
        seed: u64,
    ) -> Result<Fold<V>> {
        let (train, test) = self.split(dataset, seed)?;
        let table = Table {
            features: &self.features(dataset)?,
            target: &dataset.target,
            observed,
            truth: Some(truth),
        };
        Ok(table.fold(&self.preprocessing(), &train, &test)?)
    }

    fn preprocessing(&self) -> Preprocessing {
        Preprocessing {
            components: self.pca,
            scaling: match self.scale {
                ScaleKind::Minmax => Some(Scaling::MinMax),
                ScaleKind::None => None,
            },
            weights: match self.weights {
                WeightKind::Equal => Weights::Equal,
                WeightKind::Variances => Weights::Variances,
            },
        }
    }

    /// Returns the targets of a regression, observed and true.
    pub(crate) fn values(&self, dataset: &Dataset) -> Result<(Vec<f64>, Vec<f64>)> {
        let Target::Values { values, noise_free } = &dataset.target else {
            bail!("`{}` has classes, not numbers", self.address);
        };
        let (mut observed, mut truth) = (
            values.clone(),
            noise_free.as_ref().unwrap_or(values).clone(),
        );
        for step in &self.target {
            step.apply(&mut observed, &mut truth)?;
        }
        Ok((observed, truth))
    }

    fn features(&self, dataset: &Dataset) -> Result<Array2<f32>> {
        let names = match &self.columns {
            Columns::All => return Ok(dataset.features.clone()),
            Columns::Named(names) => names,
            &Columns::Range { from, to } => {
                let width = dataset.n_features();
                ensure!(
                    1 <= from && from <= to && to <= width,
                    "`{}` has the columns 1 to {width}, not {from} to {to}",
                    self.address
                );
                return Ok(dataset.features.slice(s![.., from - 1..to]).to_owned());
            }
        };
        let place = |name: &String| {
            let found = dataset.feature_names.iter().position(|other| other == name);
            let known = dataset.feature_names.join(", ");
            found.with_context(|| {
                format!(
                    "`{}` has no column `{name}`; available: {known}",
                    self.address
                )
            })
        };
        let columns = names.iter().map(place).collect::<Result<Vec<_>>>()?;
        Ok(dataset.features.select(Axis(1), &columns))
    }

    fn split(&self, dataset: &Dataset, seed: u64) -> Result<(Vec<usize>, Vec<usize>)> {
        let all = dataset.rows();
        let standard = || {
            let split = dataset.split;
            split.with_context(|| format!("`{}` has no standard split", self.address))
        };
        let (order, learned) = match self.split {
            SplitKind::Standard => ((0..all).collect(), standard()?),
            SplitKind::StandardShuffled => {
                let mut order = shuffled(standard()?, seed);
                order.extend(standard()?..all);
                (order, standard()?)
            }
            SplitKind::StandardByClass => {
                let Target::Classes { labels, .. } = &dataset.target else {
                    bail!("`{}` has numbers, not classes", self.address);
                };
                let mut order = shuffled(standard()?, seed);
                order.sort_by_key(|&row| labels[row]);
                order.extend(standard()?..all);
                (order, standard()?)
            }
            SplitKind::Random => (shuffled(all, seed), all),
            SplitKind::RandomOfTraining => (shuffled(standard()?, seed), standard()?),
            SplitKind::Ordered => ((0..all).collect(), all),
        };
        self.cut(&order, learned)
    }

    /// Returns, of `order`, the first `train` rows of the first `part`, and `test` rows: those after the part if there are any,
    /// else those after the learned rows.
    fn cut(&self, order: &[usize], part: usize) -> Result<(Vec<usize>, Vec<usize>)> {
        let train = match self.train {
            Some(share) if share < 1.0 => ((share * part as f64).round() as usize).max(1),
            Some(rows) => (rows as usize).min(part),
            None => part,
        };
        let from = if part < order.len() { part } else { train };
        let test = &order[from..];
        let most = self
            .test
            .map_or(test.len(), |most| (most as usize).min(test.len()));
        ensure!(
            most > 0,
            "`{}`: no row is left to test on; lower `train`, or choose another `split`",
            self.address
        );
        Ok((order[..train].to_vec(), test[..most].to_vec()))
    }
}

impl TargetStep {
    fn apply(self, observed: &mut [f64], truth: &mut [f64]) -> Result<()> {
        let (offset, scale) = match self {
            Self::Log => {
                ensure!(
                    observed.iter().chain(&*truth).all(|&value| value > 0.0),
                    "a target is not positive, so it has no logarithm"
                );
                let log = |value: &mut f64| *value = value.ln();
                observed.iter_mut().chain(truth).for_each(log);
                return Ok(());
            }
            Self::Standard => {
                let n = observed.len() as f64;
                let mean = observed.iter().sum::<f64>() / n;
                let squares = observed.iter().map(|value| (value - mean).powi(2));
                (mean, (squares.sum::<f64>() / n).sqrt())
            }
        };
        let standardize = |value: &mut f64| *value = (*value - offset) / scale;
        observed.iter_mut().chain(truth).for_each(standardize);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(split: SplitKind, train: Option<f64>) -> DataTask {
        DataTask {
            address: "data".to_owned(),
            split,
            train,
            test: None,
            pca: None,
            scale: ScaleKind::None,
            columns: Columns::All,
            target: Vec::new(),
            weights: WeightKind::Equal,
        }
    }

    #[test]
    fn a_share_of_the_training_part_leaves_the_rest_of_it_to_test() {
        let order: Vec<usize> = (0..10).collect();
        let random = task(SplitKind::RandomOfTraining, Some(0.25));
        let (train, test) = random.cut(&order[..8], 8).unwrap();
        assert_eq!((train.len(), test.len()), (2, 6));
        let standard = task(SplitKind::Standard, Some(0.5));
        let (train, test) = standard.cut(&order, 8).unwrap();
        assert_eq!((train, test), (vec![0, 1, 2, 3], vec![8, 9]));
        assert!(task(SplitKind::Random, None).cut(&order, 10).is_err());
    }

    #[test]
    fn training_rows_come_class_by_class_and_test_rows_stay() {
        let address = "gaussian-mixture:n=200,test=50,seed=1";
        let data = datasets::open(address, &datasets::OpenOptions::default()).unwrap();
        let Target::Classes { labels, .. } = &data.target else {
            panic!("it has classes");
        };
        let (train, test) = task(SplitKind::StandardByClass, None)
            .split(&data, 3)
            .unwrap();
        assert!(train.is_sorted_by_key(|&row| labels[row]) && !train.is_sorted());
        assert_eq!(test, (200..250).collect::<Vec<_>>());
        let mut train = train;
        train.sort_unstable();
        assert_eq!(train, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn standard_targets_have_mean_0_and_variance_1_after_logarithms() {
        let (mut observed, mut truth) = (vec![1.0, 10.0, 100.0], vec![10.0, 10.0, 10.0]);
        TargetStep::Log.apply(&mut observed, &mut truth).unwrap();
        TargetStep::Standard
            .apply(&mut observed, &mut truth)
            .unwrap();
        assert!(observed.iter().sum::<f64>().abs() < 1e-12 && truth[0].abs() < 1e-12);
        assert!((observed.iter().map(|v| v * v).sum::<f64>() - 3.0).abs() < 1e-12);
        assert!(TargetStep::Log.apply(&mut [-1.0], &mut []).is_err());
    }
}
