//! Compilation of what a system has beside points and forces: bodies with what is attached to them,
//! followers, constraint rows, and bodies that are led.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::UnitQuaternion;

use super::State;
use super::carried::{self, CarriedBody};
use super::check::CompileError;
use super::collisions::{self, Collisions};
use super::compile::{FIRST_MOMENT, Points};
use super::flat::Flat;
use super::multibody::{BodyRows, Multibody, Weight};
use crate::attachment::{AttachmentError, AttachmentList, Attachments};
use crate::component::ComponentId;
use crate::constraint::{ConstraintRows, PlacedJoint, Pose, Softness, UnilateralRows};
use crate::dynamics::{SpatialInertia, turn_between};
use crate::force::{BodyDrag, Bushing, ForceEffector, FrameSide, FrameSprings, InertialDrag};
use crate::linalg::BlockPattern;
use crate::model::{FrameSite, FrameSpring, Keyframe, Master, PointRef, RigidBody};
use crate::{Mat3, Vec3};

/// A body that forces do not move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LedBody {
    row: u32,
    /// Centre of mass in the frame of the body [m].
    pub(super) center: Vec3,
    /// That of the body without what is attached to it, from there [m].
    pub(super) own: Vec3,
    /// Pose and velocities at time 0.
    pub(super) pose: Pose,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    pub(super) keyframes: Vec<Keyframe>,
}

impl LedBody {
    /// Positions of its two rows at a time [s].
    pub(super) fn positions(&self, time: f64) -> [Vec3; 2] {
        let pose = self.pose_at(time);
        let turn = turn_between(&UnitQuaternion::identity(), &pose.rotation);
        [pose.transform_point(&self.center.into()).coords, turn]
    }

    pub(super) fn row(&self) -> usize {
        self.row as usize
    }

    /// Centre of mass without what is attached, at positions `q` [m].
    pub(super) fn own_center(&self, q: &[Vec3]) -> Vec3 {
        q[self.row()] + UnitQuaternion::new(q[self.row() + 1]) * self.own
    }

    fn pose_at(&self, time: f64) -> Pose {
        let [.., last] = &self.keyframes[..] else {
            let turn = UnitQuaternion::new(self.angular_velocity * time);
            let origin = self.pose.translation.vector + self.velocity * time;
            return Pose::from_parts(origin.into(), turn * self.pose.rotation);
        };
        let next = self.keyframes.partition_point(|frame| frame.time <= time);
        match (next.checked_sub(1), self.keyframes.get(next)) {
            (None, Some(first)) => first.pose,
            (Some(before), Some(after)) => {
                let before = &self.keyframes[before];
                let share = (time - before.time) / (after.time - before.time);
                let turn = turn_between(&before.pose.rotation, &after.pose.rotation) * share;
                let origins = [before, after].map(|frame| frame.pose.translation.vector);
                let origin = origins[0].lerp(&origins[1], share);
                Pose::from_parts(origin.into(), UnitQuaternion::new(turn) * before.pose.rotation)
            }
            (_, None) => last.pose,
        }
    }
}

/// What was found out of a model before its forces are made.
pub(super) struct Plan {
    pub(super) bodies: Vec<BodyRows>,
    pub(super) list: AttachmentList,
    pub(super) rules: Vec<Weight>,
    pub(super) offsets: Vec<Vec3>,
    /// Bodies that follow points.
    pub(super) carried: Vec<CarriedBody>,
    pub(super) rows: ConstraintRows,
    pub(super) softness: Vec<Softness>,
    pub(super) row_names: Vec<String>,
    pub(super) unilateral: UnilateralRows,
    pub(super) joints: Vec<Arc<PlacedJoint>>,
    /// Number of each joint among them.
    pub(super) joint_places: BTreeMap<ComponentId, usize>,
    /// Which coordinates are locked.
    pub(super) locked: Vec<bool>,
    pub(super) led: Vec<LedBody>,
    /// Inertia of each row [kg]: that of what is attached to one body is in the body.
    pub(super) inertial: Vec<f64>,
    /// Whether any part of a tissue weighs on a body.
    pub(super) carries_tissue: bool,
    pub(super) collisions: Collisions,
}

/// What holds each row.
pub(super) struct Carried {
    /// The body that it is fixed to.
    pub(super) body: Vec<Option<u32>>,
    /// Whether it cannot move.
    pub(super) still: Vec<bool>,
}

/// Reads a model whose components were checked; sets the rest positions of bodies, whose centres of
/// mass depend on what is attached to them.
pub(super) fn plan(
    flat: &Flat<'_>,
    points: &mut Points,
    masses: &[f64],
    held: &[[bool; 3]],
) -> Result<Plan, CompileError> {
    let (list, rules, offsets) = followers_of(flat, points)?;
    let bare = BlockPattern::from_cliques(points.rest.len(), |_| {});
    let attachments = Attachments::new(&bare, &list, held).map_err(|e| named(flat, points, e))?;
    let places = places_of_mass(&points.rest, (&list, &rules), &attachments);
    let mut inertial = masses.to_vec();
    let mut plan = Plan {
        bodies: Vec::new(),
        list,
        rules,
        offsets,
        carried: Vec::new(),
        rows: ConstraintRows::default(),
        softness: Vec::new(),
        row_names: Vec::new(),
        unilateral: UnilateralRows::default(),
        joints: Vec::new(),
        joint_places: BTreeMap::new(),
        locked: Vec::new(),
        led: Vec::new(),
        inertial: Vec::new(),
        carries_tissue: false,
        collisions: Collisions::default(),
    };
    for (b, body) in flat.bodies.iter().enumerate() {
        let own = body.spatial_inertia().expect("inertias were checked");
        let row = points.body_rows[b];
        let mut carried = Vec::new();
        for (k, &slave) in plan.list.slaves().iter().enumerate() {
            let slave = slave as usize;
            if attachments.resolved(k).0 == [row, row + 1] && inertial[slave] > 0.0 {
                let at = body.pose.inverse_transform_point(&places[slave].into()).coords;
                carried.push((std::mem::take(&mut inertial[slave]), at));
            }
        }
        plan.carries_tissue |= !carried.is_empty();
        let inertia = with_points(&own, &carried);
        inertial[row as usize] = inertia.mass();
        let rest = Arc::make_mut(&mut points.rest);
        let turn = turn_between(&UnitQuaternion::identity(), &body.pose.rotation);
        rest[row as usize] = body.pose.transform_point(&inertia.center_of_mass().into()).coords;
        rest[row as usize + 1] = turn;
        plan.bodies.push(BodyRows { row, inertia, spins_freely: false });
        if !body.dynamic {
            plan.led.push(led(row, body, [inertia, own].map(|it| it.center_of_mass())));
        }
    }
    plan.inertial = inertial;
    plan.set_arms(flat, points);
    carried::add(flat, points, &mut plan)?;
    plan.add_rows(flat, points)?;
    let rows = [plan.rows.lists(), plan.unilateral.lists()];
    set_free_spins(flat, &mut plan.bodies, &plan.rules, rows);
    // Bodies that follow points came after the others.
    let all = Attachments::new(&bare, &plan.list, held).map_err(|e| named(flat, points, e))?;
    let carried = &Carried::of(&plan, &all, held);
    let bodies = &plan.bodies;
    plan.collisions = collisions::compile(collisions::Source { flat, points, bodies, carried })?;
    Ok(plan)
}

impl Carried {
    fn of(plan: &Plan, attachments: &Attachments, held: &[[bool; 3]]) -> Self {
        let mut still: Vec<bool> = held.iter().map(|held| *held == [true; 3]).collect();
        for row in plan.led.iter().map(LedBody::row) {
            still[row..row + 2].fill(true);
        }
        let mut body = vec![None; held.len()];
        for (k, &slave) in plan.list.slaves().iter().enumerate() {
            let masters = attachments.resolved(k).0;
            let by = |row: u32| plan.bodies.binary_search_by_key(&row, |body| body.row).ok();
            body[slave as usize] = match *masters {
                [row, next] if next == row + 1 => by(row).map(|place| place as u32),
                _ => None,
            };
            still[slave as usize] = masters.iter().all(|&master| still[master as usize]);
        }
        Self { body, still }
    }
}

impl Plan {
    /// Whether there is anything that a step has to know of.
    pub(super) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
            && self.list.slaves().is_empty()
            && self.rows.count() == 0
            && self.unilateral.count() == 0
            && self.collisions.setup.pairs.is_empty()
    }

    /// Hands every group of coupled rows to `visit`.
    pub(super) fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.bodies.iter().for_each(|body| visit(&[body.row, body.row + 1]));
        self.rows.lists().iter().for_each(|list| visit(list));
        self.unilateral.lists().iter().for_each(|list| visit(list));
    }

    /// The whole, on a pattern that has room for what is assembled.
    pub(super) fn finish(
        self,
        (flat, points): (&Flat<'_>, &Points),
        pattern: &BlockPattern,
        held: &[[bool; 3]],
    ) -> Result<Multibody, CompileError> {
        let attachments =
            Attachments::new(pattern, &self.list, held).map_err(|e| named(flat, points, e))?;
        Ok(Multibody {
            bodies: self.bodies,
            attachments,
            followers: self.list,
            weights: self.rules,
            offsets: self.offsets,
            carried: self.carried,
            rows: self.rows,
            softness: self.softness,
            row_names: self.row_names,
            unilateral: self.unilateral,
            joints: self.joints,
            joint_places: self.joint_places,
            locked: self.locked,
            contacts: self.collisions.setup,
        })
    }

    /// Arms from centres of mass, and offsets, once it is known where these are.
    fn set_arms(&mut self, flat: &Flat<'_>, points: &Points) {
        for k in 0..self.list.slaves().len() {
            let at = points.rest[self.list.slaves()[k] as usize];
            for rule in &mut self.rules[self.list.weights(k)] {
                if let Weight::Turned(body, arm) = rule {
                    let pose = &flat.bodies[*body as usize].pose;
                    let center = self.bodies[*body as usize].inertia.center_of_mass();
                    *arm = pose.inverse_transform_point(&at.into()).coords - center;
                }
            }
        }
    }
}

/// A body spins freely where nothing takes hold of it.
pub(super) fn set_free_spins(
    flat: &Flat<'_>,
    bodies: &mut [BodyRows],
    rules: &[Weight],
    rows: [&[Vec<u32>]; 2],
) {
    let mut taken = vec![false; bodies.len()];
    for rule in rules {
        if let Weight::Turned(body, _) = rule {
            taken[*body as usize] = true;
        }
    }
    for spring in &flat.frame_springs {
        for body in [spring.c.body, spring.d.body].into_iter().flatten() {
            taken[flat.places.bodies.place(body).expect("references were checked")] = true;
        }
    }
    let rows: Vec<u32> = rows.into_iter().flatten().flatten().copied().collect();
    for (k, (rows_of_body, taken)) in bodies.iter_mut().zip(taken).enumerate() {
        let damping = flat.damping_of(k);
        let drags = damping.rotary != 0.0 || damping.inertial != 0.0;
        let held = taken || rows.contains(&(rows_of_body.row + 1));
        rows_of_body.spins_freely = flat.bodies[k].dynamic && !drags && !held;
    }
}

/// Centres of mass with and without what is attached.
fn led(row: u32, body: &RigidBody, [center, own]: [Vec3; 2]) -> LedBody {
    let RigidBody { pose, velocity, angular_velocity, keyframes, .. } = body;
    let keyframes = keyframes.clone();
    let (pose, velocity, angular_velocity) = (*pose, *velocity, *angular_velocity);
    let own = own - center;
    LedBody { row, center, own, pose, velocity, angular_velocity, keyframes }
}

/// Where the mass of each follower counts: one that keeps its offset from other points has it along the
/// axes of the world, so that it moves as if it were where these are.
fn places_of_mass(
    rest: &[Vec3],
    (list, rules): (&AttachmentList, &[Weight]),
    attachments: &Attachments,
) -> Vec<Vec3> {
    let mut places = rest.to_vec();
    for k in attachments.order().iter().map(|&k| k as usize) {
        let share = |(&master, rule): (&u32, &Weight)| match rule {
            Weight::Share(share) => Some(places[master as usize] * *share),
            Weight::Carried | Weight::Turned(..) | Weight::Gradient(..) => None,
        };
        let masters = list.masters(k).iter().zip(&rules[list.weights(k)]);
        if let Some(place) = masters.map(share).sum::<Option<Vec3>>() {
            places[list.slaves()[k] as usize] = place;
        }
    }
    places
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

type Followers = (AttachmentList, Vec<Weight>, Vec<Vec3>);

/// Markers and attached points with their masters; arms are set later.
fn followers_of(flat: &Flat<'_>, points: &Points) -> Result<Followers, CompileError> {
    let (mut list, mut rules, mut offsets) = Followers::default();
    let on_body = |body: usize| {
        let (row, zero) = (points.body_rows[body], Vec3::zeros());
        ([row, row + 1], [Weight::Carried, Weight::Turned(body as u32, zero)])
    };
    for (marker, &row) in flat.markers.iter().zip(&points.marker_rows) {
        let body = flat.places.bodies.place(marker.body).expect("references were checked");
        let (masters, weights) = on_body(body);
        list.push(row, &masters);
        rules.extend(weights);
        offsets.push(Vec3::zeros());
    }
    for attachment in &flat.attachments {
        let slaves: Vec<u32> = attachment.points.iter().map(|&p| points.row(flat, p)).collect();
        let rest = |row: u32| points.rest[row as usize];
        match attachment.master {
            Master::Body(body) => {
                let body = flat.places.bodies.place(body).expect("references were checked");
                for row in slaves {
                    let (masters, weights) = on_body(body);
                    list.push(row, &masters);
                    rules.extend(weights);
                    offsets.push(Vec3::zeros());
                }
            }
            Master::Particle(particle) => {
                let master = points.row(flat, PointRef::Particle(particle));
                for row in slaves {
                    list.push(row, &[master]);
                    rules.push(Weight::Share(1.0));
                    offsets.push(rest(row) - rest(master));
                }
            }
            Master::Tissue(fem) => {
                let place = flat.places.fems.place(fem).expect("references were checked");
                let mesh = &flat.fems[place].mesh;
                let at: Vec<Vec3> = slaves.iter().map(|&row| rest(row)).collect();
                for (row, placed) in slaves.into_iter().zip(crate::fem::locate(mesh, &at)) {
                    let node = |&node: &u32| points.fem_rows[place][node as usize];
                    let masters: Vec<u32> = placed.nodes.iter().map(node).collect();
                    list.push(row, &masters);
                    rules.extend(placed.weights.iter().map(|&w| Weight::Share(w)));
                    offsets.push(placed.offset);
                }
            }
        }
    }
    Ok((list, rules, offsets))
}

/// The same error in the words of the model.
fn named(flat: &Flat<'_>, points: &Points, error: AttachmentError) -> CompileError {
    let row = match &error {
        AttachmentError::BlockRow { row, .. }
        | AttachmentError::AttachedTwice { row }
        | AttachmentError::NoMaster { row }
        | AttachmentError::SlaveHeld { row } => *row,
        AttachmentError::Cycle { members } => members.first().copied().unwrap_or(0),
    };
    let point = point_at(flat, points, row).map(|point| flat.model.path(point.address()));
    let body = points.body_rows.iter().position(|&r| r == row || r + 1 == row);
    let body = body.map(|k| flat.model.path(flat.places.bodies.handles()[k]));
    let point = point.or(body).unwrap_or_else(|| format!("row {row}"));
    CompileError::Attachment { point, error }
}

/// The point of a row.
fn point_at(flat: &Flat<'_>, points: &Points, row: u32) -> Option<PointRef> {
    if let Some(k) = points.particle_rows.iter().position(|&r| r == row) {
        return Some(PointRef::Particle(flat.places.particles.handles()[k]));
    }
    if let Some(k) = points.marker_rows.iter().position(|&r| r == row) {
        return Some(PointRef::Marker(flat.places.markers.handles()[k]));
    }
    points.fem_rows.iter().enumerate().find_map(|(f, rows)| {
        let node = rows.iter().position(|&r| r == row)? as u32;
        Some(PointRef::FemNode(flat.places.fems.handles()[f], node))
    })
}

/// Positions and velocities at the start of bodies and of what follows; `state` has those of points.
pub(super) fn start(multibody: &Multibody, flat: &Flat<'_>, led: &[LedBody], state: &mut State) {
    for (body, rows) in flat.bodies.iter().zip(&multibody.bodies) {
        let row = rows.row as usize;
        let arm = body.pose.rotation * rows.inertia.center_of_mass();
        let (spin, origin) = (body.angular_velocity, body.velocity);
        (state.u[row], state.u[row + 1]) = (origin + spin.cross(&arm), spin);
    }
    for body in led {
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
    multibody.place_followers(&mut turns, &mut state.q);
    let mut attachments = multibody.attachments.clone();
    attachments.update_weights(&multibody.weights_at(&state.q));
    attachments.expand_velocity(&mut state.u);
}

/// Rows of bodies that are held, in all axes.
pub(super) fn hold(led: &[LedBody], held: &mut [[bool; 3]]) {
    for body in led {
        held[body.row()] = [true; 3];
        held[body.row() + 1] = [true; 3];
    }
}

/// Springs between frames, and drag on bodies in proportion to their momentum.
pub(super) fn add_forces(
    flat: &Flat<'_>,
    points: &Points,
    bodies: &[BodyRows],
    others: &mut Vec<Box<dyn ForceEffector>>,
) {
    let side = |site: &FrameSite| match site.body {
        None => FrameSide { row: None, frame: site.pose },
        Some(body) => {
            let body = flat.places.bodies.place(body).expect("references were checked");
            let mut frame = site.pose;
            frame.translation.vector -= bodies[body].inertia.center_of_mass();
            FrameSide { row: Some(points.body_rows[body]), frame }
        }
    };
    let bushing = |spring: &&FrameSpring| Bushing {
        c: side(&spring.c),
        d: side(&spring.d),
        stiffness: spring.stiffness,
        rotary_stiffness: spring.rotary_stiffness,
        damping: spring.damping,
        rotary_damping: spring.rotary_damping,
        enabled: spring.enabled,
    };
    if !flat.frame_springs.is_empty() {
        let springs = flat.frame_springs.iter().map(bushing).collect();
        others.push(Box::new(FrameSprings::new(springs)));
    }
    let drag = |(k, rows): (usize, &BodyRows)| {
        let rate = flat.damping_of(k).inertial;
        let (mass, inertia) = (rows.inertia.mass(), rows.inertia.rotational());
        (rate != 0.0).then_some(BodyDrag { row: rows.row, rate, mass, inertia })
    };
    let drags: Vec<BodyDrag> = bodies.iter().enumerate().filter_map(drag).collect();
    if !drags.is_empty() {
        others.push(Box::new(InertialDrag::new(drags)));
    }
}
