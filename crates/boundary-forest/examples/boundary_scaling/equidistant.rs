//! Figure 3a: the artificial tree of a space in which all points are equally far apart.
//!
//! It is the boundary tree itself, by a metric for which any two points are at distance 1: every
//! step is a tie, broken at random.

use boundary_forest::{ChildLimit, Metric, PointSchema, Retriever, RetrieverSettings};
use forest_core::ForestSettings;
use ndarray::Array2;

use crate::Line;
use crate::fit::milestones;

#[derive(Clone, Copy, Debug, Default)]
struct Equidistant;

impl Metric for Equidistant {
    fn proxy(_: &[f32], _: &[f32]) -> f64 {
        1.0
    }

    fn distance(proxy: f64) -> f64 {
        proxy
    }
}

/// Trees averaged over.
const TREES: usize = 10;

/// Queries averaged over at each milestone, in each tree.
const QUERIES: usize = 100;

pub fn lines(limit: usize) -> Vec<Line> {
    let limits = [
        ChildLimit::AtMost(10),
        ChildLimit::AtMost(50),
        ChildLimit::Unlimited,
    ];
    let mut lines: Vec<_> = limits.into_iter().map(|k| measured(k, limit)).collect();
    let ideal = |&(n, _): &(f64, f64)| (n, 1.02 * (2.0 * n).sqrt());
    let points = lines[2].points.iter().map(ideal).collect();
    lines.push(Line {
        figure: "3a",
        name: "1.02·√(2N)".into(),
        points,
    });
    lines
}

fn measured(k: ChildLimit, limit: usize) -> Line {
    let schema = PointSchema::new(1).expect("one feature");
    let settings = RetrieverSettings {
        max_children: k,
        ..RetrieverSettings::default()
    };
    let forest = Retriever::<Equidistant>::new(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed: 1,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("settings are valid");
    let (mut points, mut learned) = (Vec::new(), 0);
    for n in milestones(100, limit) {
        let more = Array2::zeros((n - learned, 1));
        forest.learn(more.view()).expect("points are acceptable");
        learned = n;
        points.push((n as f64, comparisons(&mut forest)));
    }
    println!("3a {k:?} done");
    Line {
        figure: "3a",
        name: crate::retrieval::name(k),
        points,
    }
}

/// Mean comparisons per query; each is learned afterwards, since only learning draws anew.
fn comparisons(forest: &mut Retriever<Equidistant>) -> f64 {
    let mut total = 0;
    for _ in 0..QUERIES {
        let walks = forest.walks(&[0.0]).expect("the query is acceptable");
        total += walks.iter().map(|walk| walk.comparisons).sum::<usize>();
        forest.learn_one(&[0.0]).expect("the point is acceptable");
    }
    total as f64 / (QUERIES * TREES) as f64
}
