//! Regions in which solids touch: contours of the surfaces of two colliders bound them, and the forces of the contacts between
//! these are shared among them (docs/theory/contact.md, "Regions in contact").

use sinew_mesh::geometry::{Contour, ContourPoint, Overlap, OverlapSurface, Region};

use super::ContactSetup;
use super::contact_pressure::Contacts;
use super::start_overlaps::surface_of;
use crate::contact::{Collider, Member, Shape, closest_on_segment};
use crate::geometry::SurfaceMesh;
use crate::state::ContactForce;
use crate::{Mat3, Vec3};

/// A region in which two solids touch, over the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRegion {
    /// Number of the pair.
    pub pair: u32,
    /// Area within its contours, seen along the normal [m²].
    pub area: f64,
    /// Mean depth of the solid that both have in common there [m]; zero where a surface is open.
    pub depth: f64,
    /// Unit normal from B into A.
    pub normal: Vec3,
    /// Mean place of the surface within the contours [m].
    pub center: Vec3,
    /// Force along the normals of the contacts whose nearest contour is that of this region [N].
    pub force: f64,
    /// Resultant of these contacts on A, friction included [N].
    pub resultant: Vec3,
    /// Mean of their places by their forces along normals [m]; the centre without any.
    pub center_of_pressure: Vec3,
}

impl ContactRegion {
    /// Mean pressure [Pa].
    pub fn pressure(&self) -> f64 {
        self.force / self.area
    }
}

impl Contacts<'_> {
    /// Regions of all pairs of solids that pushed, pair after pair.
    pub(super) fn regions(self) -> Vec<ContactRegion> {
        let Some(multibody) = self.multibody() else { return Vec::new() };
        let setup = &multibody.contacts;
        let poses = multibody.poses(&self.state().q);
        let forces: Vec<&ContactForce> = self.iter().collect();
        let mut regions = Vec::new();
        for of_pair in forces.chunk_by(|a, b| a.pair == b.pair) {
            let pair = of_pair[0].pair;
            let placed = |member| surface_of(collider(setup, member)?, &poses);
            let members = setup.pairs[pair as usize];
            let [a, b] = [members.a, members.b].map(placed);
            let plane = |member, beside: &SurfaceMesh| {
                let is_plane = |it: &&Collider| matches!(it.shape, Shape::HalfSpace);
                let collider = collider(setup, member).filter(is_plane)?;
                plane_beside(&collider.placed(&poses), beside)
            };
            let surfaces = match (a, b) {
                (Some(a), Some(b)) => Some((a, b)),
                (Some(a), None) => plane(members.b, &a).map(|b| (a, b)),
                (None, Some(b)) => plane(members.a, &b).map(|a| (a, b)),
                (None, None) => None,
            };
            if let Some(surfaces) = surfaces {
                add_regions(setup, of_pair, surfaces, &mut regions);
            }
        }
        regions
    }
}

fn collider(setup: &ContactSetup, member: Member) -> Option<&Collider> {
    match member {
        Member::Collider(k) => setup.colliders.get(k as usize),
        Member::Points(_) | Member::Surface(_) => None,
    }
}

/// Adds the regions of a pair whose contacts pushed.
fn add_regions(
    setup: &ContactSetup,
    forces: &[&ContactForce],
    (a, b): (SurfaceMesh, SurfaceMesh),
    regions: &mut Vec<ContactRegion>,
) {
    let pair = forces[0].pair;
    let behavior = &setup.behaviors[pair as usize];
    let push = |force: &ContactForce| force.force.dot(&force.normal);
    let resultant: Vec3 = forces.iter().map(|force| force.normal * push(force)).sum();
    let Some(towards) = resultant.try_normalize(0.0) else { return };
    let shift = match !behavior.law.is_rigid() {
        true => 0.0,
        false => -behavior.tolerance,
    };
    let Ok(a) = a.transformed(&Mat3::identity(), &(towards * shift)) else { return };
    let mut overlap = Overlap::default();
    overlap.update(&OverlapSurface::new(&a), &OverlapSurface::new(&b));
    let mut shares = vec![Share::default(); overlap.regions().len()];
    for force in forces {
        if let Some(share) = nearest(&overlap, &force.point).and_then(|it| shares.get_mut(it)) {
            let push = push(force);
            share.push += push;
            share.along += force.normal * push;
            share.resultant += force.force;
            share.moment += force.point * push;
        }
    }
    let own = overlap.regions().iter().zip(&shares);
    regions.extend(own.filter_map(|(region, share)| region_of(pair, region, share)));
}

/// Sums over the contacts of a region.
#[derive(Clone, Copy, Default)]
struct Share {
    /// Forces along normals [N].
    push: f64,
    /// The same as vectors [N].
    along: Vec3,
    /// Forces [N].
    resultant: Vec3,
    /// Places by forces along normals [N m].
    moment: Vec3,
}

/// Number of the region whose contour is nearest to a point.
fn nearest(overlap: &Overlap, point: &Vec3) -> Option<usize> {
    let distance = |contour: &Contour| {
        let points = overlap.points(contour);
        let around = points.iter().zip(points.iter().cycle().skip(1));
        let to = |from: &ContourPoint, next: &ContourPoint| {
            (closest_on_segment(point, &from.position, &next.position) - point).norm()
        };
        around.map(|(from, next)| to(from, next)).fold(f64::INFINITY, f64::min)
    };
    let contours = overlap.contours().iter();
    let bounds = contours.filter_map(|it| Some((it.region? as usize, distance(it))));
    bounds.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(region, _)| region)
}

/// A region with the forces of its contacts; `None` where one solid is inside of the other, or nothing is covered. Its normal
/// is that of the contacts, since the borders of flat faces stand up by the tolerance; without any it is that of its areas.
fn region_of(pair: u32, region: &Region, share: &Share) -> Option<ContactRegion> {
    let Share { push, along, resultant, moment } = *share;
    let own = region.normal()?;
    let normal = along.try_normalize(0.0).unwrap_or(own);
    let covered = region.parts.map(|part| part.area_vector.dot(&normal).abs());
    let larger = region.parts[usize::from(covered[1] > covered[0])];
    let area = covered[0].max(covered[1]);
    let (depth, center) = (region.solid.volume / area, larger.centroid()?);
    let center_of_pressure = if push > 0.0 { moment / push } else { center };
    let force = push;
    (area > 0.0).then_some(ContactRegion {
        pair,
        area,
        depth,
        normal,
        center,
        force,
        resultant,
        center_of_pressure,
    })
}

/// Two triangles in the plane of a half-space, which go beyond a surface.
fn plane_beside(at: &crate::constraint::Pose, beside: &SurfaceMesh) -> Option<SurfaceMesh> {
    let turn = at.rotation.to_rotation_matrix().into_inner();
    let shift = at.translation.vector;
    let local = |p: &Vec3| turn.tr_mul(&(p - shift));
    let reach = beside.vertices().iter().fold(0.0, |most: f64, p| most.max(local(p).xy().amax()));
    let corner = |x: f64, y: f64| turn * (Vec3::new(x, y, 0.0) * (2.0 * reach)) + shift;
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    SurfaceMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).ok()
}
