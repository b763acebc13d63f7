//! Tests every interleaving of a writer and readers: `cargo test -p forest-model --features loom --test loom`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::convert::Infallible;

use forest_model::shared::{Reader, Writer};
use loom::thread;

/// Changes its halves one after the other: a reader between the two would see them differ.
#[derive(Clone, Default)]
struct Halves {
    left: u32,
    right: u32,
}

fn read_twice(reader: &Reader<Halves>) {
    let mut seen = 0;
    for _ in 0..2 {
        let halves = reader.model();
        assert_eq!(halves.left, halves.right, "a reader sees whole changes");
        assert!(halves.left >= seen, "a reader never goes back");
        seen = halves.left;
    }
}

fn count(halves: &mut Halves) -> Result<(), Infallible> {
    halves.left += 1;
    thread::yield_now();
    halves.right += 1;
    Ok(())
}

/// Lets `change` write while two threads read.
fn while_two_read(change: impl FnOnce(&mut Writer<Halves>)) -> Halves {
    let mut writer = Writer::new(Halves::default());
    let reader = writer.reader().clone();
    let other = thread::spawn({
        let reader = reader.clone();
        move || read_twice(&reader)
    });
    change(&mut writer);
    read_twice(&reader);
    other.join().unwrap();
    reader.model().clone()
}

#[test]
fn readers_see_whole_changes_in_their_order() {
    loom::model(|| {
        let halves = while_two_read(|writer| {
            for _ in 0..2 {
                writer.update(count).unwrap();
            }
        });
        assert_eq!(halves.left, 2);
    });
}

#[test]
fn a_refused_change_is_undone() {
    loom::model(|| {
        let halves = while_two_read(|writer| {
            let refused = writer.update(|halves| {
                halves.left += 1;
                Err("refused")
            });
            assert_eq!(refused, Err("refused"));
            writer.update(count).unwrap();
        });
        assert_eq!((halves.left, halves.right), (1, 1));
    });
}
