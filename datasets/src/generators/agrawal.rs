//! Agrawal: loans by ten rules of salary, age, education, house and loan.
//!
//! Paper: R. Agrawal, T. Imielinski, A. Swami, *Database mining: a performance perspective*, IEEE Transactions on Knowledge and Data
//! Engineering 5, 1993, and the generator of MOA. Nine features: salary uniform in [20 000, 150 000]; commission 0 for a salary of at
//! least 75 000, else uniform in [10 000, 75 000]; age 20 … 80; education 0 … 4; car 1 … 20; zip code 0 … 8; value of the house uniform in
//! [½, 1½] · 100 000 · (9 − zip code); years 1 … 30 that it is owned; loan uniform in [0, 500 000]. `function` is the number of the rule
//! that decides whether a row is of group A, class 0, or of group B, class 1.
//!
//! With `perturbation`, each of salary, commission, age, value, years and loan then moves by a uniform share of its range of at most this
//! size, and stays in the range. The class is that before; without perturbation the best possible accuracy is 1.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::rows::Rows;
use super::{COMMON, Generator, count};

pub(super) const AGRAWAL: Generator = Generator {
    name: "agrawal",
    title: "Agrawal: two groups of loans by one of ten rules; best possible accuracy 1 without perturbation",
    parameters: &[
        count("function", 1, 10, "1", "rule, as numbered in the paper"),
        count(
            "perturbation",
            0,
            100,
            "0",
            "largest move of a number, in hundredths of its range",
        ),
    ],
    common: &COMMON,
    rows: |given| {
        let function = given.value("function");
        let perturbation = given.value::<f64>("perturbation") / 100.0;
        let rows = Rows::classes(9, 0..2, move |_, streams, row| {
            let drawn = Loan::draw(&mut streams.inputs);
            let seen = drawn.moved(perturbation, &mut streams.noise);
            row.copy_from_slice(&seen.features().map(|value| value as f32));
            !is_group_a(function, &drawn)
        });
        match perturbation {
            0.0 => rows.best(1.0),
            _ => rows,
        }
    },
};

/// The features in their order.
#[derive(Clone, Copy)]
struct Loan {
    salary: f64,
    commission: f64,
    age: f64,
    education: f64,
    car: f64,
    zip: f64,
    value: f64,
    years: f64,
    loan: f64,
}

impl Loan {
    fn draw(random: &mut ChaCha8Rng) -> Self {
        let salary: f64 = random.random_range(20_000.0..150_000.0f32).into();
        let commission: f64 = match salary {
            75_000.0.. => 0.0,
            _ => random.random_range(10_000.0..75_000.0f32).into(),
        };
        let mut whole = |least: u8, most: u8| f64::from(random.random_range(least..=most));
        let (age, education, car, zip) = (whole(20, 80), whole(0, 4), whole(1, 20), whole(0, 8));
        let years = whole(1, 30);
        let [share, loan]: [f32; 2] = random.random();
        Self {
            salary,
            commission,
            age,
            education,
            car,
            zip,
            value: f64::from((9.0 - zip) as f32 * 100_000.0 * (share + 0.5)),
            years,
            loan: f64::from(500_000.0 * loan),
        }
    }

    fn features(&self) -> [f64; 9] {
        [
            self.salary,
            self.commission,
            self.age,
            self.education,
            self.car,
            self.zip,
            self.value,
            self.years,
            self.loan,
        ]
    }

    /// Moves the numbers that are measured; a commission of 0 stays.
    fn moved(mut self, size: f64, random: &mut ChaCha8Rng) -> Self {
        if size == 0.0 {
            return self;
        }
        let mut moved = |value: f64, least: f64, most: f64| {
            let step = size * (most - least) * (2.0 * random.random::<f64>() - 1.0);
            (value + step).clamp(least, most)
        };
        self.salary = moved(self.salary, 20_000.0, 150_000.0);
        if self.commission > 0.0 {
            self.commission = moved(self.commission, 10_000.0, 75_000.0);
        }
        self.age = moved(self.age, 20.0, 80.0);
        let scale = 100_000.0 * (9.0 - self.zip);
        self.value = moved(self.value, 0.5 * scale, 1.5 * scale);
        self.years = moved(self.years, 1.0, 30.0);
        self.loan = moved(self.loan, 0.0, 500_000.0);
        self
    }

    /// Returns the entry for the age: below 40, below 60, or older.
    fn by_age<V>(&self, [young, middle, old]: [V; 3]) -> V {
        match self.age {
            ..40.0 => young,
            ..60.0 => middle,
            _ => old,
        }
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
    let income = row.salary + row.commission;
    let by_age = row.by_age([MIDDLE, HIGH, LOW]);
    let levels = row.by_age([0.0..=1.0, 1.0..=3.0, 2.0..=4.0]);
    let is_of_level = levels.contains(&row.education);
    let disposable = |cost: f64| 2.0 / 3.0 * income - cost > 0.0;
    match function {
        1 => !(40.0..60.0).contains(&row.age),
        2 => within(row.salary, by_age),
        3 => is_of_level,
        4 => {
            let [inside, outside] = row.by_age([[LOW, MIDDLE], [MIDDLE, HIGH], [MIDDLE, LOW]]);
            within(row.salary, if is_of_level { inside } else { outside })
        }
        5 => {
            let loans = row.by_age([
                [[100.0, 300.0], [200.0, 400.0]],
                [[200.0, 400.0], [300.0, 500.0]],
                [[300.0, 500.0], [100.0, 300.0]],
            ]);
            within(row.loan, loans[usize::from(!within(row.salary, by_age))])
        }
        6 => within(income, by_age),
        7 => disposable(row.loan / 5.0 + 20_000.0),
        8 => disposable(5000.0 * row.education + 20_000.0),
        9 => disposable(5000.0 * row.education + row.loan / 5.0 + 10_000.0),
        _ => {
            let equity = 0.1 * row.value * (row.years - 20.0).max(0.0);
            disposable(5000.0 * row.education - equity / 5.0 + 10_000.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::tests::labelled;

    const ROW: Loan = Loan {
        salary: 60_000.0,
        commission: 20_000.0,
        age: 35.0,
        education: 1.0,
        car: 3.0,
        zip: 2.0,
        value: 700_000.0,
        years: 25.0,
        loan: 150_000.0,
    };

    #[test]
    fn rules_are_those_of_the_paper_worked_out_by_hand() {
        let rich = Loan {
            salary: 90_000.0,
            ..ROW
        };
        // For 35, 50 and 70 years, salary and commission of 60 and 20 thousand.
        for (function, row, expected) in [
            (1, ROW, [true, false, true]),
            // 60 is within 50–100 and 25–75, not within 75–125.
            (2, ROW, [true, false, true]),
            // Education 1 is in {0, 1} and {1, 2, 3}, not in {2, 3, 4}.
            (3, ROW, [true, true, false]),
            // Salary 60 in 25–75, 50–100; outside of the levels 25–75.
            (4, ROW, [true, true, true]),
            (4, rich, [false, true, false]),
            // Loan 150: in 100–300 for the young with 50–100; the middle aged without 75–125 need 300–500; the old with 25–75 too.
            (5, ROW, [true, false, false]),
            // The income is 80.
            (6, ROW, [true, true, false]),
        ] {
            let found = [35.0, 50.0, 70.0].map(|age| is_group_a(function, &Loan { age, ..row }));
            assert_eq!(found, expected, "{function}");
        }
        let first = |age| is_group_a(1, &Loan { age, ..ROW });
        assert_eq!(
            [39.0, 40.0, 59.0, 60.0].map(first),
            [true, false, false, true]
        );
        // 2/3 · 80 000 = 53 333; costs 50 000, 25 000, 45 000, and with equity 350 000 a negative cost.
        let poor = Loan {
            salary: 20_000.0,
            commission: 10_000.0,
            years: 10.0,
            education: 4.0,
            ..ROW
        };
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
