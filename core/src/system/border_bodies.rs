//! Rigid bodies at the border of tissue, in a step of backward Euler: the motion of the points that are on them, and the
//! changes of their angular momenta, which are not linear in the velocities that a device solves for
//! (docs/theory/rigid.md). The equations are those of a step of the CPU.

use nalgebra::UnitQuaternion;

use super::{BodyRows, CompiledModel, MechSystem, Multibody, State, Weight};
use crate::constraint::lever_stiffness;
use crate::dynamics::{advanced_by_cayley, turn_between, world_inertia};
use crate::{Mat3, Vec3};

/// The bodies of a model at the start of a step, and their angular velocities in an iterate of it.
#[derive(Default)]
pub(super) struct BorderBodies {
    /// Numbers of those that forces move.
    moving: Vec<usize>,
    orientations: Vec<UnitQuaternion<f64>>,
    turns: Vec<Mat3>,
    /// Rotations at the end of the iterate.
    end_turns: Vec<Mat3>,
    /// Means of the rotations at the start and at the end of the iterate.
    mean_turns: Vec<Mat3>,
    /// Mean angular velocity of each that is moved [rad/s], in the iterate and at the start.
    iterate: Vec<Vec3>,
    start: Vec<Vec3>,
    /// Resistance to a change of the iterate, about which the equations are solved: inertia, and that of levers [kg m²].
    resistances: Vec<Mat3>,
    weights: Vec<Mat3>,
    h: f64,
}

/// True if forces move a body.
fn is_moved(system: &CompiledModel, body: &BodyRows) -> bool {
    system.fixed()[body.row as usize + 1] != [true; 3]
}

/// The bodies of a system that forces move.
pub(super) fn moved_bodies(system: &CompiledModel) -> impl Iterator<Item = &BodyRows> {
    let bodies = system.multibody().map_or(&[][..], |multibody| &multibody.bodies);
    bodies.iter().filter(|body| is_moved(system, body))
}

impl BorderBodies {
    pub(super) fn new(system: &CompiledModel) -> Self {
        let Some(multibody) = system.multibody() else { return Self::default() };
        let bodies = multibody.bodies.iter().enumerate();
        let moving: Vec<usize> =
            bodies.filter(|(_, body)| is_moved(system, body)).map(|(k, _)| k).collect();
        let (count, all) = (moving.len(), multibody.bodies.len());
        Self {
            orientations: vec![UnitQuaternion::identity(); all],
            turns: vec![Mat3::identity(); all],
            end_turns: vec![Mat3::identity(); all],
            mean_turns: vec![Mat3::identity(); all],
            iterate: vec![Vec3::zeros(); count],
            start: vec![Vec3::zeros(); count],
            resistances: vec![Mat3::zeros(); count],
            weights: vec![Mat3::zeros(); multibody.attachments.weights.len()],
            h: 0.0,
            moving,
        }
    }

    /// Those that forces move, each with its place among them.
    pub(super) fn moving<'m>(
        &self,
        multibody: &'m Multibody,
    ) -> impl Iterator<Item = (usize, &'m BodyRows)> {
        self.moving.iter().map(|&k| &multibody.bodies[k]).enumerate()
    }

    /// Begins a step of `h` [s] from a state: the first iterate goes on as it turns.
    pub(super) fn begin(&mut self, multibody: &Multibody, state: &State, h: f64) {
        self.h = h;
        for (k, body) in multibody.bodies.iter().enumerate() {
            self.orientations[k] = body.orientation(&state.q);
            self.turns[k] = self.orientations[k].to_rotation_matrix().into_inner();
        }
        for (k, &number) in self.moving.iter().enumerate() {
            self.start[k] = state.u[multibody.bodies[number].row as usize + 1];
        }
        self.iterate.copy_from_slice(&self.start);
        self.turn_half_way();
        for (k, &number) in self.moving.iter().enumerate() {
            let (from, to) = (self.orientations[number], self.orientation_at_end(k));
            let half_way = UnitQuaternion::new(turn_between(&from, &to) * 0.5) * from;
            self.resistances[k] = world_inertia(&multibody.bodies[number].inertia, &half_way);
        }
    }

    /// Orientation at the end of the iterate of that which is moved at place `k`.
    fn orientation_at_end(&self, k: usize) -> UnitQuaternion<f64> {
        advanced_by_cayley(&self.orientations[self.moving[k]], &(self.iterate[k] * self.h))
    }

    fn turn_half_way(&mut self) {
        self.mean_turns.copy_from_slice(&self.turns);
        self.end_turns.copy_from_slice(&self.turns);
        for (k, &number) in self.moving.iter().enumerate() {
            let end = self.orientation_at_end(k).to_rotation_matrix().into_inner();
            self.mean_turns[number] = (self.turns[number] + end) * 0.5;
            self.end_turns[number] = end;
        }
    }

    /// Rotations at the start, the means of both, and those at the end of the iterate, as [`Self::weights_half_way`] was last asked for.
    pub(super) fn rotations(&self) -> [&[Mat3]; 3] {
        [&self.turns, &self.mean_turns, &self.end_turns]
    }

    /// Mean angular velocity [rad/s] of that at place `k` in the iterate.
    pub(super) fn velocity(&self, k: usize) -> Vec3 {
        self.iterate[k]
    }

    /// Adds what the levers of points on bodies resist under impulses on these [N s].
    pub(super) fn add_levers(&mut self, multibody: &Multibody, impulses: &[Vec3]) {
        let attachments = &multibody.attachments;
        for (point, &row) in attachments.list.attached_rows().iter().enumerate() {
            for rule in &attachments.weights[attachments.list.weights(point)] {
                let Weight::Turned(body, arm) = rule else { continue };
                let Ok(k) = self.moving.binary_search(&(*body as usize)) else { continue };
                let arm = self.mean_turns[*body as usize] * arm;
                let lever = lever_stiffness(&arm, &impulses[row as usize]);
                self.resistances[k] -= lever * (0.5 * self.h);
            }
        }
    }

    /// Takes the mean angular velocity [rad/s] of that at place `k`.
    pub(super) fn set_velocity(&mut self, k: usize, velocity: Vec3) {
        self.iterate[k] = velocity;
    }

    /// Weights of all attached points at the start of the step.
    pub(super) fn weights_at_start(&mut self, multibody: &Multibody) -> &[Mat3] {
        multibody.update_weights((&[], &self.turns), &[], &mut self.weights);
        &self.weights
    }

    /// Weights of all attached points half way in the iterate.
    pub(super) fn weights_half_way(&mut self, multibody: &Multibody) -> &[Mat3] {
        self.turn_half_way();
        multibody.update_weights((&[], &self.mean_turns), &[], &mut self.weights);
        &self.weights
    }

    /// Weights of all attached points in a state; `place` puts them there.
    pub(super) fn place(&mut self, multibody: &Multibody, state: &mut State) -> &[Mat3] {
        multibody.update_turns(&state.q, &mut self.mean_turns);
        multibody.place_attached(&mut self.mean_turns, &mut state.q);
        multibody.update_weights((&state.q, &self.mean_turns), &[], &mut self.weights);
        &self.weights
    }

    /// Resistance to a change of the iterate [kg m²].
    pub(super) fn resistance(&self, k: usize) -> Mat3 {
        self.resistances[k]
    }

    /// Angular momentum at the start less that at the end of the iterate, and what the resistance has of the latter [kg m²/s].
    pub(super) fn momentum(&self, multibody: &Multibody, k: usize) -> Vec3 {
        let number = self.moving[k];
        let (turn, rotational) =
            (self.turns[number], multibody.bodies[number].inertia.rotational());
        let momentum = |velocity: &Vec3| rotational * turn.tr_mul(velocity);
        let end = self.orientation_at_end(k);
        let change = turn * momentum(&self.start[k]) - end * momentum(&self.iterate[k]);
        change + self.resistances[k] * self.iterate[k]
    }

    /// Rotation and angular velocity of that at place `k` at the end of the step.
    pub(super) fn end(&self, k: usize) -> [Vec3; 2] {
        let end = self.orientation_at_end(k);
        let in_body = self.turns[self.moving[k]].tr_mul(&self.iterate[k]);
        [turn_between(&UnitQuaternion::identity(), &end), end * in_body]
    }
}
