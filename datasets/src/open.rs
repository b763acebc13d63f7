//! From an address to a data set.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tables::{Records, TableFormat, TableOptions, Warning};

use crate::manifest::NamedSet;
use crate::openml::{self, Located};
use crate::readers::{self, Block, Content, Format, ReadOptions, STANDARD_INPUT};
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
        self.data_dir
            .clone()
            .unwrap_or_else(|| DEFAULT_DATA_DIR.into())
    }

    fn read(&self) -> ReadOptions {
        ReadOptions {
            target: self.target.clone(),
            task: self.task,
            table: self.table.clone(),
            order_by: None,
        }
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
    if let Some(stream) = Stream::read(address)? {
        let (mut sets, mut warnings) = (Vec::new(), Vec::new());
        for part in stream.parts() {
            let (set, more) = open_text(part, options)?;
            sets.push(set);
            warnings.extend(more);
        }
        let data = stream.make(sets, address);
        return Ok((data.map_err(|error| error.of_address(address))?, warnings));
    }
    if let Some(set) = manifest::find(address) {
        return Ok((open_named(set, options)?, Vec::new()));
    }
    if let Some(located) = openml::locate(address, &options.folder(), options.target.as_ref())? {
        return open_openml(located, address, options);
    }
    match generators::find(address) {
        Some(generator) => Ok((open_generated(address, generator, options)?, Vec::new())),
        None => open_file(Path::new(address), options),
    }
}

fn open_named(set: &NamedSet, options: &OpenOptions) -> Result<Dataset, DataError> {
    let paths = set.locate(&options.folder())?;
    let files: Vec<Content> = paths
        .iter()
        .map(|path| Content::load(path))
        .collect::<Result<_, _>>()?;
    let (block, _) = readers::read(&set.name, set.format, &files, &set.read_options(options))?;
    let finished = assemble(&set.name, block, &files).and_then(|mut data| {
        set.finish(&mut data, options.target.is_none())?;
        Ok(data)
    });
    finished.map_err(|error| error.of_address(&set.name))
}

fn open_openml(
    located: Located,
    address: &str,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>), DataError> {
    let file = Content::load(&located.path)?;
    let mut options = options.clone();
    options.target = Some(located.target);
    // Columns that the caller chose stay; a description may name columns that the file lacks.
    if options.table.columns.is_empty() {
        let records = Records::in_format(file.bytes.as_slice(), TableFormat::Arff, &options.table);
        let names = records
            .map_err(|error| DataError::of(&file.path, error))?
            .header()
            .names();
        let unused = located
            .unused
            .into_iter()
            .filter(|name| names.contains(name));
        options.table.drop.extend(unused);
    }
    let (mut data, mut warnings) = open_content(file, &options)?;
    warnings.extend(located.warning);
    address.clone_into(&mut data.name);
    Ok((data, warnings))
}

/// Generated data have one task; asking for the other is an error, not something to ignore.
fn open_generated(
    address: &str,
    generator: &generators::Generator,
    options: &OpenOptions,
) -> Result<Dataset, DataError> {
    let data = generator.generate(address)?;
    options.read().check_fixed(address, "generated")?;
    data.check().map_err(|error| error.of_address(address))?;
    match options.task {
        Some(asked) if asked != data.task() => Err(DataError::new(format!(
            "{address}: this data set is for the task `{}` and cannot be used to `{asked}`; leave the task out",
            data.task()
        ))),
        _ => Ok(data),
    }
}

fn open_file(path: &Path, options: &OpenOptions) -> Result<(Dataset, Vec<Warning>), DataError> {
    let address = path.to_string_lossy();
    if path.is_dir() {
        return Err(DataError::new(format!(
            "`{address}` is a folder; give the path of one file in it"
        )));
    }
    if address == STANDARD_INPUT || std::fs::exists(path).unwrap_or(true) {
        return open_content(Content::load(path)?, options);
    }
    // A word with a separator or an extension was meant as a path.
    if address.contains(std::path::MAIN_SEPARATOR) || path.extension().is_some() {
        return Err(DataError::new(format!(
            "`{address}` does not exist; give the path of an existing file, or a name from `cargo xtask data list`"
        )));
    }
    let name = address.split(':').next().unwrap_or(&address);
    let generators: Vec<&str> = generators::ALL
        .iter()
        .map(|generator| generator.name)
        .collect();
    let sets = manifest::names();
    let known = sets.iter().chain(&generators).copied();
    let nearest = forest_core::parameters::did_you_mean(name, known);
    Err(DataError::new(format!(
        "unknown data set `{address}`{nearest}; available:\n  data sets:  {}\n  generators: {}\n  or openml:ID with a number of OpenML, \
         the path of an existing file (CSV, ARFF, Parquet, Arrow, LIBSVM, IDX; also .gz, .bz2, .xz and .zst), or - for standard input",
        sets.join(", "),
        generators.join(", ")
    )))
}

fn open_content(
    file: Content,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>), DataError> {
    let format = Format::of(&file);
    let path = file.path.clone();
    let files = readers::with_companion(format, file)?;
    let address = path.to_string_lossy();
    let (block, warnings) = readers::read(&address, format, &files, &options.read())?;
    // The file's name up to its first dot: `kc_house_data` for `kc_house_data.csv.gz`.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name
        .split('.')
        .find(|part| !part.is_empty())
        .unwrap_or(&name);
    let data = assemble(stem, block, &files);
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
        target: block.target,
        target_name: Some(block.target_name),
        ascending_dates: block.ascending_dates,
        changes: Vec::new(),
        best_accuracy: None,
        sha256: digests.join("+"),
    };
    data.check()?;
    Ok(data)
}
