//! The eleven muscles of the tongue as bundles of its tissue: where each lies and how its fibres run, in the
//! coordinates of the blocks that the mesh is made of, and what they do in some manoeuvres. Courses are those of
//! anatomy books as the block coordinates allow, forces those of Buchaillard et al. 2009; datasets/README.md has both.

use std::collections::BTreeSet;

use sinew::Vec3;
use sinew::axial::{ActivationDynamics, ActivationModel};
use sinew::component::{ComponentType, Handle};
use sinew::material::{BlemkerMuscleConstants, MaterialSpec};
use sinew::model::{FemModel, Model, MuscleBundle, MuscleExciter};

use super::mesh::{Block, Cell, cells};

/// One muscle: name, force of both sides at full activation [N], and the course of its fibres.
pub(super) struct Muscle {
    pub(super) name: &'static str,
    force: f64,
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
const UP_AND_FORWARD: FibreDirection = FibreDirection { direction: [-0.25, 0.0, 1.0], axis: 2 };

/// Where the parts of the genioglossus end along the tongue.
const GENIOGLOSSUS: [f64; 4] = [0.28, 0.45, 0.68, 1.0];
/// Where the geniohyoid begins in the keel.
const GENIOHYOID: f64 = 0.86;

/// All of them.
pub(super) const MUSCLES: [Muscle; 11] = [
    Muscle { name: "GGA", force: 18.0, fibres: |cell| genioglossus(cell, 0) },
    Muscle { name: "GGM", force: 12.0, fibres: |cell| genioglossus(cell, 1) },
    Muscle { name: "GGP", force: 37.0, fibres: |cell| genioglossus(cell, 2) },
    Muscle {
        name: "STY",
        force: 24.0,
        fibres: |cell| body(cell, [0.1, 0.75], [0.7, 1.0], [0.1, 0.9], LENGTHWISE),
    },
    Muscle {
        name: "HG",
        force: 65.0,
        fibres: |cell| body(cell, [0.5, 1.0], [0.5, 1.0], [0.0, 0.85], UP_AND_FORWARD),
    },
    Muscle { name: "MH", force: 39.0, fibres: mylohyoid },
    Muscle { name: "GH", force: 17.5, fibres: geniohyoid },
    Muscle {
        name: "SL",
        force: 19.0,
        fibres: |cell| body(cell, [0.0, 0.9], [0.0, 0.8], [0.75, 1.0], LENGTHWISE),
    },
    Muscle {
        name: "IL",
        force: 9.0,
        fibres: |cell| body(cell, [0.0, 0.8], [0.3, 0.75], [0.0, 0.35], LENGTHWISE),
    },
    Muscle {
        name: "V",
        force: 20.0,
        fibres: |cell| body(cell, [0.0, 0.65], [0.3, 1.0], [0.2, 1.0], UPWARD),
    },
    Muscle {
        name: "T",
        force: 50.0,
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

/// The floor of the mouth, between the two sides of the mandible.
fn mylohyoid(cell: &Cell) -> Option<FibreDirection> {
    let [s, _, d] = cell.at;
    (cell.block == Block::Keel && d > 0.5 && s < GENIOHYOID).then_some(ACROSS)
}

/// The hindmost rays of the keel, from the mandible to the hyoid bone.
fn geniohyoid(cell: &Cell) -> Option<FibreDirection> {
    (cell.block == Block::Keel && cell.at[0] > GENIOHYOID).then_some(UPWARD)
}

/// The fibres of one muscle in the mesh.
struct Fibres {
    elements: Vec<u32>,
    directions: Vec<Vec3>,
    /// Mean area across the fibres [m²]: volume over mean length.
    area: f64,
}

impl Fibres {
    fn of(muscle: &Muscle, cells: &[Cell]) -> Self {
        let (mut elements, mut directions) = (Vec::new(), Vec::new());
        let (mut volume, mut length, mut lines) = (0.0, 0.0, BTreeSet::new());
        for (element, cell) in (0..).zip(cells) {
            let Some(FibreDirection { direction, axis }) = (muscle.fibres)(cell) else { continue };
            let [by_s, by_w, by_v] = cell.slopes();
            let along = by_s * direction[0] + by_w * direction[1] + by_v * direction[2];
            elements.push(element);
            directions.push(along.normalize());
            volume += by_s.cross(&by_w).dot(&by_v).abs() * cell.size.iter().product::<f64>();
            length += along.norm() * cell.size[axis] / direction[axis].abs();
            // Cells one after the other along the axis are one line, through keel and body.
            let mut line = cell.index;
            line[axis] = 0;
            lines.insert((axis != 2 && cell.block == Block::Keel, line));
        }
        Self { elements, directions, area: volume * lines.len() as f64 / length }
    }
}

/// Adds a bundle and an exciter of each muscle, both of its name, to a model with a tongue of a resolution; exciters
/// follow what a task does.
pub(super) fn add_muscles(
    model: &mut Model,
    fem: Handle<FemModel>,
    resolution: usize,
    task: Manoeuvre,
) {
    let cells = cells(resolution);
    for muscle in &MUSCLES {
        let fibres = Fibres::of(muscle, &cells);
        let law = MaterialSpec::BlemkerMuscle(BlemkerMuscleConstants {
            max_stress: muscle.force / fibres.area,
            ..BlemkerMuscleConstants::default()
        });
        let mut bundle = MuscleBundle::new(fem, law)
            .in_elements(fibres.elements, fibres.directions)
            .named(muscle.name);
        bundle.activation = ActivationDynamics {
            model: ActivationModel::FirstOrder,
            ..ActivationDynamics::default()
        };
        let bundle = model.add(bundle);
        let mut exciter = MuscleExciter::new(muscle.name, [bundle]);
        exciter.excitation = task.excitation(muscle.name);
        if exciter.excitation > 0.0 {
            exciter.schedule = super::protrusion();
        }
        model.add(exciter);
    }
}

/// Tasks of the tongue in the first second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manoeuvre {
    /// Nothing.
    Rest,
    /// The tip goes forward.
    Protrusion,
    /// The body goes back.
    Retraction,
    /// The body goes forward and up, as for the vowel of "see".
    I,
    /// The body goes down, as for the vowel of "father".
    A,
    /// The tip bends up.
    TipUp,
}

impl Manoeuvre {
    /// Excitations by name of the muscle [-].
    fn excitations(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Rest => &[],
            Self::Protrusion => &[("GGP", 0.4), ("T", 0.2), ("V", 0.1)],
            Self::Retraction => &[("STY", 0.4), ("HG", 0.1), ("IL", 0.2)],
            Self::I => &[("GGP", 0.4), ("STY", 0.1), ("MH", 0.2)],
            Self::A => &[("HG", 0.2), ("GGA", 0.3)],
            Self::TipUp => &[("SL", 0.2), ("T", 0.1), ("GGP", 0.1)],
        }
    }

    fn excitation(self, muscle: &str) -> f64 {
        let own = self.excitations().iter().find(|(name, _)| *name == muscle);
        own.map_or(0.0, |(_, excitation)| *excitation)
    }
}
