//! Infers the meaning of the cells of the target: numbers, or names of classes.

use super::Fit;
use super::meaning::declared;
use super::warnings::{
    begin_like_numbers, digits_in_words, example, many_classes, numbers_among_words,
};
use crate::column_cells::ColumnCells;
use crate::columns::{Target, TargetKind};
use crate::{Fault, Kind, TaskKind, Warning, guess_task, short};

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
            Kind::Numeric => Ok(self.numeric_target(cells)),
            Kind::Unstated | Kind::Date(_) | Kind::Index | Kind::Unreadable(_) => {
                self.unstated_target(cells)
            }
        }?;
        let column = cells.index;
        Ok((Target { column, kind }, warnings))
    }

    /// Infers the meaning of the target from the majority of its cells.
    fn unstated_target(&self, cells: ColumnCells<'_>) -> Result<Found, Fault> {
        let present: Vec<&str> = cells.present().collect();
        let numbers = cells.numbers(self.options.numbers()).count();
        let is_number = numbers == present.len();
        if self.task == Some(TaskKind::Classification) && !is_number {
            let among = numbers_among_words(cells, self.options.numbers());
            return Ok((TargetKind::Words, among.into_iter().collect()));
        }
        if 2 * numbers >= present.len() {
            Ok(self.numeric_target(cells))
        } else {
            self.guessed_text(cells, &present)
        }
    }

    /// Text that nothing but its cells shows to be names of classes is checked like a feature, and refused where a feature would be
    /// warned about: a class for each number or date would be learned in vain.
    fn guessed_text(&self, cells: ColumnCells<'_>, present: &[&str]) -> Result<Found, Fault> {
        if self.date_format(present).is_some() {
            return Err(Fault::new(format!(
                "the target `{}` looks like dates (`{}`), which are not learned as numbers; write it as a number, such as days since \
                 a date, or learn each as a class with --task classify",
                short(&cells.column().name),
                example(cells)
            )));
        }
        let numbers = numbers_among_words(cells, self.options.numbers());
        if numbers.is_none()
            && begin_like_numbers(present)
            && let Some(doubt) = digits_in_words(cells)
        {
            return Err(Fault::new(format!(
                "the target would be learned as classes: {doubt}; if they are classes, use --task classify"
            )));
        }
        let (kind, mut warnings) = self.text_target(cells, TargetKind::Words)?;
        warnings.extend(numbers);
        warnings.extend(many_classes(cells));
        Ok((kind, warnings))
    }

    fn text_target(&self, cells: ColumnCells<'_>, kind: TargetKind) -> Result<Found, Fault> {
        match self.task {
            Some(TaskKind::Regression) => Err(Fault::new(format!(
                "the target `{}` is text (`{}`), which --task regress cannot learn; write it as numbers, learn classes with \
                 --task classify, or choose another column with --target",
                short(&cells.column().name),
                example(cells)
            ))),
            Some(TaskKind::Classification) | None => Ok((kind, Vec::new())),
        }
    }

    /// Returns a target of numbers. A cell that is not a number makes a bad row.
    fn numeric_target(&self, cells: ColumnCells<'_>) -> Found {
        let numbers = cells.numbers(self.options.numbers());
        let numbers = numbers.filter(|number| number.is_finite());
        let (task, guessed) = match self.task {
            Some(task) => (task, None),
            None => guess_task(&cells.column().name, numbers),
        };
        let guessed = guessed.into_iter();
        match task {
            TaskKind::Regression => (TargetKind::Numbers, guessed.collect()),
            TaskKind::Classification => (TargetKind::Labels, guessed.collect()),
        }
    }
}
