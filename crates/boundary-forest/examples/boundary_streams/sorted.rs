//! Comparisons and errors on sorted, drifting and shuffled streams, for each way of insertion.

use std::fmt::{self, Write};

use boundary_forest::{
    BoundaryClassifier, BoundaryForest, ChildLimit, ClassifierSettings, Euclidean, Insertion,
    Metric, PointSchema, Problem, Retriever, RetrieverSettings,
};
use datasets::{Dataset, Target};
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng, argmax};
use ndarray::{Array2, Axis};

use crate::common::{Split, mean, open, percent_wrong, processor_seconds};
use crate::orders::{self, Order};

const TREES: usize = 10;
const SEEDS: u64 = 5;

const AT_ONCE: Insertion = Insertion::AtOnce;

fn in_blocks(rows: u32) -> Insertion {
    Insertion::ShuffledBlocks(rows)
}

fn settings(max_children: ChildLimit, insertion: Insertion) -> ClassifierSettings {
    ClassifierSettings {
        max_children,
        insertion,
        ..ClassifierSettings::default()
    }
}

/// Comparisons per query and tree.
fn comparisons<P: Problem, M: Metric>(forest: &BoundaryForest<P, M>, queries: &Array2<f32>) -> f64 {
    let of_query = |query: ndarray::ArrayView1<'_, f32>| {
        let walks = forest
            .walks(&query.to_vec())
            .expect("the query is acceptable");
        walks.iter().map(|walk| walk.comparisons).sum::<usize>() as f64
    };
    let counts: Vec<_> = queries.rows().into_iter().map(of_query).collect();
    mean(&counts) / forest.trees().len() as f64
}

/// Comparisons and seconds to learn, of a retriever that has learned `n` numbers in some order.
fn retrieved(n: usize, order: Order, settings: RetrieverSettings) -> [f64; 2] {
    let order = order(n, &mut TreeRng::new(7, 0));
    let points = Array2::from_shape_fn((n, 1), |(row, _)| order[row] as f32);
    let schema = PointSchema::new(1).expect("one feature");
    let forest = Retriever::<Euclidean>::new(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed: 1,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("settings are valid");
    let start = processor_seconds();
    forest.learn(points.view()).expect("points are acceptable");
    let seconds = processor_seconds() - start;
    let step = n as f32 / 200.0;
    let queries = Array2::from_shape_fn((200, 1), |(row, _)| row as f32 * step);
    [comparisons(&forest, &queries), seconds]
}

fn write_retrieval(table: &mut String) -> fmt::Result {
    let limits = [
        ChildLimit::AtMost(10),
        ChildLimit::AtMost(50),
        ChildLimit::Unlimited,
    ];
    let k = |limit| settings(limit, AT_ONCE);
    let with = |insertion| settings(ChildLimit::default(), insertion);
    let cases: [(&str, Order, &str, ClassifierSettings); 12] = [
        (
            "ascending",
            orders::as_it_is,
            "at once, k = 10",
            k(limits[0]),
        ),
        (
            "ascending",
            orders::as_it_is,
            "at once, k = 50",
            k(limits[1]),
        ),
        (
            "ascending",
            orders::as_it_is,
            "at once, k = ∞",
            k(limits[2]),
        ),
        (
            "ascending",
            orders::as_it_is,
            "blocks of 100",
            with(in_blocks(100)),
        ),
        (
            "ascending",
            orders::as_it_is,
            "blocks of 1000",
            with(in_blocks(1000)),
        ),
        (
            "ascending",
            orders::as_it_is,
            "blocks of 5000",
            with(in_blocks(5000)),
        ),
        (
            "ascending, first 1000 shuffled",
            orders::first_shuffled,
            "at once",
            with(AT_ONCE),
        ),
        (
            "ascending, through a buffer of 1000",
            orders::through_a_buffer,
            "at once",
            with(AT_ONCE),
        ),
        (
            "ascending, in growing blocks",
            orders::in_growing_blocks,
            "at once",
            with(AT_ONCE),
        ),
        ("shuffled", orders::shuffled, "at once", with(AT_ONCE)),
        (
            "shuffled",
            orders::shuffled,
            "blocks of 100",
            with(in_blocks(100)),
        ),
        (
            "shuffled",
            orders::shuffled,
            "blocks of 1000",
            with(in_blocks(1000)),
        ),
    ];
    for (stream, order, insertion, settings) in cases {
        let [a, b] = [5010, 20_010].map(|n| retrieved(n, order, settings));
        let row = format!(
            "| {stream} | {insertion} | {:.0} | {:.0} | {:.2} | {:.2} |",
            a[0], b[0], a[1], b[1]
        );
        println!("{row}");
        writeln!(table, "{row}")?;
    }
    Ok(())
}

/// Error in percent, comparisons per query and tree, and seconds to learn, of a classifier of `set`.
fn classified(split: &Split, sorted: bool, insertion: Insertion, seed: u64) -> [f64; 3] {
    let (rows, labels) = split.train();
    let mut order = orders::shuffled(labels.len(), &mut TreeRng::new(seed, 0));
    if sorted {
        order.sort_by_key(|&row| labels[row]);
    }
    let labels: Vec<_> = order.iter().map(|&row| labels[row]).collect();
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let settings = settings(ChildLimit::default(), insertion);
    let forest = BoundaryClassifier::<Euclidean>::new(
        schema,
        settings,
        ForestSettings {
            trees: 50,
            seed,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("settings are valid");
    let start = processor_seconds();
    let rows = rows.select(Axis(0), &order);
    forest
        .learn(rows.view(), &labels)
        .expect("rows are acceptable");
    let seconds = processor_seconds() - start;
    let (queries, truth) = split.test();
    let answers = forest.predict(queries).expect("rows are acceptable");
    let queries = queries.select(Axis(0), &(0..500).collect::<Vec<_>>());
    [
        percent_wrong(&answers, truth),
        comparisons(&forest, &queries),
        seconds,
    ]
}

fn write_classification(table: &mut String) -> fmt::Result {
    for (name, rows) in [("letter", 15_000), ("pendigits", 7494)] {
        let split = Split::open(name, rows);
        for (order, sorted) in [("sorted by class", true), ("shuffled", false)] {
            for insertion in [AT_ONCE, in_blocks(100), in_blocks(1000)] {
                let runs: Vec<_> = (0..SEEDS)
                    .map(|seed| classified(&split, sorted, insertion, seed))
                    .collect();
                let mean =
                    |what: usize| mean(&runs.iter().map(|run| run[what]).collect::<Vec<_>>());
                let row = format!(
                    "| {name}, {order} | {} | {:.2} | {:.0} | {:.2} |",
                    named(insertion),
                    mean(0),
                    mean(1),
                    mean(2)
                );
                println!("{row}");
                writeln!(table, "{row}")?;
            }
        }
    }
    Ok(())
}

/// Error in percent of each answer before its row is learned.
fn tested_then_trained(data: &Dataset, insertion: Insertion) -> f64 {
    let Target::Classes { labels, .. } = &data.target else {
        unreachable!("the set has classes")
    };
    let schema = Schema::new(data.features.ncols()).expect("there are features");
    let settings = settings(ChildLimit::default(), insertion);
    let forest = BoundaryClassifier::<Euclidean>::new(
        schema,
        settings,
        ForestSettings {
            trees: 50,
            seed: 0,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("settings are valid");
    let answers = forest.predict_then_learn(data.features.view(), labels);
    let answers = answers.expect("rows are acceptable");
    let wrong = answers.iter().zip(labels);
    let wrong = wrong.filter(|(answer, label)| argmax(answer) != **label as usize);
    100.0 * wrong.count() as f64 / labels.len() as f64
}

fn write_drift(table: &mut String) -> fmt::Result {
    let data = open("elec2");
    for insertion in [AT_ONCE, in_blocks(50), in_blocks(500)] {
        let error = tested_then_trained(&data, insertion);
        writeln!(table, "| {} | {error:.2} |", named(insertion))?;
    }
    Ok(())
}

fn named(insertion: Insertion) -> String {
    match insertion {
        Insertion::AtOnce => "at once".into(),
        Insertion::ShuffledBlocks(rows) => format!("blocks of {rows}"),
    }
}

/// All tables, as Markdown.
pub fn table() -> Result<String, Box<dyn std::error::Error>> {
    let mut text = RETRIEVAL.to_string();
    forest_core::threads::with_threads(1, || {
        write_retrieval(&mut text)?;
        text.push_str(CLASSIFICATION);
        write_classification(&mut text)?;
        text.push_str(DRIFT);
        write_drift(&mut text)
    })??;
    Ok(text)
}

const RETRIEVAL: &str = "\
Made by `cargo run --release -p boundary-forest --example boundary_streams`, one thread.

Retrieval of whole numbers in one dimension, ten trees, `k` = 50 unless stated: comparisons per query
and tree, mean of 200 queries spread over the range, and seconds of processor time to learn.
*Ascending* is the worst case of the paper's algorithm: every tree is a chain. Blocks are those of
`Insertion::ShuffledBlocks`; the three rows after them are other remedies that were tried by
reordering the stream before it reached the forest.

| stream | insertion | comparisons, N = 5010 | N = 20010 | seconds, N = 5010 | N = 20010 |
|---|---|---|---|---|---|
";

const CLASSIFICATION: &str = "
Classification, 50 trees, `k` = 50, mean of five seeds: error on the test rows in percent, comparisons
per query and tree, seconds of processor time to learn. *Sorted by class* is one class after another.

| stream | insertion | error | comparisons | seconds |
|---|---|---|---|---|
";

const DRIFT: &str = "
Electricity prices (elec2) in their order in time, tested and then trained, 50 trees, `k` = 50: error of
all answers in percent. Here the newest rows say most, and a block holds them back.

| insertion | error |
|---|---|
";
