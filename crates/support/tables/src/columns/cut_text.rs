//! A cut of one feature in the words of a row.

use super::Columns;
use crate::feature::{Feature, Meaning};
use crate::{Layout, Record, short};

impl Columns {
    /// Returns how a cut of one feature turns out for a row, with the row's own date or word: `when = 2026-11-28 ≤ 2026-12-02`,
    /// `colour = red, not blue`. `holds` says whether the feature is at most `threshold`. Returns `None` where the feature is a number
    /// of the row, or the row has no value.
    ///
    /// ```
    /// use tables::{Columns, Record, Records, TableOptions, TargetColumn};
    ///
    /// let text = "when,colour,y\n2026-11-25,red,1\n2026-11-28,blue,2\n2026-12-03,red,3\n";
    /// let options = TableOptions::default();
    /// let records = Records::new(text.as_bytes(), &options)?;
    /// let header = records.header().clone();
    /// let rows: Vec<Record> = records.collect::<Result<_, _>>()?;
    /// let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::Last, None, &options)?;
    /// let layout = columns.own_layout();
    /// assert_eq!(columns.feature_names()[1], "colour=blue");
    /// let text = columns.cut_text(1, 0.5, true, &layout, &rows[0]);
    /// assert_eq!(text.unwrap(), "colour = red, not blue");
    /// # Ok::<(), tables::TableError>(())
    /// ```
    pub fn cut_text(
        &self,
        feature: usize,
        threshold: f64,
        holds: bool,
        layout: &Layout,
        record: &Record,
    ) -> Option<String> {
        let mut first = 0;
        for (column, place) in self.fitted.features.iter().zip(&layout.features) {
            let part = feature - first;
            if part < column.width() {
                let cell = record.cells.get(*place)?;
                let has_value = !column.is_missing(cell, &self.fitted.rule.words);
                return column.cut_text(part, threshold, holds, has_value.then_some(cell));
            }
            first += column.width();
        }
        None
    }
}

impl Feature {
    /// Returns the same for part `part` of its numbers, of a row with this cell.
    fn cut_text(
        &self,
        part: usize,
        threshold: f64,
        holds: bool,
        cell: Option<&str>,
    ) -> Option<String> {
        let name = &self.name;
        // Zeros and ones on either side.
        let parts_words = (0.0..1.0).contains(&threshold);
        if part == self.meaning.width() && parts_words {
            let not = if holds { "not " } else { "" };
            return Some(format!("{name} is {not}missing"));
        }
        let cell = short(cell?);
        match &self.meaning {
            Meaning::Date(format) if part == 0 => {
                let comparison = if holds { '≤' } else { '>' };
                let date = self.origin.date(threshold, format);
                Some(format!("{name} = {cell} {comparison} {date}"))
            }
            Meaning::OneHot(_) if !parts_words => None,
            Meaning::OneHot(_) if !holds => Some(format!("{name} = {cell}")),
            Meaning::OneHot(values) => {
                let value = values.words.names().get(part)?;
                Some(format!("{name} = {cell}, not {value}"))
            }
            Meaning::Native(_) if holds => Some(format!("{name} = {cell}, of the left group")),
            Meaning::Native(_) => Some(format!("{name} = {cell}, of the right group")),
            _ => None,
        }
    }
}
