//! What is inferred from the first rows: columns, task, classes, scale.

use forest_model::{
    CommandError, Console, Model, Outcome, Position, Row, Settings, Start, TableTask,
    nothing_learned,
};
use ndarray::ArrayView2;
use online_forests::preprocessing::FeatureScaling;
use online_forests::{
    Algorithm, AnyLearner, FeatureValues, ForestSettings, OnlineLearner as _, Pipeline,
};
use tables::{
    Cell, Columns, Header, Layout, Record, TableError, TableOptions, TargetColumn, TaskKind,
    Warning,
};

/// The most numbers that the scale is fitted on: of very wide rows, fewer are enough.
const MOST_CELLS: usize = 1 << 27;

/// The most warnings that are printed.
const WARNINGS: usize = 10;

/// The fitted columns.
pub(super) struct Fitted {
    columns: Columns,
    layout: Layout,
    warnings: Vec<Warning>,
}

impl Fitted {
    /// Fits columns on the rows that have a target.
    pub(super) fn new(
        options: &TableOptions,
        start: &Start<'_>,
        target: &TargetColumn,
        task: Option<TaskKind>,
        rows: &[&Row],
    ) -> Result<Self, CommandError> {
        let header = start.source.header();
        let wrong = |error: TableError| start.source.wrong(error);
        let records = records_to_fit(header, target, rows, options).map_err(wrong)?;
        if let (true, Some(first)) = (records.is_empty(), rows.iter().find_map(|row| row.error())) {
            return Err(nothing_learned(
                start.source.name(),
                Some(first.to_string()),
            ));
        }
        let fitted = Columns::fit(header, &records, target, task, options);
        let (columns, warnings) = fitted.map_err(wrong)?;
        Ok(Self {
            layout: columns.layout(header).map_err(wrong)?,
            columns,
            warnings,
        })
    }

    /// Returns the rows that can be learned: like later bad rows, those among the first leave no trace in the model.
    pub(super) fn without_bad_rows<T: TableTask>(
        self,
        options: &TableOptions,
        start: &Start<'_>,
        target: &TargetColumn,
        rows: &[&Row],
    ) -> Result<Self, CommandError> {
        let is_good =
            |row: &Row| !matches!(self.read::<T>(row, &mut Vec::new()), Err(Outcome::Bad(_)));
        let good: Vec<&Row> = rows.iter().copied().filter(|row| is_good(row)).collect();
        if good.is_empty() || good.len() == rows.len() {
            Ok(self)
        } else {
            let fitted = Self::new(options, start, target, Some(self.task()), &good)?;
            let guessed = self.warnings.into_iter().filter(Warning::is_about_task);
            Ok(Self {
                warnings: guessed.chain(fitted.warnings).collect(),
                ..fitted
            })
        }
    }

    /// Returns the task that was requested, or the one that the targets suggest.
    pub(super) fn task(&self) -> TaskKind {
        if self.columns.target_is_number() {
            TaskKind::Regression
        } else {
            TaskKind::Classification
        }
    }

    /// Returns the model that is to learn these rows first. Reports what was guessed.
    pub(super) fn model<T: TableTask>(
        self,
        rows: &[&Row],
        settings: Settings,
        scale: Option<FeatureScaling>,
        start: &Start<'_>,
    ) -> Result<Model<T>, CommandError> {
        warn(&self.warnings, &start.console);
        let (features, targets) = self.learnable::<T>(rows);
        if targets.is_empty() {
            return Err(self.nothing_learned::<T>(rows, start));
        }
        let (schema, names) = T::schema(self.columns.width(), targets.into_iter())?;
        let forest = ForestSettings::default()
            .with_trees(settings.trees as usize)
            .with_seed(settings.seed);
        let algorithm: Algorithm = settings.algorithm.parse()?;
        let learner = algorithm.build::<T>(schema, forest)?;
        check_kept(&settings.table, &learner)?;
        let has_others = features.iter().any(|value| value.is_nan());
        let default = if has_others {
            FeatureScaling::None
        } else {
            FeatureScaling::Minmax
        };
        let scaled = self.rows_to_scale(&features);
        let settings = Settings {
            scale: scale.unwrap_or(default),
            fitted_rows: scaled.nrows() as u64,
            ..settings
        };
        let scaling = settings.scale.scaling();
        let step = scaling.map(|scaling| scaling.fit(scaled)).transpose()?;
        let pipeline = Pipeline::new(step, learner)?;
        let header = start.source.header().names();
        let position = Position::start(header.iter().map(String::as_str));
        let pipeline = T::with_names(pipeline, names)?;
        Ok(Model::new(self.columns, settings, position, pipeline))
    }

    /// Returns features and targets of the rows that can be learned.
    fn learnable<'r, T: TableTask>(&self, rows: &[&'r Row]) -> (Vec<f32>, Vec<Cell<'r>>) {
        let mut features = Vec::new();
        let targets = rows
            .iter()
            .filter_map(|row| self.read::<T>(row, &mut features).ok());
        let targets = targets.collect();
        (features, targets)
    }

    /// Returns the target of a row, whose features are appended to `features`; or why it is not learned.
    fn read<'r, T: TableTask>(
        &self,
        row: &'r Row,
        features: &mut Vec<f32>,
    ) -> Result<Cell<'r>, Outcome> {
        let before = features.len();
        let checked = self
            .encoded(row, features)
            .and_then(|cell| match T::check_cell(&cell) {
                Ok(()) => Ok(cell),
                Err(reason) => Err(Outcome::Bad(reason.to_string())),
            });
        if checked.is_err() {
            features.truncate(before);
        }
        checked
    }

    /// Fits a model of either task.
    fn encoded<'r>(&self, row: &'r Row, features: &mut Vec<f32>) -> Result<Cell<'r>, Outcome> {
        match row.features(&self.columns, &self.layout, features, &mut 0) {
            Outcome::Taken => row.target(&self.columns, &self.layout),
            other => Err(other),
        }
    }

    /// Returns the rows that the scale is fitted on: as many as there is room for.
    fn rows_to_scale<'f>(&self, features: &'f [f32]) -> ArrayView2<'f, f32> {
        let width = self.columns.width();
        let rows = (features.len() / width).min((MOST_CELLS / width).max(1));
        let some = ArrayView2::from_shape((rows, width), &features[..rows * width]);
        some.expect("rows have the width of the columns")
    }

    fn nothing_learned<T: TableTask>(&self, rows: &[&Row], start: &Start<'_>) -> CommandError {
        let fault = |row: &&Row| match self.read::<T>(row, &mut Vec::new()) {
            Err(Outcome::Bad(reason)) => Some(format!("line {}: {reason}", row.line())),
            _ => None,
        };
        nothing_learned(start.source.name(), rows.iter().find_map(fault))
    }
}

/// Prints the first warnings: a table may have thousands of similar columns.
fn warn(warnings: &[Warning], console: &Console) {
    for warning in warnings.iter().take(WARNINGS) {
        console.say(&format!("warning: {warning}"));
    }
    if let more @ 1.. = warnings.len().saturating_sub(WARNINGS) {
        console.say(&format!(
            "warning: there are {more} more warnings like these"
        ));
    }
}

/// Returns the records to fit on: those with a target. The others are bad rows, or left out, when they are learned. If no
/// record has a target, returns all of them, so that the missing values are reported.
fn records_to_fit(
    header: &Header,
    target: &TargetColumn,
    rows: &[&Row],
    options: &TableOptions,
) -> Result<Vec<Record>, TableError> {
    let column = target.find_in(header)?;
    let missing_words = options.missing_words();
    let records: Vec<&Record> = rows.iter().filter_map(|row| row.record()).collect();
    let has_target =
        |record: &&Record| !missing_words.is_missing(record.cells.get(column).unwrap_or_default());
    let labelled: Vec<Record> = records
        .iter()
        .copied()
        .filter(has_target)
        .cloned()
        .collect();
    Ok(if labelled.is_empty() {
        records.into_iter().cloned().collect()
    } else {
        labelled
    })
}

/// Refuses missing values and categories where the learner does not take them.
fn check_kept<T: TableTask>(
    options: &TableOptions,
    learner: &AnyLearner<T>,
) -> Result<(), CommandError> {
    match options.kept() {
        Some(option) if learner.feature_values() == FeatureValues::Numbers => {
            Err(CommandError::new(format!(
                "{option} needs an algorithm that takes missing values and categories, such as dynamic-extra-trees or residual-forest, \
             but this is {} for {}",
                learner.algorithm(),
                T::NAME
            )))
        }
        _ => Ok(()),
    }
}
