//! The work of a tessellation tree for a sample that is learned, and for one that is forgotten.
//!
//! `cargo run --release -p benches --example tessellation -- work` writes, for every distribution of
//! cuts, kind of stream, dimension and length, how many candidates and points an insert looks at, as
//! CSV; `-- real` the same for data sets in `FOREST_DATA`. `-- deletions` compares deleting with learning again, and `-- window` slides a window of 1,000
//! over ten million rows. All on one thread and one tree.

mod forgetting;
mod streams;
mod work;

use std::process::ExitCode;

use forest_core::{Forest, ForestSettings, Regression, Schema};
use label_models::LeafMeans;
use tessellation_tree::{CutDistribution, Pause, TessellationSettings, TessellationTree};

/// A forest of one tree that is cut until its points are separate.
pub type OneTree<D> = Forest<TessellationTree<D, LeafMeans>>;

/// Returns an empty tree for points of `d` numbers.
pub fn one_tree<D: CutDistribution>(d: usize, cuts: &D::Settings) -> OneTree<D> {
    paused_tree(d, cuts, Pause::Never)
}

/// Returns an empty tree with this rule for points whose targets agree.
pub fn paused_tree<D: CutDistribution>(d: usize, cuts: &D::Settings, pause: Pause) -> OneTree<D> {
    let settings = TessellationSettings {
        cuts: cuts.clone(),
        pause,
        ..TessellationSettings::default()
    };
    let schema = Schema::<Regression>::new(d).expect("points have features");
    Forest::new(
        schema,
        settings,
        ForestSettings::default().with_trees(1).with_seed(1),
    )
    .expect("the settings are sound")
}

fn main() -> ExitCode {
    let run: fn() = match std::env::args().nth(1).as_deref() {
        Some("work") => work::generated,
        Some("real") => work::real_sets,
        Some("deletions") => forgetting::deletions,
        Some("window") => forgetting::window,
        _ => {
            eprintln!("error: expected what to run: work, real, deletions or window");
            return ExitCode::FAILURE;
        }
    };
    benches::on_one_thread(run);
    ExitCode::SUCCESS
}
