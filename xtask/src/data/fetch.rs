//! `cargo xtask data fetch`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use datasets::fetch::{Fetched, fetch};
use datasets::manifest;

use super::print;

/// Fetches the sets one after another; every name is known before the first byte is fetched.
pub fn run(names: &[String], data_dir: &Path) -> Result<ExitCode> {
    let sets = names
        .iter()
        .map(|name| manifest::named(name))
        .collect::<Result<Vec<_>, _>>()?;
    for set in sets {
        let files = fetch(set, data_dir).with_context(|| format!("cannot fetch `{}`", set.name))?;
        for (file, fetched) in files {
            print(&format!("{}/{}: {}\n", set.name, file.name, words(fetched)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn words(fetched: Fetched) -> &'static str {
    match fetched {
        Fetched::AlreadyThere => "already there and whole",
        Fetched::Downloaded => "fetched and verified",
    }
}
