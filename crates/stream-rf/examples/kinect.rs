//! Section 5.3 of the paper at small scale: which part of a body does each pixel of a depth picture
//! show? Pixel-pair features, per-pixel labels, and a picture of depth, truth and prediction.
//!
//! `cargo run --release -p stream-rf --example kinect`

mod common;
mod picture;

use std::io;

use common::Table;
use datasets::generators::depth_body::{BACKGROUND, Body, HEIGHT, PARTS, WIDTH};
use forest_core::{Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Schema};
use forest_testing::accuracy;
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stream_rf::{
    FringeLimit, PixelPairs, SaffariSettings, SaffariTree, StreamSettings, StreamTree, Vote,
};

const TREES: usize = 25;
const SIDE: usize = 41;
const POSES: usize = 400;
const TEST_POSES: usize = 60;

/// Pixels of each part that a pose contributes.
const PIXELS: usize = 10;

/// Poses after which accuracy is measured.
const CHECKPOINTS: [usize; 5] = [25, 50, 100, 200, POSES];

/// A hundredth of the paper's picture needs fewer candidates; offsets are in its own pixels.
const CANDIDATES: u32 = 200;
const SPACE: PixelPairs = PixelPairs { variance: 900.0 };

fn main() -> io::Result<()> {
    let stream = StreamSettings {
        lambda: CANDIDATES.into(),
        features: SPACE,
        ..StreamSettings::kinect()
    };
    let small_fringe = StreamSettings {
        fringe: FringeLimit::AtMost(100),
        ..stream.clone()
    };
    let saffari = SaffariSettings {
        tests: CANDIDATES,
        min_samples: 25,
        min_gain: 0.01,
        max_depth: 8,
        vote: Vote::Majority,
        features: SPACE,
        ..SaffariSettings::default()
    };
    let header = "what,poses,accuracy,megabytes";
    let mut table = Table::create("kinect.csv", header)?;
    run::<SaffariTree<_, _>>("saffari", saffari, &mut table)?;
    run::<StreamTree<_, _>>("stream-rf; F = 100", small_fringe, &mut table)?;
    let forest = run::<StreamTree<_, _>>("stream-rf; F = 1000", stream, &mut table)?;
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let bodies: Vec<Body> = (0..3).map(|_| Body::random(&mut random)).collect();
    picture::draw(&bodies, |body| predicted(&forest, body)).map_err(io::Error::other)
}

/// Learns pose after pose; accuracy is that of pixels which show a part of the body.
fn run<K>(what: &str, settings: K::Settings, table: &mut Table) -> io::Result<Forest<K>>
where
    K: OnlineTree<Task = Classification>,
{
    let schema = Schema::new(SIDE * SIDE);
    let schema = schema.and_then(|schema| schema.with_classes(PARTS.len() as u32));
    let schema = schema.expect("a window, and the parts of a body");
    let forest = Forest::<K>::new(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed: 1,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("the settings are sound");
    let (mut random, test) = (ChaCha8Rng::seed_from_u64(1), test_pixels());
    for pose in 1..=POSES {
        let (rows, labels) = pixels(&Body::random(&mut random), PIXELS, &mut random);
        forest
            .learn(rows.view(), &labels)
            .expect("depths are finite");
        if CHECKPOINTS.contains(&pose) {
            let answers = forest.predict(test.0.view()).expect("depths are finite");
            let megabytes = forest.footprint().bytes as f64 / 1e6;
            let accuracy = accuracy(&answers, &test.1);
            table.row(format!("{what},{pose},{accuracy:.4},{megabytes:.1}"))?;
        }
    }
    Ok(forest)
}

/// Pixels of the body in poses of their own.
fn test_pixels() -> (Array2<f32>, Vec<u32>) {
    let (mut random, mut rows, mut labels) = (ChaCha8Rng::seed_from_u64(2), Vec::new(), Vec::new());
    for _ in 0..TEST_POSES {
        let (some, parts) = pixels(&Body::random(&mut random), PIXELS, &mut random);
        for (row, part) in some.rows().into_iter().zip(parts) {
            if part != BACKGROUND {
                rows.extend(row);
                labels.push(part);
            }
        }
    }
    let shape = (labels.len(), SIDE * SIDE);
    (
        Array2::from_shape_vec(shape, rows).expect("a row for each label"),
        labels,
    )
}

/// Up to `count` pixels of each part that a picture shows, without replacement, in random order.
fn pixels(body: &Body, count: usize, random: &mut ChaCha8Rng) -> (Array2<f32>, Vec<u32>) {
    let mut places: Vec<(i32, i32)> = all_pixels().collect();
    for last in (1..places.len()).rev() {
        places.swap(last, random.random_range(0..=last));
    }
    let mut wanted = [count; PARTS.len()];
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for (x, y) in places {
        let part = body.look(x, y).part;
        if wanted[part as usize] > 0 {
            wanted[part as usize] -= 1;
            rows.extend(window(body, x, y));
            labels.push(part);
        }
    }
    let shape = (labels.len(), SIDE * SIDE);
    (
        Array2::from_shape_vec(shape, rows).expect("a row for each label"),
        labels,
    )
}

fn all_pixels() -> impl Iterator<Item = (i32, i32)> {
    (0..HEIGHT as i32).flat_map(|y| (0..WIDTH as i32).map(move |x| (x, y)))
}

fn window(body: &Body, x: i32, y: i32) -> Vec<f32> {
    let mut depths = vec![0.0; SIDE * SIDE];
    body.window(x, y, &mut depths);
    depths
}

/// The most probable part of every pixel of a picture.
fn predicted<K: OnlineTree<Task = Classification>>(forest: &Forest<K>, body: &Body) -> Vec<u32> {
    let mut parts = Vec::with_capacity(WIDTH * HEIGHT);
    let places: Vec<(i32, i32)> = all_pixels().collect();
    for some in places.chunks(WIDTH) {
        let rows = some.iter().flat_map(|&(x, y)| window(body, x, y)).collect();
        let rows = Array2::from_shape_vec((some.len(), SIDE * SIDE), rows);
        let answers = forest.predict(rows.expect("a window each").view());
        let answers = answers.expect("depths are finite");
        let most = |row: ndarray::ArrayView1<'_, f64>| forest_core::argmax(&row.to_vec()) as u32;
        parts.extend(answers.rows().into_iter().map(most));
    }
    parts
}
