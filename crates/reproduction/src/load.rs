//! Loads items from their files. Errors name the file, the place in it and what to do.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use forest_core::parameters::did_you_mean;

use crate::functions;
use crate::item::Item;
use crate::plan::Plan;
use crate::record::{Scale, Work};
use comparison::AnyAlgorithm;

/// Loads every item, or those requested as `paper` or `paper/item`, sorted by paper and name.
pub(crate) fn items(folder: &Path, asked: &[String]) -> Result<Vec<Item>> {
    let mut files = Vec::new();
    for paper in entries(folder)?.iter().filter(|path| path.is_dir()) {
        let toml = |path: &PathBuf| path.extension() == Some(OsStr::new("toml"));
        files.extend(entries(paper)?.into_iter().filter(toml));
    }
    let addresses: Vec<String> = files.iter().map(|file| address(file)).collect();
    for asked in asked {
        ensure!(
            addresses.iter().any(|address| matches(address, asked)),
            "unknown paper or item `{asked}`{}; `cargo xtask-all reproduce --list` lists them",
            did_you_mean(asked, addresses.iter().map(String::as_str))
        );
    }
    let wanted = files.iter().zip(&addresses).filter(|(_, address)| {
        asked.is_empty() || asked.iter().any(|asked| matches(address, asked))
    });
    wanted.map(|(file, _)| read(file)).collect()
}

fn matches(address: &str, asked: &str) -> bool {
    let asked = asked.trim_end_matches('/');
    address == asked || address.split('/').next() == Some(asked)
}

fn address(file: &Path) -> String {
    let (paper, name) = names(file);
    format!("{paper}/{name}")
}

fn names(file: &Path) -> (String, String) {
    let text = |name: Option<&OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
    let paper = file.parent().and_then(Path::file_name);
    (text(paper), text(file.file_stem()))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read the folder {}", folder.display());
    let entries = fs::read_dir(folder).with_context(cannot)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>>>().with_context(cannot)?;
    paths.sort();
    Ok(paths)
}

/// Reads and checks a file.
pub(crate) fn read(file: &Path) -> Result<Item> {
    let place = || file.display().to_string();
    let text = fs::read_to_string(file).with_context(place)?;
    let mut item: Item = toml::from_str(&text).with_context(place)?;
    (item.paper, item.name) = names(file);
    check(&item).with_context(place)?;
    Ok(item)
}

fn check(item: &Item) -> Result<()> {
    ensure!(
        !item.metrics.is_empty(),
        "metrics: list at least one, such as [\"accuracy\"]"
    );
    ensure!(
        item.data.is_empty() == item.algorithm.is_empty(),
        "[[data]] and [[algorithm]] need each other: use both or neither"
    );
    ensure!(
        !item.data.is_empty() || !item.function.is_empty(),
        "nothing to run: add [[data]] and [[algorithm]], or a [[function]]"
    );
    check_panels(item)?;
    for scale in [Scale::Quick, Scale::Full] {
        check_tasks(item, scale).with_context(|| format!("[{scale}]"))?;
    }
    Ok(())
}

/// Checks names of panels and lines; those of functions are known only after a run.
fn check_panels(item: &Item) -> Result<()> {
    let panels: Vec<&str> = item.data.iter().map(|data| data.name.as_str()).collect();
    let lines = item
        .algorithm
        .iter()
        .map(|algorithm| algorithm.name.as_str());
    let lines: Vec<&str> = lines.collect();
    let with_functions = !item.function.is_empty();
    let known = |what: &str, name: &str, names: &[&str]| {
        if with_functions || names.contains(&name) {
            Ok(())
        } else {
            bail!("unknown {what} `{name}`; available: {}", names.join(", "))
        }
    };
    for algorithm in &item.algorithm {
        for panel in algorithm.on.iter().flatten() {
            known("[[data]]", panel, &panels)
                .with_context(|| format!("[[algorithm]] {}, on", algorithm.name))?;
        }
    }
    for (number, claim) in item.claim.iter().enumerate() {
        let place = || format!("[[claim]] number {}", number + 1);
        for panel in claim.on.iter().flatten() {
            known("[[data]]", panel, &panels).with_context(place)?;
        }
        for line in claim.rule.series() {
            known("[[algorithm]]", line, &lines).with_context(place)?;
        }
    }
    for (number, published) in item.published.iter().enumerate() {
        let place = || format!("[[published]] number {}", number + 1);
        if let Some(panel) = &published.on {
            known("[[data]]", panel, &panels).with_context(place)?;
        }
        for line in published.values.keys() {
            known("[[algorithm]]", line, &lines).with_context(place)?;
        }
    }
    Ok(())
}

fn check_tasks(item: &Item, scale: Scale) -> Result<()> {
    ensure!(item.size(scale).seeds > 0, "seeds must be at least 1");
    for task in Plan::everything(item, scale)? {
        match &task.work {
            Work::Learn(learn) => {
                let parsed = learn.algorithm.parse::<AnyAlgorithm>();
                parsed.with_context(|| format!("[[algorithm]] {}", task.series))?;
            }
            Work::Call(call) => functions::check(call)?,
        }
    }
    Ok(())
}
