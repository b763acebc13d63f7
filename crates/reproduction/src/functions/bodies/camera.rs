//! Rays from a pinhole camera to the nearest capsule.

use super::body::{BACKGROUND, Body, Capsule, Vector, dot, minus, unit};

/// Pixels across a picture.
pub(super) const WIDTH: usize = 112;

/// Pixels down a picture.
pub(super) const HEIGHT: usize = 128;

/// Distance of the picture's plane, in pixels.
const FOCUS: f64 = 150.0;

/// Depth of the wall behind the body, in metres.
const WALL: f64 = 6.0;

/// What a pixel shows: depth in metres, and the label of the part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pixel {
    /// Metres along the camera's axis.
    pub(super) depth: f32,
    /// Index into [`PARTS`](super::body::PARTS).
    pub(super) part: u32,
}

impl Body {
    /// Returns the depth that the camera, which stands in the origin, sees in a pixel, inside its picture or not.
    pub(super) fn look(&self, x: i32, y: i32) -> Pixel {
        let (across, down) = (
            f64::from(x) - WIDTH as f64 / 2.0,
            f64::from(y) - HEIGHT as f64 / 2.0,
        );
        let ray = unit([(across + 0.5) / FOCUS, (down + 0.5) / FOCUS, 1.0]);
        let hits = self.capsules.iter();
        let hits = hits.filter_map(|capsule| Some((capsule.hit(ray)? * ray[2], capsule.part)));
        let nearest = hits.fold((WALL, BACKGROUND), |a, b| if b.0 < a.0 { b } else { a });
        Pixel {
            depth: nearest.0 as f32,
            part: nearest.1,
        }
    }

    /// Fills `depths`, a square window around a pixel, row after row.
    pub(super) fn window(&self, x: i32, y: i32, depths: &mut [f32]) {
        let side = depths.len().isqrt() as i32;
        let (left, top) = (x - side / 2, y - side / 2);
        for (place, depth) in (0..).zip(depths) {
            *depth = self.look(left + place % side, top + place / side).depth;
        }
    }
}

impl Capsule {
    /// Returns how far a ray of length 1 from the origin goes until it hits: the cylinder between the ends,
    /// or the sphere at the end that it passes.
    fn hit(&self, ray: Vector) -> Option<f64> {
        let axis = minus(self.end, self.start);
        let from_start = self.start.map(|part| -part);
        let (length2, slope) = (dot(axis, axis), dot(axis, ray));
        let (off_axis, off_ray) = (dot(axis, from_start), dot(ray, from_start));
        let a = length2 - slope * slope;
        let b = length2 * off_ray - off_axis * slope;
        let c = length2 * (dot(from_start, from_start) - self.radius.powi(2)) - off_axis.powi(2);
        let root = b * b - a * c;
        if root < 0.0 || a <= 0.0 {
            return None;
        }
        let reach = (-b - root.sqrt()) / a;
        match off_axis + reach * slope {
            along if along <= 0.0 => self.hit_end(self.start, ray),
            along if along >= length2 => self.hit_end(self.end, ray),
            _ => Some(reach),
        }
    }

    fn hit_end(&self, centre: Vector, ray: Vector) -> Option<f64> {
        let reach = dot(ray, centre);
        let root = reach * reach - dot(centre, centre) + self.radius.powi(2);
        (root >= 0.0).then(|| reach - root.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn body(start: Vector, end: Vector, radius: f64) -> Body {
        let capsule = Capsule {
            part: 4,
            start,
            end,
            radius,
        };
        Body {
            capsules: vec![capsule],
        }
    }

    fn close(pixel: Pixel, depth: f32, part: u32) {
        assert!(
            (pixel.depth - depth).abs() < 1e-3 && pixel.part == part,
            "{pixel:?}"
        );
    }

    const CENTRE: (i32, i32) = (WIDTH as i32 / 2, HEIGHT as i32 / 2);

    #[test]
    fn a_capsule_is_seen_where_it_is() {
        let upright = body([0.0, -0.5, 3.0], [0.0, 0.5, 3.0], 0.2);
        close(upright.look(CENTRE.0, CENTRE.1), 2.8, 4);
        // The end of the axis is 25 pixels below; the sphere around it reaches 10 further.
        close(upright.look(CENTRE.0, CENTRE.1 + 25), 2.8, 4);
        assert_eq!(upright.look(CENTRE.0, CENTRE.1 + 34).part, 4);
        assert_eq!(upright.look(CENTRE.0, CENTRE.1 + 36).part, BACKGROUND);
        assert_eq!(upright.look(CENTRE.0 + 9, CENTRE.1).part, 4);
        close(upright.look(CENTRE.0 + 12, CENTRE.1), 6.0, BACKGROUND);
    }

    #[test]
    fn bodies_stand_in_the_picture() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..20 {
            let body = Body::random(&mut random);
            let rows = (0..HEIGHT as i32).flat_map(|y| (0..WIDTH as i32).map(move |x| (x, y)));
            let seen = rows.filter(|&(x, y)| body.look(x, y).part != BACKGROUND);
            let share = seen.count() as f64 / (WIDTH * HEIGHT) as f64;
            assert!((0.05..0.5).contains(&share), "{share}");
        }
    }

    #[test]
    fn a_capsule_towards_the_camera_shows_its_end() {
        let pointing = body([0.0, 0.0, 2.0], [0.0, 0.0, 4.0], 0.3);
        close(pointing.look(CENTRE.0, CENTRE.1), 1.7, 4);
    }

    #[test]
    fn a_window_is_centred_on_its_pixel() {
        let body = body([0.1, -0.5, 3.0], [0.0, 0.5, 2.5], 0.1);
        let mut depths = [0.0; 25];
        body.window(60, 60, &mut depths);
        assert_eq!(depths[12], body.look(60, 60).depth);
        assert_eq!(depths[0], body.look(58, 58).depth);
        assert_eq!(depths[9], body.look(62, 59).depth);
    }
}
