//! What the cells of the target mean: numbers, or names of classes.

use super::Fit;
use super::meaning::declared;
use crate::column_cells::ColumnCells;
use crate::columns::{Target, TargetKind};
use crate::{Fault, Kind, Notation, TaskKind, Warning, guess_task, short, warning};

/// What the cells are, and what was guessed.
type Found = (TargetKind, Vec<Warning>);

impl Fit<'_> {
    pub(super) fn target(&self) -> Result<(Target, Vec<Warning>), Fault> {
        let cells = self.cells(self.chosen.target);
        let (kind, warnings) = match &cells.column().kind {
            Kind::Nominal(values) => {
                self.text_target(cells, TargetKind::Declared(declared(values)))
            }
            _ if self.is_categorical(cells) => self.text_target(cells, TargetKind::Words),
            Kind::Numeric => Ok(self.numeric_target(cells, None)),
            Kind::Unstated | Kind::Date(_) | Kind::Index | Kind::Unreadable(_) => {
                self.unstated_target(cells)
            }
        }?;
        let column = cells.index;
        Ok((Target { column, kind }, warnings))
    }

    /// A column of which only its cells tell what they mean: what the majority of them is.
    fn unstated_target(&self, cells: ColumnCells<'_>) -> Result<Found, Fault> {
        let present: Vec<&str> = cells.present().collect();
        let numbers = cells.numbers(self.options.numbers()).count();
        let is_number = numbers == present.len();
        if self.task == Some(TaskKind::Classification) && !is_number {
            let among = warning::numbers_among_words(cells, self.options.numbers());
            return Ok((TargetKind::Words, among.into_iter().collect()));
        }
        match self.notation(&present, numbers) {
            Some(notation) => Ok(self.numeric_target(cells, Some(notation))),
            None if 2 * numbers >= present.len() => Ok(self.numeric_target(cells, None)),
            None => self.guessed_text(cells, &present),
        }
    }

    /// Text that nothing but its cells shows to be names of classes is checked like a feature, and refused where a feature would be
    /// warned about: a class for each number or date would be learned in vain.
    fn guessed_text(&self, cells: ColumnCells<'_>, present: &[&str]) -> Result<Found, Fault> {
        if let Some(format) = self.date_formats(present).first() {
            return Err(Fault::DateTarget {
                column: short(&cells.column().name),
                text: warning::example(cells),
                format: format.as_str().to_owned(),
            });
        }
        if let Some(doubt) = warning::written_otherwise(cells, present, self.options) {
            return Err(Fault::TargetInDoubt(Box::new(doubt)));
        }
        let (kind, mut warnings) = self.text_target(cells, TargetKind::Words)?;
        warnings.extend(warning::numbers_among_words(cells, self.options.numbers()));
        warnings.extend(warning::many_classes(cells));
        Ok((kind, warnings))
    }

    fn text_target(&self, cells: ColumnCells<'_>, kind: TargetKind) -> Result<Found, Fault> {
        match self.task {
            Some(TaskKind::Regression) => Err(Fault::TextTarget {
                column: short(&cells.column().name),
                text: warning::example(cells),
            }),
            Some(TaskKind::Classification) | None => Ok((kind, Vec::new())),
        }
    }

    /// Numbers, in a notation of their own if there is one. The others are bad rows.
    fn numeric_target(&self, cells: ColumnCells<'_>, notation: Option<Notation>) -> Found {
        let plain = self.options.numbers();
        let number = |cell: &str| match &notation {
            Some(notation) => notation.parse(cell),
            None => plain.parse(cell),
        };
        let numbers = cells.present().filter_map(number);
        let numbers = numbers.filter(|number| number.is_finite());
        let (task, guessed) = match self.task {
            Some(task) => (task, None),
            None => guess_task(&cells.column().name, numbers),
        };
        let mut warnings: Vec<Warning> = guessed.into_iter().collect();
        let kind = match (task, notation) {
            (TaskKind::Regression, None) => TargetKind::Numbers,
            (TaskKind::Regression, Some(notation)) => TargetKind::Written(notation),
            (TaskKind::Classification, Some(_)) => TargetKind::Words,
            (TaskKind::Classification, None) => {
                warnings.extend(warning::labels_alike(cells, plain));
                TargetKind::Labels
            }
        };
        (kind, warnings)
    }
}
