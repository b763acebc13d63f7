//! How the manifest has files read: target, columns, order, logarithm, split.

use super::{NamedSet, TargetTransform};
use tables::{Decimal, HeaderLine, TableOptions};

use crate::readers::Layout;
use crate::{DataError, Dataset, OpenOptions, Target};

impl NamedSet {
    /// How its files are read; the user's target, task and columns take precedence.
    pub(crate) fn layout(&self, options: &OpenOptions) -> Layout {
        let OpenOptions {
            target,
            task,
            table,
            ..
        } = options;
        // The format of its files is known; options for another file do not apply.
        let mut table = TableOptions {
            delimiter: None,
            header: HeaderLine::Auto,
            comment: None,
            decimal: Decimal::Point,
            thousands: None,
            encoding: None,
            ..table.clone()
        };
        if table.columns.is_empty() {
            table.columns = self.features.clone().unwrap_or_default();
        }
        Layout {
            target: target.as_ref().or(self.target.as_ref()).cloned(),
            task: task.or(target.is_none().then_some(self.task)),
            table,
            order_by: self.order_by.clone(),
        }
    }

    /// Returns the standard split, of the rows the manifest promises.
    pub(crate) fn split(&self, data: &mut Dataset) -> Result<(), DataError> {
        if data.rows() != self.rows {
            return Err(DataError::new(format!(
                "{} rows, but the manifest states {}; run `cargo xtask data verify` to see which file differs",
                data.rows(),
                self.rows
            )));
        }
        data.split = self.train;
        Ok(())
    }

    /// Returns the set's own target as the manifest wants it; a target chosen by the user is left alone.
    pub(crate) fn transform_target(&self, data: &mut Dataset) -> Result<(), DataError> {
        match (self.target_transform, &mut data.target) {
            (TargetTransform::Log, Target::Values { values, .. }) => logarithm(values),
            _ => Ok(()),
        }
    }
}

fn logarithm(values: &mut [f64]) -> Result<(), DataError> {
    if let Some(at) = values.iter().position(|value| *value <= 0.0) {
        return Err(DataError::new(format!(
            "row {}: the target {} has no logarithm",
            at + 1,
            values[at]
        )));
    }
    values.iter_mut().for_each(|value| *value = value.ln());
    Ok(())
}
