//! Compilation of rigid bodies: their rows, their inertia with all that is attached to them, and
//! their start.

use std::sync::Arc;

use nalgebra::UnitQuaternion;

use super::State;
use super::attachments::{self, named, places_of_mass, set_arms};
use super::check::CompileError;
use super::fitted;
use super::flat::Flat;
use super::multibody::{AttachmentSet, BodyRows, Multibody, Weight};
use super::numbering::Numbering;
use super::prescribed_body::PrescribedBody;
use super::supports::FIRST_MOMENT;
use crate::dynamics::{SpatialInertia, turn_between};
use crate::linalg::BlockPattern;
use crate::{Mat3, Vec3};

/// Bodies with what is attached to them, and everything that follows others.
pub(super) struct Attached {
    pub(super) bodies: Vec<BodyRows>,
    pub(super) attachments: AttachmentSet,
    /// Bodies that forces do not move.
    pub(super) prescribed: Vec<PrescribedBody>,
    /// Inertia of each row [kg]: that of what is attached to one body is in the body.
    pub(super) inertial: Vec<f64>,
    /// True if any mass of points is part of a body.
    pub(super) has_tissue: bool,
}

/// Attaches points to bodies and bodies to points, in a model whose components were checked. Sets the rest
/// positions of bodies, whose centres of mass depend on what is attached to them.
pub(super) fn attach(
    flat: &Flat<'_>,
    points: &mut Numbering,
    masses: &[f64],
    fixed: &[[bool; 3]],
) -> Result<Attached, CompileError> {
    let attachments = attachments::compile(flat, points, fixed)?;
    let places = places_of_mass(&attachments, &points.rest);
    let (bodies, prescribed) = (Vec::new(), Vec::new());
    let inertial = masses.to_vec();
    let mut attached = Attached { bodies, attachments, prescribed, inertial, has_tissue: false };
    for body in 0..flat.bodies.len() {
        attached.add_body(flat, points, body, &places);
    }
    let Attached { bodies, attachments, .. } = &mut attached;
    set_arms(attachments, flat, points, bodies);
    fitted::add(flat, points, attachments)?;
    if !attachments.fitted.is_empty() {
        let bare = BlockPattern::from_cliques(points.rest.len(), |_| {});
        attachments.resolve(&bare, fixed).map_err(|e| named(flat, points, e))?;
    }
    Ok(attached)
}

impl Attached {
    /// Adds a body with the masses of all points that are fixed to it; `places` says where these count.
    fn add_body(&mut self, flat: &Flat<'_>, points: &mut Numbering, k: usize, places: &[Vec3]) {
        let (body, row) = (flat.bodies[k], points.body_rows[k]);
        let own = body.spatial_inertia().expect("inertias were checked");
        let mut attached_masses = Vec::new();
        for (k, &point) in self.attachments.list.attached_rows().iter().enumerate() {
            let point = point as usize;
            let fixed = self.attachments.resolved.resolved(k).0 == [row, row + 1];
            if fixed && self.inertial[point] > 0.0 {
                let at = body.pose.inverse_transform_point(&places[point].into()).coords;
                attached_masses.push((std::mem::take(&mut self.inertial[point]), at));
            }
        }
        self.has_tissue |= !attached_masses.is_empty();
        let inertia = with_points(&own, &attached_masses);
        self.inertial[row as usize] = inertia.mass();
        let rest = Arc::make_mut(&mut points.rest);
        let turn = turn_between(&UnitQuaternion::identity(), &body.pose.rotation);
        rest[row as usize] = body.pose.transform_point(&inertia.center_of_mass().into()).coords;
        rest[row as usize + 1] = turn;
        self.bodies.push(BodyRows { row, inertia, rotates_freely: false });
        if !body.dynamic {
            let centers = [inertia, own].map(|it| it.center_of_mass());
            self.prescribed.push(PrescribedBody::new(row, body, centers));
        }
    }

    /// Fixes the rows of prescribed bodies, in all axes.
    pub(super) fn fix(&self, fixed: &mut [[bool; 3]]) {
        for body in &self.prescribed {
            fixed[body.row()] = [true; 3];
            fixed[body.row() + 1] = [true; 3];
        }
    }
}

/// A body turns freely where nothing acts on it.
pub(super) fn set_free_rotations(flat: &Flat<'_>, multibody: &mut Multibody) {
    let Multibody { bodies, attachments, joints, .. } = multibody;
    let mut taken = vec![false; bodies.len()];
    for rule in &attachments.weights {
        if let Weight::Turned(body, _) = rule {
            taken[*body as usize] = true;
        }
    }
    attachments.moving.iter().for_each(|point| taken[point.body as usize] = true);
    for spring in &flat.frame_springs {
        for body in [spring.c.body, spring.d.body].into_iter().flatten() {
            taken[flat.places.bodies.place(body).expect("references were checked")] = true;
        }
    }
    for line in &flat.multi_point_springs {
        for wrapped in &line.wraps {
            let body = flat.model.get(wrapped.surface).and_then(|surface| surface.site.body);
            if let Some(body) = body {
                taken[flat.places.bodies.place(body).expect("references were checked")] = true;
            }
        }
    }
    let rows = [joints.rows.lists(), joints.unilateral.lists()];
    let rows: Vec<u32> = rows.into_iter().flatten().flatten().copied().collect();
    for (k, (rows_of_body, taken)) in bodies.iter_mut().zip(taken).enumerate() {
        let damping = flat.damping_of(k);
        let drags = damping.rotary != 0.0 || damping.inertial != 0.0;
        let fixed = taken || rows.contains(&(rows_of_body.row + 1));
        rows_of_body.rotates_freely = flat.bodies[k].dynamic && !drags && !fixed;
    }
}

/// The inertia of a body with masses [kg] fixed to points of its frame [m].
fn with_points(own: &SpatialInertia, points: &[(f64, Vec3)]) -> SpatialInertia {
    if points.is_empty() {
        return *own;
    }
    let mass = own.mass() + points.iter().map(|p| p.0).sum::<f64>();
    let moment: Vec3 = points.iter().map(|(m, at)| at * *m).sum();
    let center = (own.center_of_mass() * own.mass() + moment) / mass;
    let about = |m: f64, at: &Vec3| {
        let arm = at - center;
        (Mat3::identity() * arm.norm_squared() - arm * arm.transpose()) * m
    };
    let mut rotational = own.rotational_about(&center);
    points.iter().for_each(|(m, at)| rotational += about(*m, at));
    rotational = (rotational + rotational.transpose()) * 0.5;
    SpatialInertia::new(mass, center, rotational).expect("masses add to what was an inertia")
}

/// Positions and velocities at the start of bodies and of what follows; `state` has those of points.
pub(super) fn start(
    multibody: &Multibody,
    flat: &Flat<'_>,
    prescribed: &[PrescribedBody],
    state: &mut State,
) {
    for (body, rows) in flat.bodies.iter().zip(&multibody.bodies) {
        let row = rows.row as usize;
        let arm = body.pose.rotation * rows.inertia.center_of_mass();
        let (angular_velocity, origin) = (body.angular_velocity, body.velocity);
        (state.u[row], state.u[row + 1]) =
            (origin + angular_velocity.cross(&arm), angular_velocity);
    }
    for body in prescribed {
        let [center, turn] = body.positions(state.time);
        (state.q[body.row()], state.q[body.row() + 1]) = (center, turn);
        if !body.keyframes.is_empty() {
            let [after, turned] = body.positions(state.time + FIRST_MOMENT);
            let [turn, turned] = [turn, turned].map(UnitQuaternion::new);
            state.u[body.row()] = (after - center) / FIRST_MOMENT;
            state.u[body.row() + 1] = turn_between(&turn, &turned) / FIRST_MOMENT;
        }
    }
    state.coordinates = multibody.start_coordinates();
    let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
    multibody.update_turns(&state.q, &mut turns);
    multibody.place_attached(&mut turns, &mut state.q);
    let mut attachments = multibody.attachments.resolved.clone();
    attachments.update_weights(&multibody.weights_at(&state.q));
    attachments.expand_velocity(&mut state.u);
}
