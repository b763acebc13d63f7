//! Accuracies as CSV and Markdown.

use std::fmt::Write as _;

use crate::{Accuracies, CUTS};

/// Numbers of cuts that have a row.
const SHOWN: [usize; 13] = [0, 1, 2, 3, 4, 6, 10, 25, 50, 80, 106, 140, 200];

pub fn csv(runs: &[Accuracies]) -> String {
    let mut text = "method,cuts,split,accuracy\n".to_owned();
    for run in runs {
        // What does not depend on cuts is a line between two points.
        let same = run.percent.iter().all(|percent| *percent == run.percent[0]);
        let (first, last) = (0, CUTS.len() - 1);
        let cells = CUTS.iter().zip(&run.percent).enumerate();
        let cells = cells.filter(|(place, _)| !same || [first, last].contains(place));
        for (_, (cuts, percent)) in cells {
            let _ = writeln!(text, "{},{cuts},{},{percent:.3}", run.method, run.split);
        }
    }
    text
}

/// Means over the splits, and p-values of sign tests of the first method against each other.
pub fn markdown(runs: &[Accuracies], points: usize) -> String {
    let first = runs.iter().take_while(|run| run.split == runs[0].split);
    let methods: Vec<&str> = first.map(|run| run.method).collect();
    let of = |method: &str| -> Vec<&Accuracies> {
        runs.iter().filter(|run| run.method == method).collect()
    };
    let splits = of(methods[0]).len();
    let mut text = format!(
        "Percent correct, means over {splits} splits of {points} points (60 % for training). In brackets: on how many \
         splits uRTP is better, and the two-sided p-value of the sign test.\n\n| cuts |"
    );
    methods
        .iter()
        .for_each(|method| text += &format!(" {method} |"));
    text += "\n|---:|";
    methods.iter().for_each(|_| text += "---:|");
    let rows = CUTS.iter().enumerate();
    for (place, cuts) in rows.filter(|(_, cuts)| SHOWN.contains(cuts)) {
        let _ = write!(text, "\n| {cuts} |");
        let first = of(methods[0]);
        for method in &methods {
            let runs = of(method);
            let mean = runs.iter().map(|run| run.percent[place]).sum::<f64>() / splits as f64;
            let _ = write!(text, " {mean:.2}");
            if *method != methods[0] {
                let pairs = first.iter().zip(&runs);
                let differences = pairs.map(|(a, b)| a.percent[place] - b.percent[place]);
                let differences: Vec<f64> = differences.collect();
                let wins = differences
                    .iter()
                    .filter(|difference| **difference > 0.0)
                    .count();
                let losses = differences
                    .iter()
                    .filter(|difference| **difference < 0.0)
                    .count();
                let _ = write!(text, " ({wins}, {})", p_text(sign_test(wins, losses)));
            }
            text += " |";
        }
    }
    text + "\n"
}

fn p_text(p: f64) -> String {
    match p < 0.001 {
        true => "p < 0.001".to_owned(),
        false => format!("p = {p:.3}"),
    }
}

/// The two-sided p-value of so many wins and losses, ties left out: exact.
fn sign_test(wins: usize, losses: usize) -> f64 {
    let trials = wins + losses;
    let mut probability = 0.5f64.powi(trials as i32);
    let mut tail = 0.0;
    for count in 0..=wins.min(losses) {
        tail += probability;
        probability *= (trials - count) as f64 / (count + 1) as f64;
    }
    (2.0 * tail).min(1.0)
}
