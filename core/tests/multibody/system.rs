//! Bodies and joints of a small multibody system in maximal coordinates, its state and its energy.

use nalgebra::UnitQuaternion;

use super::rows::{MovingVector, Placement, Row, Vec3};
use sinew::dynamics::{SpatialInertia, TwistOfCenter, kinetic_energy};

#[derive(Clone)]
pub(crate) struct Pose {
    /// Position of the centre of mass [m].
    pub(crate) center: Vec3,
    pub(crate) orientation: UnitQuaternion<f64>,
}

#[derive(Clone)]
pub(crate) struct State {
    pub(crate) poses: Vec<Pose>,
    pub(crate) twists: Vec<TwistOfCenter>,
}

impl State {
    pub(crate) fn placements(&self) -> Vec<Placement> {
        self.poses.iter().map(|p| Placement::new(p.center, &p.orientation)).collect()
    }
}

pub(crate) struct System {
    pub(crate) inertias: Vec<SpatialInertia>,
    pub(crate) rows: Vec<Row>,
    pub(crate) gravity: Vec3,
}

impl System {
    pub(crate) fn new(gravity: Vec3) -> Self {
        Self { inertias: Vec::new(), rows: Vec::new(), gravity }
    }

    /// Adds a body, given about its centre of mass, and its initial state.
    pub(crate) fn add_body(
        &mut self,
        inertia: SpatialInertia,
        pose: Pose,
        state: &mut State,
    ) -> usize {
        self.inertias.push(inertia);
        state.poses.push(pose);
        state.twists.push(TwistOfCenter { linear: Vec3::zeros(), angular: Vec3::zeros() });
        self.inertias.len() - 1
    }

    /// A world point as a point of a body (None: the ground) at the present poses.
    pub(crate) fn point(&self, state: &State, body: Option<usize>, at: Vec3) -> MovingVector {
        let local = body.map_or(at, |b| {
            let pose = &state.poses[b];
            pose.orientation.inverse() * (at - pose.center)
        });
        MovingVector::point(body, local)
    }

    pub(crate) fn direction(&self, state: &State, body: Option<usize>, v: Vec3) -> MovingVector {
        let local = body.map_or(v, |b| state.poses[b].orientation.inverse() * v);
        MovingVector::direction(body, local)
    }

    /// Three rows: a point of one body stays on a point of the other.
    pub(crate) fn add_ball(&mut self, state: &State, bodies: [Option<usize>; 2], at: Vec3) {
        let [a, b] = bodies.map(|body| self.point(state, body, at));
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let row = Row::dot(MovingVector::fixed(axis), a.clone().minus(b.clone()), 0.0);
            self.rows.push(row);
        }
    }

    /// Two rows: directions stay parallel.
    pub(crate) fn add_parallel(&mut self, state: &State, bodies: [Option<usize>; 2], axis: Vec3) {
        let first = axis.cross(&if axis.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() }).normalize();
        for across in [first, axis.cross(&first)] {
            let u = self.direction(state, bodies[0], axis);
            let v = self.direction(state, bodies[1], across);
            self.rows.push(Row::dot(u, v, 0.0));
        }
    }

    /// Five rows: a hinge about the unit `axis` through `at`.
    pub(crate) fn add_hinge(
        &mut self,
        state: &State,
        bodies: [Option<usize>; 2],
        at: Vec3,
        axis: Vec3,
    ) {
        self.add_ball(state, bodies, at);
        self.add_parallel(state, bodies, axis);
    }

    pub(crate) fn kinetic_energy(&self, state: &State) -> f64 {
        let bodies = self.inertias.iter().zip(&state.poses).zip(&state.twists);
        bodies.map(|((i, p), t)| kinetic_energy(i, &p.orientation, t)).sum()
    }

    pub(crate) fn energy(&self, state: &State) -> f64 {
        let bodies = self.inertias.iter().zip(&state.poses);
        let potential: f64 = bodies.map(|(i, p)| -i.mass() * self.gravity.dot(&p.center)).sum();
        potential + self.kinetic_energy(state)
    }

    /// The largest error of a row's position.
    pub(crate) fn drift(&self, state: &State) -> f64 {
        let at = state.placements();
        self.rows.iter().map(|r| r.value(&at).abs()).fold(0.0, f64::max)
    }
}
