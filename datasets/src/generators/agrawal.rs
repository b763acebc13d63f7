//! Agrawal: loans by ten rules of salary, age, education, house and loan.
//!
//! Paper: R. Agrawal, T. Imielinski, A. Swami, *Database mining: a performance perspective*, IEEE Transactions on
//! Knowledge and Data Engineering 5, 1993, and the generator of MOA. Nine features: salary uniform in [20 000, 150
//! 000]; commission 0 for a salary of at least 75 000, else uniform in [10 000, 75 000]; age 20 … 80; education 0 … 4;
//! car 1 … 20; zip code 0 … 8; value of the house uniform in [½, 1½] · 100 000 · (9 − zip code); years 1 … 30 that it
//! is owned; loan uniform in [0, 500 000]. `function` is the number of the rule that decides whether a row is of group
//! A, class 0, or of group B, class 1.
//!
//! With `perturbation`, each of salary, commission, age, value, years and loan then moves by a uniform share of its
//! range of at most this size, and stays in the range. The class is that before; without perturbation the best possible
//! accuracy is 1.

use forest_core::parameters::Rule;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::rows::{COMMON, Generator, Rows};

pub(super) const AGRAWAL: Generator = Generator {
    name: "agrawal",
    title: "Agrawal: two groups of loans by one of ten rules; best possible accuracy 1 without perturbation",
    parameters: &forest_core::parameters! {
        "function": Rule::CountFromTo(1, 10), "1", "rule, as numbered in the paper";
        "perturbation": Rule::CountFromTo(0, 100), "0", "largest move, in hundredths of a range";
    },
    common: &COMMON,
    rows: |given| {
        let function = given.value("function");
        let size = given.value::<f64>("perturbation") / 100.0;
        let rows = Rows::classes(9, 0..2, move |_, streams, row| {
            let drawn = draw(&mut streams.inputs);
            let seen = moved(drawn, size, &mut streams.noise);
            row.copy_from_slice(&seen.map(|value| value as f32));
            !is_group_a(function, &drawn)
        });
        if size == 0.0 { rows.best(1.0) } else { rows }
    },
};

/// Salary, commission, age, education, car, zip code, value, years, loan.
type Loan = [f64; 9];

fn draw(random: &mut ChaCha8Rng) -> Loan {
    let salary: f64 = random.random_range(20_000.0..150_000.0f32).into();
    let commission: f64 = match salary {
        75_000.0.. => 0.0,
        _ => random.random_range(10_000.0..75_000.0f32).into(),
    };
    let mut whole = |least: u8, most: u8| f64::from(random.random_range(least..=most));
    let age = whole(20, 80);
    let education = whole(0, 4);
    let car = whole(1, 20);
    let zip = whole(0, 8);
    let years = whole(1, 30);
    let [share, loan]: [f32; 2] = random.random();
    let value = f64::from((9.0 - zip) as f32 * 100_000.0 * (share + 0.5));
    let loan = f64::from(500_000.0 * loan);
    [
        salary, commission, age, education, car, zip, value, years, loan,
    ]
}

/// Moves the numbers that are measured; a commission of 0 stays.
fn moved(mut loan: Loan, size: f64, random: &mut ChaCha8Rng) -> Loan {
    let scale = 100_000.0 * (9.0 - loan[5]);
    let ranges = [
        (0, 20_000.0, 150_000.0),
        (1, 10_000.0, 75_000.0),
        (2, 20.0, 80.0),
        (6, 0.5 * scale, 1.5 * scale),
        (7, 1.0, 30.0),
        (8, 0.0, 500_000.0),
    ];
    for (i, least, most) in ranges {
        if size > 0.0 && (i != 1 || loan[i] > 0.0) {
            let step = size * (most - least) * (2.0 * random.random::<f64>() - 1.0);
            loan[i] = (loan[i] + step).clamp(least, most);
        }
    }
    loan
}

/// Returns the entry for the age: below 40, below 60, or older.
fn by_age<V>(age: f64, [young, middle, old]: [V; 3]) -> V {
    match age {
        ..40.0 => young,
        ..60.0 => middle,
        _ => old,
    }
}

/// Returns whether thousands from `least` to `most` include the amount.
fn within(amount: f64, [least, most]: [f64; 2]) -> bool {
    (1000.0 * least..=1000.0 * most).contains(&amount)
}

const LOW: [f64; 2] = [25.0, 75.0];
const MIDDLE: [f64; 2] = [50.0, 100.0];
const HIGH: [f64; 2] = [75.0, 125.0];

fn is_group_a(function: usize, row: &Loan) -> bool {
    let [salary, commission, age, education, _, _, value, years, loan] = *row;
    let income = salary + commission;
    let range = by_age(age, [MIDDLE, HIGH, LOW]);
    let is_of_level = by_age(age, [0.0..=1.0, 1.0..=3.0, 2.0..=4.0]).contains(&education);
    let disposable = |cost: f64| 2.0 / 3.0 * income - cost > 0.0;
    match function {
        1 => !(40.0..60.0).contains(&age),
        2 => within(salary, range),
        3 => is_of_level,
        4 => {
            let [inside, outside] = by_age(age, [[LOW, MIDDLE], [MIDDLE, HIGH], [MIDDLE, LOW]]);
            within(salary, if is_of_level { inside } else { outside })
        }
        5 => {
            let [inside, outside] = by_age(
                age,
                [
                    [[100.0, 300.0], [200.0, 400.0]],
                    [[200.0, 400.0], [300.0, 500.0]],
                    [[300.0, 500.0], [100.0, 300.0]],
                ],
            );
            let is_in_range = within(salary, range);
            within(loan, if is_in_range { inside } else { outside })
        }
        6 => within(income, range),
        7 => disposable(loan / 5.0 + 20_000.0),
        8 => disposable(5000.0 * education + 20_000.0),
        9 => disposable(5000.0 * education + loan / 5.0 + 10_000.0),
        _ => {
            let equity = 0.1 * value * (years - 20.0).max(0.0);
            disposable(5000.0 * education - equity / 5.0 + 10_000.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::tests::labelled;

    const ROW: Loan = [
        60_000.0, 20_000.0, 35.0, 1.0, 3.0, 2.0, 700_000.0, 25.0, 150_000.0,
    ];

    #[test]
    fn rules_are_those_of_the_paper_worked_out_by_hand() {
        let with = |changes: &[(usize, f64)]| {
            let mut row = ROW;
            changes.iter().for_each(|(i, value)| row[*i] = *value);
            row
        };
        let rich = 90_000.0;
        // For 35, 50 and 70 years, salary and commission of 60 and 20 thousand.
        for (function, salary, expected) in [
            (1, ROW[0], [true, false, true]),
            // 60 is within 50–100 and 25–75, not within 75–125.
            (2, ROW[0], [true, false, true]),
            // Education 1 is in {0, 1} and {1, 2, 3}, not in {2, 3, 4}.
            (3, ROW[0], [true, true, false]),
            // Salary 60 in 25–75, 50–100; outside of the levels 25–75.
            (4, ROW[0], [true, true, true]),
            (4, rich, [false, true, false]),
            // Loan 150: in 100–300 for the young with 50–100; the middle aged without 75–125 need 300–500; the old with
            // 25–75 too.
            (5, ROW[0], [true, false, false]),
            // The income is 80.
            (6, ROW[0], [true, true, false]),
        ] {
            let is_a = |age| is_group_a(function, &with(&[(0, salary), (2, age)]));
            assert_eq!([35.0, 50.0, 70.0].map(is_a), expected, "{function}");
        }
        let first = |age| is_group_a(1, &with(&[(2, age)]));
        assert_eq!(
            [39.0, 40.0, 59.0, 60.0].map(first),
            [true, false, false, true]
        );
        // 2/3 · 80 000 = 53 333; costs 50 000, 25 000, 45 000, and with equity 350 000 a negative cost.
        let poor = with(&[(0, 20_000.0), (1, 10_000.0), (7, 10.0), (3, 4.0)]);
        for function in 7..=10 {
            assert!(
                is_group_a(function, &ROW) && !is_group_a(function, &poor),
                "{function}"
            );
        }
    }

    #[test]
    fn perturbation_moves_numbers_by_a_share_of_their_range_and_leaves_classes() {
        let (still, labels) = labelled("agrawal:n=2000,function=5");
        let (moved, others) = labelled("agrawal:n=2000,function=5,perturbation=10");
        assert_eq!((labels, moved.best_accuracy), (others, None));
        let steps = &moved.features - &still.features;
        for (index, range) in [(0, 130_000.0), (2, 60.0), (7, 29.0), (8, 500_000.0)] {
            let most = steps
                .column(index)
                .fold(0.0, |most: f32, step| most.max(step.abs()));
            let share = f64::from(most) / range;
            assert!((0.095..=0.1001).contains(&share), "{index}: {most}");
        }
        for index in [3, 4, 5] {
            assert!(steps.column(index).iter().all(|step| *step == 0.0));
        }
    }
}
