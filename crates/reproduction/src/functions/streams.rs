//! Errors along a stream, an offline boundary forest, and values that programs of other languages measured.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use boundary_forest::{BoundaryClassifier, TreeSettings};
use comparison::BatchTask;
use comparison::metric::{Scores, Tested};
use datasets::{Dataset, Target};
use forest_core::{Classification, OnlineLearner as _, Regression, Schema, argmax};
use ndarray::s;
use online_forests::Algorithm;
use serde::Deserialize;

use super::{forest, labels};
use crate::learn::Library;
use crate::runs::Row;

/// Errors part by part, each row predicted just before it is learned; x is the number of rows since `from`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Curve {
    panel: String,
    series: String,
    data: String,
    parts: usize,
    from: usize,
    algorithm: String,
    trees: usize,
}

impl Curve {
    pub(super) fn rows(&self, seed: u64, library: &Library) -> Result<Vec<Row>> {
        let data = library.open(&self.data)?;
        match &data.target {
            Target::Classes { labels, .. } => {
                self.follow::<Classification>(seed, &data, labels, labels)
            }
            Target::Values { values, noise_free } => {
                let truth = noise_free.as_ref().unwrap_or(values);
                self.follow::<Regression>(seed, &data, values, truth)
            }
        }
    }

    fn follow<T: BatchTask>(
        &self,
        seed: u64,
        data: &Dataset,
        observed: &[T::Target],
        truth: &[T::Target],
    ) -> Result<Vec<Row>> {
        let algorithm: Algorithm = self.algorithm.parse()?;
        let mut learner =
            algorithm.build::<T>(Schema::new(data.n_features())?, forest(self.trees, seed))?;
        let row = |panel: &str, x, scores: &Scores| {
            let mut row = Row::new(panel, &self.series, x);
            row.values = scores.measured().metrics;
            row
        };
        let (mut all, mut rows) = (Scores::all(T::KIND), Vec::new());
        let end = |part: usize| part * data.rows() / self.parts;
        for part in 0..self.parts {
            let (from, until) = (end(part), end(part + 1));
            let features = data.features.slice(s![from..until, ..]);
            let predictions = learner.predict_then_learn(features, &observed[from..until])?;
            let mut scores = Scores::all(T::KIND);
            for (prediction, row) in predictions.iter().zip(from..until) {
                let (truth, observed) = (T::number(truth[row]), T::number(observed[row]));
                let tested = Tested {
                    prediction,
                    truth,
                    observed,
                    interval: None,
                };
                scores.add(&tested);
                all.add(&tested);
            }
            if until > self.from {
                rows.push(row(&self.panel, Some((until - self.from) as f64), &scores));
            }
        }
        rows.push(row(&format!("{}, all rows", self.panel), None, &all));
        Ok(rows)
    }
}

/// Every tree learns the rows in its own order (Mathy et al. 2015, Table 2).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfflineBoundaryForest {
    panel: String,
    data: String,
    train: usize,
    trees: usize,
}

impl OfflineBoundaryForest {
    pub(super) fn rows(&self, seed: u64, library: &Library) -> Result<Vec<Row>> {
        let data = library.open(&self.data)?;
        let labels = labels(&data)?;
        let test = data.split.unwrap_or(data.rows());
        let train = self.train.min(test);
        let (schema, settings) = (Schema::new(data.n_features())?, TreeSettings::default());
        let mut forest = BoundaryClassifier::new(schema, settings, forest(self.trees, seed))?;
        forest.learn_shuffled(data.features.slice(s![..train, ..]), &labels[..train])?;
        let predictions = forest.predict(data.features.slice(s![test.., ..]))?;
        let rows = predictions.rows().into_iter().zip(&labels[test..]);
        let wrong = rows
            .filter(|(row, truth)| argmax(&row.to_vec()) != **truth as usize)
            .count();
        let error = 100.0 * wrong as f64 / (labels.len() - test) as f64;
        Ok(vec![
            Row::new(&self.panel, "OBF", None).with("error", error),
        ])
    }
}

/// Reads the lines of this seed from a CSV file of the repository: `panel`, `series` and `seed`, then a column for each metric, empty where there is no value.
/// Where there is a column `x`, only lines of this x are read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recorded {
    file: String,
}

impl Recorded {
    pub(super) fn rows(&self, seed: u64, x: Option<f64>) -> Result<Vec<Row>> {
        let file = &self.file;
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(file);
        let rows = recorded(&path, seed, x)
            .with_context(|| format!("cannot read the records in {file}"))?;
        ensure!(!rows.is_empty(), "{file} has no record of the seed {seed}");
        Ok(rows)
    }
}

fn recorded(file: &Path, seed: u64, x: Option<f64>) -> Result<Vec<Row>> {
    let mut table = csv::Reader::from_path(file)?;
    let metrics: Vec<String> = table.headers()?.iter().skip(3).map(str::to_owned).collect();
    let mut rows = Vec::new();
    for line in table.deserialize() {
        let (panel, series, of_seed, values): (String, String, u64, Vec<Option<f64>>) = line?;
        let mut row = Row::new(&panel, &series, None);
        for (metric, value) in metrics.iter().zip(values) {
            match value {
                Some(x) if metric == "x" => row.x = Some(x),
                Some(value) => row = row.with(metric, value),
                None => {}
            }
        }
        if of_seed == seed && (row.x.is_none() || row.x == x) {
            rows.push(row);
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_after_the_start_have_the_rows_since_it_and_all_rows_are_counted() {
        let curve = "panel = 'p'\nseries = 's'\ndata = 'friedman:n=400,test=0'\nparts = 4\nfrom = 200\nalgorithm = 'mean'\ntrees = 1";
        let curve: Curve = toml::from_str(curve).unwrap();
        let rows = curve.rows(0, &Library::new(Path::new(""))).unwrap();
        let places: Vec<_> = rows.iter().map(|row| (row.panel.as_str(), row.x)).collect();
        assert_eq!(
            places,
            [
                ("p", Some(100.0)),
                ("p", Some(200.0)),
                ("p, all rows", None)
            ]
        );
        // Friedman's function has a standard deviation of about 4.9.
        assert!(
            (4.0..6.0).contains(&rows[2].values["rmse"]),
            "{:?}",
            rows[2]
        );
    }

    #[test]
    fn a_line_is_of_its_seed_and_has_the_values_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lines.csv");
        let row = |panel: &str, series: &str, x| Row::new(panel, series, x);
        for (text, seed, expected) in [
            (
                "panel,series,seed,log_loss,rmse\np,a,0,0.5,\np,a,1,0.25,\nq,a,1,,3\n",
                1,
                vec![
                    row("p", "a", None).with("log_loss", 0.25),
                    row("q", "a", None).with("rmse", 3.0),
                ],
            ),
            ("panel,series,seed,rmse\np,a,0,0.5\n", 2, vec![]),
            (
                "panel,series,seed,x,rmse\np,a,0,10,0.5\np,a,0,20,0.25\n",
                0,
                vec![row("p", "a", Some(20.0)).with("rmse", 0.25)],
            ),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(recorded(&file, seed, Some(20.0)).unwrap(), expected);
        }
    }
}
