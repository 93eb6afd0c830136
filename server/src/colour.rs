//! The seller's brand colour and the design tokens derived from it.
use std::fmt;

/// Minimum contrast of text, slightly above the 4.5 of WCAG 2.2, 1.4.3.
const CONTRAST: f64 = 4.6;

/// A colour in sRGB.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Colour([u8; 3]);

/// Readable variants of a colour for both themes, and the text colour on the dark theme's variant; on the light one it is white.
#[derive(Clone, Copy, Debug)]
pub struct Tones {
    pub light: Colour,
    pub dark: Colour,
    pub on_dark: Colour,
}

/// The default colour of the design system.
impl Default for Colour {
    fn default() -> Colour {
        Colour([0x24, 0x57, 0xd6])
    }
}

const WHITE: Colour = Colour([255, 255, 255]);
const BLACK: Colour = Colour([0, 0, 0]);
/// The least favourable backgrounds for text in the brand colour: the lightest of the dark theme and the darkest of the light theme.
const DARK: Colour = Colour([0x1b, 0x22, 0x2b]);
const LIGHT: Colour = Colour([0xef, 0xf1, 0xf4]);

impl Colour {
    /// Parses a colour such as `#2457d6`.
    pub fn parse(text: &str) -> Option<Colour> {
        let mut channels = [0; 3];
        hex::decode_to_slice(text.strip_prefix('#')?, &mut channels).ok()?;
        Some(Colour(channels))
    }

    /// Mixes two colours; `part` is the share of `self`.
    fn mixed(self, part: f64, other: Colour) -> Colour {
        let mix = |index: usize| {
            (f64::from(self.0[index]) * part + f64::from(other.0[index]) * (1.0 - part)).round().clamp(0.0, 255.0) as u8
        };
        Colour([mix(0), mix(1), mix(2)])
    }

    /// WCAG's relative luminance.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            value if value <= 0.040_45 => value / 12.92,
            value => ((value + 0.055) / 1.055).powf(2.4),
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(self, other: Colour) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The first mix with `towards` that is readable on the background.
    fn readable_on(self, background: Colour, towards: Colour) -> Colour {
        (0..=50)
            .map(|step| self.mixed(1.0 - f64::from(step) / 50.0, towards))
            .find(|colour| colour.contrast(background) >= CONTRAST)
            .unwrap_or(towards)
    }

    /// Soft background shades of the colour, in both themes.
    fn soft(self) -> (Colour, Colour) {
        (self.mixed(0.1, WHITE), self.mixed(0.2, Colour([0x15, 0x1a, 0x21])))
    }

    pub fn tones(self) -> Tones {
        // Text in this colour is also used on its own soft shade.
        let (soft, dark_soft) = self.soft();
        let light = self.readable_on(LIGHT, BLACK).readable_on(soft, BLACK);
        let dark = self.readable_on(DARK, WHITE).readable_on(dark_soft, WHITE);
        Tones { light, dark, on_dark: self.mixed(0.15, BLACK).readable_on(dark, BLACK) }
    }

    /// The design tokens for both themes, as CSS.
    pub fn style(self) -> String {
        let (Tones { light, dark, on_dark }, (soft, dark_soft)) = (self.tones(), self.soft());
        format!(
            ":root{{--brand:{light};--accent:{light};--accent-strong:{};--accent-soft:{soft};--on-accent:#fff;--chart-1:{light}}}\
             :root[data-theme=dark]{{--accent:{dark};--accent-strong:{};--accent-soft:{dark_soft};--on-accent:{on_dark};--chart-1:{dark}}}",
            light.mixed(0.82, BLACK),
            dark.mixed(0.75, WHITE),
        )
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}", hex::encode(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_can_be_read_in_both_themes() {
        for red in (0..=255).step_by(51) {
            for green in (0..=255).step_by(51) {
                for blue in (0..=255).step_by(51) {
                    let style = Colour([red, green, blue]).style();
                    let token = |theme: usize, name: &str| {
                        let of_theme = style.split('}').nth(theme).expect("two themes");
                        let value = of_theme.split(&format!("--{name}:")).nth(1).expect("a token");
                        let value = value.split(';').next().expect("a value");
                        if value == "#fff" { WHITE } else { Colour::parse(value).expect("a colour") }
                    };
                    for (theme, background) in [(0, LIGHT), (1, DARK)] {
                        let accent = token(theme, "accent");
                        for other in [background, token(theme, "accent-soft"), token(theme, "on-accent")] {
                            assert!(accent.contrast(other) >= 4.5, "{style}: {accent} on {other}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_colour_is_six_hexadecimal_digits() {
        assert_eq!(Colour::parse("#2457d6").map(|colour| colour.to_string()), Some("#2457d6".into()));
        for text in ["2457d6", "#2457d", "#2457d6;}", "#gg57d6", "", "red"] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
        assert!((WHITE.contrast(BLACK) - 21.0).abs() < 0.01);
    }
}
