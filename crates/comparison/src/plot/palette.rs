//! The colours of series, in the order in which they are given out. Each has a shade for light pages and one for dark pages; both stand
//! out from their background by a contrast of at least 3 (WCAG 2.1, 1.4.11). Neighbours differ in marks, too, for readers who do not
//! distinguish their colours.

use super::colour::hex;

/// Every colour: its shade on white, in files and on light pages, and its shade on dark pages.
pub(super) const HUES: [[u32; 2]; 10] = [
    [0x1f5fc4, 0x56b4e9],
    [0xd45c00, 0xf0a53a],
    [0x00805c, 0x35c99b],
    [0x6a3fb5, 0xb79bf0],
    [0xb3263c, 0xff7a86],
    [0x0092ad, 0x4dd0e1],
    [0xcf3a9c, 0xf08bd0],
    [0x857800, 0xcfc64a],
    [0x22307f, 0x93a1ff],
    [0x7d4a22, 0xd39b6a],
];

/// Returns the name of the page's variable for colour number `hue`.
pub(super) fn variable(hue: usize) -> String {
    format!("--hue-{hue}")
}

/// Returns the variables of a page, for light and for dark.
pub(crate) fn css() -> String {
    let [light, dark] = [0, 1].map(|shade| {
        let numbered = HUES.iter().enumerate();
        let set = numbered.map(|(i, shades)| format!(" {}: {};", variable(i), hex(shades[shade])));
        format!(":root {{{} }}", set.collect::<String>())
    });
    format!("{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n")
}

#[cfg(test)]
mod tests {
    use super::super::colour::Colour;
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
    fn every_colour_stands_out_from_light_and_dark_pages() {
        let [light, dark] = style_colours("--paper")[..] else {
            panic!("a page has two backgrounds");
        };
        assert_eq!(light, WHITE);
        for shades in &HUES {
            for (shade, paper) in shades.iter().zip([light, dark]) {
                let contrast = contrast(*shade, paper);
                assert!(contrast >= 3.0, "{shades:?}: {contrast:.2}");
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
}
