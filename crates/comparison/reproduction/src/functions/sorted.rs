//! Boundary forests on sorted numbers, the worst case of their walks.

use anyhow::{Result, bail};
use boundary_forest::{
    ChildLimit, Euclidean, Insertion, PointSchema, Retriever, RetrieverSettings,
};
use forest_core::TreeRng;
use ndarray::Array2;

use super::{Arguments, Function, mean};
use crate::record::Row;

/// Counts comparisons per query and tree after the numbers 0, 1, … below `x`, in order or shuffled; `block` 0 inserts at once.
pub(super) const SORTED_NUMBERS: Function = Function {
    name: "sorted-numbers",
    parameters: &["series", "n", "order", "block", "trees"],
    run: |arguments| {
        let n = arguments.count("n")?;
        let order = order(arguments, n)?;
        let schema = PointSchema::new(1)?;
        let mut forest =
            Retriever::<Euclidean>::new(schema, settings(arguments)?, arguments.forest()?)?;
        forest.learn(Array2::from_shape_fn((n, 1), |(row, _)| order[row] as f32).view())?;
        let spread = (0..QUERIES).map(|query| (query * n) as f32 / QUERIES as f32);
        let comparisons = spread.map(|query| {
            let walks = forest.walks(&[query])?;
            Ok(mean(walks.iter().map(|walk| walk.comparisons as f64)))
        });
        let comparisons = comparisons.collect::<Result<Vec<f64>>>()?;
        let row = Row::new("", &arguments.text("series")?, arguments.x);
        Ok(vec![row.with("comparisons", mean(comparisons.into_iter()))])
    },
};

/// Queries, spread over the numbers.
const QUERIES: usize = 200;

fn order(arguments: &Arguments<'_>, n: usize) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..n).collect();
    match arguments.text("order")?.as_str() {
        "ascending" => {}
        "shuffled" => TreeRng::new(arguments.seed, usize::MAX).shuffle(&mut order),
        other => bail!("`order`: `{other}` is neither ascending nor shuffled"),
    }
    Ok(order)
}

fn settings(arguments: &Arguments<'_>) -> Result<RetrieverSettings> {
    let insertion = match arguments.number("block")? {
        0.0 => Insertion::AtOnce,
        _ => Insertion::ShuffledBlocks(arguments.count("block")? as u32),
    };
    Ok(RetrieverSettings {
        max_children: ChildLimit::AtMost(50),
        insertion,
        ..RetrieverSettings::default()
    })
}

#[cfg(test)]
mod tests {
    use super::super::rows_of;
    use super::*;

    fn comparisons(order: &str, block: i64) -> f64 {
        let parameters = [
            ("series", "s".into()),
            ("n", 2000.into()),
            ("order", order.into()),
            ("block", block.into()),
            ("trees", 2.into()),
        ];
        rows_of(&SORTED_NUMBERS, &parameters)[0].values["comparisons"]
    }

    #[test]
    fn ascending_numbers_make_chains_and_shuffled_ones_do_not() {
        // On average, a query walks half of a chain of n points.
        assert!((comparisons("ascending", 0) - 1000.0).abs() < 50.0);
        assert!(comparisons("shuffled", 0) < 100.0);
        assert!(comparisons("ascending", 500) < 200.0);
    }
}
