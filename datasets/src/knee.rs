//! A left knee: femur, tibia with fibula and patella as bodies, their cartilage as tissue in contact, ligaments, the patellar
//! tendon and the quadriceps. The thigh stays where it is. Dimensions and sources: docs/theory/anatomy.md.

mod cartilage;
mod ligaments;
mod quadriceps;
mod shape;
mod task;

use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, CollisionBehavior, FemModel, FrameLoad, FrameSite, FrameSpring, Inertia, Master,
    Model, PointRef, RigidBody,
};
use sinew::{Mat3, Vec3};

use self::cartilage::Layer;
use self::ligaments::{Bodies, MIDDLE_STRAND, TENDON_LENGTH, mark};
use self::shape::{CONDYLE, GROOVE, PATELLAR, TROCHLEA};
pub use self::task::Task;
use crate::bones::{CELL_SCALES, MM, surface_of};
use crate::law::mooney_rivlin_of;
use crate::skeleton::{dress, mesh_of};
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Largest resolution.
const MOST_RESOLUTION: usize = 2;
/// Edges of the bones' surfaces at `cell=1` [m].
const CELL: f64 = 2.5e-3;
/// Density of bone and of cartilage [kg/m³].
const BONE_DENSITY: f64 = 1600.0;
const CARTILAGE_DENSITY: f64 = 1100.0;
/// Cartilage as it is for fast loads (key Li2001).
const CARTILAGE: Isotropic = Isotropic { youngs_modulus: 5e6, poissons_ratio: 0.46 };
/// Damping of cartilage by stiffness [s].
const STIFFNESS_DAMPING: f64 = 2e-3;
/// Mass of shank and foot [kg], its centre below the axis of the knee [m], and its radii of gyration, along x, y and z [m]: of
/// a man of 75 kg (key Winter2009).
const SHANK_MASS: f64 = 4.6;
const SHANK_CENTER: f64 = -0.25;
const SHANK_RADII: Vec3 = Vec3::new(0.168, 0.168, 0.045);
/// Drag on the turning of the shank and of the patella [N m s/rad]: that of soft tissues about the joint.
const SHANK_DRAG: f64 = 1.0;
const PATELLA_DRAG: f64 = 2e-3;
/// Space between cartilages at the start, and the tolerance of their contact [mm].
const GAP: f64 = 0.15;
const TOLERANCE: f64 = 0.05;
/// Distance below which contacts are looked at [mm].
const MARGIN: f64 = 0.15;
/// Stiffness of the rig that keeps the flexion where a task loads the shank [N m/rad].
const RIG: f64 = 2e3;
/// Turn of the patella at the start when the leg is straight [rad], and by turn of the tibia [-]; our choice, near where it comes
/// to rest.
const TILT: [f64; 2] = [0.1, 0.6];
/// Steps in which the patella is brought to its gap.
const SEATING_STEPS: usize = 12;

/// The knee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KneeParams {
    /// Task in the first second.
    pub task: Task,
    /// Resolution, 0 to 2.
    pub resolution: usize,
    /// Flexion at the start \[degrees\], 0 to 100.
    pub flexion: f64,
    /// Force on the shank: forward in a drawer test, upwards along it in a press [N].
    pub load: f64,
    /// Greatest excitation of the quadriceps [-], 0 to 1.
    pub excitation: f64,
    /// Edges of the bones' surfaces over the default ones [-], [`CELL_SCALES`].
    pub cell: f64,
    /// Gravity towards the back of the thigh [m/s²].
    pub gravity: f64,
}

impl KneeParams {
    /// The parameters of a task.
    pub const fn of(task: Task) -> Self {
        Self {
            task,
            resolution: 0,
            flexion: task.flexion(),
            load: task.load(),
            excitation: task.excitation(),
            cell: 1.0,
            gravity: task.gravity(),
        }
    }

    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::of(params.choice("task", Task::Extend, &Task::NAMED)?);
        let [least, most] = CELL_SCALES;
        let knee = Self {
            task: default.task,
            resolution: params.usize("resolution", default.resolution, [0, MOST_RESOLUTION])?,
            flexion: params.f64("flexion", default.flexion, Range::Closed(0.0, 100.0))?,
            load: params.f64("load", default.load, Range::ANY)?,
            excitation: params.f64("excitation", default.excitation, Range::Closed(0.0, 1.0))?,
            cell: params.f64("cell", default.cell, Range::Closed(least, most))?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(knee)
    }
}

impl Default for KneeParams {
    fn default() -> Self {
        Self::of(Task::Extend)
    }
}

/// The model: bodies `femur`, `tibia` and `patella`, tissues `femoral_cartilage`, `medial_cartilage`, `lateral_cartilage` and
/// `patellar_cartilage` on them, their contacts `medial`, `lateral` and `patellofemoral`, ligaments and muscles.
///
/// # Errors
/// A resolution or a cell size out of range.
pub fn knee(params: &KneeParams) -> Result<Model, ParamError> {
    let mut model = Model::new("knee");
    model.set_gravity(Vec3::new(-params.gravity, 0.0, 0.0));
    let refined = 2 * (1 + params.resolution.min(MOST_RESOLUTION));
    let patellar = cartilage::patellar(refined)?;
    let flexed = turned(params.flexion.to_radians());
    let seat = seat(&patellar, params.flexion.to_radians());
    let bodies = add_bones(&mut model, params.cell, [flexed, seat])?;
    let femoral = cartilage::femoral(refined)?;
    let femoral = add_cartilage(&mut model, "femoral", femoral, bodies.femur);
    let touching = [
        ("medial", cartilage::tibial(refined, 0)?, bodies.tibia, "medial"),
        ("lateral", cartilage::tibial(refined, 1)?, bodies.tibia, "lateral"),
        ("patellar", patellar, bodies.patella, "patellofemoral"),
    ];
    for (name, layer, body, contact) in touching {
        let tissue = add_cartilage(&mut model, name, layer, body);
        model.add(CollisionBehavior {
            tolerance: Some(TOLERANCE * MM),
            margin: Some(MARGIN * MM),
            name: contact.into(),
            ..CollisionBehavior::new(tissue, femoral, 0.0)
        });
    }
    ligaments::add(&mut model, bodies);
    quadriceps::add(&mut model, bodies, (params.excitation, params.task.excited()));
    add_load(&mut model, bodies.tibia, params);
    Ok(model)
}

/// A turn about the axis of flexion [rad]; positive flexes.
fn turned(angle: f64) -> Pose {
    Pose::new(Vec3::zeros(), Vec3::y() * angle)
}

/// Place of the patella: about the axis of the trochlea, where its tendon is slack, at the gap from the cartilage, turned by a share of the
/// flexion.
fn seat(layer: &Layer, flexion: f64) -> Pose {
    let joint = shape::femoral_joint(shape::FEMORAL);
    let [apex, tuberosity] = MIDDLE_STRAND.map(Vec3::from);
    let tuberosity = turned(flexion) * nalgebra::Point3::from(tuberosity);
    let turn = turned(TILT[0] + TILT[1] * flexion);
    let mut radius = GROOVE + PATELLAR + 10.0;
    let mut pose = Pose::identity();
    for _ in 0..SEATING_STEPS {
        let at = |angle: f64| {
            let center = Vec3::from(TROCHLEA) + turned(angle) * Vec3::x() * radius;
            Pose::from_parts(center.into(), turn.rotation)
        };
        let stretch = |angle: f64| {
            (at(angle) * nalgebra::Point3::from(apex) - tuberosity).norm() - TENDON_LENGTH
        };
        // It goes down from where the tendon is too short.
        let [mut high, mut low] = [-1.0, 2.0];
        for _ in 0..40 {
            let middle = 0.5 * (high + low);
            if stretch(middle) > 0.0 { high = middle } else { low = middle }
        }
        pose = at(low);
        let gap = |&node: &u32| {
            let at = pose * nalgebra::Point3::from(layer.mesh.nodes[node as usize] / MM);
            joint.value(at.coords.into())
        };
        radius += GAP - layer.outer.iter().map(gap).fold(f64::INFINITY, f64::min);
    }
    Pose::from_parts((pose.translation.vector * MM).into(), pose.rotation)
}

/// Adds the bones; the thigh is fixed.
fn add_bones(
    model: &mut Model,
    cell: f64,
    [flexed, seat]: [Pose; 2],
) -> Result<Bodies, ParamError> {
    let bones = [
        ("femur", shape::femur(), Pose::identity()),
        ("tibia", shape::tibia(), flexed),
        ("patella", shape::patella(0.0), seat),
    ];
    let mut handles = Vec::new();
    for (name, solid, pose) in bones {
        let mesh = mesh_of(surface_of(&solid, cell * CELL)?)?;
        let mut body = RigidBody::from_mesh(name, mesh, BONE_DENSITY).at(pose);
        match name {
            "femur" => body = body.fixed(),
            "tibia" => {
                body.inertia = Inertia::Explicit(shank()?);
                body.rotary_damping = Some(SHANK_DRAG);
            }
            _ => body.rotary_damping = Some(PATELLA_DRAG),
        }
        let body = model.add(body);
        dress(model, body.id(), false);
        handles.push(body);
    }
    Ok(Bodies { femur: handles[0], tibia: handles[1], patella: handles[2] })
}

/// Inertia of shank and foot.
fn shank() -> Result<SpatialInertia, ParamError> {
    let radii = SHANK_RADII.component_mul(&SHANK_RADII);
    let center = Vec3::new(0.0, 0.0, SHANK_CENTER);
    Ok(SpatialInertia::new(SHANK_MASS, center, Mat3::from_diagonal(&(radii * SHANK_MASS)))?)
}

/// Adds a layer, which lies in the frame of its body, on it.
fn add_cartilage(
    model: &mut Model,
    name: &str,
    layer: Layer,
    body: Handle<RigidBody>,
) -> Handle<FemModel> {
    let Layer { mut mesh, inner, outer } = layer;
    let pose = model[body].pose;
    mesh.nodes.iter_mut().for_each(|x| *x = (pose * nalgebra::Point3::from(*x)).coords);
    mesh.node_sets.insert("joint".into(), outer);
    let law = MaterialSpec::MooneyRivlin(mooney_rivlin_of(CARTILAGE));
    let mut tissue = FemModel::new(format!("{name}_cartilage"), mesh, CARTILAGE_DENSITY, law);
    tissue.stiffness_damping = STIFFNESS_DAMPING;
    let tissue = model.add(tissue);
    dress(model, tissue.id(), true);
    let points = inner.into_iter().map(|node| PointRef::FemNode(tissue, node)).collect();
    model.add(Attachment::new(points, Master::Body(body)).named(format!("{name}_on_bone")));
    tissue
}

/// Adds the load on the shank, the rig that keeps the flexion meanwhile, and the point of the tibia that is measured.
fn add_load(model: &mut Model, tibia: Handle<RigidBody>, params: &KneeParams) {
    mark(model, tibia, [0.0, 0.0, -CONDYLE[0]], "joint_line".into());
    let pose = model[tibia].pose;
    let force = match params.task {
        Task::Extend | Task::Rest => return,
        Task::Drawer => pose * Vec3::x() * params.load,
        Task::Press => pose * Vec3::z() * params.load,
    };
    // The force acts at the joint line, the load at the centre of mass.
    let lever = pose * Vec3::z() * (-CONDYLE[0] * MM - SHANK_CENTER);
    let mut load = FrameLoad::new(tibia, force, lever.cross(&force));
    load.schedule = Task::loaded();
    load.name = "load".into();
    model.add(load);
    let mut rig = FrameSpring::new(FrameSite::on(tibia, Pose::identity()), FrameSite::ground(pose));
    rig.rotary_stiffness = Vec3::y() * RIG;
    rig.name = "rig".into();
    model.add(rig);
}

/// `knee` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "knee",
    summary: "knee of bones, cartilage in contact, ligaments, patella and quadriceps",
    params: &[
        ParamInfo::new("task", "extend", "-", "extend (seated), drawer, press, rest"),
        ParamInfo::new("resolution", "0", "-", "0 to 2: 492, 1,968, 4,428 hexahedra"),
        ParamInfo::new("flexion", "by task", "degrees", "at the start: 90, 25, 0, 0"),
        ParamInfo::new("load", "by task", "N", "on the shank: 89 forward, 1000 along it"),
        ParamInfo::new("excitation", "by task", "-", "greatest of the quadriceps: 0.08 to extend"),
        ParamInfo::new("cell", "1", "-", "edges of the bones over the default, 0.6 to 1"),
        ParamInfo::new(
            "g",
            "by task",
            "m/s^2",
            "gravity towards the back of the thigh: 9.81 to extend",
        ),
    ],
    build: |params| knee(&KneeParams::read(params)?),
};
