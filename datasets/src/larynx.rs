//! The larynx: thyroid, cricoid and arytenoid cartilages, which turn and slide on each other, vocal folds as tissue between them, and
//! the five muscles that posture them. The thyroid cartilage stays where it is. Dimensions and sources: docs/theory/anatomy.md.

mod cartilages;
mod fold;
mod joints;
mod muscles;
mod params;
mod published;
mod task;

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::model::{Attachment, CollisionBehavior, FemModel, FrameMarker, Master, Model, PointRef};

use self::cartilages::{Bodies, add_cartilages};
use self::fold::Fold;
pub use self::params::LarynxParams;
use self::params::MOST_RESOLUTION;
pub use self::task::Task;
use crate::bones::MM;
use crate::jaw::muscles::Side;
use crate::published::Folder;
use crate::skeleton::paint;
use crate::{Builtin, ParamError, ParamInfo};

/// Colour of the folds.
const MUCOSA: [f32; 3] = [0.88, 0.66, 0.62];
/// Tolerance of the contact of the folds [m].
const TOLERANCE: f64 = 5e-5;

/// The model: bodies `thyroid`, `cricoid`, `left_arytenoid`, `right_arytenoid`, joints `cricothyroid`, `left_cricoarytenoid`,
/// `right_cricoarytenoid`, tissues `left_fold` and `right_fold`, their contact `glottis`, muscles with an exciter each.
///
/// # Errors
/// A resolution or a cell size out of range.
pub fn larynx(params: &LarynxParams) -> Result<Model, ParamError> {
    Ok(parts(params)?.0)
}

/// The same with published cartilages from a folder.
///
/// # Errors
/// The same; files that are missing, or hold no cartilages.
pub fn larynx_from_data(params: &LarynxParams, folder: &str) -> Result<Model, ParamError> {
    let folder = Folder::open(folder)?;
    let (mut model, bodies) = parts(params)?;
    published::put(&mut model, bodies, &folder)?;
    Ok(model)
}

fn parts(params: &LarynxParams) -> Result<(Model, Bodies), ParamError> {
    let mut model = Model::new("larynx");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let bodies = add_cartilages(&mut model, params.cell)?;
    joints::add(&mut model, bodies);
    let left = Fold::new(1 + params.resolution.min(MOST_RESOLUTION))?;
    let folds = [left.clone(), left.mirrored()];
    let tissues = [0, 1].map(|k| {
        let tissue = model.add(folds[k].tissue(Side::BOTH[k]));
        paint(&mut model, tissue.id(), MUCOSA);
        attach(&mut model, &folds[k], tissue, (bodies, k));
        tissue
    });
    model.add(CollisionBehavior {
        tolerance: Some(TOLERANCE),
        name: "glottis".into(),
        ..CollisionBehavior::new(tissues[0], tissues[1], 0.0)
    });
    muscles::add(&mut model, bodies, (params.task, params.effort));
    muscles::add_thyroarytenoid(&mut model, [0, 1].map(|k| (tissues[k], &folds[k])), params);
    Ok((model, bodies))
}

/// Fixes the front of a fold to the thyroid cartilage and its rear to the arytenoid, and marks the ends of its membranous part.
fn attach(model: &mut Model, fold: &Fold, tissue: Handle<FemModel>, (bodies, k): (Bodies, usize)) {
    let side = Side::BOTH[k];
    let ends = [
        ("commissure", &fold.front, bodies.thyroid, fold.commissure),
        ("vocal_process", &fold.rear, bodies.arytenoids[k], fold.vocal_process),
    ];
    for (name, nodes, body, at) in ends {
        let points = nodes.iter().map(|&node| PointRef::FemNode(tissue, node)).collect();
        let name = format!("{}_{name}", side.name());
        model.add(Attachment::new(points, Master::Body(body)).named(name.clone()));
        model.add(FrameMarker::new(body, Vec3::from(at) * MM).named(name));
    }
}

/// `larynx` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "larynx",
    summary: "larynx: cartilages on joints, vocal folds as tissue, and the muscles that posture them",
    params: &[
        ParamInfo::new("task", "adduct", "-", "adduct, abduct, pitch (lengthens the folds), rest"),
        ParamInfo::new("resolution", "0", "-", "0 to 3: 480, 3,840, 12,960, 30,720 hexahedra"),
        ParamInfo::new("effort", "1", "-", "factor of the excitations of the task, 0 to 4"),
        ParamInfo::new("cell", "1", "-", "edges of the cartilages over the default, 0.6 to 1"),
        ParamInfo::new("g", "0", "m/s^2", "gravity along -z"),
        ParamInfo::new(
            "data",
            "none",
            "-",
            "folder with published cartilages: thyroid.obj, cricoid.obj, arytenoid_L.obj, arytenoid_R.obj",
        ),
    ],
    build: |params| {
        let folder = crate::published::folder_of(params);
        let larynx_params = LarynxParams::read(params)?;
        match folder {
            Some(folder) => larynx_from_data(&larynx_params, &folder),
            None => larynx(&larynx_params),
        }
    },
};
