//! Food between the molars of the working side: a block of tissue that the cheek brings between the open jaws, in contact
//! with the upper and the lower molars. The forces of both contacts are recorded. Numbers: docs/theory/anatomy.md.

use nalgebra::{Isometry3, Point3, Rotation3, UnitQuaternion};
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::contact::ColliderShape;
use sinew::dynamics::SpatialInertia;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    AxialSpring, Collider, CollisionBehavior, FemModel, FrameMarker, FrameSite, Inertia, Keyframe,
    LinearAxial, Model, OutputProbe, PointRef, RigidBody,
};
use sinew::property::Value;

use crate::ParamError;
use crate::beam::{BeamElement, beam_mesh};
use crate::bones::{MM, molar_tops};
use crate::jaw::muscles::Side;
use crate::skeleton::{hide, paint, set};

/// Food between the teeth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bolus {
    /// None.
    #[default]
    None,
    /// As stiff as mozzarella (key Garcia2018).
    Soft,
    /// Ten times as stiff.
    Firm,
}

impl Bolus {
    /// The names of `bolus=`.
    pub(super) const NAMED: [(&'static str, Self); 3] =
        [("none", Self::None), ("soft", Self::Soft), ("firm", Self::Firm)];

    /// Young's modulus [Pa]; `None` without food.
    pub const fn youngs_modulus(self) -> Option<f64> {
        match self {
            Self::None => None,
            Self::Soft => Some(0.2e6),
            Self::Firm => Some(2e6),
        }
    }
}

/// Edges along the arch, across it and upwards [mm].
const SIZE: [f64; 3] = [12.0, 8.0, 7.0];
/// Hexahedra along them; an even number of layers has nodes at half the height.
const CELLS: [usize; 3] = [4, 3, 4];
const POISSONS_RATIO: f64 = 0.45;
/// Density [kg/m³].
const DENSITY: f64 = 1100.0;
/// Damping by stiffness [s].
const STIFFNESS_DAMPING: f64 = 5e-3;
/// Half the extents of the tables that stand for the crowns of the molars, along the arch, across it and in height [mm]: wide enough for
/// a flattened block.
const TABLE: [f64; 3] = [13.0, 7.0, 4.0];
/// Coefficient of friction on wet enamel.
const FRICTION: f64 = 0.2;
/// Overlap that contact leaves, and distance below which contacts are looked at [mm].
const TOLERANCE: f64 = 0.02;
const MARGIN: f64 = 0.5;
/// Space below the upper molars when the block is in place [mm].
const ROOM: f64 = 0.3;
/// Distance from the middle of the molars to the place in the cheek where the block begins [mm].
const AWAY: f64 = 14.0;
/// Times between which the cheek brings it in, while the jaw is open [s].
const BROUGHT: [f64; 2] = [0.18, 0.36];
/// Stiffness and damping of each of the springs that hold the block [N/m, N s/m]: three at each of four nodes bear its weight of
/// 7 mN within 0.04 mm, and some 2 N at most where it is bitten.
const HOLD: [f64; 2] = [50.0, 0.2];
/// Length of these springs [m]: far longer than the ways of the nodes across them.
const REACH: f64 = 0.05;
/// Mass of the body that stands for the cheek [kg]; nothing depends on it.
const CHEEK_MASS: f64 = 0.01;
/// Colour of food.
const COLOR: [f32; 3] = [0.93, 0.74, 0.36];

/// Frame of the molars of a side: x forward along the arch, y to the left, z upwards; its origin in the middle of their tops.
fn molars(upper: bool, side: Side) -> Isometry3<f64> {
    let [first, second] = molar_tops(upper).map(|top| Vec3::from(side.of(top)) * MM);
    let x = (first - second).normalize();
    let y = Vec3::z().cross(&x).normalize();
    let axes = Rotation3::from_basis_unchecked(&[x, y, x.cross(&y)]);
    let turn = UnitQuaternion::from_rotation_matrix(&axes);
    Isometry3::from_parts((0.5 * (first + second)).into(), turn)
}

/// Adds the food to the working side, if there is any, between the teeth of the mandible and the maxilla, and the probe `bite`.
///
/// # Errors
/// None that the constants of this file lead to.
pub(super) fn add(
    model: &mut Model,
    [mandible, maxilla]: [Handle<RigidBody>; 2],
    (bolus, side): (Bolus, Side),
) -> Result<(), ParamError> {
    let Some(youngs_modulus) = bolus.youngs_modulus() else { return Ok(()) };
    let upper = molars(true, side);
    let outward = if side == Side::Left { 1.0 } else { -1.0 };
    let away = upper.rotation * Vec3::y() * (outward * AWAY * MM);
    let isotropic = Isotropic { youngs_modulus, poissons_ratio: POISSONS_RATIO };
    let food = add_food(model, upper, away, isotropic)?;
    hold(model, food, away)?;
    let tables = [(mandible, molars(false, side), -1.0), (maxilla, upper, 1.0)];
    let names = ["lower_teeth", "upper_teeth"];
    for (name, (body, frame, up)) in names.into_iter().zip(tables) {
        let center = frame * Isometry3::translation(0.0, 0.0, up * TABLE[2] * MM);
        let half_extents = Vec3::from(TABLE) * MM;
        let site = FrameSite::on(body, center);
        let table = model.add(Collider::new(ColliderShape::Box { half_extents }, site).named(name));
        hide(model, table.id());
        model.add(CollisionBehavior {
            tolerance: Some(TOLERANCE * MM),
            margin: Some(MARGIN * MM),
            name: format!("food_on_{name}"),
            ..CollisionBehavior::new(table, food, FRICTION)
        });
    }
    record(model, names);
    Ok(())
}

/// The block, `away` [m] from its place below the upper molars.
fn add_food(
    model: &mut Model,
    upper: Isometry3<f64>,
    away: Vec3,
    isotropic: Isotropic,
) -> Result<Handle<FemModel>, ParamError> {
    let mut mesh = beam_mesh(BeamElement::Hex, CELLS, SIZE.map(|edge| edge * MM))?;
    let depth = Vec3::z() * (-(ROOM + 0.5 * SIZE[2]) * MM);
    for node in &mut mesh.nodes {
        *node = (upper * Point3::from(*node + depth)).coords + away;
    }
    let law = MaterialSpec::Corotated(isotropic);
    let mut food = FemModel::new("food", mesh, DENSITY, law);
    food.stiffness_damping = STIFFNESS_DAMPING;
    let food = model.add(food);
    paint(model, food.id(), COLOR);
    Ok(food)
}

/// Adds the cheek, which brings the food in, and the springs from it to the food.
fn hold(model: &mut Model, food: Handle<FemModel>, away: Vec3) -> Result<(), ParamError> {
    let inertia = SpatialInertia::of_box(CHEEK_MASS, &Vec3::repeat(0.01))?;
    let mut cheek = RigidBody::new("cheek", Inertia::Explicit(inertia)).fixed();
    let keyframe = |time, way: Vec3| Keyframe {
        time,
        pose: Isometry3::from_parts(way.into(), UnitQuaternion::identity()),
    };
    cheek.keyframes = vec![keyframe(BROUGHT[0], Vec3::zeros()), keyframe(BROUGHT[1], -away)];
    let cheek = model.add(cheek);
    hide(model, cheek.id());
    let [stiffness, damping] = HOLD;
    let spring = LinearAxial { stiffness, damping, rest_length: REACH };
    for (k, node) in spring_nodes().into_iter().enumerate() {
        let place = model[food].mesh.nodes[node as usize];
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let far = place + Vec3::ith(axis, REACH);
            let far = FrameMarker::new(cheek, far).named(format!("cheek_{k}{name}"));
            let far = model.add(far);
            let ends = [PointRef::FemNode(food, node), far.into()];
            let added = model.add(AxialSpring::new(ends, spring).named(format!("hold_{k}{name}")));
            hide(model, far.id());
            hide(model, added.id());
        }
    }
    Ok(())
}

/// The nodes at the four upright edges, at half the height.
fn spring_nodes() -> [u32; 4] {
    let [x, y, z] = CELLS;
    let node = |i: usize, j: usize| i + (x + 1) * (j + (y + 1) * (z / 2));
    [node(0, 0), node(x, 0), node(0, y), node(x, y)].map(|it| it as u32)
}

/// Formula of the norm of the force of a collision behaviour at a path [N].
pub(super) fn norm_of_force(path: &str) -> String {
    let [x, y, z] = ['x', 'y', 'z'].map(|axis| format!("{{{path}:force.{axis}}}^2"));
    format!("sqrt({x} + {y} + {z})")
}

/// Adds the probe `bite`, which records the forces on the teeth [N].
fn record(model: &mut Model, teeth: [&str; 2]) {
    let force = |name: &str| {
        let behavior = model.iter::<CollisionBehavior>();
        let mut found = behavior.filter(|(_, it)| it.name.ends_with(name));
        let path = found.next().map_or_else(String::new, |(it, _)| model.path(it));
        format!("{name} = {}", norm_of_force(&path))
    };
    let formulas = teeth.map(force).join("; ");
    let probe = model.add(OutputProbe { name: "bite".into(), ..OutputProbe::default() });
    set(model, probe.id(), "expressions", Value::Text(formulas));
}
