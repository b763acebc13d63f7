//! Data sets of OpenML by number: `openml:61`, or `openml:61@1` to state its version.
//!
//! A set lies in `<data folder>/openml/<number>/`: its description as OpenML's server has it, and the ARFF file that
//! the description names, with the checksum of the description. What is not there is downloaded (feature `fetch`), from
//! the server that the variable `OPENML_SERVER` names, if it is set.

use std::fmt::Display;
use std::path::Path;

use serde_json::Value;

use crate::error::{Result, refuse};
use crate::readers::find_digest;
use crate::{DataError, Digest, Warning};

const DESCRIPTION: &str = "description.json";
const FILE: &str = "dataset.arff";

/// A data set in the data folder.
pub(crate) struct Located {
    pub path: std::path::PathBuf,
    pub target: String,
    /// Columns that identify rows or are to be ignored.
    pub unused: Vec<String>,
    /// A warning if OpenML has withdrawn the set.
    pub warning: Option<Warning>,
}

/// Returns names of columns: one text, separated by commas, or a list.
fn names(value: &Value) -> Vec<String> {
    match value {
        Value::String(names) => {
            let names = names.split(',').map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        }
        Value::Array(list) => {
            let names = list.iter().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// Finds the file of the data set of an address, which is downloaded if it is not there; `None` if the address is of
/// another kind.
pub(crate) fn locate(
    address: &str,
    data_dir: &Path,
    target: Option<&str>,
) -> Result<Option<Located>> {
    let Some(number) = address.strip_prefix("openml:") else {
        return Ok(None);
    };
    let (id, version) = match number.split_once('@') {
        None => (number, None),
        Some((id, version)) => (id, Some(version)),
    };
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    if !is_number(id) || !version.is_none_or(is_number) {
        refuse!("`{address}` has no number; write openml:ID or openml:ID@VERSION");
    }
    let folder = data_dir.join("openml").join(id);
    let path = folder.join(DESCRIPTION);
    if !path.exists() {
        let server = std::env::var("OPENML_SERVER");
        let server = server.unwrap_or_else(|_| "https://www.openml.org".to_owned());
        let url = format!("{}/api/v1/json/data/{id}", server.trim_end_matches('/'));
        fetch(address, &folder, DESCRIPTION, &url, &[])?;
    }
    let wrong = |cause: &dyn Display| {
        DataError(format!(
            "`{}` is not a description of OpenML ({cause}); move it away to fetch it again",
            path.display()
        ))
    };
    let text = std::fs::read(&path).map_err(|error| wrong(&error))?;
    let response: Value = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
    let description = &response["data_set_description"];
    let text = |key: &str| description[key].as_str();
    let url = text("url").ok_or_else(|| wrong(&"it has no url"))?;
    // A number, perhaps written as text.
    let found = match &description["version"] {
        Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    if version.is_some_and(|asked| asked != found) {
        refuse!("`{address}`: data set {id} is version {found}; other versions have other numbers");
    }
    let target = match (target, &names(&description["default_target_attribute"])[..]) {
        (Some(target), _) => target.to_owned(),
        (None, [one]) => one.clone(),
        (None, []) => {
            refuse!("`{address}` has no target by default; choose one column with --target")
        }
        (None, several) => refuse!(
            "`{address}` has the targets {} by default; choose one column with --target",
            several.join(", ")
        ),
    };
    let digest = |md5: &str| format!("md5:{}", md5.to_lowercase()).try_into();
    let digest = text("md5_checksum").and_then(|md5| digest(md5).ok());
    let digest: Digest = digest.ok_or_else(|| wrong(&"it has no MD5 checksum of the file"))?;
    let path = folder.join(FILE);
    if !path.exists() {
        fetch(address, &folder, FILE, url, &[&digest])?;
    } else if find_digest(&path, &[&digest])?.is_none() {
        refuse!(
            "`{}` does not have the checksum of its description; move it away to fetch it again",
            path.display()
        );
    }
    let mut unused = names(&description["row_id_attribute"]);
    unused.extend(names(&description["ignore_attribute"]));
    unused.retain(|name| *name != target);
    let withdrawn = text("status").filter(|status| *status != "active");
    let warning = withdrawn.map(|status| {
        Warning::new(format!(
            "`{address}` is {status} on OpenML; its page says why, and newer versions have numbers of their own"
        ))
    });
    Ok(Some(Located {
        path,
        target,
        unused,
        warning,
    }))
}

/// Downloads a file into the folder.
fn fetch(address: &str, folder: &Path, name: &str, url: &str, accepted: &[&Digest]) -> Result {
    let by_hand = format!(
        "put OpenML's description ({DESCRIPTION}) and the ARFF file ({FILE}) into `{}`",
        folder.display()
    );
    #[cfg(feature = "fetch")]
    return crate::fetch::download(url, &folder.join(name), accepted).map_err(|error| {
        DataError(format!(
            "`{address}` could not be fetched: {error}; check the number and the connection and \
             run the command again, or {by_hand}"
        ))
    });
    #[cfg(not(feature = "fetch"))]
    refuse!(
        "`{address}` needs `{name}` of {url}{}, and this program is built without downloads; build it with the \
         feature `fetch`, or {by_hand}",
        if accepted.is_empty() {
            ""
        } else {
            ", with the checksum of its description"
        }
    );
}
