//! Log loss and expected calibration error.

use datasets::Target;
use forest_core::{Forest, ForestSettings, OnlineLearner, OnlineTree, Schema, Settings};
use mondrian::{MondrianSettings, MondrianTree};
use tessellation_tree::{
    Boxes, BranchCounts, ClassFrequencies, KneserNey, KneserNeySettings, LabelModel,
};

use crate::{Parts, parts};

pub fn run() {
    println!("data,labels,error,log_loss,ece");
    for set in ["letter", "satimage", "pendigits"] {
        let data = parts(set, usize::MAX, |data| match &data.target {
            Target::Classes { labels, .. } => labels.clone(),
            Target::Values { .. } => unreachable!("a classification set"),
        });
        one::<ClassFrequencies>(set, "leaves", &data, mondrian::fixed(f64::INFINITY));
        for (name, discount, branch_counts) in [
            ("kneser-ney", 10.0, BranchCounts::Tables),
            ("kneser-ney, code's counts", 10.0, BranchCounts::Customers),
            ("kneser-ney, discount 1", 1.0, BranchCounts::Tables),
        ] {
            let settings = MondrianSettings {
                labels: KneserNeySettings {
                    discount,
                    branch_counts,
                    ..KneserNeySettings::default()
                },
                ..mondrian::fixed(f64::INFINITY)
            };
            one::<KneserNey<Boxes>>(set, name, &data, settings);
        }
    }
}

fn one<L: LabelModel<Task = forest_core::Classification>>(
    set: &str,
    name: &str,
    data: &Parts<u32>,
    settings: MondrianSettings<L::Settings>,
) where
    MondrianTree<L>:
        OnlineTree<Task = forest_core::Classification, Settings = MondrianSettings<L::Settings>>,
    MondrianSettings<L::Settings>: Settings<forest_core::Classification>,
{
    let trees = ForestSettings {
        trees: 100,
        seed: 1,
        ..ForestSettings::default()
    };
    let schema = Schema::new(data.learn.0.ncols()).expect("features");
    let mut forest =
        Forest::<MondrianTree<L>>::new(schema, settings, trees).expect("sound settings");
    forest
        .learn(data.learn.0.view(), &data.learn.1)
        .expect("sound data");
    let answers = forest.predict(data.ask.0.view()).expect("sound data");
    let n = data.ask.1.len() as f64;
    let (mut errors, mut loss, mut bins) = (0.0, 0.0, [[0.0; 2]; 15]);
    for (answer, &class) in answers.rows().into_iter().zip(&data.ask.1) {
        let answer = answer.to_vec();
        let winner = forest_core::argmax(&answer);
        let right = f64::from(u8::from(winner == class as usize));
        errors += 1.0 - right;
        loss -= answer[class as usize].max(1e-6).ln();
        let bin = &mut bins[((answer[winner] * 15.0) as usize).min(14)];
        bin[0] += answer[winner];
        bin[1] += right;
    }
    let ece: f64 = bins
        .iter()
        .map(|[stated, right]| (stated - right).abs())
        .sum();
    println!(
        "{set},{name:?},{:.4},{:.4},{:.4}",
        errors / n,
        loss / n,
        ece / n
    );
}
