//! The ten named sets, opened and compared with what is published about them.
//!
//! Needs the real files: in the folder of the environment variable FOREST_DATA, else in `shared/data` beside the
//! repository. Where there are none, each test says that it was skipped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use sha2::{Digest, Sha256};

use datasets::manifest::{self, FileState};
use datasets::{Dataset, OpenOptions, TableOptions, Target, TaskKind, open};

/// Returns the data folder, or `None` after printing why a test is skipped.
fn data_dir() -> Option<PathBuf> {
    let folder = datasets::data_folder();
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no data folder; set FOREST_DATA to one to run this test");
    None
}

fn options(data_dir: &Path) -> OpenOptions {
    OpenOptions {
        data_dir: Some(data_dir.to_owned()),
        ..OpenOptions::default()
    }
}

/// Returns a set, which is read once for all tests.
fn opened(name: &str) -> Option<&'static Dataset> {
    type Opened = BTreeMap<&'static str, OnceLock<Option<Dataset>>>;
    static OPENED: LazyLock<Opened> = LazyLock::new(|| {
        let names = manifest::all().iter().map(|set| &*set.name);
        names.map(|name| (name, OnceLock::new())).collect()
    });
    OPENED[name].get_or_init(|| read(name)).as_ref()
}

fn read(name: &str) -> Option<Dataset> {
    let data_dir = data_dir()?;
    let set = manifest::find(name).expect("a name of the manifest");
    if !set.is_present(&data_dir) {
        println!("skipped: `{name}` is not in the data folder");
        return None;
    }
    Some(open(name, &options(&data_dir)).unwrap_or_else(|error| panic!("{error}")))
}

/// Rows per class, in name order, of a range of rows.
fn counts(data: &Dataset, rows: std::ops::Range<usize>) -> Vec<usize> {
    let Target::Classes { labels, names } = &data.target else {
        panic!("classification")
    };
    let mut counts = vec![0; names.len()];
    labels[rows]
        .iter()
        .for_each(|label| counts[*label as usize] += 1);
    counts
}

fn values(data: &Dataset) -> &[f64] {
    let Target::Values { values, .. } = &data.target else {
        panic!("regression")
    };
    values
}

#[test]
fn every_set_is_what_the_manifest_says() {
    for set in manifest::all() {
        let Some(data) = opened(&set.name) else {
            continue;
        };
        assert_eq!(data.rows(), set.rows, "{}", set.name);
        assert_eq!(data.n_features(), set.n_features, "{}", set.name);
        assert_eq!(data.n_classes(), set.n_classes, "{}", set.name);
        assert_eq!(data.split, set.train, "{}", set.name);
        assert_eq!(data.task(), set.task, "{}", set.name);
        assert_eq!(data.feature_names.len(), data.n_features(), "{}", set.name);
        assert_eq!(data.target.len(), data.rows(), "{}", set.name);
    }
}

/// SHA-256 of everything a learner sees: shape, features, names, target and split.
fn digest(data: &Dataset) -> String {
    let mut hash = Sha256::new();
    let Dataset {
        features,
        split,
        feature_names,
        ..
    } = data;
    hash.update(format!("{:?}{split:?}{feature_names:?}", features.dim()));
    features.iter().for_each(|x| hash.update(x.to_le_bytes()));
    match &data.target {
        Target::Classes { labels, names } => {
            labels
                .iter()
                .for_each(|label| hash.update(label.to_le_bytes()));
            hash.update(format!("{names:?}"));
        }
        Target::Values { values, .. } => {
            values
                .iter()
                .for_each(|value| hash.update(value.to_le_bytes()));
        }
    }
    let bytes = &hash.finalize()[..8];
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Pinned when the readers were of this crate alone; reading has not changed a bit since.
const DIGESTS: [(&str, &str); 10] = [
    ("letter", "e72d603c6d2e6921"),
    ("satimage", "1f53a83078ebcc20"),
    ("dna", "eb55004327f0d6e6"),
    ("usps", "b013e0e832d84a16"),
    ("pendigits", "225f3d16c402542f"),
    ("mnist", "b627404286027005"),
    ("elec2", "ded1e167f90946dd"),
    ("california_housing", "2ca007811ff85318"),
    ("king_county_housing", "6110d5de3c76a0a9"),
    ("airline", "a71eff4b43a1132a"),
];

#[test]
fn every_set_is_read_to_the_same_bits() {
    for (name, expected) in DIGESTS {
        if let Some(data) = opened(name) {
            assert_eq!(digest(data), expected, "{name}");
        }
    }
}

#[test]
fn every_present_file_has_a_known_checksum() {
    let Some(data_dir) = data_dir() else { return };
    for set in manifest::all() {
        for (file, state) in manifest::verify(set, &data_dir).unwrap() {
            assert!(
                !matches!(state, FileState::Different(_)),
                "{}: {}",
                set.name,
                file.name
            );
        }
    }
}

#[test]
fn classes_have_their_published_counts() {
    // Of all rows, and of the rows behind the split.
    for case in [
        "letter|789 766 736 805 768 775 773 734 755 747 739 761 792 783 753 803 783 758 748 796 813 764 752 787 786 734|",
        "satimage|1533 703 1358 626 707 1508|461 224 397 211 237 470",
        "dna|767 765 1654|303 280 603",
        "usps|1553 1269 929 824 852 716 834 792 708 821|359 264 198 166 200 160 170 147 166 177",
        "pendigits|1143 1143 1144 1055 1144 1055 1056 1142 1055 1055|363 364 364 336 364 335 336 364 336 336",
        "mnist|6903 7877 6990 7141 6824 6313 6876 7293 6825 6958|980 1135 1032 1010 982 892 958 1028 974 1009",
    ] {
        let mut parts = case.split('|');
        let Some(data) = opened(parts.next().unwrap()) else {
            continue;
        };
        for (from, expected) in [0, data.split.unwrap()].into_iter().zip(parts) {
            let found = counts(data, from..data.rows());
            let found: Vec<String> = found.iter().map(usize::to_string).collect();
            assert!(expected.is_empty() || found.join(" ") == expected, "{case}");
        }
    }
}

#[test]
fn streams_are_in_time_order() {
    if let Some(data) = opened("elec2") {
        assert_eq!(counts(data, 0..45312), [26075, 19237]);
        // Half hours of a day, 0..1 in 48 steps without a break.
        for (row, x) in data.features.column(0).iter().enumerate() {
            assert_eq!((x * 47.0).round() as usize, row % 48, "row {row}");
        }
        assert_eq!(data.feature_names[0], "period");
    }
    if let Some(data) = opened("airline") {
        assert!(data.feature_names[7] == "month" && data.features.column(7).to_vec().is_sorted());
    }
}

/// The least, the largest and the mean target, as published; of king_county_housing it is the logarithm.
#[test]
fn numbers_are_those_that_were_published() {
    for (name, low, high, mean) in [
        ("california_housing", 14_999.0, 500_001.0, 206_855.8),
        ("king_county_housing", 75_000.0, 7_700_000.0, 540_088.1),
        ("airline", -67.0, 1539.0, 2.094),
    ] {
        let Some(data) = opened(name) else { continue };
        let mut values = values(data).to_vec();
        if name == "king_county_housing" {
            values.iter_mut().for_each(|value| *value = value.exp());
        }
        let found = values.iter().sum::<f64>() / values.len() as f64;
        assert!((found - mean).abs() < 0.05, "{name}: {found}");
        values.sort_by(f64::total_cmp);
        let is_low = (values[0] - low).abs() < 1e-6;
        let is_high = (values[values.len() - 1] - high).abs() < 1e-6;
        assert!(is_low && is_high, "{name}");
    }
}

/// The two sets are of one file: the same rows, and latitude and longitude among other features.
#[test]
fn king_county_sales_have_the_places_and_prices_of_king_county_housing() {
    if let (Some(few), Some(all)) = (opened("king_county_housing"), opened("king_county_sales")) {
        assert!(few.target == all.target && all.n_features() == 18);
        assert_eq!(all.features.slice(ndarray::s![.., 14..16]), few.features);
    }
}

#[test]
fn another_target_and_task_can_be_chosen() {
    let Some(data_dir) = data_dir() else { return };
    let letter = OpenOptions {
        task: Some(TaskKind::Regression),
        ..options(&data_dir)
    };
    let error = open("letter", &letter).unwrap_err().to_string();
    assert!(
        error.contains("the target `column_1` is text (`T`)"),
        "{error}"
    );

    let income = OpenOptions {
        target: Some("medianIncome".to_owned()),
        ..options(&data_dir)
    };
    let data = open("california_housing", &income).unwrap();
    assert!(data.feature_names.contains(&"medianHouseValue".to_owned()));
}

#[test]
fn what_is_said_about_another_file_does_not_change_a_set() {
    let Some(data_dir) = data_dir() else { return };
    let table = TableOptions {
        header: Some(tables::HeaderLine::Yes),
        decimal: Some(tables::Decimal::Comma),
        delimiter: "blanks".parse().ok(),
        ..TableOptions::default()
    };
    let of_another = OpenOptions {
        table,
        ..options(&data_dir)
    };
    let letter = open("letter", &of_another).unwrap();
    assert_eq!(digest(&letter), DIGESTS[0].1);
}
