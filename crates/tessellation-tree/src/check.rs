//! The invariants: what every tree must satisfy after every sample, and after being read from bytes.

mod cuts;
mod reached;

use forest_core::{ForestContext, InvariantError, SampleId, SampleStore, Task};

use crate::corners::Corners;
use crate::node::{Leaf, Subtree};
use crate::{CutDistribution, LabelContext, LabelModel, TessellationSettings, TessellationTree};
use cuts::Sides;
use reached::{LeafSpan, Reached, Span};

type Sound = Result<(), InvariantError>;

type SettingsOf<D, L> =
    TessellationSettings<<D as CutDistribution>::Settings, <L as LabelModel>::Settings>;

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Shape comes first, so that what follows may follow indices. Costs a side test for every sample and node above it.
    pub(crate) fn check_against(&self, context: &ForestContext<'_, Self>) -> Sound {
        let ForestContext {
            settings, samples, ..
        } = context;
        let labels = LabelContext {
            settings: &settings.labels,
            samples,
        };
        let reached = Reached::from_root(self)?;
        let shaped = self.labels.is_shaped(reached.leaves(), reached.nodes());
        InvariantError::unless(shaped, "labels", "they do not match leaves and nodes")?;
        let cuts = reached.nodes().map(|node| &self.nodes[node].cut);
        self.cuts.check(samples.width(), cuts)?;
        InvariantError::unless(self.budget >= 0.0, "budget", "it is below 0")?;
        self.check_bound(settings)?;
        if self.full {
            self.check_let_go(&reached)?;
            let mut places = self.walk().map(|node| node.subtree());
            places.try_for_each(|place| self.check_statistics(place, &context.outputs))?;
        } else {
            self.check_samples(&reached, samples)?;
            let mut leaves = reached.leaves.iter();
            leaves.try_for_each(|leaf| self.check_leaf(leaf, &reached.samples, labels))?;
            let (mut spans, mut sides) = (reached.spans.iter(), Sides::new(self, samples));
            spans.try_for_each(|span| {
                let parts = span.sides(&reached.samples);
                let divided = sides.divide(span, parts);
                let place = format_args!("{:?}", Subtree::Inner(span.node));
                InvariantError::unless(
                    divided,
                    place,
                    "a sample is not in the leaf it falls into",
                )?;
                self.check_cut(span, parts, context)
            })?;
        }
        self.check_times(settings)
    }

    /// Every sample held is in one leaf.
    fn check_samples(&self, reached: &Reached, samples: &SampleStore<L::Task>) -> Sound {
        let held = reached.samples.len() == samples.len();
        let stored = held && reached.samples.iter().all(|&id| samples.holds(id));
        InvariantError::unless(
            stored && reached.samples.len() == self.held,
            "leaves",
            "their samples are not those of the store",
        )
    }

    /// A tree has no more nodes than it may, and is full just if it has no room for more.
    fn check_bound(&self, settings: &SettingsOf<D, L>) -> Sound {
        let most = settings
            .max_nodes
            .map_or(usize::MAX, |most| most.get() as usize);
        let bounded = self.node_count() <= most;
        InvariantError::unless(bounded, "nodes", "they are more than max_nodes")?;
        let full = self.root.is_some() && !self.has_room(settings);
        InvariantError::unless(
            self.full == full,
            "nodes",
            "it is misstated whether there is room for more",
        )
    }

    /// A full tree names no sample.
    fn check_let_go(&self, reached: &Reached) -> Sound {
        let none = reached.samples.is_empty() && self.links.len() == 0 && self.held == 0;
        InvariantError::unless(none, "leaves", "a full tree holds a sample")
    }

    fn check_statistics(&self, at: Subtree, outputs: &<L::Task as Task>::Outputs) -> Sound {
        let some = match at {
            Subtree::Leaf(leaf) => self.leaves[leaf].points > 0,
            Subtree::Inner(_) | Subtree::Sample(_) => true,
        };
        let sound = some && self.labels.is_possible(at, outputs);
        let what = "its label statistics are none of any samples";
        InvariantError::unless(sound, format_args!("{at:?}"), what)
    }

    fn check_leaf(
        &self,
        span: &LeafSpan,
        samples: &[SampleId],
        context: LabelContext<'_, L>,
    ) -> Sound {
        let (id, store) = (span.leaf, context.samples);
        let place = format_args!("{:?}", Subtree::Leaf(id));
        let Leaf {
            points,
            center,
            radius,
            mixed,
            ..
        } = self.leaves[id];
        let listed = span.of(samples);
        let ids = || listed.iter().copied();
        let counted = listed.len() == points as usize && self.links.is_list(listed) && points > 1;
        InvariantError::unless(counted, place, "its samples are miscounted")?;
        let central = ids().any(|id| id == center);
        InvariantError::unless(central, place, "its center is none of its points")?;
        let center = store.features(center);
        let near = |id| within(store.features(id), center, radius);
        InvariantError::unless(ids().all(near), place, "a point is beyond its radius")?;
        let bounds =
            |corners| corners == Corners::around(ids().map(|id| store.features(id))).get(0);
        let boxed = self.scratch.boxes.get(id).is_none_or(bounds);
        InvariantError::unless(boxed, place, "its box is not that of its points")?;
        let target = store.target(listed[0]);
        let differ = ids().any(|id| store.target(id) != target);
        InvariantError::unless(
            differ == mixed,
            place,
            "it misstates whether targets differ",
        )?;
        let labels = self.labels.is_summary_of(id, ids(), context);
        InvariantError::unless(labels, place, "its label statistics are not its samples'")
    }

    /// Times grow downwards; what may not be cut is a leaf that is exposed to nothing.
    fn check_times(&self, settings: &SettingsOf<D, L>) -> Sound {
        for view in self.walk() {
            let subtree = view.subtree();
            let place = format_args!("{subtree:?}");
            let later = view.time() >= view.birth() && (view.time().is_finite() || view.is_leaf());
            InvariantError::unless(later, place, "its time is before its birth, or endless")?;
            if let Subtree::Leaf(leaf) = view.subtree() {
                let leaf = self.leaves[leaf];
                let unexposed =
                    settings.may_cut(leaf.points, leaf.mixed) || view.time() == view.birth();
                InvariantError::unless(unexposed, place, "it may not be cut, but is exposed")?;
            }
        }
        Ok(())
    }

    /// The samples of a node that is cut may be cut, and its statistics are theirs.
    fn check_cut(
        &self,
        span: &Span,
        [left, right]: [&[SampleId]; 2],
        context: &ForestContext<'_, Self>,
    ) -> Sound {
        let (settings, store) = (context.settings, context.samples);
        let place = format_args!("{:?}", Subtree::Inner(span.node));
        let ids = || left.iter().chain(right).copied();
        let labels = LabelContext {
            settings: &settings.labels,
            samples: store,
        };
        let summary = self.labels.is_summary_of_node(span.node, ids(), labels);
        InvariantError::unless(summary, place, "its label statistics are not its samples'")?;
        let (mut points, mut mixed, mut target) = (0, false, None);
        let may_cut = ids().any(|id| {
            let of_one = store.target(id);
            points += 1;
            mixed |= *target.get_or_insert(of_one) != of_one;
            settings.may_cut(points, mixed)
        });
        InvariantError::unless(may_cut, place, "it is cut, but may not be")
    }
}

fn within(x: &[f32], center: &[f32], radius: f32) -> bool {
    let far = |(a, b): (&f32, &f32)| f64::from(*a) - f64::from(*b);
    x.iter()
        .zip(center)
        .all(|pair| far(pair).abs() <= f64::from(radius))
}
