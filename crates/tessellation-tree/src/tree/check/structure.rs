//! What holds whatever the labels are.

use forest_core::{InvariantError, SampleId};

use super::{LeafSpan, Reached, Sides, Sound, Span};
use crate::CutDistribution;
use crate::change::work::Samples;
use crate::settings::Rules;
use crate::structure::Structure;
use crate::structure::corners::Corners;
use crate::structure::node::{Leaf, Subtree};

impl<D: CutDistribution> Structure<D> {
    /// Cuts, budget and number of nodes.
    pub(super) fn check_state(&self, reached: &Reached, features: usize, rules: &Rules) -> Sound {
        let cuts = reached.nodes().map(|node| &self.nodes[node].cut);
        self.cuts.check(features, cuts)?;
        InvariantError::require(self.budget >= 0.0, "budget", "it is below 0")?;
        self.check_bound(rules)
    }

    /// Checks that the tree has at most as many nodes as it may, and is full just if it has no room for more.
    fn check_bound(&self, rules: &Rules) -> Sound {
        let most = rules
            .max_nodes
            .map_or(usize::MAX, |most| most.get() as usize);
        let bounded = self.node_count() <= most;
        InvariantError::require(bounded, "nodes", "they are more than max_nodes")?;
        let full = self.root.is_some() && !self.has_room(rules);
        InvariantError::require(
            self.full == full,
            "nodes",
            "it is wrongly marked as full or as not full",
        )
    }

    /// Checks that every sample held is in one leaf; `stored` says whether those in leaves are those of the store.
    pub(super) fn check_samples(&self, reached: &Reached, stored: bool) -> Sound {
        InvariantError::require(
            stored && reached.samples.len() == self.held,
            "leaves",
            "their samples are not those of the store",
        )
    }

    /// Checks that a full tree does not name samples.
    pub(super) fn check_dropped(&self, reached: &Reached) -> Sound {
        let none = reached.samples.is_empty() && self.links.slots() == 0 && self.held == 0;
        InvariantError::require(none, "leaves", "a full tree holds a sample")
    }

    /// Returns whether a node or leaf of a full tree has points.
    pub(super) fn has_points(&self, place: Subtree) -> bool {
        match place {
            Subtree::Leaf(leaf) => self.leaves[leaf].points > 0,
            Subtree::Inner(_) | Subtree::Sample(_) => true,
        }
    }

    pub(super) fn check_leaf(
        &self,
        span: &LeafSpan,
        all: &[SampleId],
        samples: Samples<'_>,
    ) -> Sound {
        let id = span.leaf;
        let place = format_args!("{:?}", Subtree::Leaf(id));
        let Leaf {
            points,
            center,
            radius,
            mixed,
            ..
        } = self.leaves[id];
        let listed = span.of(all);
        let ids = || listed.iter().copied();
        let counted = listed.len() == points as usize && self.links.is_list(listed) && points > 1;
        InvariantError::require(counted, place, "its samples are miscounted")?;
        let central = ids().any(|id| id == center);
        InvariantError::require(central, place, "its center is not one of its points")?;
        let center = samples.features(center);
        let near = |id| within(samples.features(id), center, radius);
        InvariantError::require(ids().all(near), place, "a point is beyond its radius")?;
        let bounds =
            |corners| corners == Corners::around(ids().map(|id| samples.features(id))).get(0);
        let boxed = self.cache.boxes.get(id).is_none_or(bounds);
        InvariantError::require(boxed, place, "its box is not that of its points")?;
        InvariantError::require(
            samples.differ(listed) == mixed,
            place,
            "it misstates whether targets differ",
        )
    }

    /// Returns the samples of a node lie on their sides of its cut.
    pub(super) fn check_sides(
        &self,
        span: &Span,
        parts: [&[SampleId]; 2],
        sides: &mut Sides<'_, D>,
    ) -> Sound {
        let place = format_args!("{:?}", Subtree::Inner(span.node));
        InvariantError::require(
            sides.divide(span, parts),
            place,
            "a sample is not in the leaf it falls into",
        )
    }

    /// Returns the samples of a node that is cut may be cut.
    pub(super) fn check_cut(
        &self,
        span: &Span,
        [left, right]: [&[SampleId]; 2],
        samples: Samples<'_>,
        rules: &Rules,
    ) -> Sound {
        let (mut points, mut mixed, mut first) = (0, false, None);
        let may_cut = left.iter().chain(right).any(|&id| {
            points += 1;
            mixed = mixed || samples.differ(&[*first.get_or_insert(id), id]);
            rules.may_cut(points, mixed)
        });
        let place = format_args!("{:?}", Subtree::Inner(span.node));
        InvariantError::require(may_cut, place, "it is cut, but may not be")
    }

    /// Times grow downwards; what may not be cut is a leaf that is exposed to nothing.
    pub(super) fn check_times(&self, rules: &Rules) -> Sound {
        for view in self.walk() {
            let subtree = view.subtree();
            let place = format_args!("{subtree:?}");
            let later = view.time() >= view.birth() && (view.time().is_finite() || view.is_leaf());
            InvariantError::require(later, place, "its time is before its birth or infinite")?;
            if let Subtree::Leaf(leaf) = view.subtree() {
                let leaf = self.leaves[leaf];
                let unexposed =
                    rules.may_cut(leaf.points, leaf.mixed) || view.time() == view.birth();
                InvariantError::require(unexposed, place, "it may not be cut, but is exposed")?;
            }
        }
        Ok(())
    }
}

fn within(x: &[f32], center: &[f32], radius: f32) -> bool {
    let far = |(a, b): (&f32, &f32)| f64::from(*a) - f64::from(*b);
    x.iter()
        .zip(center)
        .all(|pair| far(pair).abs() <= f64::from(radius))
}
