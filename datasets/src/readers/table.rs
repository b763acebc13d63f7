//! CSV, ARFF, Parquet and Arrow: rows of text to a matrix and a target.

use ndarray::{Array2, ArrayView1};
use tables::{Cell, Columns, Header, Record, Records, Row, TableFormat, Warning};

use super::{Block, Content, Layout, MAX_CELLS, RawTarget};
use crate::DataError;

/// Rows of all files, one after another, and the file each came from.
struct Rows {
    header: Header,
    rows: Vec<(usize, Record)>,
    /// Guesses, and what was left out.
    warnings: Vec<Warning>,
}

/// Reads the files one after another. Columns are those of the first file; a later one may lack a header but not a
/// column.
pub(crate) fn read(
    files: &[Content],
    format: TableFormat,
    layout: &Layout,
) -> Result<(Block, Vec<Warning>), DataError> {
    let Rows {
        header,
        mut rows,
        mut warnings,
    } = read_all(files, format, layout)?;
    if let Some(by) = &layout.order_by {
        let by = column(&header, by).map_err(|fault| DataError::of(&files[0].path, fault))?;
        // Stable: rows of the same day keep the order of the file.
        rows.sort_by(|a, b| a.1.cells[by].cmp(&b.1.cells[by]));
    }
    let (parts, rows): (Vec<usize>, Vec<Record>) = rows.into_iter().unzip();
    let target = layout.target.clone().unwrap_or_default();
    let fitted = Columns::fit(&header, &rows, &target, layout.task, &layout.table);
    let (columns, of_columns) =
        fitted.map_err(|error| DataError::in_table(&files[0].path, error))?;
    warnings.extend(of_columns);
    let mut block = Filling::new(&columns, files, rows.len())?;
    for (part, row) in parts.iter().zip(&rows) {
        block.push(*part, row)?;
    }
    Ok((block.finish(), warnings))
}

fn read_all(files: &[Content], format: TableFormat, layout: &Layout) -> Result<Rows, DataError> {
    let mut whole: Option<Rows> = None;
    for (part, file) in files.iter().enumerate() {
        let records = Records::in_format(file.bytes.as_slice(), format, &layout.table);
        let mut records = records.map_err(|error| DataError::in_table(&file.path, error))?;
        let whole = whole.get_or_insert_with(|| Rows {
            header: records.header().clone(),
            rows: Vec::new(),
            warnings: Vec::new(),
        });
        let used = used(&whole.header, layout);
        records.keep(&used.map_err(|fault| DataError::of(&files[0].path, fault))?);
        whole.append(part, file, records)?;
    }
    Ok(whole.expect("a data set has at least one file"))
}

impl Rows {
    fn append(
        &mut self,
        part: usize,
        file: &Content,
        mut records: Records<'_>,
    ) -> Result<(), DataError> {
        let (expected, found) = (
            self.header.columns().len(),
            records.header().columns().len(),
        );
        if expected != found {
            return Err(DataError::of(
                &file.path,
                tables::Fault::ragged(expected, found),
            ));
        }
        let before = self.rows.len();
        for record in records.by_ref() {
            let record = record.map_err(|error| DataError::in_row(&file.path, error))?;
            self.rows.push((part, record));
            // Sparse rows are short in the file and long in memory.
            let (rows, columns) = (self.rows.len(), expected);
            if rows.saturating_mul(columns) > MAX_CELLS {
                return Err(DataError::too_large(file.path.display(), rows, columns));
            }
        }
        let new: Vec<Warning> = records
            .warnings()
            .into_iter()
            .filter(|warning| !self.warnings.contains(warning))
            .collect();
        self.warnings.extend(new);
        if self.rows.len() == before {
            Err(DataError::of(&file.path, tables::Fault::empty()))
        } else {
            Ok(())
        }
    }
}

/// Returns the features, the target and what rows are ordered by.
fn used(header: &Header, layout: &Layout) -> Result<Vec<usize>, tables::Fault> {
    let target = layout.target.clone().unwrap_or_default();
    let mut used = layout.table.used_columns(header, &target)?;
    if let Some(by) = &layout.order_by {
        used.push(column(header, by)?);
    }
    Ok(used)
}

fn column(header: &Header, wanted: &str) -> Result<usize, tables::Fault> {
    tables::TargetColumn::Named(wanted.to_owned()).find(&header.names())
}

/// A block that grows by a row.
struct Filling<'a> {
    columns: &'a Columns,
    layout: tables::Layout,
    files: &'a [Content],
    features: Vec<f32>,
    numbers: Vec<f64>,
    words: Vec<String>,
    parts: Vec<usize>,
}

impl<'a> Filling<'a> {
    fn new(columns: &'a Columns, files: &'a [Content], rows: usize) -> Result<Self, DataError> {
        let width = columns.width();
        if rows.saturating_mul(width) > MAX_CELLS {
            return Err(DataError::too_large(files[0].path.display(), rows, width));
        }
        Ok(Self {
            columns,
            layout: columns.own_layout(),
            files,
            features: Vec::with_capacity(rows * width),
            numbers: Vec::new(),
            words: Vec::new(),
            parts: vec![0; files.len()],
        })
    }

    fn push(&mut self, part: usize, record: &Record) -> Result<(), DataError> {
        let fault = |error| DataError::in_row(&self.files[part].path, error);
        let Some(target) = self.columns.target(&self.layout, record).map_err(fault)? else {
            return Ok(());
        };
        let row = self
            .columns
            .features(&self.layout, record, &mut self.features);
        if row.map_err(fault)? == Row::Dropped {
            return Ok(());
        }
        match target {
            Cell::Number(number) => self.numbers.push(number),
            Cell::Class(name) => self.words.push(name.into_owned()),
        }
        self.parts[part] += 1;
        Ok(())
    }

    fn finish(self) -> Block {
        let target = if self.columns.target_is_number() {
            RawTarget::Numbers(self.numbers)
        } else {
            RawTarget::Classes(self.words)
        };
        let shape = (target.len(), self.columns.width());
        let features =
            Array2::from_shape_vec(shape, self.features).expect("each row appended its width");
        let names = self.columns.feature_names();
        let mut dates = self.columns.dates().into_iter();
        let ascending = dates.find(|date| ascends(features.column(*date)));
        Block {
            ascending_dates: ascending.map(|date| names[date].clone()),
            features,
            names,
            target_name: self.columns.target_name().to_owned(),
            target,
            parts: self.parts,
        }
    }
}

fn ascends(column: ArrayView1<'_, f32>) -> bool {
    let mut pairs = column.iter().zip(column.iter().skip(1));
    column.first() < column.last() && pairs.all(|(row, next)| row <= next)
}
