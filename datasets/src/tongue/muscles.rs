//! The eleven muscles of the tongue as bundles of its tissue: where each lies and how its fibres run, in the
//! coordinates of the blocks that the mesh is made of. Courses and forces with their sources: docs/theory/anatomy.md.

use std::collections::BTreeSet;

use sinew::Vec3;
use sinew::axial::{ActivationDynamics, ActivationModel};
use sinew::component::{ComponentType, Handle};
use sinew::material::{BlemkerMuscleConstants, LawFrame, Material, MaterialSpec};
use sinew::model::{FemModel, Model, MuscleBundle, MuscleExciter};

use super::TongueParams;
use super::manoeuvre::Manoeuvre;
use super::mesh::{Block, Cell, cells};

/// One muscle: name, force of both sides at full activation [N], and the course of its fibres.
struct Muscle {
    name: &'static str,
    force: f64,
    /// True if it is one muscle a side.
    paired: bool,
    fibres: fn(&Cell) -> Option<FibreDirection>,
}

/// Fibres in a cell: their direction in block coordinates, and the coordinate that they run along.
struct FibreDirection {
    direction: [f64; 3],
    axis: usize,
}

/// Along the tongue.
const LENGTHWISE: FibreDirection = FibreDirection { direction: [1.0, 0.0, 0.0], axis: 0 };
/// From side to side.
const ACROSS: FibreDirection = FibreDirection { direction: [0.0, 1.0, 0.0], axis: 1 };
/// From the underside to the dorsum, or along the rays of the keel.
const UPWARD: FibreDirection = FibreDirection { direction: [0.0, 0.0, 1.0], axis: 2 };
/// From the hyoid bone upward and forward.
const UP_AND_FORWARD: FibreDirection = FibreDirection { direction: [-0.6, 0.0, 1.0], axis: 2 };

/// Ends of the parts of the genioglossus along the tongue.
const GENIOGLOSSUS: [f64; 4] = [0.28, 0.45, 0.68, 1.0];
/// Begin of the geniohyoid in the keel.
const GENIOHYOID: f64 = 0.86;

/// All of them.
const MUSCLES: [Muscle; 11] = [
    Muscle { name: "GGA", force: 18.0, paired: true, fibres: |cell| genioglossus(cell, 0) },
    Muscle { name: "GGM", force: 12.0, paired: true, fibres: |cell| genioglossus(cell, 1) },
    Muscle { name: "GGP", force: 37.0, paired: true, fibres: |cell| genioglossus(cell, 2) },
    Muscle {
        name: "STY",
        force: 24.0,
        paired: true,
        fibres: |cell| body(cell, [0.1, 0.75], [0.7, 1.0], [0.1, 0.9], LENGTHWISE),
    },
    Muscle {
        name: "HG",
        force: 65.0,
        paired: true,
        fibres: |cell| body(cell, [0.5, 1.0], [0.5, 1.0], [0.0, 0.85], UP_AND_FORWARD),
    },
    Muscle { name: "MH", force: 39.0, paired: true, fibres: mylohyoid },
    Muscle { name: "GH", force: 17.5, paired: true, fibres: geniohyoid },
    Muscle {
        name: "SL",
        force: 19.0,
        paired: false,
        fibres: |cell| body(cell, [0.0, 0.9], [0.0, 0.8], [0.75, 1.0], LENGTHWISE),
    },
    Muscle {
        name: "IL",
        force: 9.0,
        paired: true,
        fibres: |cell| body(cell, [0.0, 0.8], [0.3, 0.75], [0.0, 0.35], LENGTHWISE),
    },
    Muscle {
        name: "V",
        force: 20.0,
        paired: true,
        fibres: |cell| body(cell, [0.0, 0.65], [0.3, 1.0], [0.2, 1.0], UPWARD),
    },
    Muscle {
        name: "T",
        force: 50.0,
        paired: true,
        fibres: |cell| body(cell, [0.1, 0.9], [0.0, 1.0], [0.3, 0.9], ACROSS),
    },
];

/// A course in the cells of the body whose centres lie in these ranges: along the tongue, to the side, upward.
fn body(
    cell: &Cell,
    along: [f64; 2],
    aside: [f64; 2],
    up: [f64; 2],
    fibres: FibreDirection,
) -> Option<FibreDirection> {
    let [s, w, v] = cell.at;
    let inside = |x: f64, [low, high]: [f64; 2]| low < x && x < high;
    let here =
        cell.block == Block::Body && inside(s, along) && inside(w.abs(), aside) && inside(v, up);
    here.then_some(fibres)
}

/// The middle of keel and body; the lowest fibres of the keel are the geniohyoid's.
fn genioglossus(cell: &Cell, part: usize) -> Option<FibreDirection> {
    let [s, w, _] = cell.at;
    let own = GENIOGLOSSUS[part] < s && s < GENIOGLOSSUS[part + 1];
    let middle = match cell.block {
        Block::Body => w.abs() < 0.5,
        Block::Keel => w.abs() < 0.67 && s < GENIOHYOID,
    };
    (own && middle).then_some(UPWARD)
}

/// The floor of the mouth: from the middle up to the two sides of the mandible.
fn mylohyoid(cell: &Cell) -> Option<FibreDirection> {
    let [s, w, d] = cell.at;
    let rising = FibreDirection { direction: [0.0, 1.0, -0.3 * w.signum()], axis: 1 };
    (cell.block == Block::Keel && d > 0.4 && s < GENIOHYOID).then_some(rising)
}

/// The hindmost rays of the keel, from the mandible to the hyoid bone.
fn geniohyoid(cell: &Cell) -> Option<FibreDirection> {
    (cell.block == Block::Keel && cell.at[0] > GENIOHYOID).then_some(UPWARD)
}

/// One of the sides of a muscle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The fibres of one muscle in the mesh.
struct Fibres {
    elements: Vec<u32>,
    directions: Vec<Vec3>,
    /// Side of each element.
    sides: Vec<Side>,
    /// Mean area across the fibres of both sides [m²]: volume over mean length.
    area: f64,
}

impl Fibres {
    fn of(muscle: &Muscle, cells: &[Cell]) -> Self {
        let (mut elements, mut directions, mut sides) = (Vec::new(), Vec::new(), Vec::new());
        let (mut volume, mut length, mut lines) = (0.0, 0.0, BTreeSet::new());
        for (element, cell) in (0..).zip(cells) {
            let Some(FibreDirection { direction, axis }) = (muscle.fibres)(cell) else { continue };
            let [by_s, by_w, by_v] = cell.slopes();
            let along = by_s * direction[0] + by_w * direction[1] + by_v * direction[2];
            elements.push(element);
            directions.push(along.normalize());
            sides.push(if cell.at[1] > 0.0 { Side::Left } else { Side::Right });
            volume += by_s.cross(&by_w).dot(&by_v).abs() * cell.size.iter().product::<f64>();
            length += along.norm() * cell.size[axis] / direction[axis].abs();
            // Cells one after the other along the axis are one line, through keel and body.
            let mut line = cell.index;
            line[axis] = 0;
            lines.insert((axis != 2 && cell.block == Block::Keel, line));
        }
        Self { elements, directions, sides, area: volume * lines.len() as f64 / length }
    }

    /// Bundles of a muscle, without their names: that of each side, or one of both.
    fn bundles(&self, muscle: &Muscle, fem: Handle<FemModel>) -> Vec<(String, MuscleBundle)> {
        let law = MaterialSpec::BlemkerMuscle(BlemkerMuscleConstants {
            max_stress: muscle.force / self.area,
            ..BlemkerMuscleConstants::default()
        });
        let of = |name: String, side: Option<Side>| {
            let own = |k: &usize| side.is_none_or(|side| self.sides[*k] == side);
            let own: Vec<usize> = (0..self.elements.len()).filter(own).collect();
            let elements = own.iter().map(|&k| self.elements[k]).collect();
            let directions = own.iter().map(|&k| self.directions[k]).collect();
            (name, MuscleBundle::new(fem, law).in_elements(elements, directions))
        };
        if muscle.paired {
            let sides = [("left", Side::Left), ("right", Side::Right)];
            sides.map(|(word, side)| of(format!("{word}_{}", muscle.name), Some(side))).into()
        } else {
            vec![of(muscle.name.to_owned(), None)]
        }
    }
}

/// Adds the bundles of each muscle, `left_GGA` and `right_GGA` or `SL`, and an exciter of both under its name, to a model
/// with a tongue of these parameters; exciters follow what the task does.
pub(crate) fn add_muscles(
    model: &mut Model,
    fem: Handle<FemModel>,
    tongue: &TongueParams,
    task: Manoeuvre,
) {
    let cells = cells(tongue.resolution, tongue.vault);
    let at_points = model[fem].material.law::<f64>().frame() == LawFrame::Point;
    for muscle in &MUSCLES {
        let bundles = Fibres::of(muscle, &cells).bundles(muscle, fem);
        let bundles = bundles.into_iter().map(|(name, mut bundle)| {
            bundle.activation = ActivationDynamics {
                model: ActivationModel::FirstOrder,
                least: 0.0,
                ..ActivationDynamics::default()
            };
            bundle.stiffening = if at_points { tongue.stiffening } else { 0.0 };
            model.add(bundle.named(name))
        });
        let mut exciter = MuscleExciter::new(muscle.name, bundles.collect::<Vec<_>>());
        (exciter.excitation, exciter.schedule) = task.drive(muscle.name);
        model.add(exciter);
    }
}
