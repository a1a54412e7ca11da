//! A liver that hangs from its bare area among other organs, pressed by a probe: soft tissue of one organ of tetrahedra, and
//! contact with an instrument (docs/theory/anatomy.md).

mod shape;

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::fem::{VolumeMesh, fill};
use sinew::geometry::{boundary, icosphere_mesh};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Collider, CollisionBehavior, Dirichlet, FemModel, Inertia, Keyframe, Model, RigidBody,
};

use crate::bones::surface_of;
use crate::law::read_isotropic;
use crate::params::refused;
use crate::skeleton::{mesh_of, paint};
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Millimetres in metres.
const MM: f64 = 1e-3;
/// Edges of the tetrahedra by resolution [m].
const SIZES: [f64; 3] = [16e-3, 11e-3, 7.5e-3];
/// Cells of the surface that is filled [m]: finer than any tetrahedra.
const CELL: f64 = 4e-3;
/// Liver: shear waves in healthy ones tell a Young's modulus of some 5 kPa (Ferraioli2015); density (Duck1990).
const LIVER: Isotropic = Isotropic { youngs_modulus: 5e3, poissons_ratio: 0.49 };
const DENSITY: f64 = 1060.0;
/// Weight that organs of 1000 kg/m³ around it leave by buoyancy, over its mass [m/s²].
const GRAVITY: f64 = 0.555;
/// Mass of the tip of the probe [kg].
const PROBE_MASS: f64 = 0.1;
/// Times at which the probe begins to move, and has arrived [s].
const PRESSING: [f64; 2] = [0.3, 0.8];
const COLORS: [[f32; 3]; 2] = [[0.52, 0.2, 0.16], [0.75, 0.76, 0.78]];

/// Tasks of the liver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A probe presses on the front of the right lobe.
    Press,
    /// It hangs under its weight.
    Rest,
}

/// The names of `task=`.
const TASKS: [(&str, Task); 2] = [("press", Task::Press), ("rest", Task::Rest)];

/// The liver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiverParams {
    /// Its task.
    pub task: Task,
    /// Fineness of the tetrahedra, 0 to 2.
    pub resolution: usize,
    /// Radius of the tip of the probe [m].
    pub tip: f64,
    /// Way of the tip into the liver [m].
    pub depth: f64,
    /// Coefficient of friction of the tip [-].
    pub friction: f64,
    /// Constants of the neo-Hookean law.
    pub isotropic: Isotropic,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Gravity along -z, less the buoyancy among the organs around [m/s²].
    pub gravity: f64,
}

impl Default for LiverParams {
    fn default() -> Self {
        Self {
            task: Task::Press,
            resolution: 0,
            tip: 20e-3,
            depth: 10e-3,
            friction: 0.1,
            isotropic: LIVER,
            mass_damping: 1.0,
            stiffness_damping: 0.01,
            gravity: GRAVITY,
        }
    }
}

impl LiverParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let positive = Range::NOT_NEGATIVE;
        let read = Self {
            task: params.choice("task", default.task, &TASKS)?,
            resolution: params.usize("resolution", default.resolution, [0, SIZES.len() - 1])?,
            tip: params.f64("tip", default.tip, Range::POSITIVE)?,
            depth: params.f64("depth", default.depth, positive)?,
            friction: params.f64("mu", default.friction, positive)?,
            isotropic: read_isotropic(params, default.isotropic)?,
            mass_damping: params.f64("alpha", default.mass_damping, positive)?,
            stiffness_damping: params.f64("beta", default.stiffness_damping, positive)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(read)
    }
}

/// Mesh of the liver [m], with the node set `bare_area`.
///
/// # Errors
/// A resolution out of range.
pub fn liver_mesh(resolution: usize) -> Result<VolumeMesh, ParamError> {
    let size = SIZES.get(resolution).copied();
    let most = SIZES.len() - 1;
    let size = size.ok_or_else(|| {
        refused("resolution", resolution, format!("a whole number from 0 to {most}"))
    })?;
    let surface = mesh_of(surface_of(&shape::liver(), CELL)?)?;
    let filled = fill(&surface, size);
    let mut mesh = filled.map_err(|error| {
        refused("resolution", resolution, format!("a size that is filled ({error})"))
    })?;
    let (center, radius) = shape::BARE_AREA;
    let center = Vec3::from(center) * MM;
    let mut bare = boundary(&mesh).node_of_vertex;
    bare.retain(|&node| (mesh.nodes[node as usize] - center).norm() < radius * MM);
    mesh.node_sets.insert("bare_area".into(), bare);
    Ok(mesh)
}

/// The model: the tissue `liver` with its bare area fixed and, if it is pressed, the body `probe`.
///
/// # Errors
/// A resolution out of range.
pub fn liver(params: &LiverParams) -> Result<Model, ParamError> {
    let mesh = liver_mesh(params.resolution)?;
    let bare = mesh.node_sets["bare_area"].clone();
    let front = front_of(&mesh);
    let mut tissue =
        FemModel::new("liver", mesh, DENSITY, MaterialSpec::NeoHookean(params.isotropic));
    tissue.dirichlet.push(Dirichlet::fix(bare));
    tissue.mass_damping = params.mass_damping;
    tissue.stiffness_damping = params.stiffness_damping;
    let mut model = Model::new("liver");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let tissue = model.add(tissue);
    paint(&mut model, tissue.id(), COLORS[0]);
    if params.task == Task::Press {
        add_probe(&mut model, (tissue, front), params)?;
    }
    Ok(model)
}

/// The foremost point of the right lobe.
fn front_of(mesh: &VolumeMesh) -> Vec3 {
    mesh.nodes.iter().copied().max_by(|a, b| a.x.total_cmp(&b.x)).unwrap_or_default()
}

/// Adds the probe a little before the front of the liver, which it then goes into.
fn add_probe(
    model: &mut Model,
    (liver, front): (Handle<FemModel>, Vec3),
    params: &LiverParams,
) -> Result<(), ParamError> {
    let at = |way: f64| Pose::translation(front.x + params.tip - way, front.y, front.z);
    let away = at(-0.5 * params.tip);
    let ball = icosphere_mesh(params.tip, 3)?;
    let inertia = SpatialInertia::from_mesh_mass(&ball, PROBE_MASS)?;
    let mut probe = RigidBody::new("probe", Inertia::Explicit(inertia)).at(away).fixed();
    probe.mesh = Some(ball);
    probe.keyframes = vec![
        Keyframe { time: PRESSING[0], pose: away },
        Keyframe { time: PRESSING[1], pose: at(params.depth) },
    ];
    let probe = model.add(probe);
    paint(model, probe.id(), COLORS[1]);
    let tip = model.add(Collider::sphere(probe, params.tip).named("tip"));
    model.add(CollisionBehavior::new(tip, liver, params.friction).named("contact"));
    Ok(())
}

/// `liver` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "liver",
    summary: "liver that hangs from its bare area, pressed by a probe",
    params: &[
        ParamInfo::new("task", "press", "-", "press (a probe goes into the right lobe), rest"),
        ParamInfo::new("resolution", "0", "-", "0 to 2: tetrahedra with edges of 16, 11, 7.5 mm"),
        ParamInfo::new("tip", "0.02", "m", "radius of the tip of the probe"),
        ParamInfo::new("depth", "0.01", "m", "way of the tip into the liver"),
        ParamInfo::new("mu", "0.1", "-", "coefficient of friction of the tip"),
        ParamInfo::new("E", "5e3", "Pa", "Young's modulus"),
        ParamInfo::new("nu", "0.49", "-", "Poisson's ratio"),
        ParamInfo::new("alpha", "1", "1/s", "mass damping"),
        ParamInfo::new("beta", "0.01", "s", "stiffness damping"),
        ParamInfo::new(
            "g",
            "0.555",
            "m/s^2",
            "gravity along -z, less the buoyancy among organs of 1000 kg/m^3; 9.81 where nothing bears it",
        ),
    ],
    build: |params| liver(&LiverParams::read(params)?),
};
