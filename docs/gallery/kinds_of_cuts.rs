//! Kinds of cuts.
//!
//! One tree of each kind has learned the same 150 points: with cuts along the axes, the oblique cuts of the BSP process, and cuts in uniform
//! directions. Dashed: the hulls of the leaves. The budget of cuts grows with the number of points.
use evaluation::planar::{partitions, unit_square};
use evaluation::plot::Picture as _;
use evaluation::plot::partition::{Panel, Panels, colours};

/// Returns the picture as SVG.
pub(crate) fn picture() -> Result<String, Box<dyn std::error::Error>> {
    let data = datasets::open("sine:n=150,curve=2", &Default::default())?;
    let (points, mut panels) = (unit_square(&data)?, Vec::new());
    for kind in ["mondrian", "obsp", "urtf"] {
        let name = format!("{kind}:budget=increasing");
        let nodes = partitions(&name.parse()?, &points, &data.target, 1, &[150])?.remove(0);
        panels.push(Panel {
            title: kind.to_owned(),
            subtitle: format!("{} leaves", nodes.iter().filter(|n| n.is_leaf).count()),
            cuts: nodes.iter().filter_map(|node| node.cut).collect(),
            hulls: (nodes.into_iter().filter(|n| n.is_leaf).map(|n| n.hull)).collect(),
            seen: 150,
        });
    }
    let places = (points.rows().into_iter()).map(|x| [x[0], x[1]].map(f64::from));
    let points = places.zip(colours(&data.target)).collect();
    let picture = Panels {
        panels,
        points,
        columns: 3,
    };
    Ok(picture.svg())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    picture().map(|picture| print!("{picture}"))
}
