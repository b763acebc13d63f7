//! Missing cells, counted.

/// Missing cells of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Name of the column.
    pub column: String,
    /// Rows without a value.
    pub rows: usize,
    /// The line of the first of them.
    pub first_line: u64,
    /// What stands in the first of them: nothing, or a word such as `NA`.
    pub first_word: String,
}

/// Where values are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapsIn {
    /// In features, or in features and the target.
    Anywhere,
    /// In the target, which cannot be filled in.
    Target,
}

pub(super) fn describe(columns: &[Gaps], rows: usize, place: GapsIn) -> String {
    let one = |gaps: &Gaps| {
        format!(
            "{} in column `{}` (first on line {})",
            gaps.rows, gaps.column, gaps.first_line
        )
    };
    let counts: Vec<String> = columns.iter().map(one).collect();
    let remedy = match place {
        GapsIn::Target => "a target cannot be filled in: say --missing drop to leave the rows out",
        GapsIn::Anywhere => {
            "say --missing mean, median, indicator or drop, or leave columns out with --drop COLUMN"
        }
    };
    let word = columns.iter().map(|gaps| gaps.first_word.as_str());
    let word = word
        .filter(|word| !word.is_empty())
        .map(|word| format!("; if `{word}` is a value, say --no-gap {word}"));
    format!(
        "missing values in {rows} rows: {}; {remedy}{}",
        counts.join(", "),
        word.take(1).collect::<String>()
    )
}
