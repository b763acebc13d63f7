//! Parts of bodies in depth pictures, with features of pixel pairs (Denil et al. 2013, section 5.3).

use anyhow::{Result, bail};
use forest_core::{Classification, Forest, OnlineLearner, OnlineTree, Schema, argmax};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stream_rf::{
    FeatureSource, Growth, SaffariSettings, SaffariTree, StreamSettings, StreamTree, Vote,
};

use self::body::{BACKGROUND, Body, PARTS};
use self::camera::{HEIGHT, WIDTH};
use super::{Arguments, Function};
use crate::runs::Row;

mod body;
mod camera;

/// Measures accuracy on pixels of the body, and megabytes, after each number of poses.
pub(super) const BODIES: Function = Function {
    name: "bodies",
    parameters: &["series", "poses", "test_poses", "candidates", "trees"],
    run: |arguments| {
        let candidates = arguments.count("candidates")? as u32;
        let stream = StreamSettings {
            lambda: candidates.into(),
            // Section 5.3; τ in nats there.
            m: 10,
            tau: 0.01 * std::f64::consts::LOG2_E,
            alpha: growth(25.0),
            beta: growth(100.0),
            fringe: Some(1000),
            vote: Vote::Majority,
            features: SPACE,
            ..StreamSettings::default()
        };
        match arguments.text("series")?.as_str() {
            "stream-rf, F = 1000" => line::<StreamTree<_>>(arguments, stream),
            "stream-rf, F = 100" => {
                let fringe = Some(100);
                line::<StreamTree<_>>(arguments, StreamSettings { fringe, ..stream })
            }
            "saffari, depth 8" => line::<SaffariTree<_>>(arguments, saffari(candidates)),
            other => bail!("unknown `series` `{other}`"),
        }
    },
};

/// Width and height of a window, in pixels.
const SIDE: usize = 41;

/// Pixels of each part that a pose contributes.
const PIXELS: usize = 10;

/// A hundredth of the paper's picture; offsets are in its own pixels.
const SPACE: FeatureSource = FeatureSource::PixelPairs { variance: 900.0 };

/// Pixels and the parts they show.
type Pixels = (Array2<f32>, Vec<u32>);

fn growth(scale: f64) -> Growth {
    Growth { scale, base: 1.01 }
}

fn saffari(tests: u32) -> SaffariSettings {
    SaffariSettings {
        tests,
        min_samples: 25,
        min_gain: 0.01,
        max_depth: 8,
        vote: Vote::Majority,
        features: SPACE,
        ..SaffariSettings::default()
    }
}

fn line<K>(arguments: &Arguments<'_>, settings: K::Settings) -> Result<Vec<Row>>
where
    K: OnlineTree<Task = Classification>,
{
    let poses = arguments.count("poses")?;
    let schema = Schema::new(SIDE * SIDE)?.with_classes(PARTS.len() as u32)?;
    let mut forest = Forest::<K>::new(schema, settings, arguments.forest()?)?;
    let mut random = ChaCha8Rng::seed_from_u64(2 * arguments.seed);
    let test = test_pixels(arguments)?;
    let (mut rows, series) = (Vec::new(), arguments.text("series")?);
    for pose in 1..=poses {
        let (features, labels) = pixels(&Body::random(&mut random), &mut random)?;
        forest.learn(features.view(), &labels)?;
        // Measured after the whole, a half, a quarter, …
        if poses % pose == 0 && (poses / pose).is_power_of_two() && 16 * pose >= poses {
            let predictions = forest.predict(test.0.view())?;
            let right = predictions.rows().into_iter().zip(&test.1);
            let right = right
                .filter(|(prediction, truth)| argmax(&prediction.to_vec()) == **truth as usize);
            let row = Row::new("bodies", &series, Some(pose as f64))
                .with("accuracy", right.count() as f64 / test.1.len() as f64)
                .with("megabytes", forest.footprint().bytes as f64 / 1e6);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Returns pixels of the body in poses that are not learned.
fn test_pixels(arguments: &Arguments<'_>) -> Result<Pixels> {
    let mut random = ChaCha8Rng::seed_from_u64(2 * arguments.seed + 1);
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..arguments.count("test_poses")? {
        let (some, parts) = pixels(&Body::random(&mut random), &mut random)?;
        let seen = some.rows().into_iter().zip(parts);
        for (row, part) in seen.filter(|(_, part)| *part != BACKGROUND) {
            rows.extend(row);
            labels.push(part);
        }
    }
    table(rows, labels)
}

/// Draws up to [`PIXELS`] pixels of each part that a picture shows, without replacement, in random order.
fn pixels(body: &Body, random: &mut ChaCha8Rng) -> Result<Pixels> {
    let all = (0..HEIGHT as i32).flat_map(|y| (0..WIDTH as i32).map(move |x| (x, y)));
    let mut places: Vec<(i32, i32)> = all.collect();
    for last in (1..places.len()).rev() {
        places.swap(last, random.random_range(0..=last));
    }
    let mut wanted = [PIXELS; PARTS.len()];
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    let mut window = vec![0.0; SIDE * SIDE];
    for (x, y) in places {
        let part = body.look(x, y).part;
        if wanted[part as usize] > 0 {
            wanted[part as usize] -= 1;
            body.window(x, y, &mut window);
            rows.extend_from_slice(&window);
            labels.push(part);
        }
    }
    table(rows, labels)
}

fn table(rows: Vec<f32>, labels: Vec<u32>) -> Result<Pixels> {
    let shape = (labels.len(), SIDE * SIDE);
    Ok((Array2::from_shape_vec(shape, rows)?, labels))
}
