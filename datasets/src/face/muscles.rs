//! Muscles of expression as bundles of elements along lines on the unrolled face, and where they begin on bone. Courses and
//! forces with their sources: docs/theory/anatomy.md.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::model::{FemModel, Model};

use super::grid::PER_DEGREE;
use super::mesh::{Cell, Layer};
use super::shape::EYE;
use super::task::Task;
use crate::fibres::{Fibres, add_muscle};

/// Force of a muscle over the area across its fibres [N/mm²].
const SPECIFIC_TENSION: f64 = 0.25;
/// Share of the tissue's stiffness that full activation adds [-].
pub(super) const STIFFENING: f64 = 3.0;

/// FibrePath on the unrolled left half.
#[derive(Clone, Copy, Debug)]
enum FibrePath {
    /// From the origin to the insertion: angles to the left [degrees], heights [mm].
    Line(&'static [[f64; 2]]),
    /// Around the eye, at half axes [degrees, mm].
    AroundEye([f64; 2]),
}

/// One muscle: width across its fibres and thickness [mm], layer, and whether it begins on bone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Muscle {
    pub(super) name: &'static str,
    path: FibrePath,
    width: f64,
    thickness: f64,
    layer: Layer,
    on_bone: bool,
}

/// A row of [`MUSCLES`] in the superficial layer, from bone.
const fn muscle(name: &'static str, path: FibrePath, [width, thickness]: [f64; 2]) -> Muscle {
    Muscle { name, path, width, thickness, layer: Layer::Superficial, on_bone: true }
}

/// The same in the deep layer.
const fn deep(muscle: Muscle) -> Muscle {
    Muscle { layer: Layer::Deep, ..muscle }
}

/// The same from other tissue.
const fn from_tissue(muscle: Muscle) -> Muscle {
    Muscle { on_bone: false, ..muscle }
}

/// The muscles of the left; those of the right are their mirror images.
pub(super) const MUSCLES: [Muscle; 13] = [
    muscle(
        "zygomaticus_major",
        FibrePath::Line(&[[51.0, 76.0], [36.0, 58.0], [19.5, 40.0]]),
        [8.0, 3.0],
    ),
    muscle(
        "zygomaticus_minor",
        FibrePath::Line(&[[41.0, 79.0], [26.0, 62.0], [12.0, 48.0]]),
        [6.0, 1.8],
    ),
    muscle(
        "levator_labii",
        FibrePath::Line(&[[22.0, 84.0], [16.0, 66.0], [9.0, 49.0]]),
        [12.0, 2.0],
    ),
    from_tissue(muscle(
        "orbicularis_oris",
        FibrePath::Line(&[[20.0, 39.5], [14.0, 45.0], [7.0, 47.0], [0.0, 47.5]]),
        [10.0, 2.5],
    )),
    from_tissue(muscle(
        "orbicularis_oris_inferior",
        FibrePath::Line(&[[20.0, 39.5], [14.0, 34.0], [7.0, 32.0], [0.0, 31.5]]),
        [10.0, 2.5],
    )),
    from_tissue(muscle(
        "risorius",
        FibrePath::Line(&[[50.0, 44.0], [34.0, 41.0], [19.5, 39.0]]),
        [8.0, 1.5],
    )),
    deep(muscle(
        "buccinator",
        FibrePath::Line(&[[58.0, 46.0], [40.0, 42.0], [19.5, 40.0]]),
        [16.0, 2.5],
    )),
    muscle(
        "depressor_anguli_oris",
        FibrePath::Line(&[[23.0, 9.0], [22.0, 24.0], [19.5, 38.0]]),
        [12.0, 2.0],
    ),
    deep(muscle("mentalis", FibrePath::Line(&[[4.5, 18.0], [4.5, 11.0], [4.5, 5.0]]), [10.0, 3.0])),
    from_tissue(muscle(
        "platysma",
        FibrePath::Line(&[[52.0, -2.0], [36.0, 12.0], [22.0, 32.0]]),
        [22.0, 1.5],
    )),
    from_tissue(muscle(
        "frontalis",
        FibrePath::Line(&[[16.0, 164.0], [15.0, 144.0], [15.0, 124.0]]),
        [28.0, 1.6],
    )),
    deep(muscle(
        "corrugator",
        FibrePath::Line(&[[5.0, 118.0], [13.0, 122.0], [21.0, 126.0]]),
        [9.0, 2.0],
    )),
    from_tissue(muscle("orbicularis_oculi", FibrePath::AroundEye([17.0, 11.0]), [14.0, 2.4])),
];

impl Muscle {
    /// Force of a side at full activation [N].
    pub(super) fn force(&self) -> f64 {
        SPECIFIC_TENSION * self.width * self.thickness
    }

    /// Its course as points on the unrolled face [mm].
    fn line(&self) -> Vec<[f64; 2]> {
        match self.path {
            FibrePath::Line(points) => {
                points.iter().map(|[angle, z]| [angle * PER_DEGREE, *z]).collect()
            }
            FibrePath::AroundEye([angle, height]) => {
                const PARTS: u32 = 32;
                let middle = 27.0 * PER_DEGREE;
                let at = |k: u32| {
                    let (sin, cos) =
                        (std::f64::consts::TAU * f64::from(k) / f64::from(PARTS)).sin_cos();
                    [middle + angle * PER_DEGREE * cos, EYE[2] + height * sin]
                };
                (0..=PARTS).map(at).collect()
            }
        }
    }

    /// Length of its fibres [m].
    fn length(&self) -> f64 {
        let line = self.line();
        let steps = line.windows(2).map(|pair| distance(pair[0], pair[1]));
        steps.sum::<f64>() * 1e-3
    }

    /// Its elements on a side, 1 for left and -1 for right.
    fn fibres(&self, cells: &[Cell], side: f64) -> Fibres {
        let line = self.line();
        let mut fibres = Fibres::default();
        for (element, cell) in (0..).zip(cells) {
            let at = [side * cell.at[0], cell.at[1]];
            if cell.layer != self.layer || at[0] < 0.0 {
                continue;
            }
            let Some((aside, [u, v])) = nearest(&line, at) else { continue };
            // A muscle narrower than an element is as wide as one.
            let size = cell.flat.map(|[a, b]| (a * a + b * b).sqrt());
            if aside > 0.5 * self.width.max(size[0].min(size[1])) {
                continue;
            }
            fibres.elements.push(element);
            fibres.directions.push(cell.direction([side * u, v]));
            fibres.volume += cell.volume;
        }
        fibres
    }

    /// True for a cell under its origin.
    fn begins_in(&self, cell: &Cell) -> bool {
        let line = self.line();
        let at = [cell.at[0].abs(), cell.at[1]];
        let reach = 0.5 * self.width.max(8.0) + 1.0;
        self.on_bone && cell.layer == Layer::Deep && distance(at, line[0]) < reach
    }
}

impl Cell {
    /// The direction in space of one on the unrolled face.
    pub(super) fn direction(&self, [u, v]: [f64; 2]) -> Vec3 {
        let [[ax, ay], [bx, by]] = self.flat;
        let det = ax * by - ay * bx;
        let (a, b) = ((u * by - v * bx) / det, (ax * v - ay * u) / det);
        (self.edges[0] * a + self.edges[1] * b).normalize()
    }
}

/// Elements of the deep layer in which muscles begin on bone.
pub(super) fn origins(cells: &[Cell]) -> Vec<u32> {
    let begins = |cell: &Cell| MUSCLES.iter().any(|muscle| muscle.begins_in(cell));
    (0..).zip(cells).filter(|(_, cell)| begins(cell)).map(|(element, _)| element).collect()
}

/// Adds the bundles of each muscle, `left_zygomaticus_major`, ..., and an exciter of both sides under its name; exciters follow what a task
/// does.
pub(super) fn add_muscles(model: &mut Model, fem: Handle<FemModel>, cells: &[Cell], task: Task) {
    for muscle in &MUSCLES {
        let of = |word: &str, side: f64| {
            let fibres = muscle.fibres(cells, side);
            let bundle = fibres.bundle(fem, [muscle.force(), muscle.length()], STIFFENING);
            (format!("{word}_{}", muscle.name), bundle)
        };
        let bundles = vec![of("left", 1.0), of("right", -1.0)];
        add_muscle(model, muscle.name, bundles, task.drive(muscle.name));
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

/// Distance of a point from a line, and the unit direction of the line there; `None` beyond its ends.
fn nearest(line: &[[f64; 2]], at: [f64; 2]) -> Option<(f64, [f64; 2])> {
    let count = line.len() - 1;
    let closed = distance(line[0], line[count]) < 1e-9;
    let of = |k: usize| {
        let (a, b) = (line[k], line[k + 1]);
        let length = distance(a, b);
        let way = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
        let t = (at[0] - a[0]) * way[0] + (at[1] - a[1]) * way[1];
        let beyond = (t < 0.0 && k == 0) || (t > length && k + 1 == count);
        let t = t.clamp(0.0, length);
        let there = [a[0] + t * way[0], a[1] + t * way[1]];
        (distance(at, there), way, beyond && !closed)
    };
    let found = (0..count).map(of).min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (aside, way, beyond) = found;
    // Half an element beyond the end still belongs to the muscle.
    (!beyond || aside < 3.0).then_some((aside, way))
}
