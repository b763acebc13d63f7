//! Shows the model on the board.

use forest_model::{Model, TableTask};
use online_forests::OnlineLearner as _;

use crate::board::Board;
use crate::figures::{Change, ModelFigures};

/// Shows the model on the board, of which `unsaved` rows are not saved.
pub(crate) fn show<T: TableTask>(board: &Board, model: &Model<T>, unsaved: u64) {
    let footprint = model.footprint();
    let figures = ModelFigures {
        samples_seen: model.samples_seen(),
        unsaved,
        nodes: footprint.nodes,
        stored_samples: footprint.stored_samples,
        bytes: footprint.bytes,
    };
    let names = model.pipeline().class_names().names();
    board.model(figures, names, changes(model));
}

/// Returns the changes that the members of a mixture have detected.
fn changes<T: TableTask>(model: &Model<T>) -> Vec<Change> {
    let mixture = model.pipeline().learner().as_mixture();
    let members = mixture.map(|mixture| mixture.members());
    let found = members.into_iter().flatten().filter_map(|member| {
        let row = member.changed?;
        let member = member.name;
        Some(Change { member, row })
    });
    found.collect()
}
