//! The unfinished file beside the one whose place it will take.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::files::destination::folder_of;

/// Ends the name of a file that is being written.
const UNFINISHED: &str = ".unfinished";

/// Returns the file that will take the place of that at `path`.
pub(super) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let file = builder()
        .prefix(&prefix(path))
        .suffix(UNFINISHED)
        .tempfile_in(folder_of(path))?;
    if path.is_file() {
        hand_down(path, file.as_file())?;
    }
    Ok(file)
}

/// Returns the start of the name of an unfinished file: `.NAME.`
pub(super) fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

pub(super) fn is_unfinished(name: &OsStr, prefix: &OsStr) -> bool {
    let (name, prefix) = (name.as_encoded_bytes(), prefix.as_encoded_bytes());
    let random = name
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_suffix(UNFINISHED.as_bytes()));
    random.is_some_and(|random| random.iter().all(u8::is_ascii_alphanumeric))
}

/// Returns the file gets the permissions of any new file, not those of a temporary one.
#[cfg(unix)]
fn builder<'a>() -> tempfile::Builder<'a, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.permissions(fs::Permissions::from_mode(0o666));
    builder
}

/// Gives the new file the owner, group and permissions of the old one. Only root may give files away, and some file systems know
/// no owners: what cannot be handed down is as for any new file.
#[cfg(unix)]
fn hand_down(old: &Path, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let old = fs::metadata(old)?;
    let group = Some(old.gid());
    let _ = fchown(new, Some(old.uid()), group).or_else(|_| fchown(new, None, group));
    let _ = new.set_permissions(old.permissions());
    Ok(())
}

#[cfg(not(unix))]
fn hand_down(old: &Path, new: &File) -> io::Result<()> {
    new.set_permissions(fs::metadata(old)?.permissions())
}

#[cfg(not(unix))]
fn builder<'a>() -> tempfile::Builder<'a, 'static> {
    tempfile::Builder::new()
}
