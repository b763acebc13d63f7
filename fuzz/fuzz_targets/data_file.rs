//! A file of any kind is refused, or opens to a valid data set. The first byte chooses the kind.
#![no_main]

use std::fs;

use datasets::{OpenOptions, open};
use libfuzzer_sys::fuzz_target;

const ENDINGS: [&str; 6] = ["csv", "arff", "svm", "libsvm", "csv.gz", "data"];

fuzz_target!(|data: &[u8]| {
    let Some((kind, content)) = data.split_first() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder for the file");
    let ending = ENDINGS[usize::from(*kind) % ENDINGS.len()];
    let path = folder.path().join(format!("data.{ending}"));
    fs::write(&path, content).expect("the file can be written");
    let address = path.to_str().expect("the name is text");
    if let Ok(data) = open(address, &OpenOptions::default()) {
        assert!(data.rows() >= 2 && data.n_features() >= 1);
        assert_eq!(data.target.len(), data.rows());
        assert_eq!(data.feature_names.len(), data.n_features());
        assert!(data.features.iter().all(|value| value.is_finite()));
    }
});
