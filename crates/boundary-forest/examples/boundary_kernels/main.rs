//! Nanoseconds per distance, by kernel, width and how many points there are to read.
//!
//! `cargo run --release -p boundary-forest --example boundary_kernels` writes `kernels.md` into
//! `docs/results/boundary-forest/`.

#[path = "../common/mod.rs"]
mod common;

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use boundary_forest::{Euclidean, Metric, ProxyForm};
use pulp::x86::{V3, V4};
use pulp::{Arch, NullaryFnOnce};

/// Features, points, and what that means.
const CASES: [(usize, usize, &str); 5] = [
    (16, 64, "in the first cache"),
    (100, 64, "in the first cache"),
    (784, 64, "in the second cache"),
    (100, 50_000, "beyond the caches"),
    (784, 50_000, "beyond the caches"),
];

/// Distances of one measurement, and measurements of which the fastest counts.
const DISTANCES: usize = 100_000;
const ROUNDS: usize = 9;

/// Points of whole numbers, and their codes.
struct Points {
    width: usize,
    rows: usize,
    values: Vec<f32>,
    codes: Vec<u8>,
}

impl Points {
    fn new(width: usize, rows: usize) -> Self {
        let codes: Vec<u8> = (0..width * rows).map(|i| (i * 31 % 251) as u8).collect();
        let values = codes.iter().map(|&code| f32::from(code)).collect();
        Self {
            width,
            rows,
            values,
            codes,
        }
    }

    /// A point far from the one before, as in a walk.
    fn place(&self, nth: usize) -> std::ops::Range<usize> {
        let row = nth * 7919 % self.rows;
        row * self.width..(row + 1) * self.width
    }
}

/// A sum over many distances, compiled for whatever machine it is dispatched to.
struct Sum<'a, F> {
    points: &'a Points,
    distance: F,
}

impl<F: Kernel> NullaryFnOnce for Sum<'_, F> {
    type Output = f64;

    #[inline(always)]
    fn call(self) -> f64 {
        let first = self.points.place(0);
        let mut sum = 0.0;
        for nth in 0..DISTANCES {
            sum += self
                .distance
                .of(self.points, first.clone(), self.points.place(nth));
        }
        sum
    }
}

/// A way to compute a distance.
trait Kernel: Copy {
    fn of(&self, points: &Points, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> f64;
}

#[derive(Clone, Copy)]
struct Naive;

impl Kernel for Naive {
    #[inline(always)]
    fn of(&self, points: &Points, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> f64 {
        let pairs = points.values[x].iter().zip(&points.values[y]);
        pairs
            .map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2))
            .sum()
    }
}

#[derive(Clone, Copy)]
struct DoubleLanes;

impl Kernel for DoubleLanes {
    #[inline(always)]
    fn of(&self, points: &Points, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> f64 {
        Euclidean::proxy(&points.values[x], &points.values[y])
    }
}

#[derive(Clone, Copy)]
struct SingleLanes;

impl Kernel for SingleLanes {
    #[inline(always)]
    fn of(&self, points: &Points, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> f64 {
        let (x, rest_x) = points.values[x].as_chunks::<16>();
        let (y, rest_y) = points.values[y].as_chunks::<16>();
        let mut lanes = [0.0; 16];
        for (a, b) in x.iter().zip(y) {
            for lane in 0..16 {
                lanes[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
            }
        }
        let rest = rest_x.iter().zip(rest_y).map(|(a, b)| (a - b) * (a - b));
        f64::from(lanes.into_iter().chain(rest).sum::<f32>())
    }
}

#[derive(Clone, Copy)]
struct Codes;

impl Kernel for Codes {
    #[inline(always)]
    fn of(&self, points: &Points, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> f64 {
        f64::from(ProxyForm::Squares.difference(&points.codes[x], &points.codes[y]))
    }
}

/// Nanoseconds per distance.
fn measure<K: Kernel>(points: &Points, kernel: K, machine: Option<Arch>) -> f64 {
    let run = || {
        let sum = Sum {
            points,
            distance: kernel,
        };
        let start = Instant::now();
        black_box(match machine {
            Some(arch) => arch.dispatch(sum),
            None => sum.call(),
        });
        start.elapsed().as_secs_f64() * 1e9 / DISTANCES as f64
    };
    (0..ROUNDS).map(|_| run()).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut table = String::from(TITLE);
    let [v3, v4] = [V3::try_new().map(Arch::V3), V4::try_new().map(Arch::V4)];
    for (width, rows, where_) in CASES {
        let points = Points::new(width, rows);
        let any = None;
        let shown = |machine: Option<Arch>| match machine {
            Some(_) => format!("{:.1}", measure(&points, Codes, machine)),
            None => "–".into(),
        };
        writeln!(
            table,
            "| {width} | {where_} | {:.1} | {:.1} | {:.1} | {:.1} | {} | {} |",
            measure(&points, Naive, any),
            measure(&points, DoubleLanes, any),
            measure(&points, SingleLanes, any),
            measure(&points, Codes, any),
            shown(v3),
            shown(v4),
        )?;
    }
    print!("{table}");
    common::write("kernels.md", &table)?;
    Ok(())
}

const TITLE: &str = "\
Nanoseconds per distance, generic x86-64 build, fastest of nine measurements of 100000 distances to scattered
points. Made by `cargo run --release -p boundary-forest --example boundary_kernels`. `f64` lanes are the exact kernel of the
library; codes rule out points before it (or, where points lie on a grid of 256 places, replace it).

| features | points | naive loop | `f64` lanes | `f32` lanes | codes, any x86-64 | codes, AVX2 | codes, AVX-512 |
|---|---|---|---|---|---|---|---|
";
