//! Jaw, tongue and hyoid bone assembled from their parts: the bones as rigid bodies, the tongue as tissue
//! with its muscles that hangs on two of them, 34 muscles between bones, the joints of the jaw. Numbers stand with the parts (jaw, tongue),
//! what is attached to what in docs/theory/anatomy.md.

mod appearance;
mod assembly;
mod joints;
mod published;
mod published_tongue;
mod resection;

pub use assembly::{Anatomy, Bone, assemble};
pub use published::{DataError, from_data, from_data_with_tongue};
pub use resection::Mandible;

use sinew::model::{FemModel, Model};

use crate::bones::{CELL_SCALES, surfaces};
use crate::jaw::Body;
use crate::jaw::excitation::{Chewing, Task};
use crate::jaw::muscles::{Side, muscles};
use crate::law::{Law, isotropic_of, read_law};
use crate::params::refused;
use crate::skeleton::mesh_of;
use crate::tongue::{
    self, MOST_RESOLUTION, MUSCULAR_TISSUE, Manoeuvre, PASSIVE_TISSUE, TongueParams,
};
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Jaw, tongue and hyoid bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JawParams {
    /// Task of the muscles between bones in the first second.
    pub task: Task,
    /// Task of those of the tongue; `None` for a tongue without muscles, of the tissue that this has alone.
    pub tongue: Option<Manoeuvre>,
    /// Side of the food and scales of the excitations.
    pub chewing: Chewing,
    /// State of the generated mandible; published ones are whole.
    pub mandible: Mandible,
    /// r of the 740 r³ hexahedra of the tongue, 1 to 8; 0 for 228.
    pub resolution: usize,
    /// Law of the tongue.
    pub law: Law,
    /// Edges of the bones' surfaces over the default ones [-], [`CELL_SCALES`].
    pub cell: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for JawParams {
    fn default() -> Self {
        Self {
            task: Task::Open,
            tongue: Some(Manoeuvre::Rest),
            chewing: Chewing::default(),
            mandible: Mandible::Whole,
            resolution: 0,
            law: Law::MooneyRivlin,
            cell: 1.0,
            gravity: 9.8,
        }
    }
}

/// The names of `task=` that are none of the tongue's.
const TASKS: [(&str, Task); 6] = [
    ("open", Task::Open),
    ("chew", Task::Chew),
    ("protrude", Task::Protrude),
    ("laterotrude", Task::Laterotrude),
    ("clench", Task::Clench),
    ("rest", Task::Rest),
];
/// The names of `tongue=`: whether it has muscles.
const TONGUES: &[(&str, bool)] = &[("muscles", true), ("passive", false)];
/// The names of `side=`.
const SIDES: &[(&str, Side)] = &[("left", Side::Left), ("right", Side::Right)];

impl JawParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let chewing = Chewing {
            working: params.choice("side", default.chewing.working, SIDES)?,
            opening: params.f64("opening", default.chewing.opening, Range::NOT_NEGATIVE)?,
            closing: params.f64("closing", default.chewing.closing, Range::NOT_NEGATIVE)?,
        };
        let of_jaw = TASKS.map(|(name, task)| (name, (task, Manoeuvre::Rest)));
        let of_tongue = Manoeuvre::NAMED.into_iter().filter(|(_, task)| *task != Manoeuvre::Rest);
        let of_tongue = of_tongue.map(|(name, task)| (name, (Task::Rest, task)));
        let tasks: Vec<_> = of_jaw.into_iter().chain(of_tongue).collect();
        let (task, manoeuvre) = params.choice("task", (default.task, Manoeuvre::Rest), &tasks)?;
        let muscular = params.choice("tongue", true, TONGUES)?;
        if !muscular && manoeuvre != Manoeuvre::Rest {
            return Err(refused("tongue", "passive", "muscles, which the task excites"));
        }
        let jaw = Self {
            task,
            tongue: muscular.then_some(manoeuvre),
            chewing,
            mandible: params.choice("mandible", default.mandible, &Mandible::NAMED)?,
            resolution: params.usize("resolution", default.resolution, [0, MOST_RESOLUTION])?,
            law: read_law(params, "mat", default.law)?,
            cell: params.f64(
                "cell",
                default.cell,
                Range::Closed(CELL_SCALES[0], CELL_SCALES[1]),
            )?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(jaw)
    }
}

/// The generated anatomy as a model.
///
/// # Errors
/// A resolution or a cell size out of range.
pub fn jaw_tongue_hyoid(params: &JawParams) -> Result<Model, ParamError> {
    let made = surfaces(
        &Body::SOLID.map(Body::bone).into_iter().flatten().collect::<Vec<_>>(),
        params.cell,
    )?;
    let bones = Body::SOLID.into_iter().zip(made);
    let bones = bones.map(|(body, surface)| Ok(Bone { body, surface: mesh_of(surface)? }));
    let bones = bones.collect::<Result<_, ParamError>>()?;
    let (name, tongue) = (BUILTIN.name.into(), tissue(params)?);
    let mut model = assemble(Anatomy { name, bones, tongue, muscles: muscles() }, params)?;
    add_tongue_muscles(&mut model, params);
    resection::resect(&mut model, params.mandible, params.cell)?;
    appearance::dress_head(&mut model, params.mandible, params.cell)?;
    Ok(model)
}

/// Gives the parametric tongue of a model its muscles.
fn add_tongue_muscles(model: &mut Model, params: &JawParams) {
    if let Some(task) = params.tongue {
        let fem = model.nth::<FemModel>(0);
        tongue::add_muscles(model, fem, params.resolution, (task, tongue::STIFFENING));
    }
}

/// The tongue, fixed nowhere.
fn tissue(params: &JawParams) -> Result<FemModel, ParamError> {
    let own = if params.tongue.is_some() { MUSCULAR_TISSUE } else { PASSIVE_TISSUE };
    let tissue = TongueParams {
        resolution: params.resolution,
        law: params.law,
        isotropic: isotropic_of(own),
        mooney: own,
        ..TongueParams::default()
    };
    Ok(tongue::tissue(&tissue)?.0)
}

/// `jaw-tongue-hyoid` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "jaw-tongue-hyoid",
    summary: "jaw, tongue and hyoid bone, moved by 34 muscles and the 11 of the tongue: opens and closes within a second",
    params: &[
        ParamInfo::new(
            "task",
            "open",
            "-",
            "open (wide, and closes), chew (one side), protrude (forward), laterotrude (to one side), clench, rest; of the tongue at rest: protrusion, retraction, i, a, tip_up, swallow",
        ),
        ParamInfo::new(
            "tongue",
            "muscles",
            "-",
            "muscles (its 11, nearly incompressible), passive (none, nu = 0.49)",
        ),
        ParamInfo::new(
            "side",
            "right",
            "-",
            "side of the food, or that the jaw swings to: left, right; with task=chew, laterotrude",
        ),
        ParamInfo::new(
            "mandible",
            "whole",
            "-",
            "whole, resected (without its left body), rebuilt (with a graft)",
        ),
        ParamInfo::new("opening", "1", "-", "scale of the excitation of all but the closers"),
        ParamInfo::new("closing", "1", "-", "scale of the excitation of the closers"),
        ParamInfo::new(
            "resolution",
            "0",
            "-",
            "r of 740 r^3 hexahedra of the tongue, 1 to 8; 0: 228",
        ),
        ParamInfo::new("mat", "mr", "-", "law of the tongue: linear, corot, stvk, neohook, mr"),
        ParamInfo::new("cell", "1", "-", "edges of the bones over the default, 0.6 to 1"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
        ParamInfo::new(
            "data",
            "none",
            "-",
            "folder with surfaces and landmarks of Hannam et al. 2008 (jaw.obj, lat.landmarkAscii, ...)",
        ),
    ],
    build: |params| {
        let folder = crate::published::folder_of(params).map(std::path::PathBuf::from);
        let jaw = JawParams::read(params)?;
        match folder {
            None => jaw_tongue_hyoid(&jaw),
            Some(_) if jaw.mandible != Mandible::Whole => {
                Err(refused("mandible", "resected or rebuilt", "whole, as published ones are"))
            }
            Some(folder) => from_data(&folder, &jaw).map_err(|error| match error {
                DataError::Assembly(error) => error,
                other => crate::published::fault(&folder, other),
            }),
        }
    },
};
