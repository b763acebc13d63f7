//! `cargo xtask data verify` and `fetch`: the files of named sets.

use std::path::Path;

#[cfg(feature = "fetch")]
use anyhow::Context as _;
use anyhow::{Result, ensure};
#[cfg(feature = "fetch")]
use datasets::fetch::{Fetched, fetch};
use datasets::manifest::{self, FileState, Known, SetFile};

use crate::terminal::{print, table};

/// Returns an error if a file differs from the manifest; a missing one is only listed.
pub(super) fn verify(data_dir: &Path) -> Result<()> {
    let folder = data_dir.display();
    ensure!(
        data_dir.is_dir(),
        "no data folder at `{folder}`; set FOREST_DATA or --data-dir, or run `cargo xtask-all data fetch NAME`"
    );
    let mut states = table(["set", "file", "state"]);
    let mut different = 0;
    for set in manifest::all() {
        for (file, state) in manifest::verify(set, data_dir)? {
            different += usize::from(matches!(state, FileState::Different(_)));
            states.add_row([set.name.as_str(), &name(file, &state), describe(&state)]);
        }
    }
    print(&format!("{states}\n"))?;
    ensure!(
        different == 0,
        "{different} file(s) in `{folder}` differ from the manifest; move them away and fetch them again"
    );
    Ok(())
}

/// Returns the name it was found under, else the name it should have.
fn name(file: &SetFile, state: &FileState) -> String {
    let found = match state {
        FileState::Missing => None,
        FileState::Verified(path, _) | FileState::Different(path) => path.file_name(),
    };
    found.map_or(file.name.clone(), |name| {
        name.to_string_lossy().into_owned()
    })
}

fn describe(state: &FileState) -> &'static str {
    match state {
        FileState::Missing => "missing",
        FileState::Verified(_, Known::Upstream) => "ok: the published file",
        FileState::Verified(_, Known::Copy) => "ok: the known copy",
        FileState::Different(_) => "DIFFERENT: unknown checksum",
    }
}

#[cfg(feature = "fetch")]
/// Fetches the sets one after another; every name is checked before the first download.
pub(super) fn fetch_all(names: &[String], data_dir: &Path) -> Result<()> {
    let sets = names.iter().map(|name| manifest::named(name));
    for set in sets.collect::<Result<Vec<_>, _>>()? {
        let files = fetch(set, data_dir).with_context(|| format!("cannot fetch `{}`", set.name))?;
        for (file, fetched) in files {
            let state = match fetched {
                Fetched::AlreadyThere => "already there and whole",
                Fetched::Downloaded => "fetched and verified",
            };
            print(&format!("{}/{}: {state}\n", set.name, file.name))?;
        }
    }
    Ok(())
}
