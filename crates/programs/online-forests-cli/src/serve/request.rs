//! Parses the body of a request into rows.
//!
//! Rows are JSON objects by column name (one, an array of them, or one on each line) or CSV with a header. A number in JSON
//! becomes the cell in which it is written, so that a row is the same whether it comes in a table or by itself. An error
//! in one row affects that row alone; an error in the body as a whole refuses all of it.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use forest_model::{Row, Settings};
use tables::{Columns, Decimal, HeaderLine, Layout, Records, TableFormat, TableOptions};

use crate::serve::refusal::Refusal;

/// The first bytes that show whether a body is compressed.
const MAGIC: usize = 16;

/// The format of rows, and of the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON object.
    Object,
    /// A JSON array of objects.
    Array,
    /// A JSON object on each line.
    Lines,
    /// CSV with a header.
    Csv,
}

/// Rows as they arrived.
#[derive(Debug)]
pub struct Rows {
    pub(super) form: Form,
    pub(super) layout: Layout,
    pub(super) rows: Vec<Row>,
}

/// Parses the bodies of requests into rows of a model's table.
#[derive(Clone, Debug)]
pub struct RequestReader {
    columns: Columns,
    options: TableOptions,
    pub(super) names: Vec<String>,
    /// The first column of each name.
    pub(super) places: BTreeMap<String, usize>,
    /// Columns without which a JSON object is not a row.
    pub(super) required: Vec<usize>,
    most: usize,
}

impl Rows {
    /// Returns their format.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the number of rows, bad ones included.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl RequestReader {
    /// Creates a reader for a model with these columns and settings, and at most this number of rows in a request.
    pub fn new(columns: &Columns, settings: &Settings, most: usize) -> Self {
        let names = columns.header().names();
        let named = names.iter().cloned().enumerate().rev();
        let features = columns.own_layout().features().to_vec();
        // Where an empty cell is a value, a missing column has an empty cell.
        let has_missing = columns.missing_words().is_missing("");
        Self {
            places: named.map(|(place, name)| (name, place)).collect(),
            required: if has_missing { Vec::new() } else { features },
            options: settings.table.clone(),
            columns: columns.clone(),
            names,
            most,
        }
    }

    /// Parses the rows of a body. Without a type, or with the one that `curl --data` states, its first byte distinguishes JSON from CSV.
    ///
    /// # Errors
    /// Returns an error for another type, too many rows, a table without a column that the model needs, or a malformed body.
    pub fn read(&self, content_type: Option<&str>, body: &[u8]) -> Result<Rows, Refusal> {
        let mut bytes = body.iter().copied();
        let first = bytes.find(|byte| !byte.is_ascii_whitespace());
        let first = first.ok_or_else(|| Refusal::bad_request("the body is empty"))?;
        match (text_type(content_type, first)?, first) {
            (TextType::Csv, _) => self.csv(body),
            (TextType::Lines, _) => self.lines(body),
            (TextType::Json, b'[') => self.array(body),
            (TextType::Json, _) => self.objects(body),
        }
    }

    fn csv(&self, body: &[u8]) -> Result<Rows, Refusal> {
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

    /// Returns a number of JSON as the model's table has it.
    pub(super) fn number(&self, text: String) -> String {
        match self.options.decimal {
            Some(Decimal::Comma) => text.replace('.', ","),
            _ => text,
        }
    }

    pub(super) fn rows(&self, form: Form, rows: Vec<Row>) -> Rows {
        let layout = self.columns.own_layout();
        Rows { form, layout, rows }
    }

    pub(super) fn check(&self, rows: usize) -> Result<(), Refusal> {
        if rows > self.most {
            Err(Refusal::too_large(format!(
                "more than {} rows in a request; send them in several",
                self.most
            )))
        } else {
            Ok(())
        }
    }
}

/// The type that a body states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextType {
    Json,
    Lines,
    Csv,
}

/// Returns the format that is stated, or that the first byte suggests.
fn text_type(stated: Option<&str>, first: u8) -> Result<TextType, Refusal> {
    let stated = stated.unwrap_or_default();
    let (stated, parameters) = stated.split_once(';').unwrap_or((stated, ""));
    check_charset(parameters)?;
    match stated.trim().to_ascii_lowercase().as_str() {
        "text/csv" => Ok(TextType::Csv),
        "application/json" => Ok(TextType::Json),
        "application/jsonl" | "application/x-ndjson" => Ok(TextType::Lines),
        "" | "application/x-www-form-urlencoded" | "text/plain" => Ok(match first {
            b'[' | b'{' => TextType::Json,
            _ => TextType::Csv,
        }),
        other => Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!(
                "rows of type `{}` are not supported; send application/json, application/jsonl or text/csv",
                tables::short(other)
            ),
        )),
    }
}

/// Checks that text is UTF-8, of which ASCII is a part.
fn check_charset(parameters: &str) -> Result<(), Refusal> {
    let pairs = parameters.split(';').filter_map(|it| it.split_once('='));
    let mut charsets = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    let other = charsets.find_map(|(_, charset)| {
        let charset = charset.trim().trim_matches('"');
        let is_known = ["utf-8", "utf8", "us-ascii"]
            .iter()
            .any(|known| charset.eq_ignore_ascii_case(known));
        (!is_known).then_some(charset)
    });
    match other {
        Some(charset) => Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!(
                "charset `{}` is not supported; send UTF-8",
                tables::short(charset)
            ),
        )),
        None => Ok(()),
    }
}
