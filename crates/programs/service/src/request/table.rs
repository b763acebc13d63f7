//! Rows as CSV with a header, or as LIBSVM where the model has learned such a table.

use forest_model::Row;
use tables::{HeaderLine, Records, TableFormat, TableOptions};

use crate::refusal::Refusal;
use crate::request::{Form, RequestReader, Rows};

/// The first bytes that show whether a body is compressed.
const MAGIC: usize = 16;

impl RequestReader {
    pub(super) fn csv(&self, body: &[u8]) -> Result<Rows, Refusal> {
        let magic = &body[..body.len().min(MAGIC)];
        // They can hold far more than the limit of a body.
        if tables::is_packed(magic) || tables::is_columnar(magic) {
            let reason = "packed and columnar tables are not read; send CSV as text";
            return Err(Refusal::bad_request(reason));
        }
        let options = self.options_of_bodies();
        let records = Records::in_format(body, TableFormat::Csv, &options);
        let records = records.map_err(|error| Refusal::bad_request(error.to_string()))?;
        let layout = self.columns.layout(records.header());
        let layout = layout.map_err(|fault| Refusal::unprocessable(fault.to_string()))?;
        let mut rows = Vec::new();
        for record in records {
            self.check(rows.len() + 1)?;
            let row = Row::new(record).into_failure();
            rows.push(row.map_err(|error| Refusal::bad_request(error.to_string()))?);
        }
        let form = Form::Csv;
        Ok(Rows { form, layout, rows })
    }

    /// Returns the format of the model's table, but with a header, which LIBSVM does not have.
    fn options_of_bodies(&self) -> TableOptions {
        let options = self.options.clone();
        match options.indices {
            Some(_) => options,
            None => TableOptions {
                header: Some(HeaderLine::Yes),
                ..options
            },
        }
    }
}
