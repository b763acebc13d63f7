//! The invariants: what every tree must satisfy after every sample, and after being read from bytes.

mod cuts;
mod reached;
mod structure;

use forest_core::{ForestContext, InvariantError, SampleId, Task};

use crate::change::work::Samples;
use crate::structure::node::Subtree;
use crate::{CutDistribution, LabelContext, LabelModel, TessellationTree};
use cuts::Sides;
use reached::{LeafSpan, Reached, Span};

type Sound = Result<(), InvariantError>;

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Shape comes first, so that what follows may follow indices. Costs a side test for every sample and node above it.
    pub(crate) fn check_against(&self, context: &ForestContext<'_, Self>) -> Sound {
        let Self {
            structure, labels, ..
        } = self;
        let (samples, rules) = (Samples::of(context.samples), context.settings.rules());
        let reached = Reached::from_root(structure)?;
        let shaped = labels.is_shaped(reached.leaves(), reached.nodes());
        InvariantError::require(shaped, "labels", "they do not match leaves and nodes")?;
        structure.check_state(&reached, samples.width(), &rules)?;
        if structure.full {
            structure.check_dropped(&reached)?;
            let mut places = self.walk().map(|node| node.subtree());
            places.try_for_each(|place| self.check_statistics(place, &context.outputs))?;
        } else {
            let stored = |&id: &SampleId| context.samples.holds(id);
            let held = reached.samples.len() == context.samples.len();
            structure.check_samples(&reached, held && reached.samples.iter().all(stored))?;
            let labels = self.context_of(context);
            let mut leaves = reached.leaves.iter();
            leaves.try_for_each(|leaf| {
                structure.check_leaf(leaf, &reached.samples, samples)?;
                self.check_labels_of_leaf(leaf, &reached.samples, labels)
            })?;
            let (mut spans, mut sides) = (
                reached.spans.iter(),
                Sides::new(structure, samples.points()),
            );
            spans.try_for_each(|span| {
                let parts = span.sides(&reached.samples);
                structure.check_sides(span, parts, &mut sides)?;
                self.check_labels_of_node(span, parts, labels)?;
                structure.check_cut(span, parts, samples, &rules)
            })?;
        }
        structure.check_times(&rules)
    }

    fn context_of<'a>(&self, context: &ForestContext<'a, Self>) -> LabelContext<'a, L> {
        LabelContext {
            settings: &context.settings.labels,
            samples: context.samples,
        }
    }

    fn check_statistics(&self, at: Subtree, outputs: &<L::Task as Task>::Outputs) -> Sound {
        let sound = self.structure.has_points(at) && self.labels.is_possible(at, outputs);
        let what = "its label statistics could not come from any samples";
        InvariantError::require(sound, format_args!("{at:?}"), what)
    }

    fn check_labels_of_leaf(
        &self,
        span: &LeafSpan,
        samples: &[SampleId],
        context: LabelContext<'_, L>,
    ) -> Sound {
        let ids = span.of(samples).iter().copied();
        let summary = self.labels.is_summary_of(span.leaf, ids, context);
        let place = format_args!("{:?}", Subtree::Leaf(span.leaf));
        InvariantError::require(
            summary,
            place,
            "its label statistics do not match its samples",
        )
    }

    fn check_labels_of_node(
        &self,
        span: &Span,
        [left, right]: [&[SampleId]; 2],
        context: LabelContext<'_, L>,
    ) -> Sound {
        let ids = left.iter().chain(right).copied();
        let summary = self.labels.is_summary_of_node(span.node, ids, context);
        let place = format_args!("{:?}", Subtree::Inner(span.node));
        InvariantError::require(
            summary,
            place,
            "its label statistics do not match its samples",
        )
    }
}
