//! The invariants: what every tree must satisfy after every sample, and after being read from bytes.

use forest_core::{ForestContext, InvariantError, SampleId, SampleStore, Task};

use crate::corners::Corners;
use crate::node::{Child, Leaf, LeafId, Subtree};
use crate::{
    CutDistribution, LabelContext, LabelModel, NodeId, NodeView, TessellationSettings,
    TessellationTree,
};

type Sound = Result<(), InvariantError>;

type SettingsOf<D, L> =
    TessellationSettings<<D as CutDistribution>::Settings, <L as LabelModel>::Settings>;

/// What is reached from the root.
#[derive(Default)]
struct Reached {
    nodes: Vec<NodeId>,
    leaves: Vec<LeafId>,
    /// Samples, each with the leaf it is in.
    samples: Vec<(SampleId, Subtree)>,
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Shape comes first, so that what follows may follow indices. Costs a walk down for every sample.
    pub(crate) fn check_against(&self, context: &ForestContext<'_, Self>) -> Sound {
        let ForestContext {
            settings, samples, ..
        } = context;
        let labels = LabelContext {
            settings: &settings.labels,
            samples,
        };
        let reached = self.reach()?;
        self.nodes.check("nodes", reached.nodes.iter().copied())?;
        self.leaves
            .check("leaves", reached.leaves.iter().copied())?;
        let (leaves, nodes) = (reached.leaves.iter(), reached.nodes.iter());
        let shaped = self.labels.is_shaped(leaves.copied(), nodes.copied());
        InvariantError::unless(shaped, "labels", "they do not match leaves and nodes")?;
        let cuts = reached.nodes.iter().map(|&node| &self.nodes[node].cut);
        self.cuts.check(samples.width(), cuts)?;
        InvariantError::unless(self.budget >= 0.0, "budget", "it is below 0")?;
        self.check_bound(settings)?;
        let mut leaves = reached.leaves.iter().copied();
        if self.full {
            self.check_let_go(&reached)?;
            let mut places = self.walk().map(|node| node.subtree());
            places.try_for_each(|place| self.check_statistics(place, &context.outputs))?;
        } else {
            self.check_samples(&reached, samples)?;
            leaves.try_for_each(|leaf| self.check_leaf(leaf, labels))?;
        }
        self.walk()
            .try_for_each(|node| self.check_node(node, samples, settings))
    }

    /// Each node is reached exactly once from the root: the tree has no circles, and ends.
    fn reach(&self) -> Result<Reached, InvariantError> {
        let mut reached = Reached::default();
        let mut waiting: Vec<Child> = self.root.into_iter().collect();
        while let Some(child) = waiting.pop() {
            let place = format_args!("{:?}", child.get());
            let known = match child.get() {
                Subtree::Inner(id) => {
                    reached.nodes.push(id);
                    let node = self.nodes.get(id);
                    waiting.extend(node.into_iter().flat_map(|node| node.children));
                    node.is_some()
                }
                Subtree::Leaf(id) => {
                    reached.leaves.push(id);
                    let leaf = self.leaves.get(id);
                    let samples = leaf.map(|leaf| self.links.list(leaf.first));
                    let samples = samples.into_iter().flatten();
                    reached
                        .samples
                        .extend(samples.map(|sample| (sample, child.get())));
                    leaf.is_some()
                }
                Subtree::Sample(id) => {
                    reached.samples.push((id, child.get()));
                    // Alone: with anything that is linked to it, there are too many samples.
                    let others = self.links.list(id).skip(1);
                    reached
                        .samples
                        .extend(others.map(|other| (other, child.get())));
                    true
                }
            };
            InvariantError::unless(known, place, "is out of range")?;
            let over = reached.nodes.len() > self.nodes.places()
                || reached.samples.len() > self.links.len().max(1);
            InvariantError::unless(!over, place, "is reached more than once")?;
        }
        Ok(reached)
    }

    /// Every sample held is in one leaf, the one that it falls into.
    fn check_samples(&self, reached: &Reached, samples: &SampleStore<L::Task>) -> Sound {
        let mut places = reached.samples.clone();
        places.sort_unstable_by_key(|(id, _)| *id);
        let place = "leaves";
        let stored = places.iter().map(|(id, _)| *id).eq(samples.ids());
        let counted = places.len() == self.held;
        InvariantError::unless(
            stored && counted,
            place,
            "their samples are not those of the store",
        )?;
        for (id, leaf) in places {
            let here = self.leaf_at(samples.features(id)) == Some(leaf);
            let place = format_args!("sample {}", id.index());
            InvariantError::unless(here, place, "it is not in the leaf it falls into")?;
        }
        Ok(())
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

    fn check_leaf(&self, id: LeafId, context: LabelContext<'_, L>) -> Sound {
        let samples = context.samples;
        let place = format_args!("{:?}", Subtree::Leaf(id));
        let Leaf {
            first,
            points,
            center,
            radius,
            mixed,
            ..
        } = self.leaves[id];
        let ids = || self.links.list(first);
        let listed = ids().count() == points as usize && self.links.is_list(first) && points > 1;
        InvariantError::unless(listed, place, "its samples are miscounted")?;
        let central = ids().any(|id| id == center);
        InvariantError::unless(central, place, "its center is none of its points")?;
        let center = samples.features(center);
        let near = |id| within(samples.features(id), center, radius);
        InvariantError::unless(ids().all(near), place, "a point is beyond its radius")?;
        let bounds =
            |corners| corners == Corners::around(ids().map(|id| samples.features(id))).get(0);
        let boxed = self.scratch.boxes.get(id).is_none_or(bounds);
        InvariantError::unless(boxed, place, "its box is not that of its points")?;
        let target = samples.target(first);
        let differ = ids().any(|id| samples.target(id) != target);
        InvariantError::unless(
            differ == mixed,
            place,
            "it misstates whether targets differ",
        )?;
        let labels = self.labels.is_summary_of(id, ids(), context);
        InvariantError::unless(labels, place, "its label statistics are not its samples'")
    }

    /// Times grow downwards; what may not be cut is a leaf that is exposed to nothing.
    fn check_node(
        &self,
        view: NodeView<'_, D>,
        samples: &SampleStore<L::Task>,
        settings: &SettingsOf<D, L>,
    ) -> Sound {
        let place = format_args!("{:?}", view.subtree());
        let time = view.time();
        let later = time >= view.birth() && (time.is_finite() || view.is_leaf());
        InvariantError::unless(later, place, "its time is before its birth, or endless")?;
        if let Subtree::Leaf(leaf) = view.subtree() {
            let leaf = self.leaves[leaf];
            let may_cut = settings.may_cut(leaf.points, leaf.mixed);
            let unexposed = may_cut || time == view.birth();
            return InvariantError::unless(unexposed, place, "it may not be cut, but is exposed");
        }
        if self.full {
            return Ok(());
        }
        if let Subtree::Inner(node) = view.subtree() {
            let context = LabelContext {
                settings: &settings.labels,
                samples,
            };
            let labels = self
                .labels
                .is_summary_of_node(node, view.samples(), context);
            InvariantError::unless(labels, place, "its label statistics are not its samples'")?;
        }
        let (mut points, mut mixed, mut target) = (0, false, None);
        let may_cut = view.samples().any(|id| {
            let of_one = samples.target(id);
            points += 1;
            mixed |= *target.get_or_insert(of_one) != of_one;
            settings.may_cut(points, mixed)
        });
        InvariantError::unless(
            may_cut || view.is_leaf(),
            place,
            "it is cut, but may not be",
        )
    }
}

fn within(x: &[f32], center: &[f32], radius: f32) -> bool {
    let far = |(a, b): (&f32, &f32)| f64::from(*a) - f64::from(*b);
    x.iter()
        .zip(center)
        .all(|pair| far(pair).abs() <= f64::from(radius))
}
