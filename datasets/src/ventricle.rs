//! A left ventricle as a truncated ellipsoid with a thick wall, whose fibres turn from one side of the wall to the other: the second and third
//! problems of Land2015, which agree to half a per cent between eleven groups (docs/theory/anatomy.md).

mod wall;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::fem::VolumeMesh;
use sinew::material::{GuccioneConstants, MaterialSpec, PiolaMuscleConstants};
use sinew::model::{
    Dirichlet, FemModel, Model, MuscleBundle, MuscleExciter, Schedule, SurfaceLoad,
};

use self::wall::Wall;
use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Fewest and most elements along, around and across the wall.
const ALONG: [usize; 2] = [2, 64];
const AROUND: [usize; 2] = [4, 64];
const ACROSS: [usize; 2] = [1, 16];
/// Density of the wall [kg/m³].
const DENSITY: f64 = 1060.0;
/// Passive myocardium: constants of the third problem, and those of the second, whose law is isotropic.
const MYOCARDIUM: GuccioneConstants = GuccioneConstants {
    c: 2e3,
    bf: 8.0,
    bt: 2.0,
    bfs: 4.0,
    bulk_modulus: 1e6,
    bulk_potential: sinew::material::BulkPotential::Quadratic,
};
const ISOTROPIC: GuccioneConstants =
    GuccioneConstants { c: 1e4, bf: 1.0, bt: 1.0, bfs: 1.0, ..MYOCARDIUM };

/// Problems of the benchmark, which the defaults of other parameters follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Pressure inside, and active fibres.
    Contract,
    /// Pressure inside a wall that is the same in all directions.
    Inflate,
}

/// The names of `task=`.
const TASKS: [(&str, Task); 2] = [("contract", Task::Contract), ("inflate", Task::Inflate)];

/// The ventricle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VentricleParams {
    /// Elements from the apex to the base, 2 to 64; those at the apex are wedges.
    pub along: usize,
    /// Elements around the axis, 4 to 64.
    pub around: usize,
    /// Elements across the wall, 1 to 16.
    pub across: usize,
    /// Constants of the wall.
    pub law: GuccioneConstants,
    /// Pressure inside [Pa].
    pub pressure: f64,
    /// Second Piola-Kirchhoff stress of active fibres [Pa].
    pub tension: f64,
    /// Angles of the fibres to the circles around the axis, inside and outside \[degrees\].
    pub angles: [f64; 2],
    /// Time in which pressure and tension rise [s].
    pub ramp: f64,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
}

impl Default for VentricleParams {
    fn default() -> Self {
        Self::of(Task::Contract)
    }
}

impl VentricleParams {
    /// A problem of the benchmark.
    pub fn of(task: Task) -> Self {
        let (law, pressure, tension) = match task {
            Task::Contract => (MYOCARDIUM, 15e3, 60e3),
            Task::Inflate => (ISOTROPIC, 10e3, 0.0),
        };
        Self {
            along: 6,
            around: 8,
            across: 2,
            law,
            pressure,
            tension,
            angles: [90.0, -90.0],
            ramp: 0.5,
            mass_damping: 10.0,
            stiffness_damping: 0.0,
        }
    }

    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::of(params.choice("task", Task::Contract, &TASKS)?);
        let (law, positive) = (default.law, Range::NOT_NEGATIVE);
        let read = Self {
            along: params.usize("along", default.along, ALONG)?,
            around: params.usize("around", default.around, AROUND)?,
            across: params.usize("across", default.across, ACROSS)?,
            law: GuccioneConstants {
                c: params.f64("C", law.c, Range::POSITIVE)?,
                bf: params.f64("bf", law.bf, positive)?,
                bt: params.f64("bt", law.bt, positive)?,
                bfs: params.f64("bfs", law.bfs, positive)?,
                bulk_modulus: params.f64("kappa", law.bulk_modulus, Range::POSITIVE)?,
                ..law
            },
            pressure: params.f64("pressure", default.pressure, Range::ANY)?,
            tension: params.f64("tension", default.tension, positive)?,
            angles: [
                params.f64("inner", default.angles[0], Range::ANY)?,
                params.f64("outer", default.angles[1], Range::ANY)?,
            ],
            ramp: params.f64("ramp", default.ramp, positive)?,
            mass_damping: params.f64("alpha", default.mass_damping, positive)?,
            stiffness_damping: params.f64("beta", default.stiffness_damping, positive)?,
        };
        params.finish()?;
        Ok(read)
    }

    fn check_counts(&self) -> Result<(), ParamError> {
        let counts = [
            ("along", self.along, ALONG),
            ("around", self.around, AROUND),
            ("across", self.across, ACROSS),
        ];
        match counts.into_iter().find(|(_, n, [least, most])| !(least..=most).contains(&n)) {
            Some((key, n, [least, most])) => {
                Err(refused(key, n, format!("a whole number from {least} to {most}")))
            }
            None => Ok(()),
        }
    }

    /// Time course of pressure and tension.
    fn course(&self) -> Schedule {
        if self.ramp > 0.0 {
            Schedule::Table(vec![[0.0, 0.0], [self.ramp, 1.0]])
        } else {
            Schedule::default()
        }
    }
}

/// Mesh of the wall: face sets `endocardium`, `epicardium` and `base`, node sets `base`, `apex` (inside, outside), and the field
/// `myofibres` at the nodes.
///
/// # Errors
/// Numbers of elements out of range.
pub fn ventricle_mesh(params: &VentricleParams) -> Result<VolumeMesh, ParamError> {
    params.check_counts()?;
    Ok(Wall { counts: [params.along, params.around, params.across], angles: params.angles }
        .mesh()?)
}

/// The model: the tissue `wall` with its base fixed, the load `cavity_pressure`, the bundle `myofibres` and its exciter `contraction`.
///
/// # Errors
/// Numbers of elements out of range.
pub fn ventricle(params: &VentricleParams) -> Result<Model, ParamError> {
    let mesh = ventricle_mesh(params)?;
    let base = mesh.node_sets["base"].clone();
    let mut wall = FemModel::new("wall", mesh, DENSITY, MaterialSpec::Guccione(params.law));
    wall.fields.insert("fibres".into(), "myofibres".into());
    wall.dirichlet.push(Dirichlet::fix(base));
    wall.mass_damping = params.mass_damping;
    wall.stiffness_damping = params.stiffness_damping;
    let mut model = Model::new("ventricle");
    model.set_gravity(Vec3::zeros());
    let wall = model.add(wall);
    let mut pressure = SurfaceLoad::pressure(wall, "endocardium", params.pressure);
    pressure.schedule = params.course();
    model.add(pressure.named("cavity_pressure"));
    let law = PiolaMuscleConstants { max_stress: params.tension };
    let mut fibres = MuscleBundle::new(wall, MaterialSpec::PiolaMuscle(law));
    fibres.field = "myofibres".into();
    let fibres = model.add(fibres.named("myofibres"));
    let mut exciter = MuscleExciter::new("contraction", vec![fibres]);
    (exciter.excitation, exciter.schedule) = (1.0, params.course());
    model.add(exciter);
    Ok(model)
}

/// `ventricle` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "ventricle",
    summary: "left ventricle, an ellipsoid with fibres that turn across its wall, under pressure and contracting",
    params: &[
        ParamInfo::new(
            "task",
            "contract",
            "-",
            "contract (pressure and active fibres), inflate (pressure in an isotropic wall); defaults below are those of contract",
        ),
        ParamInfo::new("along", "6", "-", "elements from the apex to the base, 2 to 64"),
        ParamInfo::new("around", "8", "-", "elements around the axis, 4 to 64"),
        ParamInfo::new("across", "2", "-", "elements across the wall, 1 to 16"),
        ParamInfo::new("C", "2e3", "Pa", "factor of the exponential of Guccione's law"),
        ParamInfo::new("bf", "8", "-", "its exponent along the fibres"),
        ParamInfo::new("bt", "2", "-", "its exponent across the fibres"),
        ParamInfo::new("bfs", "4", "-", "its exponent of shear along the fibres"),
        ParamInfo::new("kappa", "1e6", "Pa", "bulk modulus"),
        ParamInfo::new("pressure", "15e3", "Pa", "pressure inside"),
        ParamInfo::new("tension", "60e3", "Pa", "second Piola-Kirchhoff stress of active fibres"),
        ParamInfo::new(
            "inner",
            "90",
            "degrees",
            "angle of the fibres to circles about the axis, inside",
        ),
        ParamInfo::new("outer", "-90", "degrees", "the same outside"),
        ParamInfo::new("ramp", "0.5", "s", "time in which pressure and tension rise"),
        ParamInfo::new("alpha", "10", "1/s", "mass damping"),
        ParamInfo::new("beta", "0", "s", "stiffness damping"),
    ],
    build: |params| ventricle(&VentricleParams::read(params)?),
};
