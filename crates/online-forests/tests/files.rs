//! Snapshots on disk: there whole, or as they were before.

use std::fs;

use crate::common::{learned, prediction_bits};
use online_forests::snapshot::{self, SnapshotFileError};
use online_forests::{AnyClassifier, AnyRegressor, Regression};

fn mean() -> AnyRegressor {
    learned::<Regression>(&"mean".parse().unwrap(), 5)
}

#[test]
fn a_failing_save_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let occupied = folder.path().join("occupied");
    fs::create_dir(&occupied).unwrap();
    fs::write(occupied.join("old"), "old").unwrap();
    let failed = snapshot::save(&mean(), &occupied).unwrap_err();
    assert!(failed.to_string().contains("cannot write"), "{failed}");
    assert_eq!(fs::read_to_string(occupied.join("old")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_missing_folder_or_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere").join("learner");
    let saved = snapshot::save(&mean(), &nowhere).unwrap_err();
    assert!(saved.to_string().contains("nowhere"), "{saved}");
    let loaded = snapshot::load::<AnyRegressor>(&nowhere).unwrap_err();
    assert!(matches!(
        loaded,
        SnapshotFileError::Io { action: "read", .. }
    ));
}

#[test]
fn a_file_of_another_task_is_named_with_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mean.snapshot");
    snapshot::save(&mean(), &path).unwrap();
    let error = snapshot::load::<AnyClassifier>(&path).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("mean.snapshot"), "{error}");
    assert!(error.contains("holds mean for regression"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_learner_comes_back_from_a_file_with_the_permissions_of_any_new_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let plain = folder.path().join("b");
    snapshot::save(&mean(), &path).unwrap();
    let loaded: AnyRegressor = snapshot::load(&path).unwrap();
    assert_eq!(prediction_bits(&loaded), prediction_bits(&mean()));
    fs::write(&plain, "").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&plain));
}
