//! The step of docs/theory/rigid.md on dense data: weight w of the end of the step, Cayley update of
//! orientations, rows at the mean of start and end, positions satisfied by the same multipliers.

use nalgebra::Vector3;

use super::banded::Banded;
use super::mixing::Mixing;
use super::rows::{Mat3, Row, Vec3};
use super::system::{State, System};
use super::trial::{Beginning, Numbering, Trial, get, put};
use sinew::dynamics::{SpatialInertia, TwistOfCenter, skew};

/// Share of the response of a row to its own impulse that is added to its diagonal, so that redundant
/// rows can be factored; the iterations remove what it lets through.
const REGULARIZATION: f64 = 1e-8;

/// Placement at which the coefficients of the matrix are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Matrix {
    /// Rows at the end, columns at the mean: the derivative of the equations, not symmetric.
    Derivative,
    /// Both at the mean: symmetric.
    Symmetric,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Weight of the end of the step: 1 backward Euler, 1/2 trapezoidal.
    pub(crate) weight: f64,
    /// Largest position error left [m], [rad].
    pub(crate) tolerance: f64,
    /// Largest momentum error left, over the largest momentum or impulse [-].
    pub(crate) momentum_tolerance: f64,
    /// Rounds at most.
    pub(crate) max_iterations: usize,
    /// A round that leaves more than this share of an error asks for a new factor [-].
    pub(crate) contraction: f64,
    /// Rounds that mixing looks back.
    pub(crate) depth: usize,
    pub(crate) matrix: Matrix,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            weight: 0.5,
            tolerance: 1e-10,
            momentum_tolerance: 1e-9,
            max_iterations: 40,
            contraction: 0.8,
            depth: 6,
            matrix: Matrix::Derivative,
        }
    }
}

/// Counts over the steps so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) steps: usize,
    pub(crate) factors: usize,
    pub(crate) solves: usize,
    /// Halves repeated with weight 1.
    pub(crate) damped: usize,
    /// Steps made in two halves.
    pub(crate) halved: usize,
}

pub(crate) struct Stepper<'a> {
    system: &'a System,
    settings: Settings,
    numbering: Numbering,
    has_rows: Vec<bool>,
    /// Impulses of the rows in the last step [N s], the first guess of the next.
    pub(crate) impulses: Vec<f64>,
    pub(crate) counts: Counts,
}

impl<'a> Stepper<'a> {
    pub(crate) fn new(system: &'a System, settings: Settings) -> Self {
        let mut has_rows = vec![false; system.inertias.len()];
        system.rows.iter().flat_map(Row::bodies).for_each(|b| has_rows[b] = true);
        let (numbering, counts) = (Numbering::new(system), Counts::default());
        let impulses = vec![0.0; system.rows.len()];
        Self { system, settings, numbering, has_rows, impulses, counts }
    }

    /// Advances `state` by `h` [s]; in two halves where the iterations do not converge, and a half with
    /// weight 1 where they still do not. False, and the state as it was, if eight halvings do not help.
    pub(crate) fn step(&mut self, state: &mut State, h: f64) -> bool {
        self.counts.steps += 1;
        self.try_step(state, h, self.settings.weight) || self.halves(state, h, 8)
    }

    fn step_or_halve(&mut self, state: &mut State, h: f64, halvings: usize) -> bool {
        if self.try_step(state, h, self.settings.weight) {
            return true;
        }
        if self.settings.weight < 1.0 {
            self.counts.damped += 1;
            if self.try_step(state, h, 1.0) {
                return true;
            }
        }
        halvings > 0 && self.halves(state, h, halvings)
    }

    fn halves(&mut self, state: &mut State, h: f64, halvings: usize) -> bool {
        self.counts.halved += 1;
        let start = state.clone();
        let done = (0..2).all(|_| self.step_or_halve(state, 0.5 * h, halvings - 1));
        if !done {
            *state = start;
        }
        done
    }

    fn try_step(&mut self, state: &mut State, h: f64, weight: f64) -> bool {
        // A body that nothing holds keeps its energy at any weight.
        let of_rotation = |&fixed: &bool| if fixed { weight } else { 0.5 };
        let rotation_weights: Vec<f64> = self.has_rows.iter().map(of_rotation).collect();
        let beginning = Beginning {
            system: self.system,
            numbering: &self.numbering,
            state,
            rotation_weights: &rotation_weights,
            weight,
            h,
        };
        let mut impulses = self.impulses.clone();
        let Some(end) = converged(&beginning, &self.settings, &mut impulses, &mut self.counts)
        else {
            return false;
        };
        (*state, self.impulses) = (end, impulses);
        true
    }
}

/// The end of the step, or none if the iterations do not get there; `impulses` hold the first guess, and
/// then those of the step.
fn converged(
    beginning: &Beginning,
    settings: &Settings,
    impulses: &mut [f64],
    counts: &mut Counts,
) -> Option<State> {
    let weights = mixing_weights(beginning);
    let mut trial = beginning.trial(predicted(beginning), impulses);
    let (mut factor, mut mixing) = (None, Mixing::default());
    for _ in 0..settings.max_iterations {
        let tolerances = [settings.momentum_tolerance, settings.tolerance];
        let before = [trial.momentum_error, trial.position_error];
        if before[0] < tolerances[0] && before[1] < tolerances[1] {
            return Some(trial.end);
        }
        let kept = factor.get_or_insert_with(|| {
            counts.factors += 1;
            mixing = Mixing::default();
            factored(beginning, &trial, impulses, settings.matrix)
        });
        counts.solves += 1;
        let correction = correction(beginning, &trial, kept);
        let step = mixing.step(correction, &weights, settings.depth);
        let velocities = applied(beginning, &trial.velocities, &step, impulses);
        trial = beginning.trial(velocities, impulses);
        let after = [trial.momentum_error, trial.position_error];
        // Written so that an error that is not a number is slow too.
        let is_slow =
            |i: usize| !(after[i] < tolerances[i] || after[i] < settings.contraction * before[i]);
        if is_slow(0) || is_slow(1) {
            factor = None;
        }
    }
    None
}

/// The first iterate: velocities as they are, except that a body that nothing holds falls and turns as
/// it will.
fn predicted(beginning: &Beginning) -> Vec<TwistOfCenter> {
    let Beginning { system, state, h, .. } = beginning;
    let fixed = |b: usize| system.rows.iter().any(|r| r.bodies().any(|other| other == b));
    let twist = |(b, t): (usize, &TwistOfCenter)| {
        if fixed(b) {
            return *t;
        }
        let orientation = state.poses[b].orientation;
        let body =
            free_angular_velocity(&system.inertias[b], &(orientation.inverse() * t.angular), *h);
        let linear = t.linear + system.gravity * (h * beginning.weight);
        TwistOfCenter { linear, angular: orientation * body }
    };
    state.twists.iter().enumerate().map(twist).collect()
}

/// Mean angular velocity W of a free step from `before`, both in body axes, at weight 1/2: the root of
/// 2 J (W - W0) + h W x J W (Austin1993), by Newton's method.
fn free_angular_velocity(inertia: &SpatialInertia, before: &Vec3, h: f64) -> Vec3 {
    let j = inertia.rotational();
    let mut mean = *before;
    for _ in 0..20 {
        let residual = j * (mean - before) * 2.0 + mean.cross(&(j * mean)) * h;
        let derivative = j * 2.0 + (skew(&mean) * j - skew(&(j * mean))) * h;
        let change = derivative.lu().solve(&residual).unwrap_or_else(Vector3::zeros);
        mean -= change;
        if change.norm() <= 1e-16 * mean.norm() {
            break;
        }
    }
    mean
}

/// [S -Gmᵀ; G e] at the trial: S = M / w less h/2 times the curvature of the rows under their
/// impulses, columns Gm at the mean, rows G at the end (or at the mean too).
fn factored(beginning: &Beginning, trial: &Trial, impulses: &[f64], kind: Matrix) -> Banded {
    let Beginning { system, numbering, .. } = beginning;
    let mut matrix = Banded::zeros(numbering.size(), numbering.band);
    for (b, inertia) in system.inertias.iter().enumerate() {
        let (at, r) = (numbering.of_body[b], trial.half[b]);
        let rotational = r * inertia.rotational() * r.transpose();
        let mass = Mat3::from_diagonal_element(inertia.mass());
        add_block(&mut matrix, [at, at], &(mass / beginning.weight));
        add_block(&mut matrix, [at + 3, at + 3], &(rotational / beginning.rotation_weights[b]));
    }
    let (mut columns, mut rows, mut curvature) = (Vec::new(), Vec::new(), Vec::new());
    let at_end = kind == Matrix::Derivative;
    for (k, row) in system.rows.iter().enumerate() {
        let i = numbering.of_row[k];
        row.coefficients(&trial.mean, &mut columns);
        row.coefficients(if at_end { &trial.last } else { &trial.mean }, &mut rows);
        let mut response = 0.0;
        for (&(b, l, a), (_, l1, a1)) in columns.iter().zip(&rows) {
            let at = numbering.of_body[b];
            for c in 0..3 {
                matrix.add(i, at + c, l1[c]);
                matrix.add(i, at + 3 + c, a1[c]);
                matrix.add(at + c, i, -l[c]);
                matrix.add(at + 3 + c, i, -a[c]);
            }
            let lightest = system.inertias[b].rotational().diagonal().min();
            response += l.norm_squared() / system.inertias[b].mass() + a.norm_squared() / lightest;
        }
        matrix.add(i, i, REGULARIZATION * response);
        row.curvature(&trial.mean, &mut curvature);
        for ((b, part), (c, other), block) in &curvature {
            let at = [numbering.of_body[*b] + 3 * part, numbering.of_body[*c] + 3 * other];
            add_block(&mut matrix, at, &(block * (-0.5 * beginning.h * impulses[k])));
        }
    }
    matrix.factor();
    matrix
}

/// One back-solve: corrections of velocities and impulses, by unknowns.
fn correction(beginning: &Beginning, trial: &Trial, factor: &Banded) -> Vec<f64> {
    let mut x: Vec<f64> = trial.residual.iter().map(|r| -r).collect();
    factor.solve(&mut x);
    for (b, &at) in beginning.numbering.of_body.iter().enumerate() {
        // Found in the frame half way, wanted in that of the start.
        let start = beginning.state.poses[b].orientation.to_rotation_matrix();
        let turned = start * trial.half[b].transpose() * get(&x, at + 3);
        put(&mut x, at + 3, &turned);
    }
    x
}

fn applied(
    beginning: &Beginning,
    velocities: &[TwistOfCenter],
    step: &[f64],
    impulses: &mut [f64],
) -> Vec<TwistOfCenter> {
    for (impulse, &i) in impulses.iter_mut().zip(&beginning.numbering.of_row) {
        *impulse += step[i];
    }
    let moved = |(y, &at): (&TwistOfCenter, &usize)| TwistOfCenter {
        linear: y.linear + get(step, at),
        angular: y.angular + get(step, at + 3),
    };
    velocities.iter().zip(&beginning.numbering.of_body).map(moved).collect()
}

/// Masses and moments of inertia: corrections are compared by their kinetic energy.
fn mixing_weights(beginning: &Beginning) -> Vec<f64> {
    let mut weights = vec![0.0; beginning.numbering.size()];
    for (inertia, &at) in beginning.system.inertias.iter().zip(&beginning.numbering.of_body) {
        weights[at..at + 3].fill(inertia.mass());
        put(&mut weights, at + 3, &inertia.rotational().diagonal());
    }
    weights
}

fn add_block(matrix: &mut Banded, at: [usize; 2], block: &Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            matrix.add(at[0] + i, at[1] + j, block[(i, j)]);
        }
    }
}
