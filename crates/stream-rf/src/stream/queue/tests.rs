//! The queue is a sorted list, and faults of queues.

use std::cmp::Reverse;

use forest_core::{Arena, TreeRng};

use super::{Entry, Queue};
use crate::faults::assert_all_are_reported;
use crate::nodes::LeafId;
use crate::stream::leaf::{Leaf, LeafState};

/// Returns a queue of leaves with these bounds.
fn queue(bounds: &[f64]) -> (Queue, Vec<Leaf>) {
    let mut queue = Queue(Arena::default());
    let mut leaves = vec![Leaf::root(); bounds.len()];
    for (leaf, &bound) in bounds.iter().enumerate() {
        let leaf = LeafId::new(leaf);
        queue.push(Entry { leaf, bound }, &mut leaves);
    }
    (queue, leaves)
}

/// Returns the leaves in the order of their bounds.
fn sorted(bounds: &[f64]) -> Vec<usize> {
    let mut leaves: Vec<usize> = (0..bounds.len()).collect();
    leaves.sort_by_key(|&leaf| Reverse(bounds[leaf] as u64));
    leaves
}

/// Removes all.
fn drained(mut queue: Queue, leaves: &mut [Leaf]) -> Vec<usize> {
    let mut order = Vec::new();
    while let Some(first) = queue.entries().first() {
        order.push(first.leaf.index());
        queue.remove_first(leaves);
        queue.check(leaves).unwrap();
    }
    order
}

#[test]
fn leaves_come_in_the_order_of_their_bounds() {
    let mut rng = TreeRng::new(5, 0);
    for count in 1..40 {
        let mut bounds: Vec<f64> = (0..count).map(|_| rng.below(30) as f64).collect();
        let (mut queue, mut leaves) = queue(&bounds);
        for _ in 0..30 {
            let first = queue.entries()[0].leaf.index();
            let bound = rng.below(1 + bounds[first] as usize) as f64;
            bounds[first] = bound;
            let is_first = queue.lower_first(bound, &mut leaves);
            assert_eq!(is_first, sorted(&bounds)[0] == first);
            let place = rng.below(count);
            let bound = rng.below(30) as f64;
            let raised = &mut bounds[queue.entries()[place].leaf.index()];
            *raised = raised.max(bound);
            queue.raise(place as u32, bound, &mut leaves);
            queue.check(&leaves).unwrap();
        }
        assert_eq!(drained(queue, &mut leaves), sorted(&bounds));
    }
}

/// Place 2 is not a child of place 1, though its leaf goes before those that are.
#[test]
fn the_first_child_is_one_of_two() {
    let (queue, _) = queue(&[5.0, 4.0, 4.0, 1.0, 2.0, 3.0]);
    let children: Vec<_> = (0..4).map(|place| queue.first_child(place)).collect();
    assert_eq!(children, [Some(1), Some(4), Some(5), None]);
}

#[test]
fn every_fault_of_a_queue_is_reported() {
    assert_all_are_reported(
        &queue(&[5.0, 4.0, 3.0]),
        |(queue, leaves)| queue.check(leaves),
        &[
            (
                "a leaf that says it is elsewhere",
                "queue: place 1 is",
                |(_, l)| {
                    l[1].state = LeafState::Waiting(0);
                },
            ),
            (
                "a leaf that does not exist",
                "queue: place 2 is",
                |(_, l)| {
                    l.truncate(2);
                },
            ),
            (
                "a larger bound behind a smaller",
                "queue: place 2 is",
                |(q, _)| {
                    q.0[2].bound = 6.0;
                },
            ),
        ],
    );
}
