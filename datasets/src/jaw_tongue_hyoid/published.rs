//! The assembled model with the surfaces and landmarks of the published one (key Hannam2008), for those who
//! have its files: `jaw.obj`, `lat.landmarkAscii`, ... of ArtiSynth Models.

use std::path::{Path, PathBuf};

use sinew::geometry::GeometryError;
use sinew::model::{FemModel, Model};
use sinew::{Mat3, Vec3};

use super::appearance::body;
use super::contact;
use super::published_tongue::read_tongue;
use super::tissue::{FILLED, add_tongue_muscles, tissue};
use super::{Anatomy, Bone, JawParams, assemble};
use crate::ParamError;
use crate::jaw::Body;
use crate::jaw::muscles::{Attachment, MuscleRecord, muscles};
use crate::obj::{ObjError, read_obj};
use crate::params::refused;
use crate::published::Folder;

/// Millimetres and centimetres, in which surfaces and landmarks are written, to metres.
const MM: f64 = 1e-3;
const CM: f64 = 1e-2;
/// Origin of the published frame in that of docs/theory/anatomy.md [m].
const ORIGIN: Vec3 = Vec3::new(-3e-3, 0.0, -6e-3);
/// Largest distance of a landmark from its place in docs/theory/anatomy.md, rounded to whole
/// millimetres [m].
const NEAR: f64 = 2e-3;

/// Errors of the folder of the published model.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file cannot be read.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// A surface is none.
    #[error("{}: {source}", .path.display())]
    Surface {
        /// The file.
        path: PathBuf,
        /// Error of the surface.
        source: ObjError,
    },
    /// A file of landmarks has no points.
    #[error("{}: no rows of three numbers after '@1' at the start of a line", .path.display())]
    Landmarks {
        /// The file.
        path: PathBuf,
    },
    /// The end of a muscle is not among the landmarks.
    #[error("{}: the nearest landmark lies {distance} m from {at:?} m, the end of {muscle}; this is another anatomy", .path.display())]
    Far {
        /// The file.
        path: PathBuf,
        /// The muscle.
        muscle: String,
        /// Position that it should end at [m].
        at: [f64; 3],
        /// Distance of the landmark from there [m].
        distance: f64,
    },
    /// The mesh of the tongue cannot be read.
    #[error(transparent)]
    Mesh(Box<sinew::io::ReadError>),
    /// The mesh of the tongue has no nodes.
    #[error("{}: the mesh has no nodes; give one of the tongue", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The tongue does not reach to a bone.
    #[error("{}: no node lies where the tongue is attached to the bone '{bone}'; give metres, x rearward and y down", .path.display())]
    Loose {
        /// The file.
        path: PathBuf,
        /// The node set of the bone.
        bone: &'static str,
    },
    /// The surface cannot be turned into the frame of the model.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The model cannot be assembled.
    #[error(transparent)]
    Assembly(#[from] ParamError),
}

/// The folder that holds the published files: this one, or one below it.
///
/// # Errors
/// One that says all that is wanted and not there.
pub(super) fn folder_with_files(path: &str) -> Result<PathBuf, ParamError> {
    let folder = Folder::open(path)?;
    let [jaw, ..] = folder.need([
        &["jaw.obj"],
        &["cranium.obj"],
        &["maxilla.obj"],
        &["hyoid.obj"],
        &["thyroid.obj"],
        &["lat.landmarkAscii"],
    ])?;
    Ok(jaw.parent().unwrap_or(Path::new(path)).to_owned())
}

/// The model with the surfaces and muscle landmarks in `folder`. Masses, planes, muscle figures and the tongue
/// are those of the generated model; `cell` does not matter.
///
/// # Errors
/// [`DataError`] names the file that is missing or wrong.
pub fn from_data(folder: &Path, params: &JawParams) -> Result<Model, DataError> {
    let mut model = with_tongue(folder, tissue(params, FILLED)?, params)?;
    add_tongue_muscles(&mut model, params);
    Ok(model)
}

/// The same with a published mesh of the tongue (`tongue.1.node` of ArtiSynth Models), which takes the box, the
/// law and the attachments of the generated one, but has no muscles; `resolution` does not matter.
///
/// # Errors
/// [`DataError`] names the file that is missing or wrong.
pub fn from_data_with_tongue(
    folder: &Path,
    tongue: &Path,
    params: &JawParams,
) -> Result<Model, DataError> {
    let params = JawParams { tongue: None, ..*params };
    with_tongue(folder, read_tongue(tongue, &params)?, &params)
}

fn with_tongue(folder: &Path, tongue: FemModel, params: &JawParams) -> Result<Model, DataError> {
    if params.contacts.teeth {
        let allowed = "none or tongue with published surfaces, whose teeth have no balls";
        return Err(refused("contact", "teeth or all", allowed).into());
    }
    let bones = Body::SOLID.map(|body| read_bone(folder, body));
    let bones = bones.into_iter().collect::<Result<_, _>>()?;
    let muscles = muscles().into_iter().map(|muscle| placed(folder, muscle));
    let muscles = muscles.collect::<Result<_, _>>()?;
    let name = "jaw-tongue-hyoid".into();
    let mut model = assemble(Anatomy { name, bones, tongue, muscles }, params)?;
    if params.contacts.tongue {
        let maxilla = body(&model, "maxilla");
        contact::add_tongue(&mut model, maxilla);
    }
    Ok(model)
}

/// From the published axes, x left, y rearward, z up.
fn turned() -> Mat3 {
    Mat3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
}

fn read(path: &Path) -> Result<String, DataError> {
    std::fs::read_to_string(path)
        .map_err(|source| DataError::File { path: path.to_owned(), source })
}

fn read_bone(folder: &Path, body: Body) -> Result<Bone, DataError> {
    let stem = if body == Body::Mandible { "jaw" } else { body.name() };
    let path = folder.join(format!("{stem}.obj"));
    let surface = read_obj(&read(&path)?, MM);
    let surface = surface.map_err(|source| DataError::Surface { path, source })?;
    Ok(Bone { body, surface: surface.transformed(&turned(), &ORIGIN)? })
}

/// The muscle between the landmarks nearest to its ends; the files are those of the left side.
fn placed(folder: &Path, muscle: MuscleRecord) -> Result<MuscleRecord, DataError> {
    let path = folder.join(format!("l{}.landmarkAscii", muscle.code));
    let landmarks = landmarks(&read(&path)?);
    let nearest = |end: Attachment| {
        let at = Vec3::from(muscle.side.of(end.point));
        let distance = |p: &Vec3| (p - at).norm();
        let found = landmarks.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(found) = found else { return Err(DataError::Landmarks { path: path.clone() }) };
        if distance(found) > NEAR {
            let (muscle, distance) = (muscle.name.clone(), distance(found));
            return Err(DataError::Far { path: path.clone(), muscle, at: end.point, distance });
        }
        Ok(Attachment { point: muscle.side.of((*found).into()), ..end })
    };
    let (origin, insertion) = (nearest(muscle.origin)?, nearest(muscle.insertion)?);
    Ok(MuscleRecord { origin, insertion, ..muscle })
}

/// The points after the last `@1` of an Amira file, in the frame of docs/theory/anatomy.md [m]; none where
/// something else stands there.
fn landmarks(text: &str) -> Vec<Vec3> {
    let data = text.rsplit("\n@1").next().unwrap_or_default();
    let numbers: Option<Vec<f64>> = data.split_whitespace().map(|n| n.parse().ok()).collect();
    let (points, _) = numbers.as_deref().unwrap_or_default().as_chunks::<3>();
    points.iter().map(|&point| turned() * Vec3::from(point) * CM + ORIGIN).collect()
}
