//! Counts of missing cells.

/// Missing cells of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCells {
    /// Name of the column.
    pub column: String,
    /// Rows without a value.
    pub rows: usize,
    /// The line of the first of them.
    pub first_line: u64,
    /// The content of the first of them: empty, or a word such as `NA`.
    pub first_word: String,
}

/// Where values are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingIn {
    /// In features, or in features and the target.
    Anywhere,
    /// In the target, which cannot be filled in.
    Target,
}

pub(super) fn describe(columns: &[MissingCells], rows: usize, place: MissingIn) -> String {
    let one = |cells: &MissingCells| {
        format!(
            "{} of {rows} cells of column `{}` (first on line {})",
            cells.rows, cells.column, cells.first_line
        )
    };
    let counts: Vec<String> = columns.iter().map(one).collect();
    let remedy = match place {
        MissingIn::Target => {
            "a target cannot be filled in; use --missing drop to leave the rows out"
        }
        MissingIn::Anywhere => {
            "use --missing mean, median, indicator or drop, or keep if the algorithm takes missing values, or leave columns out with --drop COLUMN"
        }
    };
    let word = columns.iter().map(|cells| cells.first_word.as_str());
    let word = word
        .filter(|word| !word.is_empty())
        .map(|word| format!("; if `{word}` is a value, use --not-missing {word}"));
    format!(
        "missing values: {}; {remedy}{}",
        counts.join(", "),
        word.take(1).collect::<String>()
    )
}
