//! From an address to a data set.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use tables::{Records, TableFormat, TableOptions, Warning};

use crate::checks::check;
use crate::labels::target;
use crate::manifest::NamedSet;
use crate::openml::Openml;
use crate::readers::{self, Block, Content, Format, Layout, STANDARD_INPUT};
use crate::stream::Stream;
use crate::{DataError, Dataset, TargetColumn, TaskKind, generators, manifest};

/// Where named sets are looked for when no folder is given: `data` in the current folder.
pub const DEFAULT_DATA_DIR: &str = "data";

/// The folder of the named sets for tests and experiments of this repository: `FOREST_DATA`, or
/// `../shared/data` beside the repository. Programs ask their users.
pub fn data_folder() -> PathBuf {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"));
    std::env::var_os("FOREST_DATA").map_or_else(beside, PathBuf::from)
}

/// Options besides the address. The default leaves them open: named sets know their own target and task.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The folder that holds one folder per named set; `None` is [`DEFAULT_DATA_DIR`].
    pub data_dir: Option<PathBuf>,
    /// The target column of a table; `None` is that of the manifest, else the last column.
    pub target: Option<TargetColumn>,
    /// The task; `None` is that of the manifest, else what the target suggests: text and whole numbers of at
    /// most 100 different values are classified, other numbers are regressed on.
    pub task: Option<TaskKind>,
    /// How tables are read: missing values, categories, dates, separators.
    pub table: TableOptions,
}

impl OpenOptions {
    fn folder(&self) -> PathBuf {
        let folder = self.data_dir.clone();
        folder.unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR))
    }
}

/// Opens a named set, a data set of OpenML, a generator, or a file.
///
/// `address` is tried in this order:
/// 1. a name of the [`manifest`]: `letter`;
/// 2. a number of OpenML, perhaps with the version that it must have: `openml:61`, `openml:61@1`;
/// 3. a generator of [`generators`], with or without parameters: `friedman:d=10,n=20000`;
/// 4. the path of a file in one of the formats of [`Format`], packed or not. A file called
///    like a name is reached as `./letter`; `-` is standard input.
///
/// An address that is not UTF-8 is a path. Any other may be altered, by one or more of these at the end, which are applied from left to right:
/// - `+flip=ROW`: from row ROW (counted from 0) on, the targets change their meaning. A class becomes the next
///   one, the last becomes the first; a number is mirrored about the mean of all. Row ROW is a change point of the data set.
/// - `+from=ROW`: the rows before row ROW are left out.
///
/// Two data sets with the same columns and classes make a stream that changes: `drift(A; B; at=ROW; width=ROWS)` from A to B, around row
/// ROW, gradually over about that many rows (by default at once), and `recur(A; B; every=ROWS)` from one to the other and back.
///
/// # Errors
/// [`DataError`] states what is wrong, in which file and line, and what to do. Besides unreadable files these are
/// refused: fewer than two rows, no feature, a constant target, a target that does not suit the task.
///
/// ```
/// use datasets::{OpenOptions, TaskKind, open};
///
/// let data = open("friedman:d=6,n=100,test=20", &OpenOptions::default())?;
/// assert_eq!((data.rows(), data.n_features(), data.split), (120, 6, Some(100)));
/// assert_eq!(data.task(), TaskKind::Regression);
///
/// let flipped = open("friedman:d=6,n=100,test=20+flip=50", &OpenOptions::default())?;
/// assert_eq!((flipped.changes, flipped.features), (vec![50], data.features));
///
/// let error = open("freidman", &OpenOptions::default()).unwrap_err();
/// assert!(error.to_string().contains("did you mean `friedman`?"));
/// # Ok::<(), datasets::DataError>(())
/// ```
pub fn open(address: impl AsRef<OsStr>, options: &OpenOptions) -> Result<Dataset, DataError> {
    open_with_warnings(address, options).map(|(data, _)| data)
}

/// Opens as [`open`] does, and returns what was guessed on the way: each warning names the option that decides it. For named sets and
/// generators nothing is guessed.
///
/// # Errors
/// Returns the errors of [`open`].
pub fn open_with_warnings(
    address: impl AsRef<OsStr>,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>), DataError> {
    let address = address.as_ref();
    match address.to_str() {
        Some(text) => open_text(text.trim(), options),
        None => open_file(Path::new(address), options),
    }
}

fn open_text(address: &str, options: &OpenOptions) -> Result<(Dataset, Vec<Warning>), DataError> {
    let Some(stream) = Stream::read(address)? else {
        return open_unaltered(address, options);
    };
    let (mut sets, mut warnings) = (Vec::new(), Vec::new());
    for part in stream.parts() {
        let (set, more) = open_text(part, options)?;
        sets.push(set);
        warnings.extend(more);
    }
    let data = stream.make(sets, address);
    Ok((data.map_err(|error| error.of_address(address))?, warnings))
}

fn open_unaltered(
    address: &str,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>), DataError> {
    let without_warnings = |data| (data, Vec::new());
    if let Some(set) = manifest::find(address) {
        return open_named(set, options).map(without_warnings);
    }
    if let Some(set) = Openml::read(address) {
        return open_openml(set?, address, options);
    }
    match generators::find(address) {
        Some(generator) => open_generated(address, generator, options).map(without_warnings),
        None => open_file(Path::new(address), options),
    }
}

fn open_named(set: &NamedSet, options: &OpenOptions) -> Result<Dataset, DataError> {
    let folder = options.folder();
    let paths = set.locate(&folder)?;
    let files = paths
        .iter()
        .map(|path| Content::load(path))
        .collect::<Result<Vec<_>, _>>()?;
    let layout = set.layout(options);
    let (block, _) = readers::read(&set.name, set.format, &files, &layout)?;
    let content = |error: DataError| error.of_address(&set.name);
    let mut data = assemble(&set.name, block, &files).map_err(content)?;
    set.split(&mut data).map_err(content)?;
    if options.target.is_none() {
        set.transform_target(&mut data).map_err(content)?;
    }
    Ok(data)
}

fn open_openml(
    set: Openml,
    address: &str,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>), DataError> {
    let located = set.locate(&options.folder(), options.target.as_ref())?;
    let file = Content::load(&located.path)?;
    let mut options = OpenOptions {
        target: Some(located.target),
        ..options.clone()
    };
    // Columns that the caller chose stay; a description may name columns that the file lacks.
    if options.table.columns.is_empty() {
        let records = Records::in_format(file.bytes.as_slice(), TableFormat::Arff, &options.table);
        let records = records.map_err(|error| DataError::in_table(&file.path, error))?;
        let names = records.header().names();
        let unused = located.unused.into_iter();
        let unused = unused.filter(|name| names.contains(name));
        options.table.drop.extend(unused);
    }
    let (data, mut warnings) = open_content(file, &options)?;
    warnings.extend(located.warning);
    let data = Dataset {
        name: address.to_owned(),
        ..data
    };
    Ok((data, warnings))
}

fn open_generated(
    address: &str,
    generator: &generators::Generator,
    options: &OpenOptions,
) -> Result<Dataset, DataError> {
    let data = generator.generate(address)?;
    let content = |error: DataError| error.of_address(address);
    readers::check_fixed(
        address,
        "generated",
        options.target.as_ref(),
        &options.table,
    )?;
    check(&data)
        .and(check_task(&data, options.task))
        .map_err(content)?;
    Ok(data)
}

fn open_file(path: &Path, options: &OpenOptions) -> Result<(Dataset, Vec<Warning>), DataError> {
    check_path(path)?;
    open_content(Content::load(path)?, options)
}

fn open_content(
    file: Content,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>), DataError> {
    let format = Format::of(&file);
    let path = file.path.clone();
    let layout = Layout {
        target: options.target.clone(),
        task: options.task,
        table: options.table.clone(),
        order_by: None,
    };
    let files = readers::with_companion(format, file)?;
    let address = path.to_string_lossy();
    let (block, warnings) = readers::read(&address, format, &files, &layout)?;
    let data = assemble(&stem(&path), block, &files);
    Ok((data.map_err(|error| error.of_address(&address))?, warnings))
}

/// Checks a block and its identity: the only way for data that were read to become a [`Dataset`].
fn assemble(name: &str, block: Block, files: &[Content]) -> Result<Dataset, DataError> {
    let digests: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
    let data = Dataset {
        name: name.to_owned(),
        split: (block.parts.len() > 1).then_some(block.parts[0]),
        features: block.features,
        feature_names: block.names,
        target: target(block.target)?,
        target_name: Some(block.target_name),
        ascending_dates: block.ascending_dates,
        changes: Vec::new(),
        best_accuracy: None,
        sha256: digests.join("+"),
    };
    check(&data)?;
    Ok(data)
}

/// Generated data have one task; asking for the other is an error, not something to ignore.
fn check_task(data: &Dataset, task: Option<TaskKind>) -> Result<(), DataError> {
    match task {
        Some(asked) if asked != data.task() => Err(DataError::new(format!(
            "this data set is for the task `{}` and cannot be used to `{asked}`; leave the task out",
            data.task()
        ))),
        _ => Ok(()),
    }
}

fn check_path(path: &Path) -> Result<(), DataError> {
    let address = path.to_string_lossy();
    if path.is_dir() {
        return Err(DataError::new(format!(
            "`{address}` is a folder; give the path of one file in it"
        )));
    }
    if address == STANDARD_INPUT || fs::exists(path).unwrap_or(true) {
        return Ok(());
    }
    // A word with a separator or an extension was meant as a path.
    let is_path = address.contains(std::path::MAIN_SEPARATOR) || path.extension().is_some();
    Err(if is_path {
        DataError::new(format!(
            "`{address}` does not exist; give the path of an existing file, or a name from `cargo xtask data list`"
        ))
    } else {
        unknown(&address)
    })
}

fn unknown(address: &str) -> DataError {
    let name = address.split(':').next().unwrap_or(address);
    let generators: Vec<&str> = generators::ALL
        .iter()
        .map(|generator| generator.name)
        .collect();
    let sets = manifest::names();
    let nearest =
        forest_core::parameters::did_you_mean(name, sets.iter().chain(&generators).copied());
    DataError::new(format!(
        "unknown data set `{address}`{nearest}; available:\n  data sets:  {}\n  generators: {}\n  or openml:ID with a number of OpenML, \
         the path of an existing file (CSV, ARFF, Parquet, Arrow, LIBSVM, IDX; also .gz, .bz2, .xz and .zst), or - for standard input",
        sets.join(", "),
        generators.join(", ")
    ))
}

/// Returns the file's name up to its first dot: `kc_house_data` for `kc_house_data.csv.gz`.
pub(crate) fn stem(path: &Path) -> String {
    if path == Path::new(STANDARD_INPUT) {
        return "standard input".to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').find(|part| !part.is_empty());
    stem.unwrap_or(&name).to_owned()
}
