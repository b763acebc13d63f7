//! Predictions of trees that are in several processes.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use forest_core::VoteSums;
use forest_model::{Address, AnyModel, Asked, CommandError, Model, Predict, TableTask};
use ndarray::{Array2, ArrayView2, Axis};
use online_forests::OnlineLearner as _;
use online_forests::threads::Pool;

use super::args::PlaceOptions;
use super::beginning::{self, Beginning};
use super::error::ShardsError;
use super::launch::{self, Restart, TEMPORARY};
use super::parcel::Parcel;
use super::part::{Ended, take_part};
use super::stage::add_votes;
use crate::{Checkpoints, Conveyor};

/// The number of rows in a message: while one process predicts some, the next one predicts those before.
const ROWS: usize = 125;

/// Which table is predicted by which model.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// The model file.
    pub model: PathBuf,
    /// The table.
    pub data: Address,
    /// What is requested besides the prediction.
    pub asked: Asked,
    /// The number of threads; one per core by default.
    pub threads: Option<NonZeroUsize>,
}

/// Predicts a table with the trees in several processes. `predict` reads the table in the first of them.
///
/// # Errors
/// Returns an error if several processes do not support it, another process fails, or `predict` does.
pub fn predict(
    predicted: Predicted,
    place: &PlaceOptions,
    predict: impl FnOnce(&AnyModel, Predict<'_>) -> Result<ExitCode, CommandError> + Send + 'static,
) -> Result<ExitCode, CommandError> {
    check(&predicted)?;
    let folder = place.folder(&predicted.model);
    if place.is_launcher() {
        return launch::run(place, &folder, Restart::Repeats);
    }
    let (threads, own) = (predicted.threads, place.clone());
    let work = move |conveyor: &mut Conveyor<'_, Parcel>| run(&predicted, &own, conveyor, predict);
    match take_part(place, &folder, threads, None, work)? {
        Ended::With(Some(code)) => Ok(code),
        Ended::With(None) => Ok(ExitCode::SUCCESS),
        Ended::Temporarily => Ok(ExitCode::from(TEMPORARY)),
    }
}

fn check(predicted: &Predicted) -> Result<(), CommandError> {
    let refuse = |option, reason| Err(ShardsError::OneProcessOnly { option, reason }.into());
    if predicted.asked.interval.is_some() {
        return refuse(
            "--interval",
            "an interval is not a sum over trees; join the trees into one model file",
        );
    }
    match &predicted.data {
        Address::StandardInput => refuse(
            "--data -",
            "worker processes have no standard input; write the data to a file",
        ),
        Address::File(_) => Ok(()),
    }
}

/// Does the work of the first process. The model file is preferred if there is one, and then checkpoints.
fn run(
    predicted: &Predicted,
    place: &PlaceOptions,
    conveyor: &mut Conveyor<'_, Parcel>,
    predict: impl FnOnce(&AnyModel, Predict<'_>) -> Result<ExitCode, CommandError>,
) -> Result<ExitCode, CommandError> {
    let hosts = place.hosts()?;
    let pool = Pool::new(predicted.threads.map_or(0, NonZeroUsize::get))?;
    let model = if predicted.model.exists() {
        distribute(AnyModel::load(&predicted.model)?, hosts.len(), conveyor)?
    } else {
        let folder = place.folder(&predicted.model);
        let checkpoints = Checkpoints::open(folder, 0, hosts.len())?;
        match Beginning::find(&checkpoints, conveyor)?.checkpoint {
            Some((committed, model)) => {
                beginning::from_checkpoint(committed.rows, conveyor);
                model
            }
            // Reports that neither exists.
            None => AnyModel::load(&predicted.model)?,
        }
    };
    let conveyor = RefCell::new(conveyor);
    let by = |rows: ArrayView2<'_, f32>| match &model {
        AnyModel::Classification(model) => {
            predict_rows(model, rows, &pool, &mut conveyor.borrow_mut())
        }
        AnyModel::Regression(model) => predict_rows(model, rows, &pool, &mut conveyor.borrow_mut()),
    };
    predict(&model, &by)
}

/// Sends each process its trees of a model; returns those that the first one keeps.
fn distribute(
    mut model: AnyModel,
    processes: usize,
    conveyor: &mut Conveyor<'_, Parcel>,
) -> Result<AnyModel, CommandError> {
    match &mut model {
        AnyModel::Classification(model) => beginning::from_model(model, processes, conveyor)?,
        AnyModel::Regression(model) => beginning::from_model(model, processes, conveyor)?,
    }
    Ok(model)
}

/// Returns the predictions for these rows, which pass all processes.
fn predict_rows<T: TableTask>(
    model: &Model<T>,
    rows: ArrayView2<'_, f32>,
    pool: &Pool,
    conveyor: &mut Conveyor<'_, Parcel>,
) -> Result<Array2<f64>, CommandError> {
    if model.pipeline().shard().is_none() {
        return Ok(pool.run(|| model.predict(rows))?);
    }
    let mut predictions = Vec::new();
    for some in rows.axis_chunks_iter(Axis(0), ROWS) {
        let (features, mut sums): (Vec<f32>, _) =
            (some.iter().copied().collect(), VoteSums::default());
        pool.run(|| add_votes(model, &features, &mut sums))?;
        conveyor.send(Parcel::Ask { features, sums });
        while let Some(parcel) = conveyor.returned() {
            finish(model, parcel, &mut predictions)?;
        }
    }
    while let Some(parcel) = conveyor.wait() {
        finish(model, parcel, &mut predictions)?;
    }
    let width = model.schema().width();
    let predictions = Array2::from_shape_vec((rows.nrows(), width), predictions);
    predictions.map_err(|_| ShardsError::OtherModel.into())
}

fn finish<T: TableTask>(
    model: &Model<T>,
    parcel: Parcel,
    predictions: &mut Vec<f64>,
) -> Result<(), CommandError> {
    if let (Parcel::Ask { sums, .. }, Some(shard)) = (parcel, model.pipeline().shard()) {
        shard
            .finish(&sums)?
            .iter()
            .for_each(|values| predictions.extend(values));
    }
    Ok(())
}
