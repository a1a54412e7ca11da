//! A mandible from which the left body was removed, and one that was rebuilt: what is left of the bone as bodies of their own, muscles
//! that ended on what was removed detached, a graft on plates. An edit of the assembled model (docs/howto/resection.md).

use nalgebra::Isometry3;
use sinew::component::Handle;
use sinew::constraint::JointKind;
use sinew::geometry::SurfaceMesh;
use sinew::model::{
    AxialSpring, CustomJoint, Edit, FrameMarker, FrameSite, FrameSpring, Inertia, Joint, Model,
    PointRef, RigidBody,
};

use crate::ParamError;
use crate::bones::sdf::{HalfSpace, Point, Solid};
use crate::bones::{self, Bone, MM, Surface, SurfaceError, surface_of};
use crate::jaw::joint::MANDIBLE_DYNAMICS;
use crate::skeleton::{dress, mesh_of};

/// State of the mandible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mandible {
    /// As it is.
    #[default]
    Whole,
    /// The left body is gone.
    Resected,
    /// A graft on plates is in its place.
    Rebuilt,
}

impl Mandible {
    /// The names of `mandible=`.
    pub(super) const NAMED: [(&'static str, Self); 3] =
        [("whole", Self::Whole), ("resected", Self::Resected), ("rebuilt", Self::Rebuilt)];
}

/// A cut: points before it have a positive product with the normal [mm].
struct Cut {
    point: Point,
    normal: Point,
}

/// Cuts behind the canine and before the angle, upright and along the front edge of the ramus.
const FRONT: Cut = Cut { point: [22.0, 0.0, 20.0], normal: [1.0, 0.0, 0.0] };
const REAR: Cut = Cut { point: [-8.0, 0.0, 25.0], normal: [0.876, 0.0, -0.482] };
/// Height to which the graft fills the gap [mm]: the teeth are not restored.
const GRAFT_TOP: f64 = 27.0;
/// Bone that the cut is away from [mm]: the saw's, and so that surfaces do not touch.
const KERF: f64 = 0.5;

impl Cut {
    fn is_before(&self, p: Point) -> bool {
        (0..3).map(|axis| (p[axis] - self.point[axis]) * self.normal[axis]).sum::<f64>() > 0.0
    }

    /// The half space on one side, `gap` [mm] away from the cut.
    fn side(&self, before: bool, gap: f64) -> HalfSpace {
        let sign = if before { -1.0 } else { 1.0 };
        let point = std::array::from_fn(|k| self.point[k] - sign * gap * self.normal[k]);
        HalfSpace::behind(point, self.normal.map(|x| sign * x))
    }
}

/// A part of the mandible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Chin and right side.
    Rest,
    /// Left body.
    Segment,
    /// Left ramus.
    Ramus,
}

/// The crowns of the lower teeth that are left: none is on the left body, which is gone or a graft.
///
/// # Errors
/// A cell size out of range.
pub(super) fn crowns_left(mandible: Mandible, cell: f64) -> Result<Surface, SurfaceError> {
    if mandible == Mandible::Whole {
        return bones::teeth(false, cell);
    }
    let all = Solid::new().one_sided().add([0.0; 2], [bones::teeth_solid(false)]);
    bones::teeth_of(&all.cut([0.5, 0.0], [behind_front(-KERF)]), cell)
}

/// True if a tooth at a point [mm] is left.
pub(super) fn is_left(mandible: Mandible, tooth: Point) -> bool {
    mandible == Mandible::Whole || Part::of(tooth) == Part::Rest
}

/// Space of the left side behind the front cut, grown or shrunk by a gap [mm].
fn behind_front(gap: f64) -> Solid {
    let left = HalfSpace::behind([0.0; 3], [0.0, -1.0, 0.0]);
    let space = Solid::new().one_sided().add([0.0; 2], [FRONT.side(false, gap)]);
    space.keep([0.0; 2], [left])
}

impl Part {
    /// The part that a point [mm] belongs to.
    fn of(p: Point) -> Self {
        if p[1] <= 0.0 || FRONT.is_before(p) {
            Self::Rest
        } else if REAR.is_before(p) {
            Self::Segment
        } else {
            Self::Ramus
        }
    }

    fn solid(self) -> Solid {
        let whole = || Solid::new().one_sided().add([0.0; 2], [bones::mandible_solid()]);
        let left = HalfSpace::behind([0.0; 3], [0.0, -1.0, 0.0]);
        match self {
            Self::Rest => whole().cut([0.5, 0.0], [behind_front(-KERF)]),
            Self::Ramus => {
                whole().keep([0.5, 0.0], [REAR.side(false, KERF)]).keep([0.5, 0.0], [left])
            }
            Self::Segment => whole()
                .keep([0.5, 0.0], [behind_front(KERF)])
                .keep([0.5, 0.0], [REAR.side(true, KERF)])
                .keep([1.0, 0.0], [HalfSpace::behind([0.0, 0.0, GRAFT_TOP], [0.0, 0.0, 1.0])]),
        }
    }

    fn surface(self, cell: f64) -> Result<SurfaceMesh, ParamError> {
        mesh_of(surface_of(&self.solid(), cell * Bone::Mandible.default_cell())?)
    }
}

/// Removes the left body from an assembled model, and puts a graft in its place.
///
/// # Errors
/// A cell size out of range.
pub(super) fn resect(model: &mut Model, mandible: Mandible, cell: f64) -> Result<(), ParamError> {
    if mandible == Mandible::Whole {
        return Ok(());
    }
    let jaw = model.iter::<RigidBody>().find(|(_, body)| body.name == "mandible");
    let (jaw, _) = jaw.expect("the assembled model has it");
    let volume = model[jaw].mesh.as_ref().map_or(1.0, SurfaceMesh::signed_volume);
    let density = MANDIBLE_DYNAMICS.mass / volume;
    let rest = part(&model[jaw], Part::Rest.surface(cell)?, (density, volume));
    model[jaw] = rest;
    let ramus = part(&model[jaw], Part::Ramus.surface(cell)?, (density, volume));
    let ramus = add(model, ramus, "left_ramus");
    move_ends(model, jaw, ramus);
    if mandible == Mandible::Rebuilt {
        let graft = part(&model[jaw], Part::Segment.surface(cell)?, (density, volume));
        let graft = add(model, graft, "graft");
        for (name, body) in [("front_plate", jaw), ("rear_plate", ramus)] {
            let site = |body| FrameSite::on(body, Isometry3::identity());
            let mut plate = Joint::new(JointKind::Solid, site(graft), site(body));
            plate.name = name.into();
            model.add(plate);
        }
    }
    Ok(())
}

fn add(model: &mut Model, body: RigidBody, name: &str) -> Handle<RigidBody> {
    let body = model.add(RigidBody { name: name.into(), ..body });
    dress(model, body.id(), false);
    body
}

/// A body like another, of another surface; its mass and drag are its share of those of the whole mandible.
fn part(like: &RigidBody, mesh: SurfaceMesh, (density, whole): (f64, f64)) -> RigidBody {
    let share = mesh.signed_volume() / whole;
    RigidBody {
        inertia: Inertia::Density(density),
        frame_damping: Some(MANDIBLE_DYNAMICS.damping * share),
        rotary_damping: Some(MANDIBLE_DYNAMICS.rotary_damping * share),
        mesh: Some(mesh),
        ..like.clone()
    }
}

/// Moves what ends on the ramus to it, and deletes muscles and stops that end on what was removed.
fn move_ends(model: &mut Model, jaw: Handle<RigidBody>, ramus: Handle<RigidBody>) {
    let markers: Vec<Handle<FrameMarker>> =
        model.iter::<FrameMarker>().filter(|(_, it)| it.body == jaw).map(|(h, _)| h).collect();
    let mut loose = Vec::new();
    for marker in markers {
        let at = (model[marker].location / MM).into();
        match Part::of(at) {
            Part::Rest => {}
            Part::Ramus => model[marker].body = ramus,
            Part::Segment => loose.push(PointRef::from(marker)),
        }
    }
    let detached =
        model.iter::<AxialSpring>().filter(|(_, it)| it.ends.iter().any(|end| loose.contains(end)));
    let detached: Vec<_> = detached.map(|(handle, _)| handle.id()).collect();
    model.edit(Edit::Delete(detached)).expect("muscles can be without each other");
    let to_ramus = |site: &mut FrameSite| {
        let at: Point = (site.pose.translation.vector / MM).into();
        if site.body == Some(jaw) && Part::of(at) == Part::Ramus {
            site.body = Some(ramus);
        }
    };
    let springs: Vec<_> = model.iter::<FrameSpring>().map(|(handle, _)| handle).collect();
    springs.into_iter().for_each(|spring| to_ramus(&mut model[spring].c));
    let fossae: Vec<_> = model.iter::<CustomJoint>().map(|(handle, _)| handle).collect();
    fossae.into_iter().for_each(|fossa| to_ramus(&mut model[fossa].c));
}
