//! Jaw, tongue and hyoid bone assembled from their parts: the bones as rigid bodies, the tongue as tissue
//! with its muscles that hangs on two of them, 34 muscles between bones, the joints of the jaw. Numbers stand with the parts (jaw, tongue),
//! what is attached to what in docs/theory/anatomy.md.

mod appearance;
mod assembly;
mod bolus;
mod contact;
mod joints;
mod params;
mod published;
mod published_tongue;
mod resection;
mod tissue;

pub use assembly::{Anatomy, Bone, assemble};
pub use bolus::Bolus;
pub use contact::Contacts;
pub use params::JawParams;
pub use published::{DataError, from_data, from_data_with_tongue};
pub use resection::Mandible;

use sinew::model::Model;

use self::tissue::{FILLED, add_tongue_muscles, tissue};
use crate::bones::surfaces;
use crate::jaw::Body;
use crate::jaw::muscles::muscles;
use crate::params::refused;
use crate::skeleton::mesh_of;
use crate::{Builtin, ParamError, ParamInfo};

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
    let (name, tongue) = (BUILTIN.name.into(), tissue(params, FILLED)?);
    let mut model = assemble(Anatomy { name, bones, tongue, muscles: muscles() }, params)?;
    add_tongue_muscles(&mut model, params);
    resection::resect(&mut model, params.mandible, params.cell)?;
    appearance::dress_head(&mut model, params.mandible, params.cell)?;
    contact::add(&mut model, params)?;
    Ok(model)
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
            "open (wide, and closes), chew (one side), protrude (forward), laterotrude (to one side), clench, press (the tongue against the palate), rest; of the tongue at rest: protrusion, retraction, i, a, tip_up, swallow",
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
        ParamInfo::new(
            "bolus",
            "none",
            "-",
            "food between the molars of the side: none, soft (E = 0.2 MPa), firm (2 MPa); with task=chew",
        ),
        ParamInfo::new(
            "fossa",
            "curved",
            "-",
            "what the condyles slide along: curved (slope and crest of the eminence), planes (40 degrees down forward)",
        ),
        ParamInfo::new(
            "contact",
            "none",
            "-",
            "what touches: none (planes stop the bite), teeth (lower ones upper ones), tongue (palate, teeth and jaw), all",
        ),
        ParamInfo::new(
            "opening",
            "1",
            "-",
            "scale of the excitation of all but the closers; 3.5 in chewing, 4 on planes",
        ),
        ParamInfo::new(
            "closing",
            "1",
            "-",
            "scale of the excitation of the closers; 1.2 in chewing",
        ),
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
        let folder =
            crate::published::folder_of(params).map(|it| published::folder_with_files(&it));
        let folder = folder.transpose()?;
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
