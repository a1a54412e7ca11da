//! The smooth shape of the tongue at rest: maps from block coordinates to points in the body. Only
//! sums and products, so that every machine makes the same coordinates. The dimensions are in README.md.

use sinew::Vec3;

use crate::interpolation::{catmull_rom, smooth_step};

/// Millimetres, in which the tables of this file are written, to metres.
const MM: f64 = 1e-3;

/// Begin of the keel: cells before it, of [`BODY_CELLS`] along the tongue.
pub(super) const FREE_CELLS: usize = 4;
/// Cells of the body from tip to root, from left to right, from underside to dorsum.
pub(super) const BODY_CELLS: [usize; 3] = [14, 8, 5];
/// Cells of the keel along the tongue (the last ones of the body), from left to right (the middle
/// ones of the body), from the body to the jaw. 14 * 8 * 5 + 10 * 6 * 3 = 740.
pub(super) const KEEL_CELLS: [usize; 3] = [10, 6, 3];
/// The same for the coarse mesh: half as many along, as many across, where the keel is three quarters as
/// wide as the body. 7 * 8 * 3 + 5 * 6 * 2 = 228.
pub(super) const COARSE_BODY_CELLS: [usize; 3] = [7, 8, 3];
/// See [`COARSE_BODY_CELLS`].
pub(super) const COARSE_KEEL_CELLS: [usize; 3] = [5, 6, 2];

/// Midsagittal outline of the upper surface, (x, z) [mm], from the tip over blade and dorsum down
/// the root to the vallecula.
const DORSUM: [[f64; 2]; 10] = [
    [35.5, 32.5],
    [29.0, 38.0],
    [19.5, 43.0],
    [8.0, 47.0],
    [-4.5, 48.5],
    [-16.0, 46.0],
    [-25.0, 39.5],
    [-30.5, 30.0],
    [-33.0, 19.5],
    [-32.0, 8.5],
];

/// Midsagittal underside of the body, (x, z) [mm]: free from the tip to the frenulum, then inside
/// the tongue, where the keel begins, to the hyoid bone.
const UNDERSIDE: [[f64; 2]; 10] = [
    [34.0, 28.5],
    [27.0, 27.5],
    [20.0, 27.0],
    [13.0, 26.5],
    [6.0, 25.0],
    [-0.5, 22.0],
    [-6.0, 18.0],
    [-10.0, 13.5],
    [-12.5, 8.5],
    [-14.0, 3.5],
];

/// Midsagittal line of origin on the mandible, (x, z) [mm], for the rays of the keel from the
/// frenulum to the floor of the mouth.
const JAW: [[f64; 2]; 2] = [[20.5, 15.5], [14.0, 2.0]];

/// Half width over the length of the tongue [mm].
const HALF_WIDTH: [f64; 10] = [9.0, 14.0, 18.0, 20.5, 22.5, 23.7, 24.0, 23.5, 21.5, 18.5];

/// Rise of the dorsum, over the length of the tongue, where it fills the vault of the palate [mm].
const VAULT: [f64; 10] = [0.0, 2.0, 5.0, 7.5, 8.0, 6.0, 2.5, 0.0, 0.0, 0.0];
/// Part of that rise which its edges lack [-]: the vault is an arch.
const VAULT_ARCH: f64 = 0.6;

/// Half width of the origin on the mandible [mm].
const JAW_HALF_WIDTH: f64 = 6.5;

/// The curve through `points` at `t` in [0, 1].
fn through<const N: usize>(points: &[[f64; N]], t: f64) -> [f64; N] {
    catmull_rom(points, t.clamp(0.0, 1.0) * (points.len() - 1) as f64)
}

fn half_width(s: f64) -> f64 {
    through(&HALF_WIDTH.map(|width| [width]), s)[0]
}

/// 1 at the tip, falling to 0 halfway along the tongue.
fn near_tip(s: f64) -> f64 {
    let t = (1.0 - 2.0 * s).max(0.0);
    t * t
}

/// Distance of a point of the body from the tip once the tip is rounded: the edges of the front
/// face draw back. The rounding fades within the blade.
fn rounded_length(s: f64, w: f64, v: f64) -> f64 {
    let across = 2.0 * v - 1.0;
    s + near_tip(s) * (0.07 * w * w + 0.02 * across * across * (1.0 - w * w))
}

/// Point of the body [m]: `s` from tip 0 to root 1, `w` from right -1 to left 1, `v` from
/// underside 0 to dorsum 1; `vault` is the part of [`VAULT`] by which the dorsum is higher.
pub(super) fn body_point([s, w, v]: [f64; 3], vault: f64) -> Vec3 {
    let along = rounded_length(s, w, v);
    let [[ux, uz], [lx, lz]] = [through(&DORSUM, along), through(&UNDERSIDE, along)];
    let w2 = w * w;
    // The dorsum falls to the sides and has a shallow median groove; the underside rises to them.
    let middle = (1.0 - w2) * (1.0 - w2) * (1.0 - w2);
    let groove = 0.12 * middle * middle * s * (1.0 - s);
    let top = 1.0 - 0.27 * w2 - groove;
    let bottom = 0.22 * w2;
    let height = bottom + (top - bottom) * v;
    // The sides bulge between underside and dorsum, less at the tip, where they are low.
    let across = 2.0 * v - 1.0;
    let bulge = 0.088 - 0.05 * near_tip(s);
    let y = half_width(along) * w * (1.0 - bulge * w2 * across * across);
    let rise = vault * through(&VAULT.map(|rise| [rise]), along)[0] * v * (1.0 - VAULT_ARCH * w2);
    Vec3::new(lx + (ux - lx) * height, y, lz + (uz - lz) * height + rise) * MM
}

/// Point of the keel [m]: `s` as in the body, `w` from right -1 to left 1 of the keel, `d` from the
/// body 0 to the mandible 1. Rays of constant `s` and `w` run as the genioglossus muscle fans out.
pub(super) fn keel_point(s: f64, w: f64, d: f64) -> Vec3 {
    // The underside, which no vault raises.
    let from = body_point([s, w * KEEL_CELLS[1] as f64 / BODY_CELLS[1] as f64, 0.0], 0.0);
    let begin = FREE_CELLS as f64 / BODY_CELLS[0] as f64;
    let [x, z] = through(&JAW, (s - begin) / (1.0 - begin));
    let to = Vec3::new(x, JAW_HALF_WIDTH * w, z) * MM;
    from + (to - from) * d
}

/// Share of the scheduled load at a point of the body: 1 at the tip, falling smoothly to 0 at 0.6
/// of the length, before the root.
pub(super) fn blade_weight(s: f64) -> f64 {
    1.0 - smooth_step(s / 0.6)
}
