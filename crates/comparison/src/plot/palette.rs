//! The colours of algorithms, by name, so that an algorithm looks the same in every report. A name outside of
//! the table has a colour, too.
//!
//! Names of one row are relatives: they share its colour and differ in dashes and marks. Neighbouring rows differ in marks,
//! too, for readers who do not distinguish their colours. Each colour has a shade for light
//! pages and one for dark pages; both stand out from their background by a contrast of at least 3 (WCAG 2.1, 1.4.11).

use super::colour::{Colour, hex};
use super::stroke::{Pattern, Stroke};

/// A colour on light and on dark pages, and its algorithms.
#[derive(Debug)]
pub struct Hue {
    /// On white: in files, and on light pages.
    pub light: u32,
    /// On dark pages.
    pub dark: u32,
    /// The algorithms that have it; the first is drawn solid.
    pub names: &'static [&'static str],
}

/// Every colour.
pub static HUES: [Hue; 13] = [
    hue(
        0x1f5fc4,
        0x56b4e9,
        &[
            "mondrian",
            "mondrian-increasing",
            "mondrian-2014",
            "mondrian-2016",
            "conformal",
        ],
    ),
    hue(0xd45c00, 0xf0a53a, &["amf"]),
    hue(0x00805c, 0x35c99b, &["obsp", "obsp-redraw"]),
    hue(
        0x6a3fb5,
        0xb79bf0,
        &[
            "urtf",
            "wurtf",
            "mrtf",
            "wmrtf",
            "batch-urtf",
            "batch-wurtf",
            "batch-mrtf",
            "batch-wmrtf",
        ],
    ),
    hue(0xb3263c, 0xff7a86, &["boundary-forest"]),
    hue(0x0092ad, 0x4dd0e1, &["stream-rf"]),
    hue(0xcf3a9c, 0xf08bd0, &["saffari"]),
    hue(0x857800, 0xcfc64a, &["adaptive"]),
    hue(
        0x22307f,
        0x93a1ff,
        &["random-forest", "extra-trees", "decision-tree"],
    ),
    hue(0x7d4a22, 0xd39b6a, &[]),
    hue(
        0xb85c00,
        0xff9f40,
        &["dynamic-extra-trees", "residual-forest"],
    ),
    hue(0x4a7a1c, 0xa5d65a, &["k-nn", "svm", "linear-svm"]),
    hue(0x8b4f68, 0xdba3bb, &["logistic-regression", "ridge"]),
];

const fn hue(light: u32, dark: u32, names: &'static [&'static str]) -> Hue {
    Hue { light, dark, names }
}

/// Returns the stroke of the algorithm `name`. The first set of parameters in a report has number 0; others have the same
/// colour with other dashes and marks.
pub fn stroke_of(name: &str, number: usize) -> Stroke {
    let (hue, place) = place(name);
    Stroke {
        colour: Colour::Hue(hue),
        pattern: Pattern::number(place + number),
    }
}

/// Returns the number of the colour, and the place among its names. The variant of a name that grows its budget shares its colour;
/// a name outside of the table has the colour that its letters add up to.
fn place(name: &str) -> (usize, usize) {
    let row = |name: &str| {
        HUES.iter().enumerate().find_map(|(hue, row)| {
            let place = row.names.iter().position(|known| *known == name)?;
            Some((hue, place))
        })
    };
    let relative = || {
        let (hue, place) = row(name.strip_suffix("-increasing")?)?;
        Some((hue, place + 1))
    };
    let letters = || name.bytes().map(usize::from).sum::<usize>();
    let found = row(name).or_else(relative);
    found.unwrap_or_else(|| (letters() % HUES.len(), 1))
}

/// Returns the name of the page's variable for colour number `hue`.
pub(super) fn variable(hue: usize) -> String {
    format!("--hue-{hue}")
}

/// Returns the variables of a page, for light and for dark.
pub fn css() -> String {
    let rule = |shade: fn(&Hue) -> u32| -> String {
        let numbered = HUES.iter().enumerate();
        let set = numbered.map(|(i, hue)| format!(" {}: {};", variable(i), hex(shade(hue))));
        format!(":root {{{} }}", set.collect::<String>())
    };
    let (light, dark) = (rule(|hue| hue.light), rule(|hue| hue.dark));
    format!("{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: u32 = 0xff_ffff;

    /// Returns the relative luminance by WCAG 2.1.
    fn luminance(rgb: u32) -> f64 {
        let [_, red, green, blue] = rgb.to_be_bytes();
        let linear = |part: u8| match f64::from(part) / 255.0 {
            low if low <= 0.04045 => low / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(first: u32, second: u32) -> f64 {
        let (first, second) = (luminance(first) + 0.05, luminance(second) + 0.05);
        first.max(second) / first.min(second)
    }

    /// Returns the values of a variable of the page's style, light and dark.
    fn style_colours(name: &str) -> Vec<u32> {
        let style = include_str!("../report/style.css");
        let name = format!("{name}: #");
        let values = style.split(name.as_str()).skip(1);
        let colour = |text: &str| u32::from_str_radix(&text[..6], 16).unwrap();
        values.map(colour).collect()
    }

    #[test]
    fn contrast_is_that_of_the_standard() {
        assert!((contrast(WHITE, 0) - 21.0).abs() < 1e-9);
        assert!((contrast(WHITE, 0x76_7676) - 4.54).abs() < 0.01); // the known grey of 4.5
        assert!(
            contrast(WHITE, 0xe6_9f00) < 3.0,
            "a low contrast is detected"
        );
    }

    #[test]
    fn every_colour_stands_out_from_light_and_dark_pages() {
        let [light, dark] = style_colours("--paper")[..] else {
            panic!("a page has two backgrounds");
        };
        assert_eq!(light, WHITE);
        for hue in &HUES {
            for (colour, paper) in [(hue.light, light), (hue.dark, dark)] {
                let contrast = contrast(colour, paper);
                assert!(contrast >= 3.0, "{:?}: {contrast:.2}", hue.names);
            }
        }
        for name in ["--soft", "--ink"] {
            let [on_light, on_dark] = style_colours(name)[..] else {
                panic!("{name} has two values");
            };
            assert!(contrast(on_light, light) >= 4.5 && contrast(on_dark, dark) >= 4.5);
        }
        assert!(contrast(Colour::Soft.on_white(), light) >= 3.0);
    }

    /// A new algorithm does not need a row.
    #[test]
    fn a_name_outside_of_the_table_has_a_colour_and_keeps_it() {
        let colours = ["histogram", "forest-of-mine"].map(|name| stroke_of(name, 0).colour);
        assert!(colours.iter().all(|colour| {
            HUES.iter()
                .enumerate()
                .any(|(hue, _)| Colour::Hue(hue) == *colour)
        }));
        assert_eq!(stroke_of("histogram", 3).colour, colours[0]);
        assert_ne!(colours[0], colours[1]);
    }

    #[test]
    fn no_two_names_of_a_row_and_no_two_rows_look_alike() {
        for hue in &HUES {
            let strokes = hue.names.iter().map(|name| stroke_of(name, 0));
            let strokes: Vec<Stroke> = strokes.take(4).collect();
            assert!((1..strokes.len()).all(|i| !strokes[..i].contains(&strokes[i])));
        }
        let colours: std::collections::BTreeSet<String> =
            HUES.iter().map(|hue| hex(hue.light)).collect();
        assert_eq!(colours.len(), HUES.len());
    }

    #[test]
    fn parameters_change_dashes_and_not_the_colour() {
        let [first, second] = [0, 1].map(|number| stroke_of("obsp", number));
        assert_eq!(first.colour, second.colour);
        assert_ne!(first.pattern, second.pattern);
        assert_eq!(stroke_of("of-my-own", 0), stroke_of("of-my-own", 0));
    }
}
