//! Names that distinguish data sets.

use std::ffi::OsStr;

use crate::Dataset;

/// Names data sets by their addresses where several that were opened from different files have one name: `d1/train.csv` and
/// `d2/train.csv`. There are as many addresses as data sets, in the same order. The same address twice keeps its name twice.
pub fn disambiguate<A: AsRef<OsStr>>(data: &mut [Dataset], addresses: &[A]) {
    let names: Vec<String> = data.iter().map(|set| set.name.clone()).collect();
    let addresses: Vec<String> = addresses
        .iter()
        .map(|address| text(address.as_ref()))
        .collect();
    for (set, address) in data.iter_mut().zip(&addresses) {
        let is_other = |(name, other): (&String, &String)| *name == set.name && other != address;
        if names.iter().zip(&addresses).any(is_other) {
            set.name.clone_from(address);
        }
    }
}

fn text(address: &OsStr) -> String {
    let text = address.to_string_lossy();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}
