//! Near neighbours without a scan: `cargo run --release -p boundary-forest --example nearest`.
use boundary_forest::{ForestSettings, Retriever, TreeSettings};

/// Prints the nearest of 10,000 points, compared with a few hundred of them.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let point = |i: u32| [(i * 37 % 10_007) as f32, (i * 7919 % 10_009) as f32];
    let mut retriever = Retriever::new(2, TreeSettings::default(), ForestSettings::default())?;
    for i in 0..10_000 {
        retriever.learn_one(&point(i))?;
    }
    let query = [5000.0, 5000.0];
    let found = retriever.nearest(&query)?.expect("there are points");
    let distance = |i: u32| (point(i)[0] - query[0]).hypot(point(i)[1] - query[1]);
    let least = (0..10_000).map(distance).fold(f32::INFINITY, f32::min);
    println!(
        "found one at {:.1}; the nearest is at {least:.1}",
        found.distance
    );
    assert!(found.distance < 3.0 * f64::from(least));
    Ok(())
}
