//! From an address to a data set.

use std::ffi::OsStr;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use tables::{Records, Warning};

use crate::error::{Result, refuse};
use crate::manifest::NamedSet;
use crate::openml::{self, Located};
use crate::readers::{self, Content, OpenOptions, STANDARD_INPUT};
use crate::stream::Stream;
use crate::{DataError, Dataset, generators, manifest};

/// Where named sets are looked for when no folder is given: `data` in the current folder.
pub const DEFAULT_DATA_DIR: &str = "data";

/// Returns the folder of the named sets for tests and experiments of this repository: `FOREST_DATA`, or
/// `../shared/data` beside the repository. Programs ask their users.
pub fn data_folder() -> PathBuf {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"));
    std::env::var_os("FOREST_DATA").map_or_else(beside, PathBuf::from)
}

/// Opens a named set, a data set of OpenML, a generator, or a file.
///
/// `address` is tried in this order:
/// 1. a name of the [`manifest`]: `letter`;
/// 2. a number of OpenML, perhaps with the version that it must have: `openml:61`, `openml:61@1`;
/// 3. a generator of [`generators`], with or without parameters: `friedman:d=10,n=20000`;
/// 4. the path of a file (CSV, ARFF, LIBSVM, Parquet, Arrow, IDX), packed or not. A file called
///    like a name is reached as `./letter`; `-` is standard input.
///
/// An address that is not UTF-8 is a path. Any other may be altered, by one or more of these at the end, which are
/// applied from left to right:
/// - `+flip=ROW`: from row ROW (counted from 0) on, the targets change their meaning. A class becomes the next one, the
///   last becomes the first; a number is mirrored about the mean of all. Row ROW is a change point of the data set.
/// - `+from=ROW`: the rows before row ROW are left out.
///
/// Two data sets with the same columns and classes make a stream that changes: `drift(A; B; at=ROW; width=ROWS)` from A
/// to B, around row ROW, gradually over about that many rows (by default at once), and `recur(A; B; every=ROWS)` from
/// one to the other and back.
///
/// # Errors
/// [`DataError`] states what is wrong, in which file and line, and what to do. Besides unreadable files these are
/// refused: fewer than two rows, no feature, a constant target, a target that does not suit the task.
///
/// ```
/// use datasets::{OpenOptions, open};
///
/// let data = open("friedman:d=6,n=100,test=20+flip=50", &OpenOptions::default())?;
/// assert_eq!((data.rows(), data.split, data.changes), (120, Some(100), vec![50]));
/// # Ok::<(), datasets::DataError>(())
/// ```
pub fn open(address: impl AsRef<OsStr>, options: &OpenOptions) -> Result<Dataset> {
    open_with_warnings(address, options).map(|(data, _)| data)
}

/// Opens as [`open`] does, and returns what was guessed on the way: each warning names the option that decides it. For
/// named sets and generators nothing is guessed.
///
/// # Errors
/// Returns the errors of [`open`].
pub fn open_with_warnings(
    address: impl AsRef<OsStr>,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>)> {
    let address = address.as_ref();
    match address.to_str() {
        Some(text) => open_text(text.trim(), options),
        None => open_file(Path::new(address), options),
    }
}

fn folder(options: &OpenOptions) -> &Path {
    let default = Path::new(DEFAULT_DATA_DIR);
    options.data_dir.as_deref().unwrap_or(default)
}

fn open_text(address: &str, options: &OpenOptions) -> Result<(Dataset, Vec<Warning>)> {
    if let Some(stream) = Stream::read(address)? {
        let mut sets = Vec::new();
        let mut warnings = Vec::new();
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
    if let Some(located) = openml::locate(address, folder(options), options.target.as_deref())? {
        return open_openml(located, address, options);
    }
    let Some(generator) = generators::find(address) else {
        return open_file(Path::new(address), options);
    };
    // Generated data have one task; asking for the other is an error, not something to ignore.
    let data = generator.generate(address)?;
    options.check_fixed(address, "generated")?;
    data.check().map_err(|error| error.of_address(address))?;
    let task = data.task();
    if options.task.is_some_and(|asked| asked != task) {
        refuse!("{address}: this data set is for the task `{task}`; leave the task out");
    }
    Ok((data, Vec::new()))
}

fn open_named(set: &NamedSet, options: &OpenOptions) -> Result<Dataset> {
    let mut files = Vec::new();
    for path in set.locate(folder(options))? {
        files.push(Content::load(&path)?);
    }
    let own = set.options(options);
    let (mut data, _) = readers::read(&set.name, &files, &own, set.order_by.as_deref())?;
    set.name.clone_into(&mut data.name);
    let checked = data.check();
    let finished = checked.and_then(|()| set.finish(&mut data, options.target.is_none()));
    finished.map_err(|error| error.of_address(&set.name))?;
    Ok(data)
}

fn open_openml(
    located: Located,
    address: &str,
    options: &OpenOptions,
) -> Result<(Dataset, Vec<Warning>)> {
    let file = Content::load(&located.path)?;
    let mut options = options.clone();
    options.target = Some(located.target);
    // Columns that the caller chose stay; a description may name columns that the file lacks.
    if options.table.columns.is_empty() {
        let records = Records::new(file.bytes.as_slice(), &options.table);
        let records = records.map_err(|error| DataError::of(&file.path, error))?;
        let names = records.header().names();
        let unused = located.unused.into_iter();
        let unused = unused.filter(|name| names.contains(name));
        options.table.drop.extend(unused);
    }
    let (mut data, mut warnings) = open_content(file, &options)?;
    warnings.extend(located.warning);
    address.clone_into(&mut data.name);
    Ok((data, warnings))
}

fn open_file(path: &Path, options: &OpenOptions) -> Result<(Dataset, Vec<Warning>)> {
    let address = path.to_string_lossy();
    if path.is_dir() {
        refuse!("`{address}` is a folder; give the path of one file in it");
    }
    if address == STANDARD_INPUT || std::fs::exists(path).unwrap_or(true) {
        return open_content(Content::load(path)?, options);
    }
    // A word with a separator or an extension was meant as a path.
    if address.contains(MAIN_SEPARATOR) || path.extension().is_some() {
        refuse!("`{address}` does not exist; check the path, or see `cargo xtask data list`");
    }
    let name = address.split(':').next().unwrap_or(&address);
    let generators: Vec<&str> = generators::ALL.iter().map(|one| one.name).collect();
    let sets = manifest::names();
    let known = sets.iter().chain(&generators).copied();
    refuse!(
        "unknown data set `{address}`{}; available:\n  data sets:  {}\n  generators: {}\n  or openml:ID with a \
         number of OpenML, the path of a file (CSV, ARFF, Parquet, Arrow, LIBSVM, IDX), or - for standard input",
        forest_core::parameters::did_you_mean(name, known),
        sets.join(", "),
        generators.join(", ")
    );
}

fn open_content(file: Content, options: &OpenOptions) -> Result<(Dataset, Vec<Warning>)> {
    let path = file.path.clone();
    let files = readers::with_companion(file)?;
    let address = path.to_string_lossy();
    let (mut data, warnings) = readers::read(&address, &files, options, None)?;
    // The file's name up to its first dot: `kc_house_data` for `kc_house_data.csv.gz`.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').find(|part| !part.is_empty());
    data.name = stem.unwrap_or(&name).to_owned();
    data.check().map_err(|error| error.of_address(&address))?;
    Ok((data, warnings))
}
