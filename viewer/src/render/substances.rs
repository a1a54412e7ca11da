//! Substances of surfaces and lines in pictures for publication: light that goes into them, and the finish of their surface.
//! Lengths are of their order in tissue; shares were chosen by eye.

use sinew::property::Substance;
use sinew::snapshot::{Item, Shape};

/// Way of light through a substance, and the finish of its surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Optics {
    /// Share of red, green and blue light that turns around the edge of the dark side [-].
    pub(super) wrap: [f32; 3],
    /// Way after which light that shines through is down to 1/e [m].
    pub(super) path: f32,
    /// Reflection at right angles [-].
    pub(super) gloss: f32,
    /// Exponent of highlights [-].
    pub(super) shininess: f32,
    /// Spots of a rough surface, as a part of its colour [-].
    pub(super) mottle: f32,
    /// Fibres along a line, as a part of its colour [-]; its ends are tendons where there are some.
    pub(super) fibres: f32,
}

/// Optics without a substance: neither light inside nor spots.
const PLAIN: Optics =
    Optics { wrap: [0.0; 3], path: 0.0, gloss: 0.05, shininess: 40.0, mottle: 0.0, fibres: 0.0 };

/// Optics of a substance.
pub(super) const fn optics(substance: Substance) -> Optics {
    match substance {
        Substance::Plain => PLAIN,
        Substance::Bone => Optics {
            wrap: [0.22, 0.16, 0.10],
            path: 6e-4,
            gloss: 0.035,
            shininess: 18.0,
            mottle: 0.10,
            ..PLAIN
        },
        Substance::Cartilage => {
            Optics { wrap: [0.34, 0.36, 0.40], path: 2.5e-3, gloss: 0.10, shininess: 70.0, ..PLAIN }
        }
        Substance::Tooth => Optics {
            wrap: [0.30, 0.26, 0.20],
            path: 1.5e-3,
            gloss: 0.16,
            shininess: 110.0,
            ..PLAIN
        },
        Substance::Muscle => Optics {
            wrap: [0.34, 0.10, 0.08],
            path: 3e-3,
            gloss: 0.06,
            shininess: 34.0,
            fibres: 0.26,
            ..PLAIN
        },
        Substance::Ligament => {
            Optics { wrap: [0.26, 0.22, 0.16], path: 1e-3, gloss: 0.09, shininess: 50.0, ..PLAIN }
        }
        Substance::Tissue => {
            Optics { wrap: [0.40, 0.16, 0.12], path: 4e-3, gloss: 0.07, shininess: 36.0, ..PLAIN }
        }
    }
}

/// Substance of an item: its own, or what it is by its kind. A body of a colour that somebody chose may be anything.
pub(super) fn substance_of(item: &Item) -> Substance {
    let guess = match &item.shape {
        Shape::Rigid { .. } if item.style.face_color.is_none() => Substance::Bone,
        Shape::Tissue { .. } => Substance::Tissue,
        Shape::Lines(lines) if lines.muscle => Substance::Muscle,
        Shape::Lines(_) => Substance::Ligament,
        Shape::Rigid { .. } | Shape::Points(_) | Shape::Fibres { .. } | Shape::Frame { .. } => {
            Substance::Plain
        }
    };
    item.style.substance.unwrap_or(guess)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Substance; 7] = [
        Substance::Plain,
        Substance::Bone,
        Substance::Cartilage,
        Substance::Tooth,
        Substance::Muscle,
        Substance::Ligament,
        Substance::Tissue,
    ];

    #[test]
    fn substances_are_told_apart_and_none_sends_out_more_light_than_it_gets() {
        for (k, a) in ALL.map(optics).iter().enumerate() {
            assert!(a.wrap.iter().all(|share| (0.0..1.0).contains(share)), "{a:?}");
            assert!((0.0..0.5).contains(&a.gloss) && a.shininess >= 1.0, "{a:?}");
            assert!(a.mottle < 0.5 && a.fibres < 0.5, "{a:?}");
            for b in ALL.map(optics).iter().skip(k + 1) {
                assert_ne!(a, b);
            }
        }
    }

    #[test]
    fn red_light_goes_farther_through_flesh_than_blue() {
        for substance in [Substance::Muscle, Substance::Tissue, Substance::Bone] {
            let [red, green, blue] = optics(substance).wrap;
            assert!(red > green && green > blue, "{substance:?}");
        }
    }
}
