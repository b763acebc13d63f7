//! Streams that are hard on a boundary forest: sorted ones, for which samples can be inserted in
//! shuffled blocks, and values of which codes of 8 bits tell little.
//!
//! `cargo run --release -p boundary-forest --example boundary_streams` writes `sorted.md` and
//! `outliers.md` into `docs/results/boundary-forest/`.

#[path = "../common/mod.rs"]
mod common;
mod orders;
mod outliers;
mod sorted;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, table) in [
        ("sorted.md", sorted::table()?),
        ("outliers.md", outliers::table()?),
    ] {
        print!("{table}");
        common::write(name, &table)?;
    }
    Ok(())
}
