//! Colour maps, and sRGB to and from linear light.

mod bar;
pub mod lab;
mod scale;
mod tables;

use serde::{Deserialize, Serialize};

pub use bar::{Tick, bar_title, ticks};
pub(crate) use bar::{prefixed, round_step};
pub(crate) use scale::rising;
pub use scale::{ColorRange, ColorScale};

/// Colours for numbers from 0 to 1. Sources: docs/reference/references.md [Smith2015, Nunez2018, Moreland2009,
/// Mikhailov2019].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColorMap {
    /// Blue to green to yellow; even steps of lightness.
    #[default]
    Viridis,
    /// Black to purple to cream; even steps of lightness.
    Magma,
    /// Black to red to yellow; even steps of lightness.
    Inferno,
    /// Blue to yellow; the same to eyes that do not tell red from green.
    Cividis,
    /// Blue to white to red, for numbers of either sign.
    Coolwarm,
    /// A rainbow; lightness rises and falls.
    Turbo,
    /// Black to white.
    Greys,
}

impl ColorMap {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Viridis,
        Self::Magma,
        Self::Inferno,
        Self::Cividis,
        Self::Coolwarm,
        Self::Turbo,
        Self::Greys,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Magma => "magma",
            Self::Inferno => "inferno",
            Self::Cividis => "cividis",
            Self::Coolwarm => "coolwarm",
            Self::Turbo => "turbo",
            Self::Greys => "greys",
        }
    }

    fn table(self) -> &'static [u32] {
        match self {
            Self::Viridis => &tables::VIRIDIS,
            Self::Magma => &tables::MAGMA,
            Self::Inferno => &tables::INFERNO,
            Self::Cividis => &tables::CIVIDIS,
            Self::Coolwarm => &tables::COOLWARM,
            Self::Turbo => &tables::TURBO,
            Self::Greys => &tables::GREYS,
        }
    }

    /// Colour of a number, sRGB from 0 to 1; numbers beyond the ends have their colours.
    pub fn color(self, number: f32) -> [f32; 3] {
        let table = self.table();
        let steps = table.len() - 1;
        let number = if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) };
        let place = number * steps as f32;
        let at = (place as usize).min(steps - 1);
        let part = (place - at as f32).clamp(0.0, 1.0);
        let [from, to] = [table[at], table[at + 1]].map(channels);
        std::array::from_fn(|k| from[k] + part * (to[k] - from[k]))
    }
}

/// sRGB from 0 to 1 of 0xRRGGBB.
fn channels(packed: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| (packed >> shift & 0xff) as f32 / 255.0)
}

/// Linear light of an sRGB channel (IEC 61966-2-1).
pub fn to_linear(channel: f32) -> f32 {
    if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

/// sRGB channel of linear light (IEC 61966-2-1).
pub fn to_srgb(light: f32) -> f32 {
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// Linear light of an sRGB colour.
pub(crate) fn linear(color: [f32; 3]) -> [f32; 3] {
    color.map(|c| to_linear(c.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::lab::lab;
    use super::*;

    fn lightness(map: ColorMap) -> Vec<f32> {
        (0..=256).map(|k| lab(map.color(k as f32 / 256.0))[0]).collect()
    }

    #[test]
    fn lightness_rises_throughout_where_steps_are_meant_to_be_even() {
        use ColorMap::{Cividis, Greys, Inferno, Magma, Viridis};
        for map in [Viridis, Magma, Inferno, Cividis, Greys] {
            let lightness = lightness(map);
            for pair in lightness.windows(2) {
                assert!(pair[1] > pair[0], "{}: {pair:?}", map.name());
            }
            assert!(lightness[256] - lightness[0] > 70.0, "{}", map.name());
        }
    }

    #[test]
    fn the_rainbow_would_not_pass_for_a_map_of_rising_lightness() {
        let lightness = lightness(ColorMap::Turbo);
        assert!(lightness.windows(2).any(|pair| pair[1] < pair[0]));
    }

    #[test]
    fn steps_of_viridis_look_alike() {
        let colors: Vec<_> =
            (0..=32).map(|k| lab(ColorMap::Viridis.color(k as f32 / 32.0))).collect();
        let steps: Vec<f32> = colors.windows(2).map(|p| lab::difference(p[0], p[1])).collect();
        let mean = steps.iter().sum::<f32>() / steps.len() as f32;
        // Evenness was designed in a newer space than CIELAB, where steps differ more.
        assert!(steps.iter().all(|step| (0.5..1.7).contains(&(step / mean))), "{steps:?}");
    }

    #[test]
    fn coolwarm_is_lightest_and_grey_in_the_middle() {
        let lightness = lightness(ColorMap::Coolwarm);
        let lightest = (0..=256).max_by(|a, b| lightness[*a].total_cmp(&lightness[*b])).unwrap();
        assert!((120..=136).contains(&lightest), "{lightest}");
        let [_, a, b] = lab(ColorMap::Coolwarm.color(0.5));
        assert!(a.hypot(b) < 3.0, "{a} {b}");
    }

    #[test]
    fn numbers_out_of_range_and_none_have_a_colour_of_the_map() {
        let map = ColorMap::Viridis;
        assert_eq!(map.color(-3.0), map.color(0.0));
        assert_eq!(map.color(7.0), map.color(1.0));
        assert_eq!(map.color(f32::NAN), map.color(0.0));
        assert_eq!(map.color(0.0), channels(0x440154));
    }

    #[test]
    fn linear_light_and_srgb_are_inverse() {
        for k in 0..=255 {
            let channel = k as f32 / 255.0;
            assert!((to_srgb(to_linear(channel)) - channel).abs() < 1e-5, "{channel}");
        }
    }
}
