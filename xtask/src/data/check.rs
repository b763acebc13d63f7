//! `cargo xtask data verify`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use datasets::manifest::{self, FileState, Known, SetFile};

use super::list::table;
use super::print;

/// Checks every file; fails if one differs. A missing file is said, but no failure.
pub fn run(data_dir: &Path) -> Result<ExitCode> {
    let folder = data_dir.display();
    ensure!(
        data_dir.is_dir(),
        "no data folder at `{folder}`; set FOREST_DATA or --data-dir, or run `cargo xtask data fetch NAME`"
    );
    let mut states = table(["set", "file", "state"]);
    let mut different = 0;
    for set in manifest::all() {
        for (file, state) in manifest::verify(set, data_dir)? {
            different += usize::from(matches!(state, FileState::Different(_)));
            states.add_row([set.name.as_str(), &name(file, &state), words(&state)]);
        }
    }
    print(&format!("{states}\n"))?;
    ensure!(
        different == 0,
        "{different} file(s) in `{folder}` differ from the manifest; move them away and fetch them again"
    );
    Ok(ExitCode::SUCCESS)
}

/// The name it was found under, else the name it should have.
fn name(file: &SetFile, state: &FileState) -> String {
    match state {
        FileState::Missing => file.name.clone(),
        FileState::Verified(path, _) | FileState::Different(path) => path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    }
}

fn words(state: &FileState) -> &'static str {
    match state {
        FileState::Missing => "missing",
        FileState::Verified(_, Known::Upstream) => "ok: the published file",
        FileState::Verified(_, Known::Copy) => "ok: the known copy",
        FileState::Different(_) => "DIFFERENT: unknown checksum",
    }
}
