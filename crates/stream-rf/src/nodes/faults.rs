//! Faults of trees of nodes.

use super::{LeafId, Node, Nodes};
use crate::faults::assert_all_are_reported;
use crate::features::Axes;

/// Returns a root whose left child is split, too.
fn sound() -> Nodes<Axes> {
    let mut nodes = Nodes::root();
    nodes.split(0, LeafId::FIRST, 0, 0.5);
    nodes.split(1, LeafId::FIRST, 1, 0.25);
    nodes
}

/// Replaces the root.
fn replace_root(nodes: &mut Nodes<Axes>, feature: u32, threshold: f32, left: u32) {
    nodes.0[0] = Node::Split {
        feature,
        threshold,
        left,
    };
}

#[test]
fn every_fault_of_nodes_is_reported() {
    const ROOT: &str = "node 0: an impossible split, or a leaf or child that another node has";
    assert_all_are_reported(
        &sound(),
        |nodes| nodes.check(&Axes, 2).map(|_| ()),
        &[
            ("an axis that points do not have", ROOT, |n| {
                replace_root(n, 2, 0.5, 1);
            }),
            ("a threshold that is not a number", ROOT, |n| {
                replace_root(n, 0, f32::NAN, 1);
            }),
            ("a node that is its own child", ROOT, |n| {
                replace_root(n, 0, 0.5, 0);
            }),
            ("a child beyond the last node", ROOT, |n| {
                replace_root(n, 0, 0.5, 4);
            }),
            (
                "a child of two splits",
                "node 1: an impossible split",
                |n| {
                    n.0[1] = n.0[0];
                },
            ),
            ("a leaf at two nodes", "node 3: an impossible split", |n| {
                n.0[3] = n.0[2];
            }),
            ("nodes that no split leads to", "node 1: no split", |n| {
                replace_root(n, 0, 0.5, 3);
            }),
        ],
    );
}
