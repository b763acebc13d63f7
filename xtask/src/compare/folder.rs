//! The folder of `--out`.

use anyhow::{Result, anyhow};
use comparison::folder::{Earlier, Folder, FolderError};

use super::args::Args;

/// Opens the named folder, which must not contain runs unless it is resumed; else makes a dated one.
pub(super) fn choose(args: &Args) -> Result<Folder> {
    let earlier = if args.resume {
        Earlier::Resumed
    } else {
        Earlier::Refused
    };
    Folder::open(args.out.as_deref(), earlier).map_err(in_options)
}

/// Names the options that the error is about.
pub(super) fn in_options(error: FolderError) -> anyhow::Error {
    match error {
        FolderError::HasRuns { path, runs, free } => anyhow!(
            "{} has {runs} runs already; add --resume to run only what is missing, name another --out, or leave \
             --out away for a folder with the date (such as {})",
            path.display(),
            free.display()
        ),
        FolderError::Held { holder, path } => anyhow!(
            "{holder} writes a comparison to {}; wait until it has ended, or name another --out",
            path.display()
        ),
        other => other.into(),
    }
}
