//! Fits the conversion of columns to numbers.

mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use crate::columns::{Fitted, TargetKind};
use crate::error::{MAX_COLUMNS, Result, Warning, refuse, short};
use crate::feature::{Feature, Fill, MAX_NATIVE, Meaning, Merged, Values, shifted};
use crate::numbers::Numbers;
use crate::record::{Column, Kind};
use crate::{
    Categories, Columns, Header, Missing, MissingWords, Record, TableError, TableOptions, TaskKind,
    dates, find_column, guess_task,
};

impl Columns {
    /// Fits the conversion of columns to numbers, to all rows of a table or the first of a stream, and returns what was
    /// guessed on the way. [`Header::target`] finds the target. Costs a few passes over the rows; of a column of words,
    /// all distinct values are kept.
    ///
    /// A column is a number if it is declared one or if at least half of its cells are numbers; dates are numbers, too;
    /// every other column is words. A cell that does not fit its column is an error only when its row is read
    /// ([`Columns::features`]).
    ///
    /// The target is read for `task` or, without one, for the task that its values suggest: text is classes, and so are
    /// few different whole numbers. Text that a feature would be warned about, since it may be numbers or dates, is
    /// refused, unless `task` or the options say that its values are classes.
    ///
    /// # Errors
    /// Returns an error for an unknown column, a table without rows or features, a target that does not suit the task
    /// or is ambiguous, missing values that are not accepted, or too many categories.
    pub fn fit(
        header: &Header,
        records: &[Record],
        target: &str,
        task: Option<TaskKind>,
        options: &TableOptions,
    ) -> Result<(Columns, Vec<Warning>)> {
        let mut fit = Fit::of(header, target, options)?;
        header.check(fit.used())?;
        fit.task = task;
        fit.rows = records.iter().collect();
        fit.check_missing()?;
        let mut features = Vec::new();
        for index in fit.features.clone() {
            features.push(fit.fit_feature(index)?);
        }
        fit.warn_of_index();
        let fitted = Fitted {
            header: header.clone(),
            target: fit.target,
            target_kind: fit.target_kind()?,
            features,
            numbers: fit.numbers,
            missing: options.missing(),
            missing_words: fit.words,
        };
        if fitted.width() > MAX_COLUMNS {
            return Err(TableError::too_many_columns());
        }
        Ok((Columns { fitted }, fit.warnings))
    }
}

impl TableOptions {
    /// Returns the columns that these options make features, and the target.
    ///
    /// # Errors
    /// Returns an error for an unknown column, or without features.
    pub fn used_columns(&self, header: &Header, target: &str) -> Result<Vec<usize>> {
        Fit::of(header, target, self).map(|fit| fit.used().collect())
    }
}

/// The table, its options and the roles of its columns.
struct Fit<'a> {
    header: &'a Header,
    options: &'a TableOptions,
    words: MissingWords,
    numbers: Numbers,
    target: usize,
    features: Vec<usize>,
    categorical: Vec<usize>,
    /// Columns that number or name the rows, and therefore are not features.
    index: Vec<usize>,
    task: Option<TaskKind>,
    rows: Vec<&'a Record>,
    warnings: Vec<Warning>,
}

impl<'a> Fit<'a> {
    /// Finds the roles of columns.
    fn of(header: &'a Header, target: &str, options: &'a TableOptions) -> Result<Self> {
        let names = header.names();
        if names.is_empty() {
            return Err(TableError::no_features());
        }
        let numbers = options.numbers();
        if numbers.thousands == Some(numbers.decimal_char()) {
            refuse!("the decimal separator separates thousands, too; choose one with --decimal");
        }
        let find = |wanted: &String| find_column(wanted, &names);
        let target = header.target(target)?;
        let dropped = Result::<Vec<_>>::from_iter(options.drop.iter().map(find))?;
        let categorical = Result::<Vec<_>>::from_iter(options.categorical.iter().map(find))?;
        // Two columns of one name are refused, unless all but one are dropped.
        let mut places = BTreeMap::new();
        for second in (0..names.len()).filter(|index| !dropped.contains(index)) {
            let name = &names[second];
            if let Some(first) = places.insert(name, second) {
                refuse!(
                    "columns {} and {number} are both called `{}`; rename one of them, or leave one out by its \
                     number: --drop {number}",
                    first + 1,
                    short(name),
                    number = second + 1
                );
            }
        }
        let mut features = Result::<Vec<_>>::from_iter(options.columns.iter().map(find))?;
        if features.is_empty() {
            features = (0..names.len()).collect();
        }
        features.retain(|column| *column != target && !dropped.contains(column));
        let is_index =
            |column: &usize| header.columns[*column].is_index() && !categorical.contains(column);
        let (mut index, others): (Vec<_>, Vec<_>) = features.iter().partition(|it| is_index(it));
        // Unless nothing else is left.
        if options.columns.is_empty() && !others.is_empty() {
            features = others;
        } else {
            index.clear();
        }
        if features.is_empty() {
            return Err(TableError::no_features());
        }
        Ok(Self {
            header,
            options,
            words: options.missing_words(),
            numbers,
            target,
            features,
            categorical,
            index,
            task: None,
            rows: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// Returns the features and the target.
    fn used(&self) -> impl Iterator<Item = usize> {
        self.features.iter().copied().chain([self.target])
    }

    /// Refuses rows with missing values, or leaves them out, as the options say.
    fn check_missing(&mut self) -> Result {
        if self.rows.is_empty() {
            return Err(TableError::empty());
        }
        match self.options.missing() {
            Missing::Refuse => self.refuse_missing(self.used()),
            Missing::Median | Missing::Indicator | Missing::Keep => {
                self.refuse_missing([self.target])
            }
            Missing::Drop => {
                let mut whole = self.rows.clone();
                whole.retain(|row| !self.used().any(|index| self.is_missing(row, index)));
                if whole.is_empty() {
                    self.refuse_missing(self.used())?;
                }
                self.rows = whole;
                Ok(())
            }
        }
    }

    /// Returns an error with all counts, if values are missing in some columns.
    fn refuse_missing(&self, columns: impl IntoIterator<Item = usize>) -> Result {
        let mut counts = Vec::new();
        let mut first_word = "";
        for index in columns {
            let mut missing = self.rows.iter().filter(|row| self.is_missing(row, index));
            if let Some(first) = missing.next() {
                counts.push(format!(
                    "{} of {} cells of column `{}` (first on line {})",
                    1 + missing.count(),
                    self.rows.len(),
                    self.name(index),
                    first.line
                ));
                if first_word.is_empty() {
                    first_word = cell(first, index);
                }
            }
        }
        if counts.is_empty() {
            return Ok(());
        }
        let remedy = match self.options.missing() {
            Missing::Refuse | Missing::Drop => {
                "use --missing median, indicator or drop, or keep if the algorithm takes missing values, or leave \
                 columns out with --drop COLUMN"
            }
            _ => "a target cannot be filled in; use --missing drop to leave the rows out",
        };
        let hint = match first_word {
            "" => String::new(),
            word => format!("; if `{word}` is a value, use --not-missing {word}"),
        };
        refuse!("missing values: {}; {remedy}{hint}", counts.join(", "));
    }

    fn column(&self, index: usize) -> &'a Column {
        &self.header.columns[index]
    }

    /// Returns the name of a column for a message.
    fn name(&self, index: usize) -> String {
        short(&self.column(index).name)
    }

    fn is_missing(&self, row: &Record, index: usize) -> bool {
        self.column(index).is_missing(cell(row, index), &self.words)
    }

    /// Returns every cell of a column, in the order of the rows.
    fn cells(&self, index: usize) -> impl Iterator<Item = &'a str> {
        self.rows.iter().map(move |row| cell(row, index))
    }

    /// Returns every cell of a column that is not missing.
    fn present(&self, index: usize) -> Vec<&'a str> {
        let column = self.column(index);
        let is_present = |cell: &&str| !column.is_missing(cell, &self.words);
        self.cells(index).filter(is_present).collect()
    }

    /// Fits the conversion of one column.
    fn fit_feature(&mut self, index: usize) -> Result<Feature> {
        let present = self.present(index);
        let has_missing = present.len() < self.rows.len();
        if has_missing && present.is_empty() {
            let name = self.name(index);
            refuse!("no row has a value in column `{name}`; leave it out with --drop {name}");
        }
        let meaning = self.meaning(index, &present)?;
        // All finite numbers of the column.
        let mut values: Vec<f64> = Vec::new();
        if meaning.is_number() {
            let number = |cell: &&str| meaning.number(cell, &self.numbers);
            values.extend(present.iter().filter_map(number));
            values.retain(|number| number.is_finite());
        }
        let merged = Merged::of(&values);
        let mut feature = Feature {
            column: index,
            name: self.column(index).name.clone(),
            fill: None,
            meaning,
            has_indicator: has_missing && self.options.missing() == Missing::Indicator,
            origin: merged.map_or(0.0, |merged| merged.origin),
        };
        feature.fill = match self.options.missing() {
            Missing::Refuse | Missing::Drop => None,
            Missing::Keep => Some(Fill::Missing),
            _ if feature.meaning.is_number() => {
                let shifted = values.iter().map(|it| shifted(*it, feature.origin));
                median(shifted.collect()).map(|number| Fill::Number(number as f32))
            }
            _ => most_frequent(&present).map(|word| Fill::Word(word.to_owned())),
        };
        self.warn_of_feature(&feature, &present, merged);
        Ok(feature)
    }

    /// Infers the meaning of the cells of a column: numbers, dates or words.
    fn meaning(&self, index: usize, present: &[&str]) -> Result<Meaning> {
        let kind = &self.column(index).kind;
        if let Kind::Nominal(values) = kind {
            return self.categories(index, Values::new(values, true));
        }
        if !self.categorical.contains(&index) {
            if *kind == Kind::Numeric {
                return Ok(Meaning::Number);
            }
            if *kind == Kind::Date && self.options.dates.as_deref() != Some("text") {
                // In the format of the option, if it fits, else in one that is recognised.
                let given = self.date_format(present);
                if let Some(format) = given.or_else(|| dates::known_format(present)) {
                    return Ok(Meaning::Date(format.to_owned()));
                }
            }
            // A typing error is likelier than a word among numbers.
            if 2 * self.count_numbers(present) >= present.len() {
                return Ok(Meaning::Number);
            }
            if let Some(format) = self.date_format(present) {
                return Ok(Meaning::Date(format.to_owned()));
            }
        }
        self.categories(index, Values::new(&distinct(present), false))
    }

    fn count_numbers(&self, cells: &[&str]) -> usize {
        let is_number = |cell: &&&str| self.numbers.parse(cell).is_some();
        cells.iter().filter(is_number).count()
    }

    /// Returns the format that nearly all cells of a column have. The others are errors later.
    fn date_format(&self, present: &[&str]) -> Option<&str> {
        match self.options.dates.as_deref() {
            Some("text") => None,
            None | Some("auto") => dates::known_format(present),
            Some(format) => dates::misses(format, present).map(|_| format),
        }
    }

    fn categories(&self, index: usize, values: Values) -> Result<Meaning> {
        let categories = self.options.categories.unwrap_or_default();
        let limit = match categories {
            Categories::OneHot(limit) => limit,
            Categories::Native => MAX_NATIVE - 1,
            Categories::Ordinal | Categories::Hashing(_) => usize::MAX,
        };
        if values.words.len() > limit {
            refuse!(
                "text column `{}` has more than {limit} different values, too many to encode; leave it out with \
                 --drop, or use --categories hash:64, ordinal, native or one-hot:LIMIT",
                self.name(index)
            );
        }
        Ok(match categories {
            Categories::OneHot(_) => Meaning::OneHot(values),
            Categories::Native => Meaning::Native(values),
            Categories::Ordinal => Meaning::Ordinal(values),
            Categories::Hashing(buckets) => Meaning::Hashed(buckets),
        })
    }

    /// Infers the meaning of the cells of the target from the majority of them: numbers, or names of classes.
    fn target_kind(&mut self) -> Result<TargetKind> {
        let index = self.target;
        let present = self.present(index);
        let numbers = self.count_numbers(&present);
        let all = present.len();
        let are_classes = self.task == Some(TaskKind::Classification);
        let text = match &self.column(index).kind {
            Kind::Nominal(values) => TargetKind::Declared(Values::new(values, true)),
            _ if self.categorical.contains(&index) => TargetKind::Words,
            Kind::Numeric => return Ok(self.numeric_target(&present)),
            _ if numbers == all || !are_classes && 2 * numbers >= all => {
                return Ok(self.numeric_target(&present));
            }
            _ if are_classes => TargetKind::Words,
            _ => self.checked_text(&present)?,
        };
        if self.task == Some(TaskKind::Regression) {
            refuse!(
                "the target `{}` is text (`{}`), which --task regress cannot learn; write it as numbers, learn \
                 classes with --task classify, or choose another column with --target",
                self.name(index),
                example(&present)
            );
        }
        Ok(text)
    }

    /// Checks text that is not declared to be classes. It is refused if it looks like dates or numbers, for which a
    /// feature would get a warning: a class for each number or date cannot be predicted.
    fn checked_text(&self, present: &[&str]) -> Result<TargetKind> {
        let index = self.target;
        if self.date_format(present).is_some() {
            refuse!(
                "the target `{}` looks like dates (`{}`), which are not learned as numbers; write it as a number, \
                 such as days since a date, or learn each as a class with --task classify",
                self.name(index),
                example(present)
            );
        }
        // Names of classes seldom begin with a digit, a sign or a currency.
        let is_start = |c: char| c.is_ascii_digit() || "+-.$£€¥".contains(c);
        let starts = present.iter().filter(|it| it.starts_with(is_start));
        if 2 * starts.count() > present.len()
            && self.count_numbers(present) == 0
            && let Some(doubt) = self.digits_in_words(index, present)
        {
            refuse!(
                "the target would be learned as classes: {doubt}; if they are classes, use --task classify"
            );
        }
        Ok(TargetKind::Words)
    }

    /// Returns a target of numbers. A cell that is not a number makes a bad row.
    fn numeric_target(&mut self, present: &[&str]) -> TargetKind {
        let task = self.task.unwrap_or_else(|| {
            let numbers = present.iter().filter_map(|cell| self.numbers.parse(cell));
            let name = &self.column(self.target).name;
            let (task, guessed) = guess_task(name, numbers.filter(|number| number.is_finite()));
            self.warnings.extend(guessed);
            task
        });
        match task {
            TaskKind::Regression => TargetKind::Numbers,
            TaskKind::Classification => TargetKind::Labels,
        }
    }
}

fn cell(row: &Record, index: usize) -> &str {
    row.cells.get(index).unwrap_or_default()
}

/// Returns the distinct words, in alphabetical order.
fn distinct(cells: &[&str]) -> Vec<String> {
    let words: BTreeSet<&str> = cells.iter().copied().collect();
    words.into_iter().map(str::to_owned).collect()
}

/// Returns the first cell.
fn example(cells: &[&str]) -> String {
    short(cells.first().unwrap_or(&""))
}

/// Returns the most frequent word; of ties the first in the alphabet.
fn most_frequent<'a>(cells: &[&'a str]) -> Option<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in cells {
        *counts.entry(word).or_default() += 1;
    }
    // `max_by_key` takes the last of equals.
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(word, _)| word)
}

/// Returns the middle value, or the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(lower.midpoint(upper))
}
