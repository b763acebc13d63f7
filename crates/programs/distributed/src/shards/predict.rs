//! Answers of trees that are in several processes.

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

/// Rows of a message: while one process answers some, the next one answers those before.
const ROWS: usize = 125;

/// Which table is predicted by which model.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// The model file.
    pub model: PathBuf,
    /// The table.
    pub data: Address,
    /// What is asked besides the prediction.
    pub asked: Asked,
    /// Number of threads; one per core if it is not stated.
    pub threads: Option<NonZeroUsize>,
}

/// Answers a table with the trees in several processes. `answer` reads the table in the first of them.
///
/// # Errors
/// What several processes cannot do, another process that does not come or ends, and what `answer` reports.
pub fn predict(
    predicted: Predicted,
    place: &PlaceOptions,
    answer: impl FnOnce(&AnyModel, Predict<'_>) -> Result<ExitCode, CommandError> + Send + 'static,
) -> Result<ExitCode, CommandError> {
    check(&predicted)?;
    let folder = place.folder(&predicted.model);
    if place.is_launcher() {
        return launch::run(place, &folder, Restart::Repeats);
    }
    let (threads, own) = (predicted.threads, place.clone());
    let work = move |conveyor: &mut Conveyor<'_, Parcel>| run(&predicted, &own, conveyor, answer);
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
            "an interval is no sum over trees; join the trees into one model file",
        );
    }
    match &predicted.data {
        Address::StandardInput => refuse(
            "--data -",
            "the processes that are started have no standard input",
        ),
        Address::File(_) => Ok(()),
    }
}

/// What the first process does. The model file comes first, if there is one, and then checkpoints.
fn run(
    predicted: &Predicted,
    place: &PlaceOptions,
    conveyor: &mut Conveyor<'_, Parcel>,
    answer: impl FnOnce(&AnyModel, Predict<'_>) -> Result<ExitCode, CommandError>,
) -> Result<ExitCode, CommandError> {
    let hosts = place.hosts()?;
    let pool = Pool::new(predicted.threads.map_or(0, NonZeroUsize::get))?;
    let model = match predicted.model.exists() {
        true => shared_out(AnyModel::load(&predicted.model)?, hosts.len(), conveyor)?,
        false => {
            let folder = place.folder(&predicted.model);
            let checkpoints = Checkpoints::open(folder, 0, hosts.len())?;
            match Beginning::find(&checkpoints, conveyor)?.checkpoint {
                Some((committed, model)) => {
                    beginning::from_checkpoint(committed.rows, conveyor);
                    model
                }
                // Says that neither is there.
                None => AnyModel::load(&predicted.model)?,
            }
        }
    };
    let conveyor = RefCell::new(conveyor);
    let by = |rows: ArrayView2<'_, f32>| match &model {
        AnyModel::Classification(model) => asked(model, rows, &pool, &mut conveyor.borrow_mut()),
        AnyModel::Regression(model) => asked(model, rows, &pool, &mut conveyor.borrow_mut()),
    };
    answer(&model, &by)
}

/// Gives each process its trees of a model; returns what the first one keeps.
fn shared_out(
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

/// The answers to these rows, which pass all processes.
fn asked<T: TableTask>(
    model: &Model<T>,
    rows: ArrayView2<'_, f32>,
    pool: &Pool,
    conveyor: &mut Conveyor<'_, Parcel>,
) -> Result<Array2<f64>, CommandError> {
    if model.pipeline().shard().is_none() {
        return Ok(pool.run(|| model.predict(rows))?);
    }
    let mut answers = Vec::new();
    for some in rows.axis_chunks_iter(Axis(0), ROWS) {
        let (features, mut sums): (Vec<f32>, _) =
            (some.iter().copied().collect(), VoteSums::default());
        pool.run(|| add_votes(model, &features, &mut sums))?;
        conveyor.send(Parcel::Ask { features, sums });
        while let Some(parcel) = conveyor.returned() {
            finish(model, parcel, &mut answers)?;
        }
    }
    while let Some(parcel) = conveyor.wait() {
        finish(model, parcel, &mut answers)?;
    }
    let width = model.schema().width();
    let answers = Array2::from_shape_vec((rows.nrows(), width), answers);
    answers.map_err(|_| ShardsError::OtherModel.into())
}

fn finish<T: TableTask>(
    model: &Model<T>,
    parcel: Parcel,
    answers: &mut Vec<f64>,
) -> Result<(), CommandError> {
    if let (Parcel::Ask { sums, .. }, Some(shard)) = (parcel, model.pipeline().shard()) {
        shard
            .finish(&sums)?
            .iter()
            .for_each(|answer| answers.extend(answer));
    }
    Ok(())
}
