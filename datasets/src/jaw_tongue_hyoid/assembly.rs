//! Bodies, attachments, muscles and exciters of the assembled model, from an anatomy that was generated or
//! read. All bodies have the frame of docs/theory/anatomy.md at rest; the joints of the jaw are in joints.rs.

use std::collections::BTreeMap;

use sinew::axial::AxialLaw;
use sinew::axial::active::PeckMuscle;
use sinew::component::{ComponentType, Handle};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::SurfaceMesh;
use sinew::model::{
    Attachment, AxialSpring, Excited, FemModel, FrameMarker, Inertia, Master, Model, MuscleExciter,
    PointRef, RenderMesh, RigidBody, Schedule,
};
use sinew::{Mat3, Vec3};

use super::{JawParams, bolus, joints};
use crate::ParamError;
use crate::bones::{self, surfaces};
use crate::jaw::Body;
use crate::jaw::excitation::drives;
use crate::jaw::gape::{LOWER_INCISOR, UPPER_INCISOR};
use crate::jaw::joint::{BodyDynamics, HYOID_DYNAMICS, MANDIBLE_DYNAMICS};
use crate::jaw::muscles::MuscleRecord;
use crate::skeleton::{add_belly, dress, mesh_of};

/// Density of the bodies that do not move [kg/m³]; nothing depends on it.
const FIXED_DENSITY: f64 = 1000.0;
/// Mass of those that are no solid [kg]; nothing depends on it.
const FIXED_MASS: f64 = 0.2;
/// Bones and cartilages that are drawn and are no bodies.
const DRAWN: [bones::Bone; 11] = [
    bones::Bone::Cricoid,
    bones::Bone::Arytenoids,
    bones::Bone::Manubrium,
    bones::Bone::OmohyoidSlings,
    bones::Bone::Atlas,
    bones::Bone::Axis,
    bones::Bone::C3,
    bones::Bone::C4,
    bones::Bone::C5,
    bones::Bone::C6,
    bones::Bone::C7,
];
/// Extents of the sternum [m], which does not move; of it the manubrium is drawn.
const STERNUM: Vec3 = Vec3::new(0.02, 0.04, 0.15);

/// A bone with its surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The body.
    pub body: Body,
    /// Its closed surface at rest [m].
    pub surface: SurfaceMesh,
}

/// Parts that the model is assembled from.
#[derive(Clone, Debug, PartialEq)]
pub struct Anatomy {
    /// Name of the model.
    pub name: String,
    /// The bones that have a surface.
    pub bones: Vec<Bone>,
    /// The tongue, with the node sets `jaw` and `hyoid` where it is attached.
    pub tongue: FemModel,
    /// The muscles.
    pub muscles: Vec<MuscleRecord>,
}

/// A model under construction.
pub(super) struct Build {
    /// The model.
    pub(super) model: Model,
    bodies: BTreeMap<&'static str, Handle<RigidBody>>,
}

impl Build {
    /// A point of a body, at its place at rest [m].
    pub(super) fn mark(
        &mut self,
        body: Body,
        point: [f64; 3],
        name: impl Into<String>,
    ) -> Handle<FrameMarker> {
        let marker = FrameMarker::new(self.body(body), point.into());
        self.model.add(marker.named(name))
    }

    /// The handle of a body.
    pub(super) fn body(&self, body: Body) -> Handle<RigidBody> {
        self.bodies[body.name()]
    }
}

/// The model: bodies under their names, muscles under theirs with markers `..._origin` and
/// `..._insertion`, an exciter a group and side, markers `lower_incisor` and `upper_incisor`.
///
/// # Errors
/// A surface without extent.
pub fn assemble(anatomy: Anatomy, params: &JawParams) -> Result<Model, ParamError> {
    let mut model = Model::new(anatomy.name);
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let mut build = Build { model, bodies: BTreeMap::new() };
    for bone in anatomy.bones {
        let body = body_of(bone.body, Some(bone.surface))?;
        build.bodies.insert(bone.body.name(), build.model.add(body));
    }
    let sternum = body_of(Body::Sternum, None)?;
    build.bodies.insert(Body::Sternum.name(), build.model.add(sternum));
    draw(&mut build, params)?;
    attach(&mut build, anatomy.tongue);
    let pulls =
        anatomy.muscles.iter().map(|muscle| (muscle.name.clone(), pull(&mut build, muscle)));
    let pulls: BTreeMap<_, _> = pulls.collect();
    joints::add(&mut build, params.fossa);
    excite(&mut build.model, &pulls, params);
    build.mark(Body::Mandible, LOWER_INCISOR, "lower_incisor");
    build.mark(Body::Maxilla, UPPER_INCISOR, "upper_incisor");
    let teeth = [Body::Mandible, Body::Maxilla].map(|body| build.body(body));
    bolus::add(&mut build.model, teeth, (params.bolus, params.chewing.working))?;
    Ok(build.model)
}

/// Adds what is drawn alone, and gives bones and cartilages their colours.
fn draw(build: &mut Build, params: &JawParams) -> Result<(), ParamError> {
    for body in Body::SOLID {
        let soft = body.bone().is_some_and(bones::Bone::is_soft);
        let id = build.body(body).id();
        dress(&mut build.model, id, soft);
    }
    for (bone, surface) in DRAWN.into_iter().zip(surfaces(&DRAWN, params.cell)?) {
        let drawn = build.model.add(RenderMesh::new(bone.name(), mesh_of(surface)?));
        dress(&mut build.model, drawn.id(), bone.is_soft());
    }
    Ok(())
}

/// A bone: the mandible and the hyoid bone move, with the mass and the damping that are published.
fn body_of(body: Body, mesh: Option<SurfaceMesh>) -> Result<RigidBody, ParamError> {
    let name = body.name();
    let moving = [MANDIBLE_DYNAMICS, HYOID_DYNAMICS].into_iter().find(|row| row.body == body);
    let mut made = match (moving, &mesh) {
        (Some(row), _) => RigidBody {
            frame_damping: Some(row.damping),
            rotary_damping: Some(row.rotary_damping),
            ..RigidBody::new(name, Inertia::Explicit(inertia(&row)?))
        },
        (None, Some(mesh)) => RigidBody::new(name, fixed_inertia(mesh)?).fixed(),
        (None, None) => {
            let inertia = SpatialInertia::of_box(FIXED_MASS, &STERNUM)?;
            RigidBody::new(name, Inertia::Explicit(inertia)).fixed()
        }
    };
    made.mesh = mesh;
    Ok(made)
}

/// Of the solid inside a closed surface; of a box around one that has holes, which nothing depends on.
fn fixed_inertia(mesh: &SurfaceMesh) -> Result<Inertia, ParamError> {
    if mesh.solid_integrals().is_ok() {
        return Ok(Inertia::Density(FIXED_DENSITY));
    }
    let [low, high] = mesh.bounding_box().unwrap_or([Vec3::zeros(), STERNUM]);
    Ok(Inertia::Explicit(SpatialInertia::of_box(FIXED_MASS, &(high - low))?))
}

fn inertia(row: &BodyDynamics) -> Result<SpatialInertia, ParamError> {
    let [xx, yy, zz, xy, yz, xz] = row.inertia;
    let rotational = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    Ok(SpatialInertia::new(row.mass, row.center.into(), rotational)?)
}

/// Hangs the tongue on the mandible and on the hyoid bone.
fn attach(build: &mut Build, tongue: FemModel) {
    let sets = [("jaw", Body::Mandible), ("hyoid", Body::Hyoid)];
    let sets = sets.map(|(set, body)| (set, body, tongue.mesh.node_sets[set].clone()));
    let fem = build.model.add(tongue);
    for (set, body, nodes) in sets {
        let points = nodes.into_iter().map(|node| PointRef::FemNode(fem, node)).collect();
        let attachment = Attachment::new(points, Master::Body(build.body(body)));
        build.model.add(attachment.named(format!("tongue_{set}")));
    }
}

/// A muscle between a marker on each of its bodies.
fn pull(build: &mut Build, muscle: &MuscleRecord) -> Handle<AxialSpring> {
    let origin = format!("{}_origin", muscle.name);
    let origin = build.mark(muscle.origin.body, muscle.origin.point, origin);
    let insertion = format!("{}_insertion", muscle.name);
    let insertion = build.mark(muscle.insertion.body, muscle.insertion.point, insertion);
    let law = AxialLaw::Peck(PeckMuscle {
        max_force: muscle.max_force,
        optimal_length: muscle.optimal_length(),
        max_length: muscle.maximal_length(),
        tendon_ratio: muscle.tendon_ratio,
        passive_fraction: muscle.passive_fraction,
        damping: muscle.damping,
    });
    let mut spring = AxialSpring::with_law([origin, insertion], law).named(muscle.name.clone());
    spring.rest_length = muscle.rest_length();
    let spring = build.model.add(spring);
    let fibres = muscle.optimal_length() * (1.0 - muscle.tendon_ratio);
    add_belly(&mut build.model, spring.id(), muscle.max_force, [fibres, muscle.rest_length()]);
    spring
}

/// One exciter for each group of muscles and side.
fn excite(model: &mut Model, pulls: &BTreeMap<String, Handle<AxialSpring>>, params: &JawParams) {
    for drive in drives(params.task, params.fossa, &params.chewing) {
        let target = |(name, gain): &(String, f64)| {
            Some(Excited { target: pulls.get(name)?.id(), gain: *gain })
        };
        model.add(MuscleExciter {
            name: drive.name,
            excitation: drive.burst.map_or(0.0, |burst| burst.peak),
            // At rest whoever raises an excitation finds it as it is, at any time.
            schedule: drive.burst.map_or_else(Schedule::default, |it| Schedule::Table(it.rows())),
            targets: drive.muscles.iter().filter_map(target).collect(),
        });
    }
}
