//! Prints a checksum of the bits of predictions for each algorithm of the page; `page/check.mjs` prints the same from
//! WebAssembly.

use forest_playground::{Playground, examples};

const ALGORITHMS: [&str; 9] = [
    "mondrian",
    "amf",
    "obsp",
    "urtf",
    "boundary-forest",
    "stream-rf",
    "dynamic-extra-trees:recheck=0",
    "residual-forest",
    "adaptive",
];

fn main() -> Result<(), String> {
    for algorithm in ALGORITHMS {
        for (example, task) in [("spirals", "classes"), ("surface", "numbers")] {
            let Ok(mut playground) = Playground::new(algorithm, task, 5, 3) else {
                continue;
            };
            let stream = examples::stream(example, 300, 7).ok_or("there is no such example")?;
            playground.learn(&stream.points, &stream.targets)?;
            let bits = playground.predictions(20).into_iter().map(f64::to_bits);
            let sum = bits.fold(0, |sum: u64, bits| sum.wrapping_mul(31).wrapping_add(bits));
            println!("{algorithm} {example} {sum}");
        }
    }
    Ok(())
}
