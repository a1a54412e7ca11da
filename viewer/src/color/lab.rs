//! CIELAB under D65 \[CIE2018\]: how far apart two colours look.

use super::to_linear;

/// White of D65, Y = 1.
const WHITE: [f32; 3] = [0.950_47, 1.0, 1.088_83];

/// Rows that lead from linear sRGB to XYZ (IEC 61966-2-1).
const TO_XYZ: [[f32; 3]; 3] = [
    [0.412_456_4, 0.357_576_1, 0.180_437_5],
    [0.212_672_9, 0.715_152_2, 0.072_175],
    [0.019_333_9, 0.119_192, 0.950_304_1],
];

/// L*, a*, b* of an sRGB colour.
pub fn lab(color: [f32; 3]) -> [f32; 3] {
    of_linear(color.map(to_linear))
}

/// L*, a*, b* of linear light.
pub fn of_linear(light: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = std::array::from_fn(|row| {
        let sum: f32 = (0..3).map(|k| TO_XYZ[row][k] * light[k]).sum();
        compressed(sum / WHITE[row])
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn compressed(t: f32) -> f32 {
    const DELTA: f32 = 6.0 / 29.0;
    if t > DELTA.powi(3) { t.cbrt() } else { t / (3.0 * DELTA * DELTA) + 4.0 / 29.0 }
}

/// Euclidean distance of two colours in CIELAB; 2.3 is just noticeable \[Mahy1994\].
pub fn difference(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values_of_primaries_are_met() {
        // Lindbloom's calculator, sRGB and D65.
        for (color, expected) in [
            ([1.0, 0.0, 0.0], [53.24, 80.09, 67.20]),
            ([0.0, 1.0, 0.0], [87.73, -86.18, 83.18]),
            ([0.0, 0.0, 1.0], [32.30, 79.19, -107.86]),
            ([1.0, 1.0, 1.0], [100.0, 0.0, 0.0]),
        ] {
            let found = lab(color);
            assert!(difference(found, expected) < 0.05, "{color:?}: {found:?}");
        }
    }
}
