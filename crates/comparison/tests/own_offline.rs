//! A caller's own learner that sees all training rows at once, and measures its own time.

use std::sync::Arc;
use std::time::Duration;

use comparison::protocol::Design;
use comparison::record::{Outcome, Protocol, Record};
use comparison::{
    BatchLearner, Contender, FitError, Fitted, OwnBuild, Runner, Training, charge, comparisons,
};
use forest_core::{ForestSettings, InputError, Regression};
use ndarray::{Array2, ArrayView2};

/// Fits the mean of the targets, in what it says are two seconds.
struct Mean;

struct Fit(f64);

impl BatchLearner<Regression> for Mean {
    fn fit(
        &self,
        training: &Training<'_, Regression>,
        _: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        charge(Duration::from_secs(2));
        let targets = training.targets;
        Ok(Box::new(Fit(
            targets.iter().sum::<f64>() / targets.len() as f64
        )))
    }
}

impl Fitted for Fit {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        charge(Duration::from_secs(3));
        Ok(Array2::from_elem((rows.nrows(), 1), self.0))
    }
}

#[test]
fn it_takes_part_where_rows_are_held_out_and_its_time_is_what_it_measured() {
    let data = ["friedman:n=300,test=100", "sea:n=100"];
    let data = data.map(|address| datasets::open(address, &Default::default()).unwrap());
    let own = Contender::own("own mean").with(OwnBuild::Offline(Arc::new(Mean)));
    let contenders = [own, "mean".parse().unwrap(), "majority".parse().unwrap()];
    let protocols = [Protocol::Holdout, Protocol::Prequential, Protocol::KFold];
    let planned = comparisons(&data, &contenders, &protocols, &Design::default()).unwrap();
    let records = Runner::new(3, 1).records(&planned);
    let of =
        |label: &str| -> Vec<&Record> { records.iter().filter(|run| run.label == label).collect() };
    let own = of("own mean");
    let protocols: Vec<Protocol> = own.iter().map(|run| run.setting.protocol).collect();
    assert_eq!(protocols, [Protocol::Holdout, Protocol::KFold]);
    assert!(own.iter().all(|run| run.offline));
    let measured = |run: &Record| match &run.outcome {
        Outcome::Measured(measured) => (**measured).clone(),
        Outcome::Failed { error } => panic!("{error}"),
    };
    let (own, ours) = (measured(own[0]), measured(of("mean")[0]));
    assert!((own.value - ours.value).abs() < 1e-9);
    assert_eq!((own.learn_seconds, own.predict_seconds), (2.0, Some(3.0)));
    assert_eq!(own.model_bytes, None);
    assert!(ours.learn_seconds < 2.0);
}
