//! Answers of trees that are in several processes.

use std::cell::RefCell;
use std::process::ExitCode;

use distributed::{Checkpoints, Conveyor};
use forest_core::VoteSums;
use ndarray::{Array2, ArrayView2, Axis};
use online_forests::threads::Pool;

use super::beginning::{self, Beginning};
use super::launch::{self, Restart};
use super::parcel::Parcel;
use super::{Ended, ShardsError, TEMPORARY, take_part};
use crate::CommandError;
use crate::input::Address;
use crate::model::{AnyModel, Model};
use crate::predict::{Args, answer_all, answers::Answers};
use crate::table_task::TableTask;

/// Rows of a message: while one process answers some, the next one answers those before.
const ROWS: usize = 125;

/// Answers a table with the trees in several processes.
pub(crate) fn predict(args: &Args) -> Result<ExitCode, CommandError> {
    check(args)?;
    let folder = args.place.folder(&args.model);
    if args.place.is_launcher() {
        return launch::run(&args.place, &folder, Restart::Repeats);
    }
    let owned = args.clone();
    let work = move |conveyor: &mut Conveyor<'_, Parcel>| run(&owned, conveyor);
    match take_part(&args.place, &folder, args.threads, None, work)? {
        Ended::With(Some(code)) => Ok(code),
        Ended::With(None) => Ok(ExitCode::SUCCESS),
        Ended::Temporarily => Ok(ExitCode::from(TEMPORARY)),
    }
}

fn check(args: &Args) -> Result<(), CommandError> {
    let refuse = |option, reason| Err(ShardsError::OneProcessOnly { option, reason }.into());
    if args.interval.is_some() {
        return refuse(
            "--interval",
            "an interval is no sum over trees; join the trees into one model file",
        );
    }
    match &args.data {
        Address::StandardInput => refuse(
            "--data -",
            "the processes that are started have no standard input",
        ),
        Address::File(_) => Ok(()),
    }
}

/// What the first process does. The model file comes first, if there is one, and then checkpoints.
fn run(args: &Args, conveyor: &mut Conveyor<'_, Parcel>) -> Result<ExitCode, CommandError> {
    let hosts = args.place.hosts()?;
    let pool = Pool::new(args.threads.map_or(0, std::num::NonZeroUsize::get))?;
    if args.model.exists() {
        return match AnyModel::load(&args.model)? {
            AnyModel::Classification(model) => from_model(model, hosts.len(), args, pool, conveyor),
            AnyModel::Regression(model) => from_model(model, hosts.len(), args, pool, conveyor),
        };
    }
    let folder = args.place.folder(&args.model);
    let checkpoints = Checkpoints::open(folder, 0, hosts.len())?;
    let Some((committed, model)) = Beginning::find(&checkpoints, conveyor)?.checkpoint else {
        // Says that neither is there.
        AnyModel::load(&args.model)?;
        return Ok(ExitCode::FAILURE);
    };
    beginning::from_checkpoint(committed.rows, conveyor);
    match model {
        AnyModel::Classification(model) => answer(&model, args, pool, conveyor),
        AnyModel::Regression(model) => answer(&model, args, pool, conveyor),
    }
}

fn from_model<T: TableTask>(
    mut model: Model<T>,
    processes: usize,
    args: &Args,
    pool: Pool,
    conveyor: &mut Conveyor<'_, Parcel>,
) -> Result<ExitCode, CommandError> {
    beginning::from_model(&mut model, processes, conveyor)?;
    answer(&model, args, pool, conveyor)
}

fn answer<T: TableTask>(
    model: &Model<T>,
    args: &Args,
    pool: Pool,
    conveyor: &mut Conveyor<'_, Parcel>,
) -> Result<ExitCode, CommandError> {
    let conveyor = RefCell::new(conveyor);
    let by = |rows: ArrayView2<'_, f32>| match model.pipeline.shard() {
        None => Ok(pool.run(|| online_forests::OnlineLearner::predict(model, rows))?),
        Some(_) => asked(model, rows, &pool, &mut conveyor.borrow_mut()),
    };
    answer_all(model, Answers::new(model, args.asked())?.by(&by), args)
}

/// The answers to these rows, which pass all processes.
fn asked<T: TableTask>(
    model: &Model<T>,
    rows: ArrayView2<'_, f32>,
    pool: &Pool,
    conveyor: &mut Conveyor<'_, Parcel>,
) -> Result<Array2<f64>, CommandError> {
    let mut answers = Vec::new();
    for some in rows.axis_chunks_iter(Axis(0), ROWS) {
        let (features, mut sums): (Vec<f32>, _) =
            (some.iter().copied().collect(), VoteSums::default());
        pool.run(|| model.add_votes(&features, &mut sums))?;
        conveyor.send(Parcel::Ask { features, sums });
        while let Some(parcel) = conveyor.returned() {
            finish(model, parcel, &mut answers)?;
        }
    }
    while let Some(parcel) = conveyor.wait() {
        finish(model, parcel, &mut answers)?;
    }
    let width = online_forests::OnlineLearner::schema(model).width();
    let answers = Array2::from_shape_vec((rows.nrows(), width), answers);
    answers.map_err(|_| ShardsError::OtherModel.into())
}

fn finish<T: TableTask>(
    model: &Model<T>,
    parcel: Parcel,
    answers: &mut Vec<f64>,
) -> Result<(), CommandError> {
    if let (Parcel::Ask { sums, .. }, Some(shard)) = (parcel, model.pipeline.shard()) {
        shard
            .finish(&sums)?
            .iter()
            .for_each(|answer| answers.extend(answer));
    }
    Ok(())
}
