//! Normal draws by the polar method, for comparison with the ziggurat.

use forest_core::TreeRng;

/// Draws two independent normals (Marsaglia 1964).
pub(crate) fn by_polar_method(rng: &mut TreeRng) -> [f64; 2] {
    loop {
        let place = [rng.uniform(), rng.uniform()].map(|u| 2.0 * u - 1.0);
        let square = place[0] * place[0] + place[1] * place[1];
        if square > 0.0 && square < 1.0 {
            let scale = (-2.0 * libm::log(square) / square).sqrt();
            return place.map(|place| scale * place);
        }
    }
}
