//! Fits the conversion of columns to numbers.

mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use crate::columns::{Fitted, TargetKind};
use crate::feature::{Feature, Fill, MAX_NATIVE, Meaning, Origin, Resolution, Values};
use crate::record::Column;
use crate::target::find;
use crate::{
    Categories, Columns, DateFormat, Dates, Header, Kind, MAX_COLUMNS, Missing, MissingWords,
    Numbers, Record, TableError, TableOptions, TargetColumn, TaskKind, Warning, guess_task, short,
};

impl Columns {
    /// Fits the conversion of columns to numbers, to all rows of a table or the first of a stream, and returns what
    /// was guessed on the way.
    ///
    /// A column is a number if it is declared one or if at least half of its cells are numbers; dates are numbers, too; every other
    /// column is words ([`Categories`](crate::Categories)). A cell that does not fit its
    /// column is an error only when its row is read ([`Columns::features`]). It takes a few passes over the rows; of a
    /// column of words, all distinct values are kept.
    ///
    /// The target is read for `task` or, without one, for the task that its values suggest: text is classes, and so are few different
    /// whole numbers ([`guess_task`](crate::guess_task)). Text that a feature would be warned about, since it may be numbers or
    /// dates, is refused, unless `task` or the options say that its values are classes.
    ///
    /// # Errors
    /// Returns an error for an unknown column, a table without rows or features, two features of one name, a target that does not suit the task or is ambiguous,
    /// missing values that are not accepted, or too many categories.
    pub fn fit(
        header: &Header,
        records: &[Record],
        target: &TargetColumn,
        task: Option<TaskKind>,
        options: &TableOptions,
    ) -> Result<(Columns, Vec<Warning>), TableError> {
        let chosen = Chosen::of(header, target, options)?;
        header.check(chosen.used())?;
        let words = options.missing_words();
        let numbers = options.numbers();
        let fit = Fit {
            header,
            rows: Vec::new(),
            task,
            options,
            words,
            numbers,
            chosen,
        };
        let (fitted, warnings) = fit.with_rows(records)?.all()?;
        Ok((Columns { fitted }, warnings))
    }
}

impl TableOptions {
    /// Returns the columns that these options make features, and the target.
    ///
    /// # Errors
    /// Returns an error for an unknown column, or without features.
    pub fn used_columns(
        &self,
        header: &Header,
        target: &TargetColumn,
    ) -> Result<Vec<usize>, TableError> {
        Chosen::of(header, target, self).map(|chosen| chosen.used().collect())
    }
}

/// The roles of columns.
struct Chosen {
    target: usize,
    features: Vec<usize>,
    categorical: Vec<usize>,
    /// Columns that number or name the rows, and therefore are not features.
    index: Vec<usize>,
}

impl Chosen {
    fn of(
        header: &Header,
        target: &TargetColumn,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let names = header.names();
        if names.is_empty() {
            return Err(TableError::no_features());
        }
        let find_all = |wanted: &[String]| -> Result<Vec<usize>, TableError> {
            wanted.iter().map(|wanted| find(wanted, &names)).collect()
        };
        let target = target.find_in(header)?;
        let dropped = find_all(&options.drop)?;
        let categorical = find_all(&options.categorical)?;
        // Two columns of one name are refused, unless all but one are dropped.
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (second, name) in names
            .iter()
            .enumerate()
            .filter(|(column, _)| !dropped.contains(column))
        {
            if let Some(first) = places.insert(name, second) {
                let (first, second) = (first + 1, second + 1);
                return Err(TableError::new(format!(
                    "columns {first} and {second} are both called `{}`; rename one of them, or leave one out by its number: \
                     --drop {second}",
                    short(name)
                )));
            }
        }
        let mut features = find_all(&options.columns)?;
        if options.columns.is_empty() {
            features = (0..names.len()).collect();
        }
        features.retain(|column| *column != target && !dropped.contains(column));
        let is_index =
            |column: &usize| header.columns[*column].is_index() && !categorical.contains(column);
        let (mut index, others): (Vec<usize>, Vec<usize>) =
            features.iter().partition(|it| is_index(it));
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
            target,
            features,
            categorical,
            index,
        })
    }

    /// Returns the features and the target.
    fn used(&self) -> impl Iterator<Item = usize> {
        self.features.iter().copied().chain([self.target])
    }
}

/// Everything that is needed to fit one column.
struct Fit<'a> {
    header: &'a Header,
    rows: Vec<&'a Record>,
    task: Option<TaskKind>,
    options: &'a TableOptions,
    words: MissingWords,
    numbers: Numbers,
    chosen: Chosen,
}

impl<'a> Fit<'a> {
    /// Fits these rows; all of them unless rows with missing values are dropped.
    fn with_rows(mut self, records: &'a [Record]) -> Result<Self, TableError> {
        if records.is_empty() {
            return Err(TableError::empty());
        }
        self.rows = records.iter().collect();
        match self.options.missing() {
            Missing::Refuse => self.refuse_missing(self.chosen.used())?,
            Missing::Median | Missing::Indicator | Missing::Keep => {
                self.refuse_missing([self.chosen.target])?
            }
            Missing::Drop => {
                let is_whole = |row: &&Record| {
                    let mut used = self.chosen.used();
                    !used.any(|index| self.is_missing(row, index))
                };
                let whole: Vec<&Record> = records.iter().filter(is_whole).collect();
                if whole.is_empty() {
                    self.refuse_missing(self.chosen.used())?;
                }
                self.rows = whole;
            }
        }
        Ok(self)
    }

    /// Returns an error with all counts, if values are missing in some columns.
    fn refuse_missing(&self, columns: impl IntoIterator<Item = usize>) -> Result<(), TableError> {
        let (mut counts, mut first_word) = (Vec::new(), "");
        for index in columns {
            let mut missing = self.rows.iter().filter(|row| self.is_missing(row, index));
            if let Some(first) = missing.next() {
                counts.push(format!(
                    "{} of {} cells of column `{}` (first on line {})",
                    1 + missing.count(),
                    self.rows.len(),
                    short(&self.column(index).name),
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
        let mut text = format!("missing values: {}; ", counts.join(", "));
        text += if matches!(self.options.missing(), Missing::Refuse | Missing::Drop) {
            "use --missing median, indicator or drop, or keep if the algorithm takes missing values, or leave columns \
             out with --drop COLUMN"
        } else {
            "a target cannot be filled in; use --missing drop to leave the rows out"
        };
        if !first_word.is_empty() {
            text += &format!("; if `{first_word}` is a value, use --not-missing {first_word}");
        }
        Err(TableError::new(text))
    }

    fn column(&self, index: usize) -> &'a Column {
        &self.header.columns[index]
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
        self.cells(index)
            .filter(|cell| !column.is_missing(cell, &self.words))
            .collect()
    }

    fn all(&self) -> Result<(Fitted, Vec<Warning>), TableError> {
        let (mut features, mut warnings) = (Vec::new(), Vec::new());
        for &index in &self.chosen.features {
            features.push(self.feature(index, &mut warnings)?);
        }
        let mut of_target = Vec::new();
        let target_kind = self.target(&mut of_target)?;
        let fitted = Fitted {
            header: self.header.clone(),
            target: self.chosen.target,
            target_kind,
            features,
            numbers: self.numbers,
            missing: self.options.missing(),
            missing_words: self.words.clone(),
        };
        if fitted.width() > MAX_COLUMNS {
            return Err(TableError::too_many_columns());
        }
        let mut names = BTreeSet::new();
        for name in fitted.features.iter().flat_map(Feature::names) {
            if names.contains(&name) {
                let name = short(&name);
                return Err(TableError::new(format!(
                    "two features would be called `{name}`: the column of that name, and one that --missing indicator or --categories \
                     makes of another column; rename the column, or leave it out with --drop '{name}'"
                )));
            }
            names.insert(name);
        }
        self.of_the_table(&mut warnings);
        warnings.extend(of_target);
        Ok((fitted, warnings))
    }

    fn is_categorical(&self, index: usize) -> bool {
        self.chosen.categorical.contains(&index)
    }

    fn feature(&self, index: usize, warnings: &mut Vec<Warning>) -> Result<Feature, TableError> {
        let (column, present) = (self.column(index), self.present(index));
        let has_missing = present.len() < self.rows.len();
        if has_missing && present.is_empty() {
            let column = short(&column.name);
            return Err(TableError::new(format!(
                "no row has a value in column `{column}`; leave it out with --drop {column}"
            )));
        }
        let meaning = self.meaning(index, &present)?;
        // Every finite number; none of words.
        let mut values: Vec<f64> = Vec::new();
        if meaning.is_number() {
            values.extend(
                present
                    .iter()
                    .filter_map(|cell| meaning.number(cell, &self.numbers)),
            );
            values.retain(|number| number.is_finite());
        }
        let resolution = Resolution::of(&values);
        let origin = resolution.map_or(Origin::NONE, |found| found.origin);
        let fill = match self.options.missing() {
            Missing::Refuse | Missing::Drop => None,
            Missing::Keep => Some(Fill::Missing),
            _ if !meaning.is_number() => {
                most_frequent(&present).map(|word| Fill::Word(word.to_owned()))
            }
            _ => {
                let shifted = values.iter().map(|value| origin.shifted(*value));
                median(shifted.collect()).map(|number| Fill::Number(number as f32))
            }
        };
        let feature = Feature {
            column: index,
            name: column.name.clone(),
            fill,
            meaning,
            has_indicator: has_missing && self.options.missing() == Missing::Indicator,
            origin,
        };
        self.of_a_feature(&feature, &present, resolution, warnings);
        Ok(feature)
    }

    /// Infers the meaning of the cells of a column: numbers, dates or words.
    fn meaning(&self, index: usize, present: &[&str]) -> Result<Meaning, TableError> {
        let kind = &self.column(index).kind;
        if let Kind::Nominal(values) = kind {
            return self.categories(index, Values::new(values, true));
        }
        if !self.is_categorical(index) {
            if *kind == Kind::Numeric {
                return Ok(Meaning::Number);
            }
            if matches!(kind, Kind::Date(_)) && self.options.dates != Some(Dates::Text) {
                // In the format that was given, if it fits, else in one that is recognised.
                let given = self
                    .date_format(present)
                    .or_else(|| DateFormat::that_fits(present));
                if let Some(format) = given {
                    return Ok(Meaning::Date(format));
                }
            }
            // A typing error is likelier than a word among numbers.
            if 2 * self.count_numbers(present) >= present.len() {
                return Ok(Meaning::Number);
            }
            if let Some(format) = self.date_format(present) {
                return Ok(Meaning::Date(format));
            }
        }
        self.categories(index, Values::new(&distinct(present), false))
    }

    fn count_numbers(&self, cells: &[&str]) -> usize {
        cells
            .iter()
            .filter(|cell| self.numbers.parse(cell).is_some())
            .count()
    }

    /// Returns the format that nearly all cells of a column have. The others are errors later.
    fn date_format(&self, present: &[&str]) -> Option<DateFormat> {
        match &self.options.dates {
            Some(Dates::Text) => None,
            None | Some(Dates::Auto) => DateFormat::that_fits(present),
            Some(Dates::Pattern(pattern)) => {
                let format = DateFormat::from_pattern(pattern);
                format.misses(present).is_some().then_some(format)
            }
        }
    }

    fn categories(&self, index: usize, values: Values) -> Result<Meaning, TableError> {
        let categories = self.options.categories.unwrap_or_default();
        let limit = match categories {
            Categories::OneHot { limit } => limit,
            Categories::Native => MAX_NATIVE - 1,
            Categories::Ordinal | Categories::Hashing { .. } => usize::MAX,
        };
        if values.words.len() > limit {
            return Err(TableError::new(format!(
                "text column `{}` has more than {limit} different values, too many to encode; leave it out with --drop, or use \
                 --categories hash:64, --categories ordinal, --categories native or --categories one-hot:LIMIT",
                short(&self.column(index).name)
            )));
        }
        Ok(match categories {
            Categories::OneHot { .. } => Meaning::OneHot(values),
            Categories::Native => Meaning::Native(values),
            Categories::Ordinal => Meaning::Ordinal(values),
            Categories::Hashing { buckets } => Meaning::Hashed { buckets },
        })
    }

    /// Infers the meaning of the cells of the target from the majority of them: numbers, or names of classes.
    fn target(&self, warnings: &mut Vec<Warning>) -> Result<TargetKind, TableError> {
        let index = self.chosen.target;
        let (column, present) = (self.column(index), self.present(index));
        let numbers = self.count_numbers(&present);
        let text = match &column.kind {
            Kind::Nominal(values) => TargetKind::Declared(Values::new(values, true)),
            _ if self.is_categorical(index) => TargetKind::Words,
            kind => {
                let is_number = *kind == Kind::Numeric || numbers == present.len();
                if !is_number && self.task == Some(TaskKind::Classification) {
                    warnings.extend(self.numbers_among_words(index, &present));
                    return Ok(TargetKind::Words);
                }
                if is_number || 2 * numbers >= present.len() {
                    return Ok(self.numeric_target(&present, warnings));
                }
                self.check_text(&present)?;
                TargetKind::Words
            }
        };
        if self.task == Some(TaskKind::Regression) {
            return Err(TableError::new(format!(
                "the target `{}` is text (`{}`), which --task regress cannot learn; write it as numbers, learn classes with \
                 --task classify, or choose another column with --target",
                short(&column.name),
                example(&present)
            )));
        }
        if text == TargetKind::Words && !self.is_categorical(index) {
            warnings.extend(self.numbers_among_words(index, &present));
            warnings.extend(self.many_classes(&present));
        }
        Ok(text)
    }

    /// Checks text that nothing but its cells shows to be names of classes as a feature is, and refuses what a feature would be
    /// warned about: a class for each number or date would be learned in vain.
    fn check_text(&self, present: &[&str]) -> Result<(), TableError> {
        let index = self.chosen.target;
        if self.date_format(present).is_some() {
            return Err(TableError::new(format!(
                "the target `{}` looks like dates (`{}`), which are not learned as numbers; write it as a number, such as days since \
                 a date, or learn each as a class with --task classify",
                short(&self.column(index).name),
                example(present)
            )));
        }
        // Names of classes seldom begin with a digit, a sign or a currency.
        let is_start = |c: char| c.is_ascii_digit() || "+-.$£€¥".contains(c);
        let begin_like_numbers = present
            .iter()
            .filter(|cell| cell.starts_with(is_start))
            .count();
        if 2 * begin_like_numbers > present.len()
            && self.numbers_among_words(index, present).is_none()
            && let Some(doubt) = self.digits_in_words(index, present)
        {
            return Err(TableError::new(format!(
                "the target would be learned as classes: {doubt}; if they are classes, use --task classify"
            )));
        }
        Ok(())
    }

    /// Returns a target of numbers. A cell that is not a number makes a bad row.
    fn numeric_target(&self, present: &[&str], warnings: &mut Vec<Warning>) -> TargetKind {
        let numbers = present.iter().filter_map(|cell| self.numbers.parse(cell));
        let task = self.task.unwrap_or_else(|| {
            let name = &self.column(self.chosen.target).name;
            let (task, guessed) = guess_task(name, numbers.filter(|number| number.is_finite()));
            warnings.extend(guessed);
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
