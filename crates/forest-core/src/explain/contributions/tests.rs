//! Shapley values by their definition: the mean over all orders of the players.

use ndarray::{Array2, Array3, array};

use super::*;
use crate::LabelSummary;

/// Depth, samples, and the normal of a cut or a prediction.
type NodeParts<'a> = (usize, u64, Result<&'a [(usize, f64)], f64>);

/// Returns a tree given as nodes in order.
fn tree(features: usize, nodes: &[NodeParts<'_>]) -> ExportedTree {
    let mut made: Vec<ExportedNode> = Vec::new();
    for &(depth, samples, content) in nodes {
        made.push(ExportedNode {
            depth,
            birth: 0.0,
            time: None,
            samples,
            labels: LabelSummary::Classes(vec![samples]),
            prediction: content
                .err()
                .into_iter()
                .flat_map(|value| [value, 1.0 - value])
                .collect(),
            cut: content.ok().map(|normal| Inequality {
                normal: normal.to_vec(),
                threshold: 0.5,
            }),
            children: None,
        });
    }
    for place in 0..made.len() {
        let depth = made[place].depth;
        if made[place].cut.is_some() {
            let later = (place + 1..made.len()).filter(|&later| made[later].depth == depth + 1);
            let children: Vec<usize> = later.take(2).collect();
            made[place].children = Some([children[0], children[1]]);
        }
    }
    ExportedTree::new(features, made)
}

fn who(tree: &ExportedTree, place: usize) -> Option<Who> {
    let cut = tree.nodes[place].cut.as_ref()?;
    Some(if cut.normal.len() == 1 {
        Who::Feature(cut.normal[0].0)
    } else {
        Who::Cut(place)
    })
}

/// Returns what the tree is expected to predict if these players are known.
fn expected(tree: &ExportedTree, place: usize, x: &[f32], known: &[Who]) -> f64 {
    let node = &tree.nodes[place];
    let (Some(cut), Some(children)) = (&node.cut, node.children) else {
        return node.prediction[0];
    };
    if who(tree, place).is_some_and(|who| known.contains(&who)) {
        return expected(tree, children[usize::from(cut.value(x) > 0.5)], x, known);
    }
    let parts = children.map(|child| {
        tree.nodes[child].samples as f64 / node.samples as f64 * expected(tree, child, x, known)
    });
    parts.iter().sum()
}

/// Returns the mean gain of each player over all orders.
fn by_definition(tree: &ExportedTree, x: &[f32], players: &[Who]) -> Vec<f64> {
    let mut sums = vec![0.0; players.len()];
    let mut orders = vec![Vec::new()];
    let mut count = 0.0;
    while let Some(order) = orders.pop() {
        let rest = (0..players.len()).filter(|player| !order.contains(player));
        let longer = rest.map(|player| [&order[..], &[player]].concat());
        orders.extend(longer);
        if order.len() < players.len() {
            continue;
        }
        count += 1.0;
        let mut known = Vec::new();
        for player in order {
            let before = expected(tree, 0, x, &known);
            known.push(players[player]);
            sums[player] += expected(tree, 0, x, &known) - before;
        }
    }
    sums.iter().map(|sum| sum / count).collect()
}

fn of(tree: &ExportedTree, x: &[f32]) -> Array2<f64> {
    let table = Array2::from_shape_vec((1, x.len()), x.to_vec()).unwrap();
    let rows = Rows::check(table.view(), x.len()).unwrap();
    let mut sums = Array3::zeros((1, x.len() + 1, 2));
    add(tree, &rows, &mut sums);
    sums.index_axis(Axis(0), 0).to_owned()
}

/// Returns a tree in which feature 0 occurs twice on a path, feature 3 never, and one leaf has no samples.
fn axis_aligned() -> ExportedTree {
    tree(
        4,
        &[
            (0, 20, Ok(&[(0, 1.0)])),
            (1, 13, Ok(&[(1, 1.0)])),
            (2, 4, Err(0.9)),
            (2, 9, Ok(&[(0, -1.0)])),
            (3, 9, Ok(&[(2, 1.0)])),
            (4, 2, Err(0.1)),
            (4, 7, Err(0.45)),
            (3, 0, Err(0.7)),
            (1, 7, Ok(&[(2, 1.0)])),
            (2, 3, Err(0.3)),
            (2, 4, Err(-2.0)),
        ],
    )
}

#[test]
fn axis_aligned_trees_have_the_shapley_values_of_their_features() {
    let tree = axis_aligned();
    let players = [0, 1, 2, 3].map(Who::Feature);
    for bits in 0..16 {
        let x = [0, 1, 2, 3].map(|feature| f32::from(u8::from(bits >> feature & 1 == 1)));
        let own = of(&tree, &x);
        let exact = by_definition(&tree, &x, &players);
        for (feature, exact) in exact.iter().enumerate() {
            let off = (own[[feature, 0]] - exact)
                .abs()
                .max((own[[feature, 1]] + exact).abs());
            assert!(off < 1e-14, "{x:?}: {own} {exact}");
        }
        assert!((own[[4, 0]] - tree.nodes[0].prediction[0]).abs() < 1e-14);
        assert!((own.column(0).sum() - tree.leaf(&x).unwrap().prediction[0]).abs() < 1e-14);
    }
}

/// What an oblique cut adds is shared by its coefficients.
#[test]
fn oblique_cuts_are_players() {
    let normals: [&[(usize, f64)]; 3] =
        [&[(0, 0.75), (1, -0.25)], &[(0, 1.0), (2, 1.0)], &[(1, 1.0)]];
    let tree = tree(
        3,
        &[
            (0, 10, Ok(normals[0])),
            (1, 6, Ok(normals[1])),
            (2, 2, Err(1.0)),
            (2, 4, Ok(normals[2])),
            (3, 1, Err(4.0)),
            (3, 3, Err(-1.0)),
            (1, 4, Err(0.5)),
        ],
    );
    let players = [Who::Cut(0), Who::Cut(1), Who::Feature(1)];
    for x in [
        array![0.4, 0.8, 0.9],
        array![0.9, 0.1, 0.3],
        array![0.2, 0.2, 0.1],
    ] {
        let x: Vec<f32> = x.to_vec();
        let own = of(&tree, &x);
        let exact = by_definition(&tree, &x, &players);
        let features = [
            0.75 * exact[0] + 0.5 * exact[1],
            0.25 * exact[0] + exact[2],
            0.5 * exact[1],
        ];
        for (feature, exact) in features.iter().enumerate() {
            let off = (own[[feature, 0]] - exact).abs();
            assert!(off < 1e-14, "{own} {features:?}");
        }
    }
}

/// 300 oblique cuts on a path: nothing is lost where TreeSHAP's divisions would cancel.
#[test]
fn contributions_add_up_on_long_paths() {
    let normal: &[(usize, f64)] = &[(0, 0.5), (1, 0.5)];
    let depth = 300;
    let mut nodes = Vec::new();
    for level in 0..depth {
        nodes.push((level, 1000 - level as u64, Ok(normal)));
        nodes.push((level + 1, 1, Err(level as f64)));
    }
    nodes.push((depth, 1000 - depth as u64, Err(-7.0)));
    let tree = tree(2, &nodes);
    for x in [[0.2, 0.3], [0.7, 0.9]] {
        let own = of(&tree, &x);
        let sum = own.column(0).sum();
        let prediction = tree.leaf(&x).unwrap().prediction[0];
        assert!((sum - prediction).abs() < 1e-9, "{sum} {prediction}");
    }
}

#[test]
fn polynomials_are_integrated_exactly() {
    for points in 1..40 {
        let rule = gauss_legendre(points);
        for degree in 0..2 * points {
            let integral: f64 = rule.iter().map(|(t, w)| w * t.powi(degree as i32)).sum();
            let exact = 1.0 / (degree as f64 + 1.0);
            let off = (integral - exact).abs();
            assert!(off < 1e-14, "{points}, {degree}: {integral}");
        }
    }
}
