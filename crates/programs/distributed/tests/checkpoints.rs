//! What is committed, and what is left when a process is killed.

use std::fs;

use distributed::{Checkpoints, Committed};

fn rows(checkpoints: &Checkpoints) -> Vec<(u64, u64)> {
    let committed: Vec<Committed<u64>> = checkpoints.committed().unwrap();
    committed
        .into_iter()
        .map(|found| (found.rows, found.note))
        .collect()
}

#[test]
fn only_what_is_committed_counts_the_newest_first() {
    let folder = tempfile::tempdir().unwrap();
    let open = |shard, of| Checkpoints::open(folder.path().join("deep"), shard, of).unwrap();
    let first = open(0, 2);
    fs::write(first.path(300), "not committed").unwrap();
    assert_eq!(rows(&first), []);
    first.commit(100, 7u64).unwrap();
    first.commit(2000, 9u64).unwrap();
    open(0, 3).commit(500, 8u64).unwrap();
    assert_eq!(rows(&first), [(2000, 9), (100, 7)]);
    let all: Vec<Committed<u64>> = Checkpoints::all_committed(first.folder()).unwrap();
    let all: Vec<_> = all.iter().map(|found| (found.rows, found.shards)).collect();
    assert_eq!(all, [(2000, 2), (500, 3), (100, 2)]);
}

#[test]
fn a_marker_that_cannot_be_read_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::open(folder.path(), 0, 1).unwrap();
    for rows in [10, 20] {
        checkpoints.commit(rows, rows).unwrap();
    }
    let newest = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .max();
    let newest = newest.unwrap();
    let text = fs::read(&newest).unwrap();
    fs::write(&newest, &text[..text.len() / 2]).unwrap();
    assert_eq!(rows(&checkpoints), [(10, 10)]);
}

#[test]
fn old_snapshots_of_this_shard_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [0, 1].map(|shard| Checkpoints::open(folder.path(), shard, 2).unwrap());
    for rows in [10, 20, 30] {
        fs::write(first.path(rows), "").unwrap();
        fs::write(second.path(rows), "").unwrap();
        first.commit(rows, 0u64).unwrap();
    }
    let unfinished = format!(
        ".{}.a1b2.unfinished",
        second.path(40).file_name().unwrap().to_str().unwrap()
    );
    fs::write(folder.path().join(&unfinished), "").unwrap();
    first.remove_before(20).unwrap();
    assert_eq!(rows(&second), [(30, 0), (20, 0)]);
    assert!(!first.path(10).exists() && first.path(20).exists() && second.path(10).exists());
    assert!(folder.path().join(&unfinished).exists());
    second.remove_before(30).unwrap();
    assert!(!second.path(20).exists() && second.path(30).exists() && first.path(20).exists());
    assert!(!folder.path().join(&unfinished).exists());
}
