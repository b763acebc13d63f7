//! Trees that grow.
//!
//! A Mondrian tree cuts along the axes, a BSP tree in any direction. Both learn the same points of two classes and are drawn after 30, 100 and 300
//! of them: cuts, and the hulls of the leaves (dashed). A leaf is cut only if it has points of both classes.
use evaluation::planar::{partitions, unit_square};
use evaluation::plot::Picture as _;
use evaluation::plot::partition::{Panel, Panels, colours};

/// Returns the picture as SVG.
pub(crate) fn picture() -> Result<String, Box<dyn std::error::Error>> {
    let data = datasets::open("sine:n=300,curve=2", &Default::default())?;
    let (points, mut panels) = (unit_square(&data)?, Vec::new());
    for name in ["mondrian", "obsp"] {
        let ends = [30, 100, 300];
        let trees = partitions(&name.parse()?, &points, &data.target, 1, &ends)?;
        panels.extend(trees.into_iter().zip(ends).map(|(nodes, seen)| Panel {
            title: format!("{name}, {seen} points"),
            subtitle: String::new(),
            cuts: nodes.iter().filter_map(|node| node.cut).collect(),
            hulls: (nodes.into_iter().filter(|n| n.is_leaf).map(|n| n.hull)).collect(),
            seen,
        }));
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

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    picture().map(|picture| print!("{picture}"))
}
