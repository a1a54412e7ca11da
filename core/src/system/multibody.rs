//! Parts of a system beside points and forces: rigid bodies, rows that follow others, and
//! constraint rows. Their part in a step: `solve/constrained`.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::UnitQuaternion;

use super::fitted::FittedBody;
use super::moving_point::MovingPoint;
use super::time_course::TimeCourse;
use super::{ContactSetup, MechSystem, State};
use crate::attachment::{AttachmentError, AttachmentList, Attachments, RowReduction, TurnRates};
use crate::component::ComponentId;
use crate::constraint::{Compliance, ConstraintRows, PlacedJoint, Placement, Pose, UnilateralRows};
use crate::dynamics::{SpatialInertia, skew, world_inertia};
use crate::linalg::kkt::{KktSystem, redundant_rows};
use crate::linalg::{BlockMatrix, BlockPattern, add_block};
use crate::{Mat3, Vec3};

/// A rigid body: two block rows, that of its centre of mass and that of its rotation. Positions of the
/// second are rotation vectors (direction times angle [rad], body to world), its velocities angular
/// velocities in world axes.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRows {
    /// The first of its two block rows.
    pub row: u32,
    /// Inertia of the body with all points that are attached to it, in the frame of the body.
    pub inertia: SpatialInertia,
    /// True if nothing but weight and loads acts on its rotation: it then keeps its energy whatever the
    /// rule.
    pub rotates_freely: bool,
}

impl BodyRows {
    /// Orientation, body to world.
    pub fn orientation(&self, q: &[Vec3]) -> UnitQuaternion<f64> {
        UnitQuaternion::new(q[self.row as usize + 1])
    }

    /// Its length for comparing moments with forces [m].
    pub fn length(&self) -> f64 {
        (self.inertia.rotational().trace() / self.inertia.mass()).sqrt()
    }
}

/// The weight of one master of a following row, and the geometry that it depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// A share of the velocity of a point.
    Share(f64),
    /// The velocity of the centre of mass of a body.
    Centre,
    /// The angular velocity of a body: its number, and the arm from its centre of mass in its axes [m].
    Turned(u32, Vec3),
    /// The velocity of a point that a body follows, in its angular velocity: the number of the body among those
    /// that follow, and the vector of the point in F [1/m].
    Gradient(u32, Vec3),
    /// That of a master of the moving point of a number: all of them depend on where bodies are.
    Moving(u32),
}

/// Attached points, and bodies that are fitted to points.
#[derive(Clone)]
pub struct AttachmentSet {
    /// Their rows, resolved to masters that follow nothing.
    pub resolved: Attachments,
    /// The masters of each attached point, in order.
    pub list: AttachmentList,
    /// A weight for each of them.
    pub weights: Vec<Weight>,
    /// Position of each attached point minus the weighted sum of its masters [m].
    pub offsets: Vec<Vec3>,
    /// The bodies that are fitted to points.
    pub fitted: Vec<FittedBody>,
    /// The points that move in their bodies.
    pub moving: Vec<MovingPoint>,
}

impl AttachmentSet {
    /// True if attached point number `k` follows points alone, by shares of their motions that do not change.
    pub fn follows_points(&self, k: usize) -> bool {
        self.weights[self.list.weights(k)].iter().all(|it| matches!(it, Weight::Share(_)))
    }

    /// Resolves the attached points anew, on a pattern that has room for what is assembled.
    pub(super) fn resolve(
        &mut self,
        pattern: &BlockPattern,
        fixed: &[[bool; 3]],
    ) -> Result<(), AttachmentError> {
        self.resolved = Attachments::new(pattern, &self.list, fixed)?;
        Ok(())
    }
}

/// Constraint rows: those of joints, of constrainers and of couplings, and the joints themselves.
#[derive(Clone, Default)]
pub struct JointSet {
    /// The bilateral rows.
    pub rows: ConstraintRows,
    /// Compliance and damping of each row.
    pub compliance: Vec<Compliance>,
    /// Inertia of the value of each row [kg or kg m²]; of effect for compliant ones.
    pub inertia: Vec<f64>,
    /// The component that each row belongs to, for messages.
    pub names: Vec<String>,
    /// The unilateral rows.
    pub unilateral: UnilateralRows,
    /// The enabled joints.
    pub placed: Vec<Arc<PlacedJoint>>,
    /// The number of each among them.
    pub places: BTreeMap<ComponentId, usize>,
    /// True for coordinates that are locked, as in [`State::coordinates`].
    pub locked: Vec<bool>,
    /// True for bilateral rows that lock a coordinate.
    pub lock_rows: Vec<bool>,
    /// Coordinates that couplings make dependent, as in [`State::coordinates`].
    pub dependent: Vec<usize>,
    /// Locks whose places change over time.
    pub paths: Vec<CoordinatePath>,
}

/// Path of a coordinate that is locked.
#[derive(Clone, Debug)]
pub struct CoordinatePath {
    /// Its number, as in [`State::coordinates`].
    pub coordinate: usize,
    /// Bilateral row of its lock.
    pub row: usize,
    /// Its value over time [m or rad].
    pub course: TimeCourse,
}

/// Bodies, attached points, constraint rows and contacts of a system.
#[derive(Clone)]
pub struct Multibody {
    /// The bodies.
    pub bodies: Vec<BodyRows>,
    /// Attached points and fitted bodies.
    pub attachments: AttachmentSet,
    /// The constraint rows.
    pub joints: JointSet,
    /// Pairs that may touch.
    pub contacts: ContactSetup,
}

impl Multibody {
    /// True if there is nothing that a step has to know of.
    pub(super) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
            && self.attachments.list.attached_rows().is_empty()
            && self.joints.rows.count() == 0
            && self.joints.unilateral.count() == 0
            && self.contacts.pairs.is_empty()
    }

    /// Hands every group of coupled rows to `visit`.
    pub(super) fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.bodies.iter().for_each(|body| visit(&[body.row, body.row + 1]));
        self.joints.rows.visit_cliques(visit);
        self.joints.unilateral.lists().iter().for_each(|list| visit(list));
    }

    /// Weights of all attached points with bodies at `q` and turned as `turns` say (rotations, or means of two), and rates
    /// of those that follow points.
    pub fn update_weights(
        &self,
        (q, turns): (&[Vec3], &[Mat3]),
        rates: &[TurnRates],
        weights: &mut [Mat3],
    ) {
        for (weight, rule) in weights.iter_mut().zip(&self.attachments.weights) {
            *weight = match rule {
                Weight::Share(share) => Mat3::identity() * *share,
                Weight::Centre => Mat3::identity(),
                Weight::Turned(body, arm) => -skew(&(turns[*body as usize] * arm)),
                Weight::Gradient(fitted_body, g) => rates[*fitted_body as usize].weight(g),
                Weight::Moving(_) => Mat3::zeros(),
            };
        }
        self.update_moving(q, turns, weights);
    }

    /// Poses of the bodies at positions `q`.
    pub(super) fn poses(&self, q: &[Vec3]) -> Vec<Pose> {
        let of_body =
            |body: &BodyRows| Pose::from_parts(q[body.row as usize].into(), body.orientation(q));
        self.bodies.iter().map(of_body).collect()
    }

    /// The body whose rotation has block row `block`.
    pub fn body_of_rotation(&self, block: u32) -> Option<usize> {
        self.bodies.binary_search_by(|body| (body.row + 1).cmp(&block)).ok()
    }

    /// Weights of all attached points at positions `q`.
    pub fn weights_at(&self, q: &[Vec3]) -> Vec<Mat3> {
        let mut turns = vec![Mat3::zeros(); self.bodies.len()];
        self.update_turns(q, &mut turns);
        let mut rates = vec![TurnRates::zero(); self.attachments.fitted.len()];
        self.update_rates(q, &mut rates);
        let mut weights = vec![Mat3::zeros(); self.attachments.weights.len()];
        self.update_weights((q, &turns), &rates, &mut weights);
        weights
    }

    /// Puts all attached points where their masters have them; `turns` of bodies that follow become those of their
    /// masters.
    pub fn place_attached(&self, turns: &mut [Mat3], q: &mut [Vec3]) {
        for &k in self.attachments.resolved.order() {
            let k = k as usize;
            if let Some(fitted_body) = self.fitted_at(k) {
                self.turn_fitted(fitted_body, turns, q);
                continue;
            }
            let range = self.attachments.list.weights(k);
            if let Some(&Weight::Moving(moving)) = self.attachments.weights.get(range.start) {
                let row = self.attachments.list.attached_rows()[k] as usize;
                q[row] = self.place_of_moving(moving as usize, q, turns);
                continue;
            }
            let masters =
                self.attachments.list.masters(k).iter().zip(&self.attachments.weights[range]);
            let part = |(&master, weight): (&u32, &Weight)| match weight {
                Weight::Share(share) => q[master as usize] * *share,
                Weight::Centre => q[master as usize],
                Weight::Turned(body, arm) => turns[*body as usize] * arm,
                Weight::Gradient(..) | Weight::Moving(_) => Vec3::zeros(),
            };
            let place = masters.map(part).sum::<Vec3>() + self.attachments.offsets[k];
            q[self.attachments.list.attached_rows()[k] as usize] = place;
        }
    }

    /// Owners of constraint rows that depend on rows before them, at a state: the path of the joint or
    /// constraint, once for each such row. The solver runs
    /// redundant rows and needs no such analysis.
    pub fn redundant_rows(&self, system: &dyn MechSystem, state: &State) -> Vec<&str> {
        let q = &state.q;
        let pattern = system.pattern();
        let mut turns = vec![Mat3::zeros(); self.bodies.len()];
        self.update_turns(q, &mut turns);
        let mut attachments = self.attachments.resolved.clone();
        attachments.update_weights(&self.weights_at(q));
        let mut matrix = BlockMatrix::zeros(pattern.clone());
        for (row, mass) in system.masses().iter().enumerate() {
            let slot = pattern.diagonal(row);
            add_block(matrix.values_mut(), slot, &(Mat3::identity() * *mass));
        }
        for body in &self.bodies {
            let slot = pattern.diagonal(body.row as usize + 1);
            let inertia = world_inertia(&body.inertia, &body.orientation(q));
            add_block(matrix.values_mut(), slot, &inertia);
        }
        attachments.reduce(&mut matrix);
        let full = self.joints.rows.pattern(pattern.size());
        let mut pushes = vec![Vec3::zeros(); full.entry_count()];
        let mut reader =
            self.joints.rows.at(Placement { q, turns: &turns, coordinates: &state.coordinates });
        for row in 0..self.joints.rows.count() {
            reader.coefficients(row, &mut pushes[full.entries(row)]);
        }
        let reduction = RowReduction::new(&full, &attachments);
        let mut reduced = vec![Vec3::zeros(); reduction.pattern().entry_count()];
        reduction.reduce(&attachments, &pushes, &mut reduced);
        let fixed = self.reduced_fixed(system.fixed());
        let compliance: Vec<f64> =
            self.joints.compliance.iter().map(|soft| soft.compliance).collect();
        let kkt = KktSystem { s: &matrix, g: &reduced, r: &compliance };
        let rows = redundant_rows(kkt, reduction.pattern(), &fixed);
        rows.into_iter().map(|row| self.joints.names[row].as_str()).collect()
    }

    /// Scalars that a step does not solve for: those that are `fixed`, and those of attached points, which follow.
    pub fn reduced_fixed(&self, fixed: &[[bool; 3]]) -> Vec<[bool; 3]> {
        let mut reduced = fixed.to_vec();
        self.attachments.resolved.fix_attached(&mut reduced);
        reduced
    }

    /// Coordinates of all joints at the start [m], [rad].
    pub fn start_coordinates(&self) -> Vec<f64> {
        self.joints.placed.iter().flat_map(|joint| joint.start.iter().copied()).collect()
    }

    /// Follows the coordinates of all joints to positions `q`; locked ones stay what they are fixed at.
    pub fn update_coordinates(&self, q: &[Vec3], coordinates: &mut Vec<f64>) {
        if coordinates.len() != self.joints.locked.len() {
            coordinates.clear();
            coordinates.extend(self.joints.placed.iter().flat_map(|joint| joint.start.iter()));
        }
        for joint in &self.joints.placed {
            let (first, count) = (joint.first as usize, joint.start.len());
            let mut now = [0.0; 6];
            let own = &mut coordinates[first..first + count];
            joint.calc_coordinates(q, own, &mut now[..count]);
            for (k, (own, now)) in own.iter_mut().zip(now).enumerate() {
                if !self.joints.locked[first + k] {
                    *own = now;
                }
            }
        }
    }

    /// Puts locks whose places change over time where they are at a time [s].
    pub(crate) fn prescribe_coordinates(&self, time: f64, coordinates: &mut [f64]) {
        for path in &self.joints.paths {
            if let Some(place) = coordinates.get_mut(path.coordinate) {
                *place = path.course.at(time);
            }
        }
    }

    /// True if a block row is that of a point which follows others.
    pub(crate) fn is_following_point(&self, row: u32) -> bool {
        self.attachments.resolved.is_attached(row)
            && self.bodies.first().is_none_or(|body| row < body.row)
    }

    /// Rotation matrices of all bodies, into `turns`.
    pub fn update_turns(&self, q: &[Vec3], turns: &mut [Mat3]) {
        for (turn, body) in turns.iter_mut().zip(&self.bodies) {
            *turn = body.orientation(q).to_rotation_matrix().into_inner();
        }
    }

    /// Energy of the turning of all bodies [J].
    pub fn rotational_energy(&self, q: &[Vec3], u: &[Vec3]) -> f64 {
        let energy = |body: &BodyRows| {
            let turning = body.orientation(q).inverse() * u[body.row as usize + 1];
            0.5 * turning.dot(&(body.inertia.rotational() * turning))
        };
        self.bodies.iter().map(energy).sum()
    }

    /// Angular momentum of the turning of all bodies about their centres of mass [kg m²/s].
    pub fn rotational_momentum(&self, q: &[Vec3], u: &[Vec3]) -> Vec3 {
        let rotational_momentum = |body: &BodyRows| {
            let turn = body.orientation(q);
            turn * (body.inertia.rotational() * (turn.inverse() * u[body.row as usize + 1]))
        };
        self.bodies.iter().map(rotational_momentum).sum()
    }
}
